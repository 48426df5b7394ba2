import { signal, type Signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { currentPosition } from "./paths/history.ts";

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

/** Forgets the drafts from a position on: a new page there replaces the pages ahead. */
export function dropDrafts(from: number): void {
  for (const position of drafts.keys()) if (position >= from) drafts.delete(position);
}
