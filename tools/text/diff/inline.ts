import {
  intAt,
  addRange,
  countRanges,
  makeRangeList,
  rangeAt,
  setRange,
  type RangeList,
} from "../int-list.ts";
import { unitFlags, WORD } from "../tokens/characters.ts";
import { isEqualNormalized, normalizedToken } from "../tokens/normalize.ts";
import { countTokens, readTokens, type Streams } from "../tokens/tokenize.ts";
import { tokenEndOf, type TokenRules } from "../tokens/tokens.ts";
import { BATCH_LENGTH, findChangedChunks, groupRanges } from "./changed-chunks.ts";
import { listChanges, offsetsOf, type TokenPlace } from "./lines.ts";
import { findApproximate, findShortest, MAX_STEPS } from "./edit-script.ts";
import type { ChangeFlags } from "./myers.ts";
import { findMiddle, lengthOf, type RangePair, type Texts } from "./ranges.ts";
import { joinChanges } from "./semantic-cleanup.ts";
import { slideChanges, type BorderScore, type Side } from "./slide.ts";

const LF = 10;
const SPACE = 32;
const SENTENCE_END = new Set([..."!.?…。！？"].map((character) => character.charCodeAt(0)));

export type InlineStats = { equal: number; deleted: number; inserted: number };

/** Two texts compared by word or character: changed ranges as offsets, and how many tokens they hold. */
type InlineScript = {
  texts: Texts;
  rules: TokenRules;
  changes: RangeList;
  stats: InlineStats;
  minimal: boolean;
};

type ComparedRanges = { streams: Streams; flags: ChangeFlags };

/** Of both texts; longer ones are compared by lines first. */
const MAX_EXACT_LENGTH = 8_000_000;
/** About 300 bytes of memory each, when one is three spans. */
const MAX_CHANGES = 1_000_000;

/** Compares two bodies by word or character; if that takes too long, only within the lines that changed. */
export function compareInline(texts: Texts, body: RangePair, rules: TokenRules): InlineScript {
  const script = makeScript(texts, rules);
  if (isSame(script, body)) {
    script.stats.equal = countTokens(texts.a, { from: body.aFrom, to: body.aTo, rules });
    return script;
  }
  const middle = findMiddle(texts, body);
  const exact = compareExactly(script, middle);
  if (exact) collect(script, exact);
  const ranges = exact ? [middle] : findChangedChunks(texts, { middle, rules });
  if (!exact) compareInside(script, ranges, MAX_STEPS / 2);
  // Joined only for reading: the counts are those of the script that was found.
  joinChanges(texts.a, { changes: script.changes, rules, acrossLines: true });
  script.stats.equal += countOutside(script, body, ranges);
  return script;
}

/** Compares ranges of whole lines by word or character in at most `steps` steps. */
export function compareRanges(
  texts: Texts,
  of: { ranges: readonly RangePair[]; rules: TokenRules; steps: number },
): RangeList {
  const script = makeScript(texts, of.rules);
  compareInside(script, of.ranges, of.steps);
  joinChanges(texts.a, { changes: script.changes, rules: of.rules, acrossLines: false });
  return script.changes;
}

function makeScript(texts: Texts, rules: TokenRules): InlineScript {
  const stats = { equal: 0, deleted: 0, inserted: 0 };
  return { texts, rules, changes: makeRangeList(), stats, minimal: true };
}

function compareExactly({ texts, rules }: InlineScript, middle: RangePair): ComparedRanges | null {
  if (lengthOf(middle) > MAX_EXACT_LENGTH) return null;
  const streams = readTokens(texts, { ranges: [middle], rules, tokenEnd: tokenEndOf(rules) });
  const flags = findShortest(streams);
  return flags ? { streams, flags } : null;
}

/** Compares inside each range, a batch at a time; the steps are shared out by length. */
function compareInside(script: InlineScript, all: readonly RangePair[], steps: number): void {
  const { texts, rules } = script;
  const tokenEnd = tokenEndOf(rules);
  const total = sumLengths(all);
  script.minimal = false;
  for (const ranges of groupRanges(all)) {
    const length = sumLengths(ranges);
    if (length > 2 * BATCH_LENGTH) {
      for (const range of ranges) takeWhole(script, range);
      continue;
    }
    const streams = readTokens(texts, { ranges, rules, tokenEnd });
    const flags = findApproximate(streams, false, (steps * length) / total);
    collect(script, { streams, flags });
  }
}

