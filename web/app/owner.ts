import { signal } from "@preact/signals";
import { dropUnsaved } from "./unsaved.tsx";

const KEY = "member";
const NAME_KEY = "member-name";
/** In place of an id, where this browser knows only that somebody has logged in. */
const SOMEBODY = "1";

/**
 * To whom belongs what is on this page; null where nobody has been logged in. It stays the same when the login ends:
 * what was typed is still theirs.
 */
let owner = readKept();

/** A member, and their name where it is known. */
export interface MemberName {
  readonly id: string;
  readonly name?: string;
}

/** What the member who is logged in is called, where this browser knows it; the head of every page says it. */
export const memberName = signal(read(NAME_KEY) ?? "");

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

/** Notes who is logged in here: id and name, or undefined where they are not known; null for nobody. */
export function noteMember(id: string | null | undefined, name?: string): void {
  if (owner === null || owner === SOMEBODY) owner = id === undefined ? (readKept() ?? SOMEBODY) : id;
  if (name !== undefined) memberName.value = name;
  else if (id !== undefined && id !== readKept()) memberName.value = "";
  try {
    localStorage.setItem(NAME_KEY, memberName.value);
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
export function startAnew({ id, name }: MemberName): void {
  clearPage();
  noteMember(id, name);
  try {
    sessionStorage.clear();
  } catch {
    // Then there is nothing to forget.
  }
  location.reload();
}

function readKept(): string | null {
  return read(KEY);
}

/** @returns what stands for somebody where there is no storage: then the server is asked */
function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return key === KEY ? SOMEBODY : null;
  }
}
