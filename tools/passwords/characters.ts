import { utf8 } from "../../wire/bytes.ts";
import { drawBelow, leastFor, type Random, roundDown } from "./draw.ts";

const LOWERCASE = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
/** The 32 of ASCII. */
export const SYMBOLS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
const AMBIGUOUS = "0O1lI";

export interface CharacterSettings {
  readonly uppercase: boolean;
  readonly digits: boolean;
  readonly symbols: boolean;
  /** In place of all symbols. */
  readonly symbolSet?: string | undefined;
  readonly excludeAmbiguous: boolean;
  /** Whether each chosen class is in every password. */
  readonly requireAll: boolean;
  readonly length: number;
  readonly minEntropy?: number | undefined;
  readonly count: number;
  readonly random: Random;
}

/** Passwords whose characters are drawn alone, each equally likely. */
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

/** The classes, of which no two have a character in common. */
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

interface Drawing {
  readonly alphabet: readonly string[];
  readonly length: number;
  readonly random: Random;
}

function drawPasswords(count: number, { alphabet, length, random }: Drawing): string[] {
  const drawLetter = drawBelow(alphabet.length, random);
  // The characters of all passwords in one array: joined one by one, a million of them take V8 four times as long.
  const letters = Uint8Array.from(utf8(alphabet.join("")));
  const drawn = new TextDecoder().decode(
    new Uint8Array(count * length).map(() => letters[drawLetter()] ?? 0),
  );
  return Array.from({ length: count }, (_, i) => drawn.slice(i * length, (i + 1) * length));
}

/** One that lacks a class is drawn anew as a whole: all that are left stay equally likely. */
function drawWithAll(
  count: number,
  { classes, ...drawing }: Drawing & { readonly classes: readonly (readonly string[])[] },
): string[] {
  const sets = classes.map((each) => new Set(each));
  const hasAll = (password: string) =>
    sets.every((set) => Array.from(password).some((each) => set.has(each)));
  const passwords: string[] = [];
  while (passwords.length < count) {
    const missing = count - passwords.length;
    passwords.push(...drawPasswords(missing, drawing).filter(hasAll));
  }
  return passwords;
}

/**
 * The share of all passwords of a length that have a character of each class, by inclusion and exclusion: of each set
 * of classes, the share that has none of them.
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
