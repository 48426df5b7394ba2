/** Has Ctrl+Enter, or Cmd+Enter, do the main thing of a page from wherever the focus is. */
export function startMainAction(): void {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
    const button = formFor(event.target)?.querySelector<HTMLButtonElement>("button:not([type])");
    if (!button) return;
    // In a field of one line the browser would send the form as well.
    event.preventDefault();
    if (!event.repeat) button.click();
  });
}

/** The form around the focus, or else the only one of the page. */
function formFor(target: EventTarget | null): Element | null | undefined {
  // A question is answered with its own buttons.
  if (!(target instanceof Element) || target.closest("dialog")) return undefined;
  const forms = document.querySelectorAll("main form");
  return target.closest("form") ?? (forms.length === 1 ? forms[0] : undefined);
}
