import { findTail } from "../tokens/characters.ts";
import type { TokenRules } from "../tokens/tokens.ts";

export type Texts = { readonly a: string; readonly b: string };

/** A half-open range of each text (offsets) or of each sequence of tokens (indexes). */
export type RangePair = { aFrom: number; aTo: number; bFrom: number; bTo: number };

// Equal lines kept at both ends of the middle: context for a patch, and room for a change to slide.
const MARGIN_LINES = 128;

// Strings are compared by the engine at the speed of memory: first a few units, then as many as are worth cutting out.
const [FIRST_CHUNK, MAX_CHUNK] = [1 << 8, 1 << 14];

/** The parts that are compared: everything but ignored white space at the end of the texts. */
export function findBodies({ a, b }: Texts, rules: TokenRules): RangePair {
  const whole = { aFrom: 0, aTo: a.length, bFrom: 0, bTo: b.length };
  // Comparing by line has its own rule for the last line. An empty text has no line, so no line ending either.
  const ignored = rules.ignoreWhitespace;
  if (ignored === "none" || rules.granularity === "line" || a === "" || b === "") return whole;
  return { ...whole, aTo: findTail(a, ignored), bTo: findTail(b, ignored) };
}

/** Leaves out the lines that are exactly the same at the start and at the end of both bodies. */
export function findMiddle(texts: Texts, body: RangePair): RangePair {
  const head = commonLength(texts, body);
  const from = head === body.aTo && head === body.bTo ? head : texts.a.lastIndexOf("\n", head - 1) + 1;
  const start = head === 0 ? 0 : from;
  const tail = commonTail(texts, { ...body, aFrom: start, bFrom: start });
  const aTo = linesAfter(texts.a, body.aTo, { at: body.aTo - tail, count: MARGIN_LINES + 1 });
  const margin = linesBefore(texts.a, start, MARGIN_LINES);
  return { aFrom: margin, aTo, bFrom: margin, bTo: body.bTo - (body.aTo - aTo) };
}

/** How many units the two ranges begin with in common. */
export function commonLength({ a, b }: Texts, { aFrom, aTo, bFrom, bTo }: RangePair): number {
  const length = Math.min(aTo - aFrom, bTo - bFrom);
  let [done, chunk] = [0, FIRST_CHUNK];
  while (done < length) {
    const to = Math.min(done + chunk, length);
    if (a.slice(aFrom + done, aFrom + to) !== b.slice(bFrom + done, bFrom + to)) break;
    done = to;
    chunk = Math.min(chunk * 2, MAX_CHUNK);
  }
  while (done < length && a.charCodeAt(aFrom + done) === b.charCodeAt(bFrom + done)) done++;
  return done;
}

function commonTail({ a, b }: Texts, { aFrom, aTo, bFrom, bTo }: RangePair): number {
  const length = Math.min(aTo - aFrom, bTo - bFrom);
  let done = 0;
  while (done < length) {
    const more = Math.min(done + MAX_CHUNK, length);
    if (a.slice(aTo - more, aTo - done) !== b.slice(bTo - more, bTo - done)) break;
    done = more;
  }
  while (done < length && a.charCodeAt(aTo - done - 1) === b.charCodeAt(bTo - done - 1)) done++;
  return done;
}

/** The start of the line `count` lines above the line start `at`. */
function linesBefore(text: string, at: number, count: number): number {
  let start = at;
  for (let i = 0; i < count && start > 0; i++)
    start = start === 1 ? 0 : text.lastIndexOf("\n", start - 2) + 1;
  return start;
}

/** The end of the line `count` line ends after `at`, or the end of the text. */
function linesAfter(text: string, end: number, from: { at: number; count: number }): number {
  let at = from.at;
  for (let i = 0; i < from.count && at < end; i++) {
    const next = text.indexOf("\n", at) + 1;
    at = next === 0 || next > end ? end : next;
  }
  return at;
}

/** Counts the lines of a part of a text that begins at a line's start. */
export function countLines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; count++) {
    const next = text.indexOf("\n", at) + 1;
    at = next === 0 || next > to ? to : next;
  }
  return count;
}

export function lengthOf({ aFrom, aTo, bFrom, bTo }: RangePair): number {
  return aTo - aFrom + bTo - bFrom;
}
