import { countRanges, rangeAt, intAt } from "../int-list.ts";
import { lineEnd, normalizeToken, type TokenRules } from "../tokens/tokens.ts";
import type { LineScript } from "./lines.ts";
import type { RangePair, Texts } from "./ranges.ts";

/** Whether the changed lines of both texts differ only in Unicode normalization (UAX #15). */
export function isSameInNfc(
  texts: Texts,
  { script, rules }: { script: LineScript; rules: TokenRules },
): boolean {
  const a = changedLines(texts.a, { script, side: "a" });
  return areSameInNfc(a, { b: changedLines(texts.b, { script, side: "b" }), rules });
}

/** The same of all lines of a range. They are read up to the first that differs, which mostly is the first one. */
export function isRangeSameInNfc(
  texts: Texts,
  { range, rules }: { range: RangePair; rules: TokenRules },
): boolean {
  const a = linesOf(texts.a, { from: range.aFrom, to: range.aTo });
  return areSameInNfc(a, { b: linesOf(texts.b, { from: range.bFrom, to: range.bTo }), rules });
}

function areSameInNfc(a: Iterator<string>, of: { b: Iterator<string>; rules: TokenRules }): boolean {
  const byLine = { ...of.rules, granularity: "line" } as const;
  for (;;) {
    const [one, other] = [a.next(), of.b.next()];
    if (one.done || other.done) return one.done === other.done;
    if (one.value === other.value) continue;
    const keys = [one.value, other.value].map((line) => normalizeToken(line.normalize("NFC"), byLine));
    if (keys[0] !== keys[1]) return false;
  }
}

function* changedLines(text: string, of: { script: LineScript; side: "a" | "b" }): Generator<string, void> {
  const { changes, ignorable, aStarts, bStarts } = of.script;
  const starts = of.side === "a" ? aStarts : bStarts;
  for (let i = 0; i < countRanges(changes); i++) {
    if (ignorable?.[i] === 1) continue;
    const { aFrom, aTo, bFrom, bTo } = rangeAt(changes, i);
    const [from, to] = of.side === "a" ? [aFrom, aTo] : [bFrom, bTo];
    for (let line = from; line < to; line++) {
      yield text.slice(intAt(starts, line), intAt(starts, line + 1));
    }
  }
}

function* linesOf(text: string, { from, to }: { from: number; to: number }): Generator<string, void> {
  for (let at = from; at < to;) {
    const end = lineEnd({ text, end: to }, at);
    yield text.slice(at, end);
    at = end;
  }
}
