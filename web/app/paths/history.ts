import { signal, type Signal } from "@preact/signals";
import { useLayoutEffect, useMemo } from "preact/hooks";
import { askBeforeUnload } from "../unsaved.tsx";

/** The position of the shown page in the tab's history. Every entry stores its own in history.state. */
let position = readPosition() ?? 0;

export function currentPosition(): number {
  return position;
}

export function setPosition(next: number): void {
  position = next;
}

/** Stores the position of the entry that the document was loaded into. */
export function startHistory(): void {
  history.replaceState({ ...history.state, position }, "");
}

/** Adds an entry after the current one. */
export function pushEntry(to: string): void {
  position += 1;
  history.pushState({ position }, "", to);
}

/** Changes the address of the current entry. */
export function replaceEntry(to: string): void {
  history.replaceState({ position }, "", to);
}

/** How many entries the browser has moved from the current one. */
export function stepsMoved(): number {
  return (readPosition() ?? addPosition()) - position;
}

// A link to a fragment has added an entry.
function addPosition(): number {
  history.replaceState({ position: position + 1 }, "");
  return position + 1;
}

function readPosition(): number | undefined {
  const state: unknown = history.state;
  if (typeof state !== "object" || state === null || !("position" in state)) return undefined;
  return typeof state.position === "number" ? state.position : undefined;
}

// Only in memory: a reload or a closed tab loses what was typed.
const drafts = new Map<number, Map<string, unknown>>();

/** A signal that belongs to an entry of the history, so that Back restores what was typed. */
export function useDraft<Value>(name: string, initial: Value): Signal<Value> {
  return useMemo(() => {
    const own = draftsAt(currentPosition());
    const kept = own.get(name) ?? signal(initial);
    own.set(name, kept);
    // A name is always used with the same type.
    return kept as Signal<Value>;
  }, []);
}

function draftsAt(position: number): Map<string, unknown> {
  const own = drafts.get(position) ?? new Map<string, unknown>();
  drafts.set(position, own);
  return own;
}

/** The entries of the history whose drafts are only in memory. */
const kept = signal<readonly number[]>([]);

// Closing the tab loses them, on any page of the site.
askBeforeUnload(() => kept.value.length > 0);

/** Makes the browser ask before it closes a page with drafts. Other pages of the site lose none of them. */
export function useKept(isKept: boolean): void {
  const position = useMemo(currentPosition, []);
  useLayoutEffect(() => {
    const others = kept.peek().filter((each) => each !== position);
    kept.value = isKept ? [...others, position] : others;
  }, [isKept]);
}

/** Deletes the drafts from a position on: a new page there replaces the pages ahead. */
export function dropDrafts(from: number): void {
  for (const position of drafts.keys()) if (position >= from) drafts.delete(position);
  kept.value = kept.peek().filter((position) => position < from);
}
