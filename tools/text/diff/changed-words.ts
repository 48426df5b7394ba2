import { intAt, countRanges, makeRangeList, rangeAt, type RangeList } from "../int-list.ts";
import { compareRanges } from "./inline.ts";
import { lengthOf, type RangePair, type Texts } from "./ranges.ts";
import type { TokenRules } from "../tokens/tokens.ts";
import type { LineScript } from "./lines.ts";

// Past these, changed lines are shown whole: who rewrote so much at once finds no words in it.
const MAX_CHANGE_LENGTH = 1_000_000;
const MAX_TOTAL_LENGTH = 8_000_000;
const MAX_STEPS = 20_000_000;

/** The changed words of changed lines, as offsets, and 1 for each change whose lines were compared by word. */
export type ChangedWords = { words: RangeList; isCompared: Uint8Array };

/** Compares the lines of each change by word. */
export function findChangedWords(
  texts: Texts,
  { script, rules }: { script: LineScript; rules: TokenRules },
): ChangedWords {
  const isCompared = new Uint8Array(countRanges(script.changes));
  const ranges: RangePair[] = [];
  let total = 0;
  for (let i = 0; i < countRanges(script.changes); i++) {
    const change = offsetsOfLines(rangeAt(script.changes, i), script);
    const length = lengthOf(change);
    if (change.aFrom === change.aTo || change.bFrom === change.bTo || length > MAX_CHANGE_LENGTH) continue;
    total += length;
    if (total > MAX_TOTAL_LENGTH) break;
    ranges.push(change);
    isCompared[i] = 1;
  }
  if (ranges.length === 0) return { words: makeRangeList(), isCompared };
  const byWord = { ...rules, granularity: "word" } as const;
  return { words: compareRanges(texts, { ranges, rules: byWord, steps: MAX_STEPS }), isCompared };
}

function offsetsOfLines({ aFrom, aTo, bFrom, bTo }: RangePair, { aStarts, bStarts }: LineScript): RangePair {
  return {
    aFrom: intAt(aStarts, aFrom),
    aTo: intAt(aStarts, aTo),
    bFrom: intAt(bStarts, bFrom),
    bTo: intAt(bStarts, bTo),
  };
}
