import { checkValue, oneOf, required } from "../file/arguments.ts";
import { drawBelow, leastFor, type Random, roundDown } from "./draw.ts";
import SHORT from "./short-list.json" with { type: "json" };

interface PassphraseSettings {
  /** As many as `minEntropy` needs where it is absent. */
  readonly words: number | undefined;
  readonly minEntropy: number;
  readonly list: WordList;
  readonly separator: string;
  readonly capitalize: boolean;
  readonly digit: boolean;
  readonly excludeAmbiguous: boolean;
  readonly count: number;
  readonly random: Random;
}

/**
 * Passphrases whose words are drawn independently, each with equal probability. Two draws never give the same one,
 * because words can be told apart, and a digit is always between letters.
 */
export function makePassphrases(settings: PassphraseSettings) {
  const { separator, count, random, minEntropy, list, ...options } = settings;
  const digits = options.excludeAmbiguous ? "23456789" : "0123456789";
  const listSize = list.words.length;
  const entropyOf = (words: number) =>
    words * Math.log2(listSize) + (options.digit ? Math.log2(words * digits.length) : 0);
  const words = options.words ?? leastFor(minEntropy, { entropyOf });
  const drawWord = drawBelow(listSize, random);
  const drawPlace = drawBelow(words, random);
  const drawDigit = drawBelow(digits.length, random);
  const drawOne = () => {
    const drawn = Array.from({ length: words }, () => list.words[drawWord()] ?? "");
    const written = options.capitalize ? drawn.map(capitalize) : drawn;
    if (!options.digit) return written.join(separator);
    return addDigit(written, drawPlace(), digits[drawDigit()] ?? "").join(separator);
  };
  const passwords = Array.from({ length: count }, drawOne);
  return { words, separator, count, listSize, entropyBits: roundDown(entropyOf(words)), passwords };
}

function addDigit(words: readonly string[], place: number, digit: string): string[] {
  return words.with(place, `${words[place]}${digit}`);
}

function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** The lists that passphrases are made of. */
export const WORD_LISTS = ["large", "short", "german", "french", "spanish"] as const;

export type WordListName = (typeof WORD_LISTS)[number];

/** Distinct words without capitals and accents. */
export interface WordList {
  readonly name: WordListName;
  readonly words: readonly string[];
  /** Whether no word is the beginning of another, so that words can be told apart without a separator. */
  readonly isPrefixFree: boolean;
}

/**
 * 512 common names of things, 9 bits each, made for this project and sorted. The first four letters name the
 * word, no two are one slip of a finger apart, and none sounds like another English word. The list never
 * changes: tests hold its rules and its digest.
 */
export const SHORT_LIST: WordList = { name: "short", words: SHORT, isPrefixFree: true };

const loaded = new Map<WordListName, Promise<WordList>>();

/**
 * Loads a list, once: `large` is the EFF's of 7,776 English words (2016, eff.org/dice, CC BY 3.0 US), `german` that of
 * diceware with as many (Uli Fouquet, 2021, github.com/ulif/diceware, CC BY 3.0), both sorted; `french` and `spanish`
 * are those of BIP 39 with 2,048, `short` has 512 English ones.
 */
export function loadWordList(name: WordListName): Promise<WordList> {
  checkValue(name, "name", required(oneOf(WORD_LISTS)));
  const known = loaded.get(name);
  if (known) return known;
  const list = readWords(name).then((words) => ({ name, words, isPrefixFree: name !== "spanish" }));
  loaded.set(name, list);
  // A page that was offline can try again.
  list.catch(() => loaded.delete(name));
  return list;
}

async function readWords(name: WordListName): Promise<readonly string[]> {
  switch (name) {
    case "short":
      return SHORT;
    case "large":
      return (await import("./large-list.json", { with: { type: "json" } })).default;
    case "german":
      return (await import("./german-list.json", { with: { type: "json" } })).default;
    case "french":
      return withoutAccents((await import("@scure/bip39/wordlists/french.js")).wordlist);
    case "spanish":
      return withoutAccents((await import("@scure/bip39/wordlists/spanish.js")).wordlist);
  }
}

/** No two words differ only in accents, which not every keyboard has (BIP 39, wordlists). */
function withoutAccents(words: readonly string[]): string[] {
  return words.map((word) => word.normalize("NFKD").replace(/\p{M}/gu, ""));
}
