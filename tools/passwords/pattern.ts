import { ToolFailure } from "../../wire/tool-failure.ts";
import { SYMBOLS } from "./characters.ts";
import { drawBelow, type Random, roundDown } from "./draw.ts";

const LOWERCASE = "abcdefghijklmnopqrstuvwxyz";
const UPPERCASE = LOWERCASE.toUpperCase();
const DIGITS = "0123456789";
const VOWELS = "aeiou";
const CONSONANTS = "bcdfghjklmnpqrstvwxyz";

/** The characters for each letter of a pattern, as in KeePass ("Generating passwords that follow rules"). */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  a: LOWERCASE + DIGITS,
  A: UPPERCASE + LOWERCASE + DIGITS,
  U: UPPERCASE + DIGITS,
  c: CONSONANTS,
  C: CONSONANTS.toUpperCase() + CONSONANTS,
  z: CONSONANTS.toUpperCase(),
  d: DIGITS,
  h: `${DIGITS}abcdef`,
  H: `${DIGITS}ABCDEF`,
  l: LOWERCASE,
  L: UPPERCASE + LOWERCASE,
  u: UPPERCASE,
  v: VOWELS,
  V: VOWELS.toUpperCase() + VOWELS,
  Z: VOWELS.toUpperCase(),
  p: ",.;:",
  b: "()[]{}<>",
  s: SYMBOLS,
  S: UPPERCASE + LOWERCASE + DIGITS + SYMBOLS,
};

export const PATTERN_LIMITS = { minimum: 1, maximum: 256 } as const;
/** The longest password of a pattern, in characters. */
export const MAX_PATTERN_LENGTH = 1024;

/** A place in a password: the characters that are possible there. */
type CharacterChoice = readonly string[];

/**
 * Passwords by a pattern: `d{6}`, `H{4}-H{4}`, `[dl]{8}`. A letter of KeePass's patterns stands for one character of
 * its class, `[]` for one of several classes together, `{n}` repeats what comes before it, `\` makes the next character
 * literal; all other characters are literal.
 * @throws ToolFailure invalid_parameter
 */
export function makeByPattern(pattern: string, count: number, random: Random) {
  const places = readPattern(pattern);
  const drawOf = new Map(places.map((place) => [place.length, drawBelow(place.length, random)]));
  drawOf.set(1, () => 0);
  const draws = places.map(({ length }) => drawOf.get(length));
  const drawOne = () => places.map((place, i) => place[draws[i]?.() ?? 0]).join("");
  const entropyBits = roundDown(places.reduce((sum, place) => sum + Math.log2(place.length), 0));
  const passwords = Array.from({ length: count }, drawOne);
  return { mode: "pattern" as const, length: places.length, count, entropyBits, passwords };
}

function readPattern(pattern: string): CharacterChoice[] {
  const signs = Array.from(pattern);
  const { minimum, maximum } = PATTERN_LIMITS;
  if (signs.length < minimum || signs.length > maximum)
    throw wrong(`have ${minimum} to ${maximum} characters`);
  const places: CharacterChoice[] = [];
  for (let at = 0; at < signs.length;) {
    const { place, next } = readPlace(signs, at);
    const { times, after } = readTimes(signs, next);
    if (places.length + times > MAX_PATTERN_LENGTH)
      throw wrong(`make at most ${MAX_PATTERN_LENGTH} characters`);
    for (let i = 0; i < times; i++) places.push(place);
    at = after;
  }
  return places;
}

function readPlace(signs: readonly string[], at: number): { place: CharacterChoice; next: number } {
  const sign = signs[at] ?? "";
  if (sign === "\\") {
    const literal = signs[at + 1];
    if (literal === undefined) throw wrong(`have a character behind the \\ at ${at + 1}`);
    return { place: [literal], next: at + 2 };
  }
  if (sign === "[") return readSet(signs, at);
  if (sign === "]" || sign === "{" || sign === "}") throw wrong(`have a \\ before the ${sign} at ${at + 1}`);
  return { place: Array.from(PLACEHOLDERS[sign] ?? sign), next: at + 1 };
}

function readSet(signs: readonly string[], from: number): { place: CharacterChoice; next: number } {
  const end = signs.indexOf("]", from);
  const inside = signs.slice(from + 1, end);
  if (end < 0 || inside.length === 0) throw wrong(`have letters and a ] behind the [ at ${from + 1}`);
  const all = inside.flatMap((sign) => {
    const characters = PLACEHOLDERS[sign];
    if (characters === undefined) throw wrong(`have only its letters in the [] at ${from + 1}`);
    return Array.from(characters);
  });
  return { place: [...new Set(all)], next: end + 1 };
}

function readTimes(signs: readonly string[], at: number): { times: number; after: number } {
  if (signs[at] !== "{") return { times: 1, after: at };
  const end = signs.indexOf("}", at);
  const number = end < 0 ? "" : signs.slice(at + 1, end).join("");
  if (!/^[1-9][0-9]{0,3}$/.test(number))
    throw wrong(`have a number from 1 and a } behind the { at ${at + 1}`);
  return { times: Number(number), after: end + 1 };
}

function wrong(what: string): ToolFailure {
  return new ToolFailure("invalid_parameter", `Parameter "pattern" must ${what}`, { parameter: "pattern" });
}
