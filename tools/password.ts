import { utf8, type Bytes } from "../wire/bytes.ts";
import { ToolFailure } from "../wire/tool-failure.ts";
import type { Without } from "./file/finish-file.ts";
import {
  CALLBACK,
  definedOf,
  FLAG,
  NUMBER,
  OBJECT,
  oneOf,
  type OptionKinds,
  readOptions,
  TEXT,
} from "./file/arguments.ts";
import { type CharacterSettings, countClasses, makePasswords, SYMBOLS } from "./passwords/characters.ts";
import { fillRandom, type Random } from "./passwords/draw.ts";
import {
  makePassphrases,
  loadWordList,
  SHORT_LIST,
  WORD_LISTS,
  type WordList,
  type WordListName,
} from "./passwords/passphrases.ts";
import { makeByPattern, MAX_PATTERN_LENGTH } from "./passwords/pattern.ts";

export { PATTERN_LIMITS } from "./passwords/pattern.ts";
export { loadWordList, WORD_LISTS, type WordList, type WordListName } from "./passwords/passphrases.ts";

export const PASSWORD_MODES = ["characters", "words", "passphrase", "pattern"] as const;

type PasswordMode = (typeof PASSWORD_MODES)[number];

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
  requireAll: false,
} as const;

/** Bits of a passphrase by default: five words of the large list. */
const PASSPHRASE_BITS = 64;

/** The options of each mode; `count` and `excludeAmbiguous` apart, others have no effect in it. */
const OPTIONS = {
  characters: ["length", "uppercase", "digits", "symbols", "symbolSet", "requireAll", "minEntropy"],
  words: ["words", "separator", "capitalize", "digit", "minEntropy", "wordList"],
  passphrase: ["words", "separator", "capitalize", "digit", "minEntropy", "wordList"],
  pattern: ["pattern"],
} as const satisfies Record<PasswordMode, readonly (keyof PasswordOptions)[]>;

export interface PasswordOptions {
  /** `words` and `passphrase` differ in their default number of words. */
  mode?: PasswordMode;
  count?: number;
  length?: number | undefined;
  uppercase?: boolean;
  digits?: boolean;
  symbols?: boolean;
  /** The symbols to choose from, ASCII only, instead of all 32. */
  symbolSet?: string | undefined;
  /** Whether every password contains a character of each chosen class; `entropyBits` says what is left. */
  requireAll?: boolean;
  words?: number | undefined;
  /** The source of words, by default the 512 of the short list; loadWordList loads others. */
  wordList?: WordList | undefined;
  separator?: string;
  /** Excludes 0 O 1 l I, in passphrases for the digit. */
  excludeAmbiguous?: boolean;
  /** Begins every word with a capital; adds no entropy. */
  capitalize?: boolean;
  /** Puts a digit after one of the words. */
  digit?: boolean;
  /** The least bits of each password: takes as many characters or words as needed. */
  minEntropy?: number | undefined;
  /** Such as `d{6}` or `H{4}-H{4}`, with KeePass' letters. */
  pattern?: string | undefined;
  /** Fills the array with random bytes; tests replace the platform's source. */
  random?: Random;
}

const KINDS: OptionKinds<PasswordOptions> = {
  mode: oneOf(PASSWORD_MODES),
  count: NUMBER,
  length: NUMBER,
  uppercase: FLAG,
  digits: FLAG,
  symbols: FLAG,
  symbolSet: TEXT,
  requireAll: FLAG,
  words: NUMBER,
  wordList: OBJECT,
  separator: TEXT,
  excludeAmbiguous: FLAG,
  capitalize: FLAG,
  digit: FLAG,
  minEntropy: NUMBER,
  pattern: TEXT,
  random: CALLBACK,
};

