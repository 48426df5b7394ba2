// What the build has drawn becomes alive: the scripts draw the same page anew in its place. What somebody has typed,
// chosen, unfolded or pressed until then is typed, chosen, unfolded and pressed in the new one.

type Root = HTMLElement & { pressed?: Element | null };

/** Draws in the place of what the build has drawn, or of what the server says to browsers without script. */
export function comeAlive(element: HTMLElement, draw: () => void): void {
  const root: Root = document.documentElement;
  const [before, focused] = [controlsIn(element), document.activeElement];
  element.replaceChildren();
  draw();
  for (const name of ["page", "other"]) delete root.dataset[name];
  const after = controlsIn(element);
  const inTurn = (old: Element | null | undefined) =>
    sameAs(old, after[before.findIndex((each) => each === old)]);
  for (const old of before) carry(old, inTurn(old));
  const now = inTurn(focused);
  if (now instanceof HTMLElement) now.focus({ preventScroll: true });
  const pressed = inTurn(root.pressed);
  // What was carried is drawn before.
  if (pressed instanceof HTMLElement) setTimeout(() => pressed.click());
}

/** Whether somebody has typed or chosen what only the fields have. */
export function isTyped(element: HTMLElement): boolean {
  const fields = element.querySelectorAll<HTMLInputElement>("input, textarea");
  return [...fields].some(({ value, defaultValue }) => value !== defaultValue);
}

function controlsIn(element: HTMLElement): Element[] {
  return [...element.querySelectorAll("a[href], button, input, select, textarea, summary")];
}

/** The page that is drawn may be another one: other fields of the same kind in the same place are the same. */
function sameAs(old: Element | null | undefined, found: Element | undefined): Element | undefined {
  const isSame = found?.tagName === old?.tagName && found?.getAttribute("type") === old?.getAttribute("type");
  return isSame ? found : undefined;
}

function carry(old: Element, now: Element | undefined): void {
  if (old instanceof HTMLInputElement && now instanceof HTMLInputElement) carryInput(old, now);
  else if (old instanceof HTMLTextAreaElement && now instanceof HTMLTextAreaElement) carryText(old, now);
  else if (old instanceof HTMLSelectElement && now instanceof HTMLSelectElement) {
    if ([...old.options].some((each) => each.selected !== each.defaultSelected))
      tell(now, () => (now.value = old.value));
  } else if (old.parentElement?.matches("details[open]") && now) now.parentElement?.setAttribute("open", "");
}

function carryInput(old: HTMLInputElement, now: HTMLInputElement): void {
  const { type, files } = old;
  if (type === "checkbox" || type === "radio") {
    if (old.checked !== old.defaultChecked && (old.checked || type === "checkbox")) now.click();
  } else if (type !== "file") carryText(old, now);
  else if (files?.length) tell(now, () => (now.files = files));
}

function carryText<Field extends HTMLInputElement | HTMLTextAreaElement>(old: Field, now: Field): void {
  if (old.value === old.defaultValue) return;
  tell(now, () => (now.value = old.value));
  // Numbers have none.
  if (old.selectionStart !== null) now.setSelectionRange(old.selectionStart, old.selectionEnd);
}

/** Changes a field, and says so as a browser does after a person has. */
function tell(field: Element, change: () => void): void {
  change();
  for (const event of ["input", "change"]) field.dispatchEvent(new Event(event, { bubbles: true }));
}
