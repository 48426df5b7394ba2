import { addRange, countRanges, makeRangeList, rangeAt, type RangeList } from "../int-list.ts";
import type { LineScript } from "../diff/lines.ts";

/** The changes of one hunk, the last not included. */
export type Hunk = { from: number; to: number };

/**
 * The changes that a unified diff shows: all but the ignorable ones that no context reaches, as in GNU diff. One
 * that a context reaches is shown with a context of its own.
 */
export function listShownChanges(
  { changes, ignorable }: Pick<LineScript, "changes" | "ignorable">,
  context: number,
): RangeList {
  if (!ignorable) return changes;
  const isShown = ignorable.map((flag) => 1 - flag);
  const last = isShown.length - 1;
  const reach = (i: number) => gapBefore(changes, i) <= context;
  for (let i = 1; i <= last; i++) if (isShown[i - 1] === 1 && reach(i)) isShown[i] = 1;
  for (let i = last; i > 0; i--) if (isShown[i] === 1 && reach(i)) isShown[i - 1] = 1;
  const shown = makeRangeList();
  for (let i = 0; i < isShown.length; i++) if (isShown[i] === 1) addRange(shown, rangeAt(changes, i));
  return shown;
}

/** Groups changes into hunks: those whose contexts touch share one. */
export function* listHunks(changes: RangeList, context: number): Generator<Hunk, void, void> {
  const count = countRanges(changes);
  for (let from = 0, to = 1; from < count; from = to++) {
    while (to < count && gapBefore(changes, to) <= 2 * context) to++;
    yield { from, to };
  }
}

/** Counts the hunks of a unified diff. */
export function countHunks(changes: RangeList, context: number): number {
  let count = 0;
  for (let i = 0; i < countRanges(changes); i++) if (i === 0 || gapBefore(changes, i) > 2 * context) count++;
  return count;
}

/** How many equal lines are between a change and the one before it. */
function gapBefore(changes: RangeList, index: number): number {
  return rangeAt(changes, index).aFrom - rangeAt(changes, index - 1).aTo;
}
