import { type Source, unitFlags, WORD } from "./characters.ts";
import { isWhitespace } from "./whitespace.ts";
import type { TokenRules, TokenEnd } from "./tokens.ts";

const LF = 10;
const SPACE = 32;
const DELETE = 127;
const APOSTROPHE = 39;
const MIN_CHUNK = 16;

/**
 * Content-defined chunking: splits a text into lines, and long lines into chunks of about a hundred characters.
 * Where a chunk ends depends only on the four characters before it, so two texts have the same chunks again soon
 * after a difference. Each end is also the end of a word or character, and no chunk is of white space alone, for where
 * all of that is ignored there is no token of it.
 */
export function chunkEndOf({ granularity, ignoreWhitespace }: TokenRules): TokenEnd {
  const isWord = granularity === "word";
  const skipsWhitespace = ignoreWhitespace === "all";
  return (source, start) => chunkEnd(source, { start, isWord, skipsWhitespace });
}

type ChunkOptions = { start: number; isWord: boolean; skipsWhitespace: boolean };

function chunkEnd({ text, end }: Source, of: ChunkOptions): number {
  const { start, isWord, skipsWhitespace } = of;
  let window = 0;
  let first = start;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit === LF) return at + 1;
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
