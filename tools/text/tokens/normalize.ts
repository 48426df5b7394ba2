import { intAt } from "../int-list.ts";
import { normalizeToken, type TokenRules } from "./tokens.ts";
import { isBlank, isWhitespace } from "./characters.ts";

/** A token as a part of its text; or its key, a string of its own in normalized form. */
export interface TextToken {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly isKey: boolean;
}

const LF = 10;
const CR = 13;
const SPACE = 32;
const LAST_ASCII = 127;

/** The token, or its key if it has letters beyond ASCII and case is ignored. */
export function normalizedToken(
  { text, start, end }: Omit<TextToken, "isKey">,
  rules: TokenRules,
): TextToken {
  if (!rules.ignoreCase || isAscii(text, start, end)) return { text, start, end, isKey: false };
  const key = normalizeToken(text.slice(start, end), rules);
  return { text: key, start: 0, end: key.length, isKey: true };
}

function isAscii(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (text.charCodeAt(at) > LAST_ASCII) return false;
  return true;
}

/** The hash of a token's normalized form, without making a string of it, which would double the time. */
export function hashNormalized(token: TextToken, rules: TokenRules, secret: Int32Array): number {
  const { text } = token;
  const factor = intAt(secret, 0) | 1;
  const stop = contentEnd(token, rules);
  let hash = intAt(secret, 1);
  for (let at = firstUnit(token, { stop, rules }); at < stop; at = nextUnit(text, { at, stop, rules })) {
    hash = Math.imul(hash ^ unitAt(text, at, rules), factor);
    hash ^= hash >>> 15;
  }
  if (countsFeed(token, rules)) hash = Math.imul(hash ^ LF, factor);
  return hash ^ (hash >>> 16);
}

/** Whether both have the same normalized form. */
export function isEqualNormalized(a: TextToken, b: TextToken, rules: TokenRules): boolean {
  if (countsFeed(a, rules) !== countsFeed(b, rules)) return false;
  const [aStop, bStop] = [contentEnd(a, rules), contentEnd(b, rules)];
  let i = firstUnit(a, { stop: aStop, rules });
  let j = firstUnit(b, { stop: bStop, rules });
  while (i < aStop && j < bStop) {
    if (unitAt(a.text, i, rules) !== unitAt(b.text, j, rules)) return false;
    i = nextUnit(a.text, { at: i, stop: aStop, rules });
    j = nextUnit(b.text, { at: j, stop: bStop, rules });
  }
  return i === aStop && j === bStop;
}

/** Whether the token has a line feed that counts: no line needs one where white space is ignored. */
function countsFeed(token: TextToken, { granularity, ignoreWhitespace }: TokenRules): boolean {
  return hasFeed(token) && !(ignoreWhitespace !== "none" && granularity === "line");
}

function hasFeed({ text, end }: TextToken): boolean {
  return text.charCodeAt(end - 1) === LF;
}

/** Where the token ends without its line feed and the ignored white space before it. */
function contentEnd(token: TextToken, { granularity, ignoreWhitespace }: TokenRules): number {
  const { text, start, end, isKey } = token;
  const isEnded = hasFeed(token);
  let at = isEnded ? end - 1 : end;
  if (isKey || ignoreWhitespace !== "amount") return at;
  if (isEnded && at > start && text.charCodeAt(at - 1) === CR) at--;
  if (isEnded || granularity === "line") while (at > start && isBlank(text.charCodeAt(at - 1))) at--;
  return at;
}

function firstUnit({ text, start }: TextToken, of: { stop: number; rules: TokenRules }): number {
  return of.rules.ignoreWhitespace === "all" ? nextUnit(text, { at: start - 1, ...of }) : start;
}

/** Where the next unit is that is compared: of a run of white space the first one only, or none. */
function nextUnit(text: string, of: { at: number; stop: number; rules: TokenRules }): number {
  const { stop, rules } = of;
  let at = of.at + 1;
  if (rules.ignoreWhitespace === "none") return at;
  if (rules.ignoreWhitespace === "all") while (at < stop && isWhitespace(text.charCodeAt(at))) at++;
  else if (isBlank(text.charCodeAt(of.at))) while (at < stop && isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** The code unit used in comparisons; in keys, letters beyond ASCII are already lower case. */
function unitAt(text: string, at: number, rules: TokenRules): number {
  const unit = text.charCodeAt(at);
  if (unit > 90) return unit;
  if (unit >= 65) return rules.ignoreCase ? unit + 32 : unit;
  return rules.ignoreWhitespace === "amount" && isBlank(unit) ? SPACE : unit;
}
