// Brings a page that the build has drawn to life: the scripts draw it again in the same place. What the person has
// typed, chosen, unfolded or pressed until then is repeated in the new page.

/** Draws in the place of what the build has drawn, or of the text for browsers without scripts. */
export function comeAlive(element: HTMLElement, draw: () => void): void {
  const root: HTMLElement & { pressed?: Element | null } = document.documentElement;
  const [before, focused] = [controlsIn(element), document.activeElement];
  element.replaceChildren();
  draw();
  for (const name of ["page", "other"]) delete root.dataset[name];
  const after = controlsIn(element);
  const inTurn = (old: Element | null | undefined) =>
    sameAs(old, after[before.findIndex((each) => each === old)]);
  for (const old of before) {
    carry(old, inTurn(old));
    // A dialog for files that is still open belongs to the field that is gone.
    if (old instanceof HTMLInputElement && old.type === "file")
      old.addEventListener("change", () => carry(old, inTurn(old)));
  }
  const now = inTurn(focused);
  if (now instanceof HTMLElement) now.focus({ preventScroll: true });
  const pressed = inTurn(root.pressed);
  // Runs after the new page has been drawn with what was typed before.
  if (pressed instanceof HTMLElement) setTimeout(() => pressed.click());
}

/** Whether the person has typed or chosen something that only the fields have. */
export function isTyped(element: HTMLElement): boolean {
  const fields = element.querySelectorAll<HTMLInputElement>("input, textarea");
  return [...fields].some(({ value, defaultValue }) => value !== defaultValue);
}

function controlsIn(element: HTMLElement): Element[] {
  return [...element.querySelectorAll("a[href], button, input, select, textarea, summary")];
}

/** The new page may differ: fields of the same kind in the same place are the same. */
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
  // Number fields have no selection.
  if (old.selectionStart !== null) now.setSelectionRange(old.selectionStart, old.selectionEnd);
}

/** Changes a field, and fires the events that a person's change would. */
function tell(field: Element, change: () => void): void {
  change();
  for (const event of ["input", "change"]) field.dispatchEvent(new Event(event, { bubbles: true }));
}
