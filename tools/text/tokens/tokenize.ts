import { Interner, isSame } from "./intern.ts";
import { append, makeIntList } from "../int-list.ts";
import { tokenEndOf } from "./tokens.ts";
import type { IntList } from "../int-list.ts";
import { lengthOf } from "../diff/ranges.ts";
import type { Region, Texts } from "../diff/ranges.ts";
import type { Sliced } from "../cooperative.ts";
import type { Reading, TokenEnd } from "./tokens.ts";

/** Where each token starts, and the number it shares with its equals. */
export type Tokens = { starts: IntList; ids: IntList };

/** Both streams; each box holds the places of one region's tokens. `isCut`: there were more than the limit. */
export type Streams = { a: Tokens; b: Tokens; idCount: number; boxes: Region[]; isCut: boolean };

type Reader = {
  text: string;
  interner: Interner;
  tokens: Tokens;
  tokenEnd: TokenEnd;
  limit: number;
  model: Model | null;
  sinceYield: number;
};

/** The text and tokens read before, and the place there from which this text is expected to go on. */
type Model = { text: string; tokens: Tokens; next: number };

const LENGTH_PER_SLICE = 200_000;
const LOOK_AHEAD = 32;

/** Cuts regions of both texts into numbered tokens, one stream per text, and stops past `limit` tokens. */
export function* readTokens(
  texts: Texts,
  of: { regions: readonly Region[]; reading: Reading; tokenEnd: TokenEnd; limit?: number },
): Sliced<Streams> {
  const { regions, tokenEnd, limit = Infinity } = of;
  const interner = new Interner(texts, of.reading);
  const length = Math.min(
    limit,
    regions.reduce((sum, region) => sum + lengthOf(region), 0),
  );
  const [a, b] = [makeTokens(length), makeTokens(length)];
  const boxes = regions.map(() => ({ aFrom: 0, aTo: 0, bFrom: 0, bTo: 0 }));
  const ofA: Reader = { text: texts.a, interner, tokens: a, tokenEnd, limit, model: null, sinceYield: 0 };
  for (const [i, { aFrom, aTo }] of regions.entries()) {
    boxes[i]!.aFrom = a.ids.length;
    yield* readPart(ofA, { from: aFrom, to: aTo });
    boxes[i]!.aTo = a.ids.length;
  }
  interner.side = 1;
  const model = { text: texts.a, tokens: a, next: 0 };
  const ofB: Reader = {
    text: texts.b,
    interner,
    tokens: b,
    tokenEnd,
    limit: limit - a.ids.length,
    model,
    sinceYield: 0,
  };
  for (const [i, { bFrom, bTo }] of regions.entries()) {
    boxes[i]!.bFrom = b.ids.length;
    yield* readPart(ofB, { from: bFrom, to: bTo });
    boxes[i]!.bTo = b.ids.length;
  }
  return { a, b, idCount: interner.count, boxes, isCut: a.ids.length + b.ids.length > limit };
}

/** Counts the tokens of a part of a text. */
export function* countTokens(
  text: string,
  of: { from: number; to: number; reading: Reading },
): Sliced<number> {
  const source = { text, end: of.to };
  const tokenEnd = tokenEndOf(of.reading);
  let count = 0;
  for (let at = of.from; at < of.to; at = tokenEnd(source, at)) if (++count % 50_000 === 0) yield;
  return count;
}

/** Room for a token every sixteen signs at first: room that stays unused costs nothing, growing does. */
function makeTokens(length: number): Tokens {
  const capacity = 64 + Math.ceil(length / 16);
  return { starts: makeIntList(capacity), ids: makeIntList(capacity) };
}

function* readPart(reader: Reader, { from, to }: { from: number; to: number }): Sliced<void> {
  let at = from;
  while (at < to && reader.tokens.ids.length <= reader.limit) {
    const start = at;
    at = readSlice(reader, { from: at, to });
    reader.sinceYield += at - start;
    if (reader.sinceYield < LENGTH_PER_SLICE) continue;
    reader.sinceYield = 0;
    yield;
  }
}

/** Reads tokens until a slice's worth of text is done; answers where it stopped. */
function readSlice(reader: Reader, { from, to }: { from: number; to: number }): number {
  const { text, interner, tokens, tokenEnd, model } = reader;
  const source = { text, end: to };
  const stop = Math.min(to, from + LENGTH_PER_SLICE);
  let at = from;
  while (at < stop) {
    const end = tokenEnd(source, at);
    append(tokens.starts, at);
    append(tokens.ids, model ? followModel(model, { interner, text, at, end }) : interner.numberOf(at, end));
    at = end;
  }
  return at;
}

/**
 * The token's number, first guessed from what stands next in the other text: in texts that are much alike the
 * guess is right, and comparing signs in order is faster than a search in a large table.
 */
function followModel(
  model: Model,
  of: { interner: Interner; text: string; at: number; end: number },
): number {
  const { tokens, next } = model;
  const { values: starts, length } = tokens.starts;
  const start = starts[next]!;
  // The last token of a region seems longer than it is here, but then no token is like it: one would end inside.
  if (next + 1 < length && starts[next + 1]! - start === of.end - of.at) {
    if (isSame({ text: of.text, start: of.at, end: of.end }, { text: model.text, start })) {
      return tokens.ids.values[model.next++]!;
    }
  }
  const id = of.interner.numberOf(of.at, of.end);
  model.next = findAgain(model, id);
  return id;
}

/** Where the model goes on after a difference: behind the token if it comes soon, else where it stood. */
function findAgain({ tokens, next }: Model, id: number): number {
  const { values, length } = tokens.ids;
  for (let at = next; at < Math.min(length, next + LOOK_AHEAD); at++) if (values[at] === id) return at + 1;
  return next;
}
