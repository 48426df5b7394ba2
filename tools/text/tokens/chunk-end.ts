import { unitFlags, WORD } from "./characters.ts";
import type { Reading, Source, TokenEnd } from "./tokens.ts";

const LF = 10;
const SPACE = 32;
const DELETE = 127;
const APOSTROPHE = 39;
const MIN_PIECE = 16;

/**
 * Cuts a text for the coarse look that comes before a finer one: into lines, and long lines into pieces of about
 * a hundred signs. Where a piece ends depends on the four signs before it alone, so two texts fall into step
 * again soon after a difference. Each end is also the end of a word or character.
 */
export function pieceEndOf({ granularity }: Reading): TokenEnd {
  const isWord = granularity === "word";
  return (source, start) => pieceEnd(source, { start, isWord });
}

function pieceEnd({ text, end }: Source, { start, isWord }: { start: number; isWord: boolean }): number {
  let window = 0;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit === LF) return at + 1;
    window = (window << 8) ^ unit;
    if (Math.imul(window, 0x9e3779b1) >>> 26 !== 0 || at - start < MIN_PIECE) continue;
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

/** No blank, which would go with blanks before it, and no mark, which would go with any sign before it. */
function startsToken(unit: number): boolean {
  return unit > SPACE && unit < DELETE;
}