/** `entropyBits` is that of one password, rounded down to two decimals. */
export type PasswordAnswer = (
  | { mode: "characters"; length: number; alphabetSize: number }
  | { mode: "words"; words: number; separator: string; listSize: number }
  | { mode: "passphrase"; words: number; separator: string; list: WordListName; listSize: number }
  | { mode: "pattern"; length: number }
) & {
  count: number;
  entropyBits: number;
  passwords: string[];
  /** Options that were given and do nothing in this mode. */
  ignored?: string[];
};

/**
 * Makes passwords, passphrases or codes by a pattern; every character or word is drawn independently and with equal
 * probability, by rejection sampling. No class is forced to appear unless `requireAll` is set, because that costs
 * entropy; a-z is always included.
 * @throws ToolFailure invalid_parameter for a number or text outside its limits, for `minEntropy` together with
 * `length` or `words`, for a separator that does not separate the words of a list, and for a missing `pattern`
 */
export function generatePasswords(given?: PasswordOptions): PasswordAnswer {
  const options = readOptions(given, KINDS);
  const mode = options.mode ?? PASSWORD_DEFAULTS.mode;
  const settings = { ...PASSWORD_DEFAULTS, random: fillRandom, ...definedOf(options) };
  for (const name of ["count", "length", "words"] as const) checkLimit(name, settings[name]);
  checkLimit("separator", Array.from(settings.separator).length);
  if (options.minEntropy !== undefined) checkMinEntropy(options.minEntropy, options);
  const ignored = listIgnored(mode, options);
  return { ...make(mode, settings, options), ...(ignored.length > 0 && { ignored }) };
}

/** The options with a list by its name: by default `large` in mode passphrase and `short` in mode words. */
export interface PasswordRequest extends Omit<PasswordOptions, "wordList"> {
  list?: WordListName | undefined;
}

const { wordList: _, ...OTHER_KINDS } = KINDS;
const REQUEST_KINDS: OptionKinds<PasswordRequest> = { ...OTHER_KINDS, list: oneOf(WORD_LISTS) };

/** Loads the list and generates. @throws ToolFailure as generatePasswords */
export async function generateFromList(request: PasswordRequest): Promise<PasswordAnswer> {
  const { list, ...options } = readOptions(request, REQUEST_KINDS);
  const { mode } = options;
  if (mode === "passphrase" || mode === "words") {
    const wordList = await loadWordList(list ?? (mode === "passphrase" ? "large" : "short"));
    return generatePasswords({ ...options, wordList });
  }
  const made = generatePasswords(options);
  return list ? { ...made, ignored: [...(made.ignored ?? []), "list"] } : made;
}

/** Generates as `generateFromList`, and gives bytes, as a worker answers. @throws ToolFailure as generateFromList */
export async function passwordsToJson(
  request: PasswordRequest,
): Promise<{ about: Without<PasswordAnswer, "passwords">; json: Bytes; lines: Bytes }> {
  const { passwords, ...about } = await generateFromList(request);
  const lines = passwords.map((password) => `${password}\n`).join("");
  return { about, json: utf8(JSON.stringify(passwords)), lines: utf8(lines) };
}

/** Characters of a word and its separator. */
const WORD_LENGTH = 25;
/** How many of a length that hardly fits all classes are drawn for one that has them all. */
const DRAWN_FOR_ONE = 128;

/** About how many characters are drawn at most, which tells whether another thread should do it. */
export function countDrawn({
  mode = PASSWORD_DEFAULTS.mode,
  count = PASSWORD_DEFAULTS.count,
  ...options
}: PasswordRequest): number {
  const { minEntropy = 0, pattern = "", requireAll } = options;
  if (mode === "pattern") return count * (pattern.includes("{") ? MAX_PATTERN_LENGTH : pattern.length);
  if (mode === "characters") {
    // The smallest alphabet has 25 letters, so at least four bits each.
    const length = Math.max(options.length ?? PASSWORD_DEFAULTS.length, minEntropy / 4);
    return count * Math.max(length, requireAll ? DRAWN_FOR_ONE : 0);
  }
  // The smallest list has nine bits per word.
  return count * WORD_LENGTH * Math.max(options.words ?? PASSPHRASE_BITS / 9, minEntropy / 9);
}

