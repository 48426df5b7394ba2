import { signal } from "@preact/signals";
import { dropUnsaved } from "./unsaved.tsx";

const KEY = "member";
const NAME_KEY = "member-name";
/** Stored instead of an id where this browser only knows that somebody has logged in. */
const SOMEBODY = "1";

/**
 * The member to whom this page's content belongs; null where nobody was logged in. Stays the same when the login ends:
 * what was typed is still theirs.
 */
let owner = readKept();

/** A member, with the name where it is known. */
export interface MemberName {
  readonly id: string;
  readonly name?: string;
}

/** The logged-in member's name, where this browser knows it; shown in the head of every page. */
export const memberName = signal(read(NAME_KEY) ?? "");

/** Whether the owner's content was removed because another member has logged in. */
export const isCleared = signal(false);

/** Whether this page's content belongs to another member. */
export function isOthers(id: string): boolean {
  return owner !== null && owner !== id;
}

/** Whether the page does not know its owner yet. */
export function isOwnerUnknown(): boolean {
  return owner === SOMEBODY;
}

/** Stores who is logged in here: id and name, or undefined where they are unknown; null for nobody. */
export function noteMember(id: string | null | undefined, name?: string): void {
  hasLeft = false;
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

/** Whether the login in which this page was filled in was ended in another tab, and nobody here knows. */
let hasLeft = false;

/** Returns that once, and then false. */
export function tellLeft(): boolean {
  const told = hasLeft;
  hasLeft = false;
  return told;
}

/** Calls `listener` when somebody has logged in or out in another tab. */
export function onOtherTab(listener: () => void): void {
  const look = () => {
    memberName.value = read(NAME_KEY) ?? "";
    listener();
  };
  addEventListener("storage", ({ key, oldValue }: StorageEvent) => {
    if (key === KEY) hasLeft = oldValue !== null && !hasMember();
    look();
  });
  // A page that comes back from the browser's cache has heard of nothing.
  addEventListener("pageshow", ({ persisted }: PageTransitionEvent) => persisted && look());
}

/** Whether somebody has logged in with this browser. The session itself is in a cookie that scripts cannot read. */
export function hasMember(): boolean {
  return readKept() !== null;
}

/** Removes everything of the owner from the page, before anything is requested for another member. */
export function clearPage(): void {
  dropUnsaved();
  isCleared.value = true;
}

/** Starts anew for another member: a new document has an empty memory. */
export function startAnew({ id, name }: MemberName): void {
  clearPage();
  noteMember(id, name);
  try {
    sessionStorage.clear();
  } catch {
    // Then there is nothing to delete.
  }
  location.reload();
}

function readKept(): string | null {
  return read(KEY);
}

/** @returns the value for "somebody" where there is no storage, so that the server is asked */
function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return key === KEY ? SOMEBODY : null;
  }
}
