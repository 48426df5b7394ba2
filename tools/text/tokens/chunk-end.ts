import { unitFlags, WORD } from "./characters.ts";
import type { TokenRules, Source, TokenEnd } from "./tokens.ts";

const LF = 10;
const SPACE = 32;
const DELETE = 127;
const APOSTROPHE = 39;
const MIN_CHUNK = 16;

/**
 * Content-defined chunking: splits a text into lines, and long lines into chunks of about a hundred characters.
 * Where a chunk ends depends only on the four characters before it, so two texts have the same chunks again soon
 * after a difference. Each end is also the end of a word or character.
 */
export function chunkEndOf({ granularity }: TokenRules): TokenEnd {
  const isWord = granularity === "word";
  return (source, start) => chunkEnd(source, { start, isWord });
}

function chunkEnd({ text, end }: Source, { start, isWord }: { start: number; isWord: boolean }): number {
  let window = 0;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit === LF) return at + 1;
    window = (window << 8) ^ unit;
    if (Math.imul(window, 0x9e3779b1) >>> 26 !== 0 || at - start < MIN_CHUNK) continue;
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
