import { countRanges, rangeAt } from "../diff/range-list.ts";
import type { RangeList } from "../diff/range-list.ts";
import type { RangePair, Texts } from "../diff/ranges.ts";

/** A run of text; `textB` is b's form of an equal run when an ignore option hides a difference. */
export type Span = { op: "equal" | "delete" | "insert"; text: string; textB?: string };

/** All of both texts as one flow of runs; a deletion stands before the insertion in its place. */
export function makeSpans(texts: Texts, changes: RangeList): Span[] {
  const spans: Span[] = [];
  let [a, b] = [0, 0];
  for (let i = 0; i < countRanges(changes); i++) {
    const { aFrom, aTo, bFrom, bTo } = rangeAt(changes, i);
    addEqual(spans, { texts, range: { aFrom: a, aTo: aFrom, bFrom: b, bTo: bFrom } });
    if (aTo > aFrom) spans.push({ op: "delete", text: texts.a.slice(aFrom, aTo) });
    if (bTo > bFrom) spans.push({ op: "insert", text: texts.b.slice(bFrom, bTo) });
    [a, b] = [aTo, bTo];
  }
  addEqual(spans, { texts, range: { aFrom: a, aTo: texts.a.length, bFrom: b, bTo: texts.b.length } });
  return spans;
}

function addEqual(spans: Span[], { texts, range }: { texts: Texts; range: RangePair }): void {
  const text = texts.a.slice(range.aFrom, range.aTo);
  const textB = texts.b.slice(range.bFrom, range.bTo);
  if (text === "" || textB === "") return addIgnoredEnd(spans, { text, textB });
  spans.push(text === textB ? { op: "equal", text } : { op: "equal", text, textB });
}

/** White space that is ignored at the end of one text only: with the change before it, for no span is empty. */
function addIgnoredEnd(spans: Span[], { text, textB }: { text: string; textB: string }): void {
  if (text === "" && textB === "") return;
  const op = text === "" ? "insert" : "delete";
  const before = spans.findLast((span, i) => i >= spans.length - 2 && span.op === op);
  if (before) before.text += text + textB;
  else if (op === "insert") spans.push({ op, text: textB });
  else spans.splice(spans.at(-1)?.op === "insert" ? -1 : spans.length, 0, { op, text });
}
