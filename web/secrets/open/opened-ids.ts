const KEY = "opened";

/** Remembers in this tab which secrets it has opened: their ids only, which open nothing. */
export function rememberOpened(id: string): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...readIds(), id]));
  } catch {
    // Without storage a reload cannot tell who opened it.
  }
}

/** Whether a secret was opened in this tab. */
export function wasOpenedHere(id: string): boolean {
  return readIds().includes(id);
}

function readIds(): readonly unknown[] {
  try {
    const ids: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    return Array.isArray(ids) ? ids : [];
  } catch {
    return [];
  }
}
