/** What a person does on a page, as a page itself can do it. Sent as source, so that it uses nothing from outside. */
export function inPage() {
  const PATIENCE_MS = 60_000;
  const objects = new Map<string, Blob>();
  const createObjectURL = URL.createObjectURL.bind(URL);
  URL.createObjectURL = (object: Blob) => {
    const url = createObjectURL(object);
    objects.set(url, object);
    return url;
  };
  return { live, see, press, fill, textOf, pick, choose, result };

  async function until<Value>(find: () => Value | null | undefined | false, what: string): Promise<Value> {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      const found = find();
      if (found) return found;
      if (Date.now() > end) throw new Error(`${what} is not on the page: ${document.body.innerText}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Waits until the scripts have taken over what the build has drawn. */
  function live(): Promise<boolean> {
    return until(() => document.documentElement.dataset["page"] === undefined, "What is alive");
  }

  function see(text: string): Promise<boolean> {
    return until(() => document.body.innerText.includes(text), text);
  }

  async function press(name: string): Promise<void> {
    const find = () =>
      [...document.querySelectorAll("button")].find(
        (each) => each.innerText.trim() === name && !each.disabled,
      );
    (await until(find, `A button ${name}`)).click();
  }

  function control(label: string) {
    // A label may hold its control, and with it the texts of all options.
    const labels = () => [...document.querySelectorAll("label")];
    const find = () =>
      labels().find((each) => each.firstChild?.textContent?.trim() === label)?.control ??
      document.querySelector<HTMLElement>(`input[aria-label="${label}"]`);
    return until(find, `A field ${label}`) as Promise<HTMLInputElement | HTMLSelectElement>;
  }

  async function fill(label: string, value: string): Promise<void> {
    const field = await control(label);
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  /** Of what is to be read and copied: no field, but called like one. */
  async function textOf(label: string): Promise<string> {
    const find = () => document.querySelector<HTMLElement>(`main [aria-label="${label}"]`);
    return (await until(find, `A text ${label}`)).innerText;
  }

  async function pick(label: string, value: string): Promise<void> {
    const field = await control(label);
    field.value = value;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }

  async function choose(name: string, type: string, base64: string): Promise<void> {
    const find = () => document.querySelector<HTMLInputElement>("main input[type=file]");
    const input = await until(find, "A field for files");
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const transfer = new DataTransfer();
    transfer.items.add(new File([bytes], name, { type }));
    input.files = transfer.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /** The bytes behind the button to save, and the name that they are saved under. */
  async function result(): Promise<{ name: string; base64: string }> {
    const link = await until(() => document.querySelector<HTMLAnchorElement>("main a[download]"), "A result");
    const bytes = new Uint8Array((await objects.get(link.href)?.arrayBuffer()) ?? []);
    return { name: link.download, base64: btoa(String.fromCharCode(...bytes)) };
  }
}