type Settings = CharacterSettings & Required<Pick<PasswordOptions, "separator" | "capitalize" | "digit">>;

function make(mode: PasswordMode, settings: Settings, options: PasswordOptions): PasswordAnswer {
  if (mode === "characters") return makePasswords(checkCharacters(settings));
  if (mode === "pattern")
    return makeByPattern(checkPattern(options.pattern), settings.count, settings.random);
  const list = checkSeparator(options.wordList ?? SHORT_LIST, settings);
  const { words, minEntropy } = options;
  const isFree = mode === "passphrase" || minEntropy !== undefined;
  const made = makePassphrases({
    ...settings,
    list,
    words: words ?? (isFree ? undefined : PASSWORD_DEFAULTS.words),
    minEntropy: minEntropy ?? PASSPHRASE_BITS,
  });
  return mode === "words" ? { mode, ...made } : { mode, list: list.name, ...made };
}

/** Options of other modes whose values differ from the default. */
function listIgnored(mode: PasswordMode, options: PasswordOptions): string[] {
  const known: readonly string[] = OPTIONS[mode];
  const others = new Set(Object.values(OPTIONS).flat());
  const defaults: Partial<Record<string, unknown>> = PASSWORD_DEFAULTS;
  return [...others].filter((name) => {
    const value = options[name];
    const isSaid = value !== undefined && (name === "length" || name === "words" || value !== defaults[name]);
    return isSaid && !known.includes(name);
  });
}

function checkCharacters(settings: Settings): Settings {
  const { symbolSet, requireAll, length, minEntropy } = settings;
  if (
    symbolSet !== undefined &&
    (symbolSet === "" || Array.from(symbolSet).some((each) => !SYMBOLS.includes(each)))
  )
    throw refuse("symbolSet", `must be some of ${SYMBOLS}`);
  const least = countClasses(settings);
  if (requireAll && minEntropy === undefined && length < least)
    throw refuse("length", `must be at least ${least} for a character of each class`);
  return settings;
}

function checkPattern(pattern: string | undefined): string {
  if (pattern !== undefined) return pattern;
  const message = 'Parameter "pattern" is missing; mode pattern needs it, such as d{6}';
  throw new ToolFailure("missing_parameter", message, { parameter: "pattern" });
}

/** Where one word can begin with another, two draws could give the same passphrase. */
function checkSeparator(list: WordList, { separator, capitalize }: Settings): WordList {
  if (list.isPrefixFree || capitalize || /[^a-z]/.test(separator)) return list;
  throw refuse(
    "separator",
    `must part the words of list ${list.name} by more than small letters, or capitalize them`,
  );
}

function checkMinEntropy(minEntropy: number, { length, words }: PasswordOptions): void {
  checkLimit("minEntropy", minEntropy);
  const other = length === undefined ? (words === undefined ? undefined : "words") : "length";
  if (other)
    throw refuse("minEntropy", `decides how long a password is, so "${other}" cannot be set beside it`);
}

function checkLimit(parameter: keyof typeof PASSWORD_LIMITS, value: number): void {
  const limits = PASSWORD_LIMITS[parameter];
  const { minimum, maximum } = limits;
  if (Number.isInteger(value) && value >= minimum && value <= maximum) return;
  const what =
    parameter === "separator"
      ? "have at most 16 characters"
      : `be a whole number from ${minimum} to ${maximum}`;
  throw refuse(parameter, `must ${what}`, limits);
}

function refuse(
  parameter: string,
  what: string,
  fields: Readonly<Record<string, unknown>> = {},
): ToolFailure {
  return new ToolFailure("invalid_parameter", `Parameter "${parameter}" ${what}`, { parameter, ...fields });
}
