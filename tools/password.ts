import { type Bytes, utf8 } from "../wire/bytes.ts";
import { ToolFailure } from "../wire/tool-failure.ts";
import { WORDS } from "./crypto/word-list.ts";

/** The range of each option; the length of `separator` is in code points. */
export const PASSWORD_LIMITS = {
  count: { minimum: 1, maximum: 1000 },
  length: { minimum: 1, maximum: 1024 },
  words: { minimum: 1, maximum: 64 },
  separator: { minimum: 0, maximum: 16 },
  minEntropy: { minimum: 20, maximum: 1024 },
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
  excludeAmbiguous: false,
  capitalize: false,
  digit: false,
} as const;

/**
 * `length` and the three classes count in characters mode; `words`, `separator`, `capitalize` and `digit` in words
 * mode.
 */
export interface PasswordOptions {
  mode?: "characters" | "words";
  count?: number;
  length?: number | undefined;
  uppercase?: boolean;
  digits?: boolean;
  symbols?: boolean;
  words?: number | undefined;
  separator?: string;
  /** Leaves out 0 O 1 l I, in words mode for the digit. */
  excludeAmbiguous?: boolean;
  /** Begins every word with a capital; adds no entropy. */
  capitalize?: boolean;
  /** Puts a digit after one of the words. */
  digit?: boolean;
  /** Bits that each password has at least: takes as many characters or words as that needs. */
  minEntropy?: number | undefined;
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

type Settings = {
  [Name in Exclude<keyof PasswordOptions, "minEntropy">]-?: NonNullable<PasswordOptions[Name]>;
} & Pick<PasswordOptions, "minEntropy">;

/**
 * Makes passwords or passphrases, every character or word drawn alone and equally likely, by rejection sampling.
 * No class is forced to appear, as that would cost entropy; a-z is always in.
 * @throws ToolFailure invalid_parameter for a number or separator outside PASSWORD_LIMITS, and for `minEntropy`
 * together with `length` or `words`
 */
export function generatePasswords(options: PasswordOptions = {}): PasswordAnswer {
  const { length = PASSWORD_DEFAULTS.length, words = PASSWORD_DEFAULTS.words, ...others } = options;
  const settings: Settings = { ...PASSWORD_DEFAULTS, random: fillRandom, ...others, length, words };
  for (const name of ["count", "length", "words"] as const) checkLimit(name, settings[name]);
  checkLimit("separator", [...settings.separator].length);
  if (settings.minEntropy !== undefined) checkMinEntropy(settings.minEntropy, options);
  return settings.mode === "words" ? makePassphrases(settings) : makePasswords(settings);
}

function makePasswords({ count, random, minEntropy, ...options }: Settings): PasswordAnswer {
  const alphabet = alphabetOf(options);
  const alphabetSize = alphabet.length;
  const entropyOf = (length: number) => length * Math.log2(alphabetSize);
  const length = minEntropy === undefined ? options.length : leastFor(minEntropy, entropyOf);
  const entropyBits = roundDown(entropyOf(length));
  const drawLetter = drawBelow(alphabetSize, random);
  // The characters of all passwords in one array: joined one by one, a million of them take V8 four times as long.
  const letters = Uint8Array.from(utf8(alphabet.join("")));
  const drawn = new TextDecoder().decode(
    new Uint8Array(count * length).map(() => letters[drawLetter()] ?? 0),
  );
  const passwords = Array.from({ length: count }, (_, i) => drawn.slice(i * length, (i + 1) * length));
  return { mode: "characters", length, count, alphabetSize, entropyBits, passwords };
}

// Two draws never give one passphrase, even with an empty separator: four letters tell where a word ends, and a
// digit stands at another place between letters.
function makePassphrases({ separator, count, random, minEntropy, ...options }: Settings): PasswordAnswer {
  const digits = options.excludeAmbiguous ? "23456789" : "0123456789";
  const listSize = WORDS.length;
  const entropyOf = (words: number) =>
    words * Math.log2(listSize) + (options.digit ? Math.log2(words * digits.length) : 0);
  const words = minEntropy === undefined ? options.words : leastFor(minEntropy, entropyOf);
  const drawWord = drawBelow(listSize, random);
  const drawOne = () => {
    const drawn = Array.from({ length: words }, () => WORDS[drawWord()] ?? "");
    const written = options.capitalize ? drawn.map(capitalize) : drawn;
    return (options.digit ? addDigit(written, { digits, random }) : written).join(separator);
  };
  const passwords = Array.from({ length: count }, drawOne);
  const entropyBits = roundDown(entropyOf(words));
  return { mode: "words", words, separator, count, listSize, entropyBits, passwords };
}

function addDigit(words: readonly string[], of: { digits: string; random: Settings["random"] }): string[] {
  const place = drawBelow(words.length, of.random)();
  const digit = of.digits[drawBelow(of.digits.length, of.random)()];
  return words.map((word, i) => (i === place ? `${word}${digit}` : word));
}

function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** The least number of characters or words that has so many bits. */
function leastFor(minEntropy: number, entropyOf: (count: number) => number): number {
  let count = 1;
  while (entropyOf(count) < minEntropy) count++;
  return count;
}

function alphabetOf(
  options: Pick<Settings, "uppercase" | "digits" | "symbols" | "excludeAmbiguous">,
): string[] {
  const { uppercase, digits, symbols, excludeAmbiguous } = options;
  const lowercase = "abcdefghijklmnopqrstuvwxyz";
  const alphabet = [
    ...lowercase,
    ...(uppercase ? lowercase.toUpperCase() : ""),
    ...(digits ? "0123456789" : ""),
    ...(symbols ? "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~" : ""),
  ];
  return excludeAmbiguous ? alphabet.filter((character) => !"0O1lI".includes(character)) : alphabet;
}

// A remainder alone would favour the first choices unless the limit divides the number of values.
function drawBelow(limit: number, random: Settings["random"]): () => number {
  const width = limit <= 256 ? 1 : 2;
  const end = 256 ** width - (256 ** width % limit);
  const bytes = new Uint8Array(1024);
  let next = bytes.length;
  return () => {
    for (;;) {
      if (next === bytes.length) random(bytes);
      next %= bytes.length;
      const value = width === 1 ? (bytes[next] ?? 0) : (bytes[next] ?? 0) * 256 + (bytes[next + 1] ?? 0);
      next += width;
      if (value < end) return value % limit;
    }
  };
}

function fillRandom(target: Bytes): void {
  crypto.getRandomValues(target);
}

function roundDown(bits: number): number {
  return Math.floor(bits * 100) / 100;
}

function checkMinEntropy(minEntropy: number, { length, words }: PasswordOptions): void {
  checkLimit("minEntropy", minEntropy);
  const other = length === undefined ? (words === undefined ? undefined : "words") : "length";
  if (!other) return;
  const message = `Parameter "minEntropy" decides how long a password is, so "${other}" cannot be set beside it`;
  throw new ToolFailure("invalid_parameter", message, { parameter: "minEntropy" });
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
