import type { Bytes } from "../wire/bytes.ts";
import { ToolFailure } from "../wire/tool-failure.ts";
import { WORDS } from "./crypto/word-list.ts";

/** The range of each option; the length of `separator` is in code points. */
export const PASSWORD_LIMITS = {
  count: { minimum: 1, maximum: 1000 },
  length: { minimum: 1, maximum: 1024 },
  words: { minimum: 1, maximum: 64 },
  separator: { minimum: 0, maximum: 16 },
} as const;

/** The defaults. */
export const PASSWORD_DEFAULTS = {
  mode: "characters",
  count: 1,
  length: 20,
  uppercase: true,
  digits: true,
  symbols: false,
  words: 5,
  separator: "-",
} as const;

/** `length` and the three classes count in characters mode, `words` and `separator` in words mode. */
export interface PasswordOptions {
  mode?: "characters" | "words";
  count?: number;
  length?: number;
  uppercase?: boolean;
  digits?: boolean;
  symbols?: boolean;
  words?: number;
  separator?: string;
  /** Fills the array with random bytes; the platform's source unless a test says otherwise. */
  random?: (target: Bytes) => unknown;
}

/** `entropyBits` is that of one password, rounded down to two decimals. */
export type PasswordAnswer =
  | {
      mode: "characters";
      length: number;
      count: number;
      alphabetSize: number;
      entropyBits: number;
      passwords: string[];
    }
  | {
      mode: "words";
      words: number;
      separator: string;
      count: number;
      listSize: number;
      entropyBits: number;
      passwords: string[];
    };

type Settings = Required<PasswordOptions>;

/**
 * Makes passwords or passphrases, every character or word drawn alone and equally likely, by rejection sampling.
 * No class is forced to appear, as that would cost entropy; a-z is always in.
 * @throws ToolFailure invalid_parameter for a number or separator outside PASSWORD_LIMITS
 */
export function generatePasswords(options: PasswordOptions = {}): PasswordAnswer {
  const settings: Settings = { ...PASSWORD_DEFAULTS, random: fillRandom, ...options };
  for (const name of ["count", "length", "words"] as const) checkLimit(name, settings[name]);
  checkLimit("separator", [...settings.separator].length);
  return settings.mode === "words" ? makePassphrases(settings) : makePasswords(settings);
}

function makePasswords({ length, count, random, ...classes }: Settings): PasswordAnswer {
  const alphabet = alphabetOf(classes);
  const passwords = drawEach(alphabet, { length, count, random }).map((letters) => letters.join(""));
  const alphabetSize = alphabet.length;
  return {
    mode: "characters",
    length,
    count,
    alphabetSize,
    entropyBits: bits(alphabetSize, length),
    passwords,
  };
}

// Two draws never give one passphrase, even with an empty separator: four letters tell where a word ends.
function makePassphrases({ words, separator, count, random }: Settings): PasswordAnswer {
  const passwords = drawEach(WORDS, { length: words, count, random }).map((drawn) => drawn.join(separator));
  const listSize = WORDS.length;
  return { mode: "words", words, separator, count, listSize, entropyBits: bits(listSize, words), passwords };
}

function alphabetOf({ uppercase, digits, symbols }: Pick<Settings, "uppercase" | "digits" | "symbols">) {
  const lowercase = "abcdefghijklmnopqrstuvwxyz";
  return [
    ...lowercase,
    ...(uppercase ? lowercase.toUpperCase() : ""),
    ...(digits ? "0123456789" : ""),
    ...(symbols ? "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~" : ""),
  ];
}

function drawEach(
  choices: readonly string[],
  { length, count, random }: Pick<Settings, "length" | "count" | "random">,
) {
  const draws = drawBelow(choices.length, random);
  const drawOne = () => Array.from({ length }, () => choices[draws.next().value]!);
  return Array.from({ length: count }, drawOne);
}

// A remainder alone would favour the first choices unless the limit divides the number of values.
function* drawBelow(limit: number, random: Settings["random"]): Generator<number, never> {
  const width = limit <= 256 ? 1 : 2;
  const end = 256 ** width - (256 ** width % limit);
  const bytes = new Uint8Array(1024);
  for (;;) {
    random(bytes);
    for (let i = 0; i < bytes.length; i += width) {
      const value = width === 1 ? bytes[i]! : bytes[i]! * 256 + bytes[i + 1]!;
      if (value < end) yield value % limit;
    }
  }
}

function fillRandom(target: Bytes): void {
  crypto.getRandomValues(target);
}

function bits(choices: number, draws: number): number {
  return Math.floor(Math.log2(choices) * draws * 100) / 100;
}

function checkLimit(parameter: keyof typeof PASSWORD_LIMITS, value: number): void {
  const { minimum, maximum } = PASSWORD_LIMITS[parameter];
  if (Number.isInteger(value) && value >= minimum && value <= maximum) return;
  const what =
    parameter === "separator"
      ? "have at most 16 characters"
      : `be a whole number from ${minimum} to ${maximum}`;
  throw new ToolFailure("invalid_parameter", `Parameter "${parameter}" must ${what}`, {
    parameter,
    minimum,
    maximum,
  });
}
