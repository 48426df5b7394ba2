import { isBlank, tokenKey, type Reading } from "./tokens.ts";

/** A token where it stands; or its key, which is text of its own and in the form in which tokens are compared. */
export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly isKey: boolean;
}

const LF = 10;
const CR = 13;
const SPACE = 32;
const LAST_ASCII = 127;

/** The token, or its key where only the whole alphabet's rules tell which letters are the same. */
export function looseToken({ text, start, end }: Omit<Token, "isKey">, reading: Reading): Token {
  if (!reading.ignoreCase || isAscii(text, { start, end })) return { text, start, end, isKey: false };
  const key = tokenKey(text.slice(start, end), reading);
  return { text: key, start: 0, end: key.length, isKey: true };
}

function isAscii(text: string, { start, end }: { start: number; end: number }): boolean {
  for (let at = start; at < end; at++) if (text.charCodeAt(at) > LAST_ASCII) return false;
  return true;
}

/** A hash of what tokenKey makes of a token, without making it: a string for each line takes as long as all else. */
export function hashLoosely(
  token: Token,
  { reading, secret }: { reading: Reading; secret: Int32Array },
): number {
  const { text } = token;
  const factor = secret[0]! | 1;
  const stop = contentEnd(token, reading);
  let hash = secret[1]!;
  for (let at = token.start; at < stop; at++) {
    const unit = unitAt(text, { at, reading });
    if (unit === SPACE && reading.ignoreWhitespace) at = lastBlank(text, { at, stop });
    hash = Math.imul(hash ^ unit, factor);
    hash ^= hash >>> 15;
  }
  if (hasFeed(token)) hash = Math.imul(hash ^ LF, factor);
  return hash ^ (hash >>> 16);
}

/** Whether tokenKey makes the same of both. */
export function isSameLoosely(a: Token, b: Token, reading: Reading): boolean {
  if (hasFeed(a) !== hasFeed(b)) return false;
  const [aStop, bStop] = [contentEnd(a, reading), contentEnd(b, reading)];
  let [i, j] = [a.start, b.start];
  for (; i < aStop && j < bStop; i++, j++) {
    const unit = unitAt(a.text, { at: i, reading });
    if (unit !== unitAt(b.text, { at: j, reading })) return false;
    if (unit !== SPACE || !reading.ignoreWhitespace) continue;
    i = lastBlank(a.text, { at: i, stop: aStop });
    j = lastBlank(b.text, { at: j, stop: bStop });
  }
  return i === aStop && j === bStop;
}

function hasFeed({ text, end }: Token): boolean {
  return text.charCodeAt(end - 1) === LF;
}

/** Where the token ends without its line feed and what is overlooked before that, as tokenKey has it. */
function contentEnd(token: Token, { granularity, ignoreWhitespace }: Reading): number {
  const { text, start, end, isKey } = token;
  const isEnded = hasFeed(token);
  let at = isEnded ? end - 1 : end;
  if (isKey || !ignoreWhitespace) return at;
  if (isEnded && at > start && text.charCodeAt(at - 1) === CR) at--;
  if (isEnded || granularity === "line") while (at > start && isBlank(text.charCodeAt(at - 1))) at--;
  return at;
}

interface Place {
  readonly at: number;
  readonly stop: number;
}

function lastBlank(text: string, { at, stop }: Place): number {
  let last = at;
  while (last + 1 < stop && isBlank(text.charCodeAt(last + 1))) last++;
  return last;
}

/** The unit as it is compared: in keys, letters beyond ASCII are small already. */
function unitAt(text: string, { at, reading }: { at: number; reading: Reading }): number {
  const unit = text.charCodeAt(at);
  if (unit > 90) return unit;
  if (unit >= 65) return reading.ignoreCase ? unit + 32 : unit;
  return reading.ignoreWhitespace && isBlank(unit) ? SPACE : unit;
}
