import type { Source } from "./characters.ts";
import { countWords } from "./count-words.ts";
import { Interner, isSame } from "./intern.ts";
import { append, appendSome, intAt, makeIntList } from "../int-list.ts";
import { KnownLines } from "./known-lines.ts";
import { tokenEndOf } from "./tokens.ts";
import type { IntList } from "../int-list.ts";
import { lengthOf } from "../diff/ranges.ts";
import type { RangePair, Texts } from "../diff/ranges.ts";
import type { TokenRules, TokenEnd } from "./tokens.ts";

/** Where each token starts, and its id, which equal tokens share. */
export type Tokens = { starts: IntList; ids: IntList };

/** The token indexes of one range of the texts. */
export type TokenBox = RangePair & { readonly range: RangePair };

/** The tokens of both texts, and a box for each range. `isCut`: there were more than the limit. */
export type Streams = { a: Tokens; b: Tokens; idCount: number; boxes: TokenBox[]; isCut: boolean };

type Reader = {
  text: string;
  interner: Interner;
  tokens: Tokens;
  tokenEnd: TokenEnd;
  limit: number;
  prediction: Prediction | null;
  known: KnownLines | null;
};

/** The first text and its tokens, and the one among them that is expected next in the second text. */
type Prediction = { text: string; tokens: Tokens; next: number };

const LF = 10;
const LOOK_AHEAD = 32;
/** Lines of about this many characters are counted together. */
const LINES_LENGTH = 4096;

/** Splits ranges of both texts into tokens with ids, one stream per text, and stops past `limit` tokens. */
export function readTokens(
  texts: Texts,
  of: { ranges: readonly RangePair[]; rules: TokenRules; tokenEnd: TokenEnd; limit?: number },
): Streams {
  const { ranges, tokenEnd, limit = Infinity } = of;
  const interner = new Interner(texts, of.rules);
  const length = Math.min(
    limit,
    ranges.reduce((sum, range) => sum + lengthOf(range), 0),
  );
  const [a, b] = [makeTokens(length), makeTokens(length)];
  const ofA: Reader = { text: texts.a, interner, tokens: a, tokenEnd, limit, prediction: null, known: null };
  const inA = ranges.map((range) => ({ range, part: readPart(ofA, range.aFrom, range.aTo) }));
  interner.side = 1;
  const prediction = { text: texts.a, tokens: a, next: 0 };
  const known = findKnownLines(texts, { ...of, starts: a.starts });
  const ofB: Reader = { ...ofA, text: texts.b, tokens: b, limit: limit - a.ids.length, prediction, known };
  const boxes = inA.map(({ range, part: [aFrom, aTo] }) => {
    const [bFrom, bTo] = readPart(ofB, range.bFrom, range.bTo);
    return { aFrom, aTo, bFrom, bTo, range };
  });
  return { a, b, idCount: interner.count, boxes, isCut: a.ids.length + b.ids.length > limit };
}

/** For one range: several are parts of changed lines. A dictionary may see more than a line. */
function findKnownLines(
  texts: Texts,
  of: { ranges: readonly RangePair[]; rules: TokenRules; starts: IntList },
): KnownLines | null {
  const [range] = of.ranges;
  if (!range || of.ranges.length > 1 || of.rules.granularity === "line" || of.rules.usesDictionary)
    return null;
  return new KnownLines(texts, { range, starts: of.starts });
}

/** Counts the tokens of a part of a text. */
export function countTokens(text: string, of: { from: number; to: number; rules: TokenRules }): number {
  const { granularity, ignoreWhitespace, usesDictionary } = of.rules;
  const tokenEnd = tokenEndOf(of.rules);
  if (granularity !== "word" || ignoreWhitespace !== "none" || usesDictionary)
    return countByEnds({ text, end: of.to }, of.from, tokenEnd);
  let count = 0;
  for (let at = of.from, end; at < of.to; at = end) {
    end = linesEnd(text, at, of.to);
    count += countWords(text.slice(at, end)) ?? countByEnds({ text, end }, at, tokenEnd);
  }
  return count;
}

/** Where some lines end: no token goes on after it. */
function linesEnd(text: string, from: number, to: number): number {
  if (to - from <= LINES_LENGTH) return to;
  const end = text.indexOf("\n", from + LINES_LENGTH - 1) + 1;
  return end > 0 && end < to ? end : to;
}

function countByEnds(source: Source, from: number, tokenEnd: TokenEnd): number {
  let count = 0;
  for (let at = from; at < source.end; at = tokenEnd(source, at)) count++;
  return count;
}

/** Room for a token every eight characters of both texts at first: unused room costs nothing, growing does. */
function makeTokens(length: number): Tokens {
  const capacity = 64 + Math.ceil(length / 8);
  return { starts: makeIntList(capacity), ids: makeIntList(capacity) };
}

/** Reads the tokens of a part, no more than one past the limit; the result is the range of their indexes. */
function readPart(reader: Reader, from: number, to: number): [number, number] {
  const { text, interner, tokens, tokenEnd, prediction, known, limit } = reader;
  const first = tokens.ids.length;
  const source = { text, end: to };
  let at = from;
  while (at < to && tokens.ids.length <= limit) {
    const isLineStart = at === from || text.charCodeAt(at - 1) === LF;
    const copied = isLineStart && prediction && known ? copyKnown(reader, at) : 0;
    if (copied > 0) {
      at = copied;
      continue;
    }
    const end = tokenEnd(source, at);
    append(tokens.starts, at);
    append(
      tokens.ids,
      prediction ? predictId(prediction, { interner, text, at, end }) : interner.idOf(at, end),
    );
    at = end;
  }
  return [first, tokens.ids.length];
}

/** Copies the tokens of the lines from `at` on that the first text has too; returns where they end, or 0. */
function copyKnown({ tokens, prediction, known, limit }: Reader, at: number): number {
  const run = known?.find(at);
  if (!run || !prediction) return 0;
  const from = prediction.tokens;
  const to = Math.min(run.to, run.from + limit + 1 - tokens.ids.length);
  const shift = at - intAt(from.starts.values, run.from);
  appendSome(tokens.starts, from.starts, { from: run.from, to, shift });
  appendSome(tokens.ids, from.ids, { from: run.from, to, shift: 0 });
  prediction.next = run.to;
  return run.end;
}

/**
 * The token's id, first guessed from the next token of the other text: in similar texts the guess is right, and
 * comparing characters in order is faster than a lookup in a large table.
 */
function predictId(
  prediction: Prediction,
  of: { interner: Interner; text: string; at: number; end: number },
): number {
  const { tokens, next } = prediction;
  const { values: starts, length } = tokens.starts;
  // The last token of a range seems longer than it is here, but then no token is like it: one would end inside.
  if (next + 1 < length && intAt(starts, next + 1) - intAt(starts, next) === of.end - of.at) {
    const expected = { text: prediction.text, start: intAt(starts, next) };
    if (isSame({ text: of.text, start: of.at, end: of.end }, expected))
      return intAt(tokens.ids.values, prediction.next++);
  }
  const id = of.interner.idOf(of.at, of.end);
  prediction.next = resume(prediction, id);
  return id;
}

/** Where the prediction goes on after a difference: after the token if it comes soon, else where it was. */
function resume({ tokens, next }: Prediction, id: number): number {
  const { values, length } = tokens.ids;
  for (let at = next; at < Math.min(length, next + LOOK_AHEAD); at++) if (values[at] === id) return at + 1;
  return next;
}
