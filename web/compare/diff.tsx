import { useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { useMemo, useRef } from "preact/hooks";
import type { Row, Span } from "../../tools/text-compare.ts";
import { ChangeSteps, useAllInPrint, useChanges, type StepProps } from "./change-steps.tsx";
import { foldEqual, isUnchanged, listRows, pairRows, partsOf, type ViewLine } from "./diff-lines.ts";
import { fill, formatCount, words } from "../app/language/words.ts";

const FIRST_LINES = 1000;

/** Code with wrapped lines, code without, or prose. */
type Shape = "wrapped" | "unwrapped" | "prose";

/** Two texts line by line, side by side or in one column. */
export function DiffRows({
  rows,
  view,
  context,
  shape,
}: {
  rows: readonly Row[];
  view: "side" | "unified";
  /** Equal lines that are shown next to a change. */
  context: number;
  shape: Shape;
}) {
  const t = words().compare;
  const open = useSignal<ReadonlySet<number>>(new Set());
  const shownCount = useSignal(FIRST_LINES);
  useAllInPrint(shownCount);
  const layout = useMemo(() => (view === "side" ? pairRows(rows) : listRows(rows)), [rows, view]);
  const lines = useMemo(
    () => foldEqual(layout, { open: open.value, context }),
    [layout, open.value, context],
  );
  const Line = view === "side" ? SideLine : UnifiedLine;
  const heads = view === "side" ? [t.line, t.first, t.line, t.second] : [t.lineBefore, t.lineAfter, t.text];
  const diff = useRef<HTMLDivElement>(null);
  const areEqual = useMemo(() => lines.map(isUnchanged), [lines]);
  const changes = useChanges(areEqual, rows, shownCount);
  return (
    <>
      <ChangeSteps changes={changes} diff={diff} />
      <div ref={diff} class={`diff ${shape}`} role="region" aria-label={t.differences} tabIndex={0}>
        <table class={view}>
          <colgroup>
            <col class="number" />
            {view === "side" ? <col /> : <col class="number" />}
            {view === "side" && <col class="number" />}
            <col />
          </colgroup>
          <thead class="unseen">
            <tr>
              {heads.map((head, i) => (
                <th key={i}>{head}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines
              .slice(0, shownCount.value)
              .map((line, i) =>
                line.is === "fold" ? (
                  <Fold
                    key={`fold ${line.from}`}
                    count={line.count}
                    width={heads.length}
                    onOpen={() => (open.value = new Set([...open.value, line.from]))}
                  />
                ) : (
                  <Line key={`${line.a?.a} ${line.b?.b}`} line={line} step={changes.stepAt(i)} />
                ),
              )}
          </tbody>
        </table>
      </div>
      {lines.length > shownCount.value && (
        <button type="button" class="small" onClick={() => (shownCount.value *= 4)}>
          {formatCount(lines.length, t.showMoreLines)}
        </button>
      )}
    </>
  );
}

type Pair = Extract<ViewLine, { is: "pair" }>;

function SideLine({ line: { a, b }, step }: { line: Pair; step: StepProps }) {
  const isChange = a?.op !== "equal";
  return (
    <tr {...step}>
      <td class="number">{a?.a}</td>
      <td class={isChange ? (a ? classOf(a) : "none") : undefined}>
        {isChange && a ? <ChangedLine row={a} /> : a?.text}
      </td>
      <td class="number">{b?.b}</td>
      <td class={isChange ? (b ? classOf(b) : "none") : undefined}>
        {isChange && b ? <ChangedLine row={b} /> : (b?.textB ?? b?.text)}
      </td>
    </tr>
  );
}

function classOf({ op, ignored, moved }: Row): string | undefined {
  if (op === "equal") return undefined;
  const kind = moved === undefined ? "" : " moved";
  return `${op === "delete" ? "removed" : "added"}${ignored ? " ignored" : kind}`;
}

/** Where a line went to, or came from. */
function Moved({ row: { op, moved } }: { row: Row }) {
  if (moved === undefined) return null;
  const t = words().compare;
  return <span class="hint"> {fill(op === "delete" ? t.movedTo : t.movedFrom, { line: moved })}</span>;
}

/** A line with its mark and its changed words, and where it was moved; none of this in a line that is equal. */
function ChangedLine({ row }: { row: Row }) {
  const { removedMark, addedMark } = words().compare;
  return (
    <>
      {row.op === "delete" && <ChangeMark symbol="−" word={removedMark} />}
      {row.op === "insert" && <ChangeMark symbol="+" word={addedMark} />}
      {partsOf(row).map(({ text, isChanged }, i) =>
        isChanged ? <mark key={i}>{text}</mark> : <span key={i}>{text}</span>,
      )}
      <Moved row={row} />
    </>
  );
}

function UnifiedLine({ line: { a, b }, step }: { line: Pair; step: StepProps }) {
  const row = a ?? b;
  return (
    <tr {...step}>
      <td class="number">{a?.a}</td>
      <td class="number">{b?.b}</td>
      <td class={row && classOf(row)}>{row && <ChangedLine row={row} />}</td>
    </tr>
  );
}

// Color alone would not be accessible.
function ChangeMark({ symbol, word }: { symbol: string; word: string }) {
  return (
    <>
      <span class="sign" aria-hidden="true">
        {symbol}
      </span>
      <span class="unseen">{word}: </span>
    </>
  );
}

function Fold({ count, width, onOpen }: { count: number; width: number; onOpen: () => void }) {
  return (
    <tr class="fold">
      <td colSpan={width}>
        <button type="button" class="quiet small" onClick={onOpen}>
          {formatCount(count, words().compare.showEqual)}
        </button>
      </td>
    </tr>
  );
}

const FIRST_SPANS = 4000;

/** Two texts as one flow of words or characters. */
export function DiffSpans({ spans, shape }: { spans: readonly Span[]; shape: Shape }) {
  const shownCount = useSignal(FIRST_SPANS);
  useAllInPrint(shownCount);
  const diff = useRef<HTMLPreElement>(null);
  const areEqual = useMemo(() => spans.map(({ op }) => op === "equal"), [spans]);
  const changes = useChanges(areEqual, spans, shownCount);
  return (
    <>
      <ChangeSteps changes={changes} diff={diff} />
      <pre
        ref={diff}
        class={`diff flow ${shape}`}
        role="region"
        aria-label={words().compare.differences}
        tabIndex={0}
        translate={false}
      >
        {spans.slice(0, shownCount.value).map((span, i) => (
          <SpanView key={i} span={span} step={changes.stepAt(i)} />
        ))}
      </pre>
      {spans.length > shownCount.value && (
        <button type="button" class="small" onClick={() => (shownCount.value *= 4)}>
          {words().compare.showMore}
        </button>
      )}
    </>
  );
}

function SpanView({ span: { op, text }, step }: { span: Span; step: StepProps }) {
  if (op === "delete") return <del {...step}>{withBreaks(text)}</del>;
  if (op === "insert") return <ins {...step}>{withBreaks(text)}</ins>;
  return <span>{text}</span>;
}

/** A line break that was added or removed would be invisible. */
function withBreaks(text: string) {
  return text.split("\n").map((line, i) => (
    <Fragment key={i}>
      {i > 0 && (
        <>
          <span class="break" aria-hidden="true" />
          {"\n"}
        </>
      )}
      {line}
    </Fragment>
  ));
}
