import { intAt } from "../int-list.ts";
import { isBlank, normalizeToken, type TokenRules } from "./tokens.ts";

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
  if (!rules.ignoreCase || isAscii(text, { start, end })) return { text, start, end, isKey: false };
  const key = normalizeToken(text.slice(start, end), rules);
  return { text: key, start: 0, end: key.length, isKey: true };
}

function isAscii(text: string, { start, end }: { start: number; end: number }): boolean {
  for (let at = start; at < end; at++) if (text.charCodeAt(at) > LAST_ASCII) return false;
  return true;
}

/** The hash of a token's normalized form, without making a string of it, which would double the time. */
export function hashNormalized(
  token: TextToken,
  { rules, secret }: { rules: TokenRules; secret: Int32Array },
): number {
  const { text } = token;
  const factor = intAt(secret, 0) | 1;
  const stop = contentEnd(token, rules);
  let hash = intAt(secret, 1);
  for (let at = token.start; at < stop; at++) {
    const unit = unitAt(text, { at, rules });
    if (unit === SPACE && rules.ignoreWhitespace) at = lastBlank(text, { at, stop });
    hash = Math.imul(hash ^ unit, factor);
    hash ^= hash >>> 15;
  }
  if (countsFeed(token, rules)) hash = Math.imul(hash ^ LF, factor);
  return hash ^ (hash >>> 16);
}

/** Whether both have the same normalized form. */
export function isEqualNormalized(a: TextToken, b: TextToken, rules: TokenRules): boolean {
  if (countsFeed(a, rules) !== countsFeed(b, rules)) return false;
  const [aStop, bStop] = [contentEnd(a, rules), contentEnd(b, rules)];
  let [i, j] = [a.start, b.start];
  for (; i < aStop && j < bStop; i++, j++) {
    const unit = unitAt(a.text, { at: i, rules });
    if (unit !== unitAt(b.text, { at: j, rules })) return false;
    if (unit !== SPACE || !rules.ignoreWhitespace) continue;
    i = lastBlank(a.text, { at: i, stop: aStop });
    j = lastBlank(b.text, { at: j, stop: bStop });
  }
  return i === aStop && j === bStop;
}

/** Whether the token has a line feed that counts: no line needs one where white space is ignored. */
function countsFeed(token: TextToken, { granularity, ignoreWhitespace }: TokenRules): boolean {
  return hasFeed(token) && !(ignoreWhitespace && granularity === "line");
}

function hasFeed({ text, end }: TextToken): boolean {
  return text.charCodeAt(end - 1) === LF;
}

/** Where the token ends without its line feed and the ignored white space before it. */
function contentEnd(token: TextToken, { granularity, ignoreWhitespace }: TokenRules): number {
  const { text, start, end, isKey } = token;
  const isEnded = hasFeed(token);
  let at = isEnded ? end - 1 : end;
  if (isKey || !ignoreWhitespace) return at;
  if (isEnded && at > start && text.charCodeAt(at - 1) === CR) at--;
  if (isEnded || granularity === "line") while (at > start && isBlank(text.charCodeAt(at - 1))) at--;
  return at;
}

function lastBlank(text: string, { at, stop }: { at: number; stop: number }): number {
  let last = at;
  while (last + 1 < stop && isBlank(text.charCodeAt(last + 1))) last++;
  return last;
}

/** The code unit as it is compared; in keys, letters beyond ASCII are lower case already. */
function unitAt(text: string, { at, rules }: { at: number; rules: TokenRules }): number {
  const unit = text.charCodeAt(at);
  if (unit > 90) return unit;
  if (unit >= 65) return rules.ignoreCase ? unit + 32 : unit;
  return rules.ignoreWhitespace && isBlank(unit) ? SPACE : unit;
}
