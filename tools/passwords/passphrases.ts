import { drawBelow, leastFor, type Random, roundDown } from "./draw.ts";
import type { WordList } from "./word-lists.ts";

export interface PassphraseSettings {
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
 * Passphrases whose words are drawn alone, each equally likely. Two draws never give the same one, as words can be told
 * apart, and a digit stands at another place between letters.
 */
export function makePassphrases({
  separator,
  count,
  random,
  minEntropy,
  list,
  ...options
}: PassphraseSettings) {
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
    return addDigit(written, { place: drawPlace(), digit: digits[drawDigit()] ?? "" }).join(separator);
  };
  const passwords = Array.from({ length: count }, drawOne);
  return { words, separator, count, listSize, entropyBits: roundDown(entropyOf(words)), passwords };
}

function addDigit(words: readonly string[], { place, digit }: { place: number; digit: string }): string[] {
  return words.with(place, `${words[place]}${digit}`);
}

function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
