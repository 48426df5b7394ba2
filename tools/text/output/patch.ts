import {
  intAt,
  countRanges,
  rangeAt,
  setRange,
  type RangeList,
  addRange,
  makeRangeList,
} from "../int-list.ts";
import { formatPatch, OMIT_HEADERS, type StructuredPatchHunk } from "diff";
import { patchHeader } from "./patch-names.ts";
import type { LineScript } from "../diff/lines.ts";
import type { Texts } from "../diff/ranges.ts";

const LF = 10;

type Lines = { text: string; starts: Int32Array };
type Sides = { a: Lines; b: Lines };
type Block = { side: Lines; prefix: " " | "-" | "+"; from: number; to: number };

const LINES_PER_BLOCK = 10_000;

/**
 * A unified diff that `patch` and `git apply` accept, empty when nothing changed. `git apply` takes one without lines of
 * context only with `--unidiff-zero`.
 */
export function makePatch(
  texts: Texts,
  script: LineScript,
  options: { context: number; nameA?: string | undefined; nameB?: string | undefined },
): string {
  const sides = {
    a: { text: texts.a, starts: script.aStarts },
    b: { text: texts.b, starts: script.bStarts },
  };
  const { context } = options;
  const changes = listShownChanges(script, context);
  endLastLine(sides, changes);
  const header = patchHeader(options);
  const hunks: StructuredPatchHunk[] = [];
  // How far lines have moved by the hunks above: hunks that are left out move nothing.
  let shift = 0;
  for (const group of listHunks(changes, context)) {
    const hunk = makeHunk(sides, { group, changes, context, linesBefore: script.linesBefore });
    hunks.push({ ...hunk, newStart: hunk.oldStart + shift });
    shift += hunk.newLines - hunk.oldLines;
  }
  if (hunks.length === 0) return "";
  const names = { oldFileName: "", newFileName: "", oldHeader: undefined, newHeader: undefined };
  return header + formatPatch({ ...names, hunks }, OMIT_HEADERS);
}

/**
 * Where white space is ignored, a's last line can equal b's though only b's ends with a line feed. Before lines
 * that are inserted after it, it needs that line feed, so it becomes part of the change.
 */
function endLastLine({ a }: Sides, changes: RangeList): void {
  const last = countRanges(changes) - 1;
  const lineCount = a.starts.length - 1;
  const end = a.starts[lineCount] ?? 0;
  if (last < 0 || lineCount === 0 || a.text.charCodeAt(end - 1) === LF) return;
  const { aFrom, aTo, bFrom, bTo } = rangeAt(changes, last);
  if (aFrom !== lineCount || bFrom === 0) return;
  setRange(changes, last, { aFrom: aFrom - 1, aTo, bFrom: bFrom - 1, bTo });
}

function makeHunk(
  sides: Sides,
  options: { group: Hunk; changes: RangeList; context: number; linesBefore: number },
): StructuredPatchHunk {
  const { group, changes, context, linesBefore } = options;
  const first = rangeAt(changes, group.from);
  const last = rangeAt(changes, group.to - 1);
  const before = Math.min(context, first.aFrom);
  const after = Math.min(context, sides.a.starts.length - 1 - last.aTo);
  const lines: string[] = [];
  let a = first.aFrom - before;
  for (let i = group.from; i < group.to; i++) {
    const { aFrom, aTo, bFrom, bTo } = rangeAt(changes, i);
    // Context is a's form of the lines, so that a patch that ignores differences still fits a.
    addLines(lines, { side: sides.a, prefix: " ", from: a, to: aFrom });
    addLines(lines, { side: sides.a, prefix: "-", from: aFrom, to: aTo });
    addLines(lines, { side: sides.b, prefix: "+", from: bFrom, to: bTo });
    a = aTo;
  }
  addLines(lines, { side: sides.a, prefix: " ", from: a, to: a + after });
  const oldStart = linesBefore + first.aFrom - before + 1;
  return {
    oldStart,
    oldLines: last.aTo - first.aFrom + before + after,
    newStart: oldStart,
    newLines: last.bTo - first.bFrom + before + after,
    lines: [lines.join("\n")],
  };
}

/** Adds lines a block at a time, each split and joined as one string. */
function addLines(lines: string[], block: Block): void {
  for (let from = block.from; from < block.to; from += LINES_PER_BLOCK)
    addBlock(lines, { ...block, from, to: Math.min(block.to, from + LINES_PER_BLOCK) });
}

/** Adds lines as one string, for a hunk may have millions; formatPatch joins whatever it is given. */
function addBlock(lines: string[], { side: { text, starts }, prefix, from, to }: Block): void {
  const end = intAt(starts, to);
  const isEnded = text.charCodeAt(end - 1) === LF;
  const part = text.slice(starts[from], isEnded ? end - 1 : end);
  // Not replaceAll, which makes one engine build a tree of strings: five times slower and ten times larger.
  lines.push(prefix + (to - from > 1 ? part.split("\n").join(`\n${prefix}`) : part));
  if (!isEnded) lines.push("\\ No newline at end of file");
}

/** The changes of one hunk, the last not included. */
type Hunk = { from: number; to: number };

/**
 * The changes that a unified diff shows: all but the ignorable ones that no context reaches, as in GNU diff. One
 * that a context reaches is shown with a context of its own.
 */
export function listShownChanges(
  { changes, ignorable }: Pick<LineScript, "changes" | "ignorable">,
  context: number,
): RangeList {
  if (!ignorable) return changes;
  const isShown = ignorable.map((flag) => 1 - flag);
  const last = isShown.length - 1;
  const reach = (i: number) => gapBefore(changes, i) <= context;
  for (let i = 1; i <= last; i++) if (isShown[i - 1] === 1 && reach(i)) isShown[i] = 1;
  for (let i = last; i > 0; i--) if (isShown[i] === 1 && reach(i)) isShown[i - 1] = 1;
  const shown = makeRangeList();
  for (let i = 0; i < isShown.length; i++) if (isShown[i] === 1) addRange(shown, rangeAt(changes, i));
  return shown;
}

/** Groups changes into hunks: those whose contexts touch share one. */
function* listHunks(changes: RangeList, context: number): Generator<Hunk, void, void> {
  const count = countRanges(changes);
  for (let from = 0, to = 1; from < count; from = to++) {
    while (to < count && gapBefore(changes, to) <= 2 * context) to++;
    yield { from, to };
  }
}

/** Counts the hunks of a unified diff. */
export function countHunks(changes: RangeList, context: number): number {
  let count = 0;
  for (let i = 0; i < countRanges(changes); i++) if (i === 0 || gapBefore(changes, i) > 2 * context) count++;
  return count;
}

/** How many equal lines are between a change and the one before it. */
function gapBefore(changes: RangeList, index: number): number {
  return rangeAt(changes, index).aFrom - rangeAt(changes, index - 1).aTo;
}
