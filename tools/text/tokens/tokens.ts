import {
  APOSTROPHE,
  characterEnd,
  COMPLEX,
  isWordPart,
  type Source,
  unitFlags,
  WORD,
  isSpaceless,
  dropWhitespace,
  isBlank,
  isWhitespace,
  type IgnoredWhitespace,
} from "./characters.ts";

export type Granularity = "line" | "word" | "character";

/** The kind of tokens, and the differences that are ignored. */
export type TokenRules = {
  granularity: Granularity;
  ignoreCase: boolean;
  ignoreWhitespace: IgnoredWhitespace;
  /** Words of scripts without spaces come from the runtime's dictionaries; single characters otherwise. */
  usesDictionary?: boolean;
};

/** Where the token that starts at `start` ends. */
export type TokenEnd = (source: Source, start: number) => number;

const LF = 10;
const CR = 13;
const SPACE = 32;

/** Chooses how a text is split into tokens. No word or character crosses a line feed. */
export function tokenEndOf({ granularity, ignoreWhitespace, usesDictionary }: TokenRules): TokenEnd {
  if (granularity === "line") return lineEnd;
  return granularity === "word" && usesDictionary
    ? wordEnds(withDictionary())[ignoreWhitespace]
    : ENDS[granularity][ignoreWhitespace];
}

function withDictionary(): TokenEnd {
  const dictionaryEnd = makeDictionary();
  return (source, start) => dictionaryEnd(source, start) || wordOrCharacterEnd(source, start);
}

/** A word, a run of blanks, else one character (a line break is one). */
function wordEnds(tokenEnd: TokenEnd): Record<IgnoredWhitespace, TokenEnd> {
  return {
    none: (source, start) =>
      isBlank(source.text.charCodeAt(start)) ? blanksEnd(source, start) : tokenEnd(source, start),
    amount: (source, start) => spaceEnd(source, start) || tokenEnd(source, start),
    all: (source, start) => endIgnoringSpace(source, { start, tokenEnd }),
  };
}

const ENDS: Record<"word" | "character", Record<IgnoredWhitespace, TokenEnd>> = {
  word: wordEnds(wordOrCharacterEnd),
  character: {
    none: exactCharacterEnd,
    amount: (source, start) => spaceEnd(source, start) || characterEnd(source.text, start),
    all: (source, start) => endIgnoringSpace(source, { start, tokenEnd: exactCharacterEnd }),
  },
};

/** Lines end only after LF: CR, NEL and U+2028 are ordinary characters, as for `patch`. */
export function lineEnd({ text, end }: Source, start: number): number {
  const at = text.indexOf("\n", start);
  return at < 0 || at >= end ? end : at + 1;
}

function exactCharacterEnd({ text }: Source, start: number): number {
  return characterEnd(text, start);
}

/** With all white space ignored, that around a token is part of it, so that no token is white space alone. */
function endIgnoringSpace(source: Source, of: { start: number; tokenEnd: TokenEnd }): number {
  const at = whitespaceEnd(source, of.start);
  if (at === source.end) return at;
  // The beginning of a line belongs to its first token: no token crosses a line feed.
  if (source.text.charCodeAt(at) === LF) return at + 1;
  return whitespaceEnd(source, of.tokenEnd(source, at));
}

function whitespaceEnd({ text, end }: Source, start: number): number {
  let at = start;
  while (at < end && isWhitespace(text.charCodeAt(at))) at++;
  return at;
}

/**
 * Where the amount of white space is ignored, blanks and the line break after them are one token; 0 when there are
 * none.
 */
function spaceEnd(source: Source, start: number): number {
  const first = source.text.charCodeAt(start);
  if (first > SPACE) return 0;
  const at = isBlank(first) ? blanksEnd(source, start) : start;
  const breakEnd = lineBreakEnd(source, at);
  return breakEnd || (at > start ? at : 0);
}

function wordOrCharacterEnd(source: Source, start: number): number {
  const { text, end } = source;
  let at = start;
  for (let step = 1; step > 0; at += step) {
    while (at < end && (unitFlags(text.charCodeAt(at)) & WORD) !== 0) at++;
    step = stepInWord(source, at);
  }
  return at > start ? at : characterEnd(text, start);
}

