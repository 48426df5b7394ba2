import { listChanges, offsetsOf } from "./lines.ts";
import { countRanges, rangeAt } from "../int-list.ts";
import { readTokens, type TokenBox, type Streams } from "../tokens/tokenize.ts";
import { lengthOf, type RangePair, type Texts } from "./ranges.ts";
import { findApproximate, MAX_STEPS } from "./edit-script.ts";
import { lineEnd, type TokenRules, type TokenEnd } from "../tokens/tokens.ts";
import { type Source, unitFlags, WORD, isWhitespace } from "../tokens/characters.ts";

// Length of both texts together that is compared at a time, at about 25 bytes a character.
export const BATCH_LENGTH = 8_000_000;

/**
 * Finds the ranges in which lines, or chunks of long ones, differ. Only these are compared by word or character
 * when the whole middle is too long. A range longer than a batch is split in proportion.
 */
export function findChangedChunks(texts: Texts, of: { middle: RangePair; rules: TokenRules }): RangePair[] {
  const { middle, rules } = of;
  const tokenEnd = chunkEndOf(rules);
  const streams = readTokens(texts, { ranges: [middle], rules, tokenEnd });
  const flags = findApproximate(streams, true, MAX_STEPS / 2);
  const ranges: RangePair[] = [];
  for (const box of streams.boxes) {
    const changes = listChanges(flags, box);
    for (let i = 0; i < countRanges(changes); i++)
      ranges.push(...splitChange(rangeAt(changes, i), { streams, box }));
  }
  return ranges;
}

function splitChange(change: RangePair, of: { streams: Streams; box: TokenBox }): RangePair[] {
  const count = Math.ceil(lengthOf(offsetsOf(change, of)) / BATCH_LENGTH);
  return Array.from({ length: count }, (_, i) => {
    const [from, to] = [i / count, (i + 1) / count];
    return offsetsOf(
      {
        aFrom: between([change.aFrom, change.aTo], from),
        aTo: between([change.aFrom, change.aTo], to),
        bFrom: between([change.bFrom, change.bTo], from),
        bTo: between([change.bFrom, change.bTo], to),
      },
      of,
    );
  });
}

function between([from, to]: [number, number], fraction: number): number {
  return from + Math.floor((to - from) * fraction);
}

/** Groups ranges so that each group fits a batch, or is one range. */
export function* groupRanges(ranges: readonly RangePair[]): Generator<RangePair[], void, void> {
  let group: RangePair[] = [];
  let length = 0;
  for (const range of ranges) {
    if (group.length > 0 && length + lengthOf(range) > BATCH_LENGTH) {
      yield group;
      [group, length] = [[], 0];
    }
    group.push(range);
    length += lengthOf(range);
  }
  if (group.length > 0) yield group;
}

const SPACE = 32;
const DELETE = 127;
const APOSTROPHE = 39;
const MIN_CHUNK = 16;
/** What is left of a line is one chunk up to this length: chunks of a hundred characters would be found no sooner. */
const SHORT_LINE = 256;

/**
 * Content-defined chunking: splits a text into lines, and long lines into chunks of about a hundred characters. Where a
 * chunk ends depends only on the four characters before it and the end of its line, so two texts have the same chunks
 * again soon after a difference. Each end is also the end of a word or character, and no chunk consists of white space
 * alone, for which there is no token where all of it is ignored.
 */
export function chunkEndOf({ granularity, ignoreWhitespace }: TokenRules): TokenEnd {
  const isWord = granularity === "word";
  const skipsWhitespace = ignoreWhitespace === "all";
  let line: Source = { text: "", end: 0 };
  let from = 0;
  return (source, start) => {
    // Looked up once for each line, and not for each chunk of one without an end.
    if (line.text !== source.text || start < from || start >= line.end)
      line = { text: source.text, end: lineEnd(source, (from = start)) };
    if (line.end - start <= SHORT_LINE) return line.end;
    return chunkEnd(line, { start, isWord, skipsWhitespace });
  };
}

function chunkEnd(
  { text, end }: Source,
  of: { start: number; isWord: boolean; skipsWhitespace: boolean },
): number {
  const { start, isWord, skipsWhitespace } = of;
  let window = 0;
  let first = start;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (at === first && isWhitespace(unit)) first++;
    if (!(skipsWhitespace && isWhitespace(unit))) window = (window << 8) ^ unit;
    if (Math.imul(window, 0x9e3779b1) >>> 26 !== 0 || at - first < MIN_CHUNK) continue;
    if (isPlain(unit) && !(isWord && isInWord(unit)) && startsToken(text.charCodeAt(at + 1))) return at + 1;
  }
  return end;
}

function isPlain(unit: number): boolean {
  return unit >= SPACE && unit < DELETE;
}

function isInWord(unit: number): boolean {
  return unit === APOSTROPHE || (unitFlags(unit) & WORD) !== 0;
}

/** No blank, which would belong to blanks before it, and no combining mark, which would belong to any character. */
function startsToken(unit: number): boolean {
  return unit > SPACE && unit < DELETE;
}
