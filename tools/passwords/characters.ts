import { utf8 } from "../../wire/bytes.ts";
import { drawLetters, leastFor, type Random, roundDown } from "./draw.ts";

const LOWERCASE = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
/** The 32 symbols of ASCII. */
export const SYMBOLS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
const AMBIGUOUS = "0O1lI";

export interface CharacterSettings {
  readonly uppercase: boolean;
  readonly digits: boolean;
  readonly symbols: boolean;
  /** Replaces the symbols. */
  readonly symbolSet?: string | undefined;
  readonly excludeAmbiguous: boolean;
  /** Whether every password contains each chosen class. */
  readonly requireAll: boolean;
  readonly length: number;
  readonly minEntropy?: number | undefined;
  readonly count: number;
  readonly random: Random;
}

/** Passwords whose characters are drawn independently, each with equal probability. */
export function makePasswords({ count, random, minEntropy, requireAll, ...options }: CharacterSettings) {
  const classes = classesOf(options);
  const alphabet = [...new Set(classes.flat())];
  const alphabetSize = alphabet.length;
  const shareOf = (length: number) => (requireAll ? shareWithAll(length, classes) : 1);
  const entropyOf = (length: number) => length * Math.log2(alphabetSize) + Math.log2(shareOf(length));
  const from = requireAll ? classes.length : 1;
  const length = minEntropy === undefined ? options.length : leastFor(minEntropy, { entropyOf, from });
  const entropyBits = roundDown(entropyOf(length));
  const drawing = { alphabet, length, random };
  const passwords = requireAll ? drawWithAll(count, { ...drawing, classes }) : drawPasswords(count, drawing);
  return { mode: "characters" as const, length, count, alphabetSize, entropyBits, passwords };
}

/** How many classes of characters are chosen. */
export function countClasses(options: Parameters<typeof classesOf>[0]): number {
  return classesOf(options).length;
}

/** The classes, which have no characters in common. */
function classesOf(
  options: Pick<CharacterSettings, "uppercase" | "digits" | "symbols" | "symbolSet" | "excludeAmbiguous">,
): string[][] {
  const { uppercase, digits, symbols, symbolSet, excludeAmbiguous } = options;
  const letters = LOWERCASE + (uppercase ? LOWERCASE.toUpperCase() : "") + (digits ? DIGITS : "");
  const others = symbolSet === undefined ? (symbols ? SYMBOLS : "") : symbolSet;
  const classes = [
    LOWERCASE,
    uppercase ? LOWERCASE.toUpperCase() : "",
    digits ? DIGITS : "",
    Array.from(new Set(others), (each) => (letters.includes(each) ? "" : each)).join(""),
  ];
  const kept = classes.map((all) =>
    Array.from(all).filter((each) => !excludeAmbiguous || !AMBIGUOUS.includes(each)),
  );
  return kept.filter(({ length }) => length > 0);
}

interface PasswordDraw {
  readonly alphabet: readonly string[];
  readonly length: number;
  readonly random: Random;
}

function drawPasswords(count: number, { alphabet, length, random }: PasswordDraw): string[] {
  const drawn = new Uint8Array(count * length);
  drawLetters(drawn, utf8(alphabet.join("")), random);
  return cut(drawn, length);
}

// Joins the characters of all passwords in one array: one by one, a million take V8 four times as long.
function cut(drawn: Uint8Array, length: number): string[] {
  const text = new TextDecoder().decode(drawn);
  return Array.from({ length: drawn.length / length }, (_, i) => text.slice(i * length, (i + 1) * length));
}

/**
 * Passwords drawn at a time: in the worst case (four classes, one symbol, four places) one in a hundred has all
 * classes.
 */
const LEAST_DRAWN = 64;

/** A password that lacks a class is drawn again as a whole, so that the remaining ones stay equally likely. */
function drawWithAll(
  count: number,
  { classes, alphabet, length, random }: PasswordDraw & { readonly classes: readonly (readonly string[])[] },
): string[] {
  const letters = utf8(alphabet.join(""));
  const bitOf = new Uint8Array(128);
  for (const [i, each] of classes.entries()) for (const letter of utf8(each.join(""))) bitOf[letter] = 1 << i;
  const all = 2 ** classes.length - 1;
  const kept = new Uint8Array(count * length);
  for (let end = 0; end < kept.length;) {
    const drawn = new Uint8Array(Math.max(kept.length - end, LEAST_DRAWN * length));
    drawLetters(drawn, letters, random);
    for (let at = 0; at < drawn.length && end < kept.length; at += length) {
      let seen = 0;
      // The letters are ASCII.
      for (let i = at; i < at + length && seen !== all; i++) seen |= bitOf[drawn[i]!]!;
      if (seen !== all) continue;
      kept.set(drawn.subarray(at, at + length), end);
      end += length;
    }
  }
  return cut(kept, length);
}

/**
 * The share of passwords of a length that contain a character of each class, by inclusion and exclusion: for each set
 * of classes, the share without any of them.
 */
function shareWithAll(length: number, classes: readonly (readonly string[])[]): number {
  const total = classes.reduce((sum, each) => sum + each.length, 0);
  let share = 0;
  for (let set = 0; set < 2 ** classes.length; set++) {
    const missing = classes.filter((_, i) => (set >> i) & 1);
    const size = missing.reduce((sum, each) => sum + each.length, 0);
    share += (missing.length % 2 === 0 ? 1 : -1) * (1 - size / total) ** length;
  }
  return share;
}
