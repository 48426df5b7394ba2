import { effect, signal, type Signal } from "@preact/signals";
import { useLayoutEffect, useMemo } from "preact/hooks";

/** The position of the shown page in the tab's history. Every entry keeps its own in history.state. */
let position = readPosition() ?? 0;

export function currentPosition(): number {
  return position;
}

export function setPosition(next: number): void {
  position = next;
}

/** Gives the entry that the document was loaded into its position. */
export function startHistory(): void {
  history.replaceState({ position }, "");
}

/** Adds an entry after the shown one. */
export function pushEntry(to: string): void {
  position += 1;
  history.pushState({ position }, "", to);
}

/** Gives the shown entry another address. */
export function replaceEntry(to: string): void {
  history.replaceState({ position }, "", to);
}

/** How many entries the browser has moved from the shown one. */
export function stepsMoved(): number {
  return (readPosition() ?? addPosition()) - position;
}

// A link to a fragment has made an entry of its own.
function addPosition(): number {
  history.replaceState({ position: position + 1 }, "");
  return position + 1;
}

function readPosition(): number | undefined {
  const state: unknown = history.state;
  if (typeof state !== "object" || state === null || !("position" in state)) return undefined;
  return typeof state.position === "number" ? state.position : undefined;
}

// Kept in memory only: a reload or a closed tab forgets what was typed.
const drafts = new Map<number, Map<string, unknown>>();

/** A signal that is kept with its entry in the history, so that Back brings what was typed. */
export function useDraft<Value>(name: string, initial: Value): Signal<Value> {
  return useMemo(() => {
    const own = draftsAt(currentPosition());
    const kept = own.get(name) ?? signal(initial);
    own.set(name, kept);
    // One name is used with one type.
    return kept as Signal<Value>;
  }, []);
}

function draftsAt(position: number): Map<string, unknown> {
  const own = drafts.get(position) ?? new Map<string, unknown>();
  drafts.set(position, own);
  return own;
}

/** The entries of the history with a draft that only memory has. */
const kept = signal<readonly number[]>([]);

// Closing the tab forgets them, wherever in the site one is. Registered only while there are any: a page with this
// listener cannot go into the browser's back-forward cache.
effect(() => {
  if (kept.value.length > 0) addEventListener("beforeunload", preventUnload);
  else removeEventListener("beforeunload", preventUnload);
});

function preventUnload(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** Has the browser ask before it closes a page with drafts. To leave for another page of the site loses none of them. */
export function useKept(isKept: boolean): void {
  const position = useMemo(currentPosition, []);
  useLayoutEffect(() => {
    const others = kept.peek().filter((each) => each !== position);
    kept.value = isKept ? [...others, position] : others;
  }, [isKept]);
}

/** Forgets the drafts from a position on: a new page there replaces the pages ahead. */
export function dropDrafts(from: number): void {
  for (const position of drafts.keys()) if (position >= from) drafts.delete(position);
  kept.value = kept.peek().filter((position) => position < from);
}
