import { APOSTROPHE, isBlank, NEEDS_NEIGHBOURS, unitFlags, WORD } from "./characters.ts";

/** What a unit can be for the count. */
const LETTER = 1;
const BLANK = 2;
const SIGN = 3;
const RETURN = 4;
const FEED = 5;
const QUOTE = 6;
const UNCLEAR = 7;

/** What the units so far are the beginning of: nothing, one of the above, or a word with an apostrophe after it. */
const NOTHING = 0;
const OPEN_WORD = LETTER | 8;
const STATES = 16;

const LF = 10;
const CR = 13;

const kinds = new Uint8Array(0x10000);

function kindOf(unit: number): number {
  return kinds[unit] || (kinds[unit] = learn(unit));
}

function learn(unit: number): number {
  const flags = unitFlags(unit);
  if (unit === CR) return RETURN;
  if (unit === LF) return FEED;
  if (isBlank(unit)) return BLANK;
  if (flags & NEEDS_NEIGHBOURS) return UNCLEAR;
  if (flags & APOSTROPHE) return QUOTE;
  return flags & WORD ? LETTER : SIGN;
}

/** For each state and kind of unit the next state, and above it how many more tokens there are. */
const STEPS = Int8Array.from({ length: STATES * 8 }, (_, at) => {
  const [state, kind] = [at >> 3, at & 7];
  if (state === UNCLEAR || kind === UNCLEAR) return UNCLEAR;
  const isOpen = state === OPEN_WORD;
  if (kind === LETTER && isOpen) return LETTER;
  if (kind === QUOTE && state === LETTER) return OPEN_WORD;
  const continues =
    (kind === state && (kind === LETTER || kind === BLANK)) || (kind === FEED && state === RETURN);
  const more = (continues ? 0 : 1) + (isOpen ? 1 : 0);
  const next = kind === LETTER || kind === BLANK || kind === RETURN ? kind : NOTHING;
  return next | (more << 4);
});

/** Bytes are read in a third of the time that the units of a string take. */
const bytes = new Uint8Array(1 << 14);
const encoder = new TextEncoder();

/**
 * Counts the words, runs of blanks and other characters of a text that begins with one of them; undefined where what a
 * character belongs to depends on those beside it. One step for each unit and no branch, because nobody can foresee how
 * long words are.
 */
export function countWords(text: string): number | undefined {
  let [state, count] = [NOTHING, 0];
  for (let from = 0; from < text.length && state !== UNCLEAR; from += bytes.length) {
    const piece = text.slice(from, from + bytes.length);
    const { read, written } = encoder.encodeInto(piece, bytes);
    const isAscii = read === piece.length && written === piece.length;
    for (let at = 0; at < piece.length; at++) {
      const unit = isAscii ? (bytes[at] ?? 0) : piece.charCodeAt(at);
      const step = STEPS[(state << 3) | kindOf(unit)] ?? UNCLEAR;
      state = step & (STATES - 1);
      count += step >> 4;
    }
  }
  if (state === UNCLEAR) return undefined;
  return state === OPEN_WORD ? count + 1 : count;
}
