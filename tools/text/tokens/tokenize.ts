import { Interner, isSame } from "./intern.ts";
import { append, makeIntList } from "../int-list.ts";
import { tokenEndOf } from "./tokens.ts";
import type { IntList } from "../int-list.ts";
import { lengthOf } from "../diff/ranges.ts";
import type { RangePair, Texts } from "../diff/ranges.ts";
import type { TokenRules, TokenEnd } from "./tokens.ts";

/** Where each token starts, and its id, which equal tokens share. */
export type Tokens = { starts: IntList; ids: IntList };

/** The tokens of both texts; each box has the token indexes of one range. `isCut`: there were more than the limit. */
export type Streams = { a: Tokens; b: Tokens; idCount: number; boxes: RangePair[]; isCut: boolean };

type Reader = {
  text: string;
  interner: Interner;
  tokens: Tokens;
  tokenEnd: TokenEnd;
  limit: number;
  prediction: Prediction | null;
};

/** The first text and its tokens, and the one among them that is expected next in the second text. */
type Prediction = { text: string; tokens: Tokens; next: number };

const LOOK_AHEAD = 32;

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
  const boxes = ranges.map(() => ({ aFrom: 0, aTo: 0, bFrom: 0, bTo: 0 }));
  const ofA: Reader = {
    text: texts.a,
    interner,
    tokens: a,
    tokenEnd,
    limit,
    prediction: null,
  };
  for (const [i, { aFrom, aTo }] of ranges.entries()) {
    boxes[i]!.aFrom = a.ids.length;
    readPart(ofA, { from: aFrom, to: aTo });
    boxes[i]!.aTo = a.ids.length;
  }
  interner.side = 1;
  const prediction = { text: texts.a, tokens: a, next: 0 };
  const ofB: Reader = {
    text: texts.b,
    interner,
    tokens: b,
    tokenEnd,
    limit: limit - a.ids.length,
    prediction,
  };
  for (const [i, { bFrom, bTo }] of ranges.entries()) {
    boxes[i]!.bFrom = b.ids.length;
    readPart(ofB, { from: bFrom, to: bTo });
    boxes[i]!.bTo = b.ids.length;
  }
  return { a, b, idCount: interner.count, boxes, isCut: a.ids.length + b.ids.length > limit };
}

/** Counts the tokens of a part of a text. */
export function countTokens(text: string, of: { from: number; to: number; rules: TokenRules }): number {
  const source = { text, end: of.to };
  const tokenEnd = tokenEndOf(of.rules);
  let count = 0;
  for (let at = of.from; at < of.to; at = tokenEnd(source, at)) count++;
  return count;
}

/** Room for a token every sixteen characters at first: unused room costs nothing, growing does. */
function makeTokens(length: number): Tokens {
  const capacity = 64 + Math.ceil(length / 16);
  return { starts: makeIntList(capacity), ids: makeIntList(capacity) };
}

/** Reads the tokens of a part, no more than one past the limit. */
function readPart(reader: Reader, { from, to }: { from: number; to: number }): void {
  const { text, interner, tokens, tokenEnd, prediction, limit } = reader;
  const source = { text, end: to };
  let at = from;
  while (at < to && tokens.ids.length <= limit) {
    const end = tokenEnd(source, at);
    append(tokens.starts, at);
    append(
      tokens.ids,
      prediction ? predictId(prediction, { interner, text, at, end }) : interner.idOf(at, end),
    );
    at = end;
  }
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
  const start = starts[next]!;
  // The last token of a range seems longer than it is here, but then no token is like it: one would end inside.
  if (next + 1 < length && starts[next + 1]! - start === of.end - of.at) {
    if (isSame({ text: of.text, start: of.at, end: of.end }, { text: prediction.text, start })) {
      return tokens.ids.values[prediction.next++]!;
    }
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
