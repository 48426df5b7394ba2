import { countRanges, rangeAt, intAt } from "../int-list.ts";
import { lineEnd, normalizeToken, type TokenRules } from "../tokens/tokens.ts";
import type { LineScript } from "./lines.ts";
import type { RangePair, Texts } from "./ranges.ts";
import { normalized } from "../../../wire/nfc.ts";

/**
 * Whether both texts differ only in Unicode normalization (UAX #15). The lines between changes count too: one that has
 * moved is the same line at another place.
 */
export function isSameInNfc(texts: Texts, script: LineScript, rules: TokenRules): boolean {
  return areSameInNfc(linesFromChange(texts, script, "a"), linesFromChange(texts, script, "b"), rules);
}

/** Whether all lines of a range differ only in normalization. They are read up to the first real difference. */
export function isRangeSameInNfc(texts: Texts, range: RangePair, rules: TokenRules): boolean {
  const a = linesOf(texts.a, range.aFrom, range.aTo);
  return areSameInNfc(a, linesOf(texts.b, range.bFrom, range.bTo), rules);
}

function areSameInNfc(a: Iterator<string>, b: Iterator<string>, rules: TokenRules): boolean {
  const byLine = { ...rules, granularity: "line" } as const;
  for (;;) {
    const [one, other] = [a.next(), b.next()];
    if (one.done || other.done) return one.done === other.done;
    if (one.value === other.value) continue;
    const keys = [one.value, other.value].map((line) => normalizeToken(normalized(line), byLine));
    if (keys[0] !== keys[1]) return false;
  }
}

/** The lines from the first change to the end of the last, without those of ignored ones. */
function* linesFromChange(texts: Texts, script: LineScript, side: "a" | "b"): Generator<string, void> {
  const { changes, ignorable, aStarts, bStarts } = script;
  const starts = side === "a" ? aStarts : bStarts;
  let line: number | undefined;
  for (let i = 0; i < countRanges(changes); i++) {
    const { aFrom, aTo, bFrom, bTo } = rangeAt(changes, i);
    const [from, to] = side === "a" ? [aFrom, aTo] : [bFrom, bTo];
    line ??= from;
    const end = ignorable?.[i] === 1 ? from : to;
    for (; line < end; line++) yield texts[side].slice(intAt(starts, line), intAt(starts, line + 1));
    line = to;
  }
}

function* linesOf(text: string, from: number, to: number): Generator<string, void> {
  for (let at = from; at < to;) {
    const end = lineEnd({ text, end: to }, at);
    yield text.slice(at, end);
    at = end;
  }
}