/** How many units from `at` on, which are no letters, continue a word: 0 when it ends there. */
function stepInWord(source: Source, at: number): number {
  const { text, end } = source;
  const flags = at < end ? unitFlags(text.charCodeAt(at)) : 0;
  if (flags & APOSTROPHE) return isInsideWord(source, at) ? 1 : 0;
  if (!(flags & COMPLEX)) return 0;
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return character.length === 2 && isWordPart(character) ? 2 : 0;
}

/** Only an apostrophe between word characters joins them: don't, but not 'tis. */
function isInsideWord({ text, end }: Source, at: number): boolean {
  if (at === 0 || at + 1 >= end) return false;
  return (unitFlags(text.charCodeAt(at - 1)) & unitFlags(text.charCodeAt(at + 1)) & WORD) !== 0;
}

function blanksEnd({ text, end }: Source, start: number): number {
  let at = start;
  while (at < end && isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** The end of a line break at `at` (CR LF or LF); 0 when there is none. */
function lineBreakEnd({ text, end }: Source, at: number): number {
  const unit = at < end ? text.charCodeAt(at) : 0;
  if (unit === LF) return at + 1;
  return unit === CR && at + 1 < end && text.charCodeAt(at + 1) === LF ? at + 2 : 0;
}

/**
 * The form in which a token is compared. Where the amount of white space is ignored, blanks are spaces and tabs only:
 * a run counts as one, and none counts at the end of a line; a CR before the LF is part of the line ending. Where
 * any is ignored, a line without a line ending equals one with it.
 */
export function normalizeToken(token: string, rules: TokenRules): string {
  const isLine = rules.granularity === "line";
  const key = dropWhitespace(token, { ignored: rules.ignoreWhitespace, isLine });
  return rules.ignoreCase ? foldCase(key) : key;
}

/** A final sigma depends on what follows it, which another granularity would cut off. */
function foldCase(key: string): string {
  const lower = key.toLowerCase();
  return lower.includes("ς") ? lower.replaceAll("ς", "σ") : lower;
}

/** Dictionaries take a thousand times as long as a look at a letter; longer texts have single characters for words. */
const MAX_LENGTH = 1_000_000;
/** A run without end is looked at in parts. */
const MAX_RUN = 4096;

/** Whether words of scripts without spaces are looked up for texts of this length together. */
export function usesDictionary({ a, b }: { a: string; b: string }): boolean {
  return a.length + b.length <= MAX_LENGTH && "Segmenter" in Intl;
}

interface Run {
  readonly text: string;
  readonly ends: readonly number[];
  /** The first end that has not been asked for. */
  next: number;
}

/**
 * Finds the ends of words in Chinese, Japanese, Thai and other scripts without spaces by the dictionaries of the runtime
 * (UAX #29, `Intl.Segmenter`). Tokens are asked for in order, so one run is remembered at a time.
 */
function makeDictionary(): (source: Source, start: number) => number {
  // Not of the reader's language, so that everybody has the same words.
  const segmenter = new Intl.Segmenter("und", { granularity: "word" });
  let run: Run | undefined;
  return (source, start) => {
    if (!isSpaceless(source.text, start)) return 0;
    if (run?.text !== source.text || !isWithin(run, start)) run = readRun(source, start, segmenter);
    while ((run.ends[run.next] ?? start + 1) <= start) run.next++;
    return run.ends[run.next] ?? characterEnd(source.text, start);
  };
}

function isWithin({ ends, next }: Run, start: number): boolean {
  const isKnown = start === ends[next - 1] || start === ends[next];
  return isKnown && start < (ends.at(-1) ?? 0);
}

function readRun({ text, end }: Source, start: number, segmenter: Intl.Segmenter): Run {
  let to = start;
  while (to < end && to - start < MAX_RUN && isSpaceless(text, to)) to = characterEnd(text, to);
  const ends: number[] = [start];
  for (const { index, segment } of segmenter.segment(text.slice(start, to)))
    ends.push(start + index + segment.length);
  return { text, ends, next: 1 };
}
