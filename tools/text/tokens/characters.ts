/** A text that is read up to `end`. */
export type Source = { readonly text: string; readonly end: number };

/** Properties of one UTF-16 code unit. */
export const WORD = 1; // continues a run of letters, digits, marks or underscores
export const APOSTROPHE = 2; // stays inside a word when word units are on both sides
const EXTEND = 4; // belongs to the character before it
export const COMPLEX = 8; // decided by the regular expression below, not by one unit
/** Belongs to a character with those beside it, or may. */
export const NEEDS_NEIGHBOURS = EXTEND | COMPLEX;
const KNOWN = 128;

// Scripts written without spaces: a run of their letters is not a word, so each letter stands alone.
const SPACELESS =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
/** Thai, the first of them in Unicode. */
const FIRST_SPACELESS = 0x0e00;
const WORD_UNIT = /[\p{L}\p{N}\p{M}_\u200c\u200d]/u;
const EXTENDER = /[\p{M}\u200c\u200d]/u;
// Surrogates, carriage return (CRLF is one character) and conjoining Hangul.
const NEEDS_LOOK = /[\ud800-\udfff\r\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/;

/**
 * One character as a reader sees it, near the extended grapheme clusters of UAX #29: CRLF, a flag's pair, a
 * Hangul syllable, an emoji with modifiers, tags and joined emoji, or a code point, each with its marks.
 * Regular expressions agree on all engines, `Intl.Segmenter` does not.
 */
const CLUSTER = makeClusterPattern();

function makeClusterPattern(): RegExp {
  const extender = String.raw`[\p{M}\u200c\p{Emoji_Modifier}\u{e0020}-\u{e007f}]`;
  const emoji = String.raw`\p{Extended_Pictographic}${extender}*(?:\u200d\p{Extended_Pictographic}${extender}*)*`;
  const vowels = String.raw`[\uac00-\ud7a3\u1160-\u11a7\ud7b0-\ud7c6]`;
  const hangul = String.raw`[\u1100-\u115f\ua960-\ua97c]*${vowels}[\u1160-\u11ff\ud7b0-\ud7fb]*`;
  const base = String.raw`\p{Regional_Indicator}{2}|${hangul}|${emoji}|[^]`;
  return new RegExp(String.raw`\r\n|\p{Cc}|(?:${base})(?:\u200d|${extender})*`, "uy");
}

const flagsOfUnit = new Uint8Array(0x10000);

/** The flags of a UTF-16 unit, looked up in Unicode's tables once. */
export function unitFlags(unit: number): number {
  return flagsOfUnit[unit] || learn(unit);
}

function learn(unit: number): number {
  const text = String.fromCharCode(unit);
  let flags = KNOWN;
  if (isWordPart(text)) flags |= WORD;
  if (text === "'" || text === "\u2019") flags |= APOSTROPHE;
  if (EXTENDER.test(text)) flags |= EXTEND;
  if (NEEDS_LOOK.test(text)) flags |= COMPLEX;
  flagsOfUnit[unit] = flags;
  return flags;
}

/** Whether a code point continues a word; combining marks do, whatever their script. */
export function isWordPart(character: string): boolean {
  return WORD_UNIT.test(character) && !(SPACELESS.test(character) && !EXTENDER.test(character));
}

/** Whether the character at a place is a letter of a script that is written without spaces. */
export function isSpaceless(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit < FIRST_SPACELESS) return false;
  return SPACELESS.test(String.fromCodePoint(text.codePointAt(at) ?? 0));
}

/** Where the character that starts at `start` ends. */
export function characterEnd(text: string, start: number): number {
  if (!(unitFlags(text.charCodeAt(start)) & COMPLEX)) {
    const next = start + 1;
    if (next >= text.length || !(unitFlags(text.charCodeAt(next)) & NEEDS_NEIGHBOURS)) return next;
  }
  CLUSTER.lastIndex = start;
  CLUSTER.test(text);
  return CLUSTER.lastIndex;
}

/** Which white space is ignored: all of it as `diff -w` does, its amount as `diff -b` does, or none. */
export type IgnoredWhitespace = "all" | "amount" | "none";

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;

/** The meaning of this option's old boolean values: true means the amount. */
export function readIgnoredWhitespace(option: IgnoredWhitespace | boolean): IgnoredWhitespace {
  if (typeof option === "boolean") return option ? "amount" : "none";
  return option;
}

/** A space or a tab, whose amount can be ignored. */
export function isBlank(unit: number): boolean {
  return unit === SPACE || unit === TAB;
}

/** What C's `isspace` matches inside a line, all of which can be ignored: also CR, VT and FF. */
export function isWhitespace(unit: number): boolean {
  return unit === SPACE || (unit >= TAB && unit <= CR && unit !== LF);
}

/** Where the white space at the end of a text begins that is ignored there, the last line feed included. */
export function findTail(text: string, ignored: "all" | "amount"): number {
  let at = text.length;
  if (text.charCodeAt(at - 1) === LF) at -= text.charCodeAt(at - 2) === CR ? 2 : 1;
  const isIgnored = ignored === "all" ? isWhitespace : isBlank;
  while (at > 0 && isIgnored(text.charCodeAt(at - 1))) at--;
  return at;
}

/** A token, or several, without the white space that is ignored. */
export function dropWhitespace(token: string, of: { ignored: IgnoredWhitespace; isLine: boolean }): string {
  if (of.ignored === "none") return token;
  if (of.ignored === "amount") return squeezeBlanks(token, of.isLine);
  const kept = token.replace(/[ \t\v\f\r]+/g, "");
  return of.isLine && kept.endsWith("\n") ? kept.slice(0, -1) : kept;
}

function squeezeBlanks(token: string, isLine: boolean): string {
  const lineFeed = token.endsWith("\n") ? "\n" : "";
  const length = token.length - lineFeed.length;
  let end = length;
  if (lineFeed && token.charCodeAt(end - 1) === CR) end--;
  // A loop, because /[ \t]+$/ takes quadratic time on a long run of blanks in the middle.
  if (lineFeed || isLine) while (end > 0 && isBlank(token.charCodeAt(end - 1))) end--;
  const kept = token.slice(0, end) + (isLine ? "" : lineFeed);
  return kept.replace(/\t[ \t]*| [ \t]+/g, " ");
}
