// What a tab keeps over a reload: in its storage, or in its entry of the history where a browser blocks storage.

/** A text that is kept; empty where there is none. */
export function readTab(name: string): string {
  let kept: unknown;
  try {
    kept = sessionStorage.getItem(name);
  } catch {
    // It can be in the history.
  }
  kept ??= Object(history.state)[name];
  return String(kept ?? "");
}

export function keepInTab(name: string, text: string): void {
  try {
    sessionStorage.setItem(name, text);
  } catch {
    history.replaceState({ ...history.state, [name]: text }, "");
  }
}
