import { signal } from "@preact/signals";
import { dropUnsaved } from "./unsaved.tsx";

const KEY = "member";
/** In place of an id, where this browser knows only that somebody has logged in. */
const SOMEBODY = "1";

/**
 * To whom belongs what is on this page; null where nobody has been logged in. It stays the same when the login ends:
 * what was typed is still theirs.
 */
let owner = readKept();

/** Whether nothing of the owner is shown any more, because somebody else has logged in. */
export const isCleared = signal(false);

/** Whether what is on this page belongs to another member. */
export function isOthers(id: string): boolean {
  return owner !== null && owner !== id;
}

/** Whether the page does not know its owner yet. */
export function isOwnerUnknown(): boolean {
  return owner === SOMEBODY;
}

/** Notes who is logged in here: the id, or undefined where it is not known; null for nobody. */
export function noteMember(id: string | null | undefined): void {
  if (owner === null || owner === SOMEBODY) owner = id === undefined ? (readKept() ?? SOMEBODY) : id;
  try {
    if (id === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, id ?? localStorage.getItem(KEY) ?? SOMEBODY);
  } catch {
    // Without storage the server is asked every time.
  }
}

/** Whether somebody has logged in with this browser. The session itself is in a cookie that no script can read. */
export function hasMember(): boolean {
  return readKept() !== null;
}

/** Takes everything of the owner off the page, before anything else is asked or sent in the name of another member. */
export function clearPage(): void {
  dropUnsaved();
  isCleared.value = true;
}

/** Begins anew for another member: a new document has nothing in memory. */
export function startAnew(id: string): void {
  clearPage();
  noteMember(id);
  try {
    sessionStorage.clear();
  } catch {
    // Then there is nothing to forget.
  }
  location.reload();
}

function readKept(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return SOMEBODY;
  }
}