/** A line longer than two batches, without a place to split it. */
function takeWhole({ texts, rules, changes, stats }: InlineScript, range: RangePair): void {
  const { aFrom, aTo, bFrom, bTo } = range;
  addRange(changes, range);
  stats.deleted += countTokens(texts.a, { from: aFrom, to: aTo, rules });
  stats.inserted += countTokens(texts.b, { from: bFrom, to: bTo, rules });
}

/** Adds the changes of compared ranges; once there are too many, the rest of a range is one change. */
function collect(script: InlineScript, { streams, flags }: ComparedRanges): void {
  const { texts } = script;
  const sides = { a: { text: texts.a, tokens: streams.a }, b: { text: texts.b, tokens: streams.b } };
  for (const box of streams.boxes) {
    const changes = listChanges(flags, box);
    slideChanges(changes, { ...sides, box, scoreBorder: scoreTextBorder });
    const place = { streams, box };
    dropSame(script, changes, place);
    addChanges(script, changes, place);
  }
}

/** Leaves out changes of white space alone, such as of `a b` to `ab`: other words, where all of it is ignored. */
function dropSame(script: InlineScript, changes: RangeList, place: TokenPlace): void {
  if (script.rules.ignoreWhitespace !== "all") return;
  let kept = 0;
  for (let i = 0; i < countRanges(changes); i++) {
    const change = rangeAt(changes, i);
    if (!isSame(script, offsetsOf(change, place))) setRange(changes, kept++, change);
  }
  changes.length = kept * 4;
}

/** Whether ranges are the same but for what is ignored, if all white space is. */
function isSame({ texts, rules }: InlineScript, { aFrom, aTo, bFrom, bTo }: RangePair): boolean {
  // An empty text has no line, so it is not one of white space.
  if (rules.ignoreWhitespace !== "all" || (aFrom === aTo) !== (bFrom === bTo)) return false;
  const a = normalizedToken({ text: texts.a, start: aFrom, end: aTo }, rules);
  const b = normalizedToken({ text: texts.b, start: bFrom, end: bTo }, rules);
  return isEqualNormalized(a, b, rules);
}

function addChanges(script: InlineScript, changes: RangeList, place: TokenPlace): void {
  const { stats } = script;
  let rest: RangePair = place.box;
  for (let i = 0; i < countRanges(changes); i++) {
    const isTooMany = countRanges(script.changes) >= MAX_CHANGES;
    const change = isTooMany ? rest : rangeAt(changes, i);
    addRange(script.changes, offsetsOf(change, place));
    stats.equal += change.aFrom - rest.aFrom;
    stats.deleted += change.aTo - change.aFrom;
    stats.inserted += change.bTo - change.bFrom;
    rest = { ...rest, aFrom: change.aTo, bFrom: change.bTo };
    if (isTooMany) script.minimal = false;
    if (isTooMany) break;
  }
  stats.equal += rest.aTo - rest.aFrom;
}

/** Counts the tokens of a that lie outside the ranges, all of them equal. */
function countOutside(
  { texts: { a }, rules }: InlineScript,
  body: RangePair,
  ranges: readonly RangePair[],
): number {
  let count = 0;
  let from = body.aFrom;
  for (const { aFrom, aTo } of ranges) {
    count += countTokens(a, { from, to: aFrom, rules });
    from = aTo;
  }
  return count + countTokens(a, { from, to: body.aTo, rules });
}

function sumLengths(ranges: readonly RangePair[]): number {
  return ranges.reduce((sum, range) => sum + lengthOf(range), 0);
}

/**
 * Scores a border of a change between two tokens of words or characters, as diff-match-patch's lossless clean-up
 * does: best after a line break, then after a sentence, after a blank, at a word's edge.
 */
function scoreTextBorder({ text, tokens }: Side, index: number): BorderScore {
  const at = index < tokens.ids.length ? intAt(tokens.starts.values, index) : text.length;
  return { indent: 0, penalty: -borderRank(text, at) };
}

function borderRank(text: string, at: number): number {
  if (at === 0 || at === text.length) return 5;
  const before = text.charCodeAt(at - 1);
  if (before === LF) return 5;
  if (before <= SPACE) return SENTENCE_END.has(text.charCodeAt(at - 2)) ? 4 : 3;
  const isEdge = (unitFlags(before) & WORD) === 0 || (unitFlags(text.charCodeAt(at)) & WORD) === 0;
  return isEdge ? 1 : 0;
}
