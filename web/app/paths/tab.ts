// What this browser keeps, and what a tab keeps over a reload: in its storage, or in its entry of the history where a
// browser blocks storage.

/** A text that this browser keeps. */
export function readKept(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a text in this browser, or removes it; without storage it lasts until the page is closed. */
export function keep(name: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
  } catch {
    // A browser without storage keeps nothing.
  }
}

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
