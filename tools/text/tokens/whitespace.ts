/** Which white space is ignored: all of it as `diff -w` does, its amount as `diff -b` does, or none. */
export type IgnoredWhitespace = "all" | "amount" | "none";

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;

/** What is meant by the boolean that this option was first: true is the amount. */
export function readIgnoredWhitespace(option: IgnoredWhitespace | boolean): IgnoredWhitespace {
  if (typeof option === "boolean") return option ? "amount" : "none";
  return option;
}

/** A space or a tab, of which the amount can be ignored. */
export function isBlank(unit: number): boolean {
  return unit === SPACE || unit === TAB;
}

/** What `isspace` of C knows inside of a line, all of which can be ignored: also CR, VT and FF. */
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
  // By hand, because /[ \t]+$/ takes quadratic time on a long run of blanks in the middle.
  if (lineFeed || isLine) while (end > 0 && isBlank(token.charCodeAt(end - 1))) end--;
  const kept = token.slice(0, end) + (isLine ? "" : lineFeed);
  return kept.replace(/\t[ \t]*| [ \t]+/g, " ");
}
