import { countRanges, rangeAt, setRange, type RangeList } from "../int-list.ts";
import type { RangePair } from "./ranges.ts";
import type { TokenRules } from "../tokens/tokens.ts";

// Longer than three or four words no equal run is a coincidence, however much changed around it.
const MAX_COINCIDENCE = 24;
const LF = 10;

/**
 * Semantic clean-up as in diff-match-patch (Fraser): an equal run between two changes that is no longer than
 * either of them is a coincidence, so it joins them into one. A rewritten phrase is then one change, not one
 * for each word. `text` is the first text. Changes the list in place.
 */
export function joinChanges(
  text: string,
  { changes, ...options }: JoinOptions & { changes: RangeList },
): void {
  const count = countRanges(changes);
  let kept = 0;
  for (let i = 0; i < count; i++) {
    let change = rangeAt(changes, i);
    while (kept > 0) {
      const before = rangeAt(changes, kept - 1);
      if (!isCoincidence(text, { before, after: change, ...options })) break;
      kept--;
      change = { aFrom: before.aFrom, aTo: change.aTo, bFrom: before.bFrom, bTo: change.bTo };
    }
    setRange(changes, kept++, change);
  }
  changes.length = kept * 4;
}

type JoinOptions = { rules: TokenRules; acrossLines: boolean };

/** Whether the equal run between two changes says less than they do. */
function isCoincidence(
  text: string,
  { before, after, rules, acrossLines }: JoinOptions & { before: RangePair; after: RangePair },
): boolean {
  if (!acrossLines && text.slice(before.aTo, after.aFrom).includes("\n")) return false;
  const length = after.aFrom - before.aTo;
  const most = Math.min(longerSide(before), longerSide(after), MAX_COINCIDENCE);
  if (length <= most) return true;
  return rules.granularity === "word" && isBlankRun(text, before.aTo, after.aFrom);
}

function longerSide({ aFrom, aTo, bFrom, bTo }: RangePair): number {
  return Math.max(aTo - aFrom, bTo - bFrom);
}

/** Whether words before and after are separated by blanks only, in the same line. */
function isBlankRun(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 32 || unit === LF) return false;
  }
  return true;
}
