import { FILE_HEADERS_ONLY, formatPatch } from "diff";
import { inTurns } from "../cooperative.ts";
import { countRanges, rangeAt } from "../diff/range-list.ts";
import type { StructuredPatchHunk } from "diff";
import type { RangeList } from "../diff/range-list.ts";
import type { LineScript } from "../diff/lines.ts";
import type { Texts } from "../diff/ranges.ts";
import type { Cooperative } from "../cooperative.ts";

type Lines = { text: string; starts: Int32Array };
type Sides = { a: Lines; b: Lines };
type Block = { side: Lines; prefix: " " | "-" | "+"; from: number; to: number };

// Less would be refused by git apply, which takes a hunk without context for the whole file.
const CONTEXT = 3;
const LINES_PER_BLOCK = 10_000;
const CHANGES_PER_TURN = 1_000;

/** A unified diff that `patch` and `git apply` accept, empty when nothing changed. */
export function* makePatch(texts: Texts, script: LineScript): Cooperative<string> {
  const sides = {
    a: { text: texts.a, starts: script.aStarts },
    b: { text: texts.b, starts: script.bStarts },
  };
  const hunks: StructuredPatchHunk[] = [];
  for (const group of groupChanges(script.changes)) {
    hunks.push(yield* makeHunk(sides, { group, script }));
  }
  if (hunks.length === 0) return "";
  const names = { oldFileName: "a/text", newFileName: "b/text", oldHeader: undefined, newHeader: undefined };
  return formatPatch({ ...names, hunks }, FILE_HEADERS_ONLY);
}

/** Counts the hunks a patch of these changes has. */
export function* countHunks(changes: RangeList): Cooperative<number> {
  let count = 0;
  yield* inTurns(countRanges(changes), (from, to) => {
    for (let i = from; i < to; i++) if (i === 0 || !isNear(changes, i)) count++;
  });
  return count;
}

/** Whether the contexts of a change and the one before it touch, so that both share a hunk. */
function isNear(changes: RangeList, index: number): boolean {
  return rangeAt(changes, index).aFrom - rangeAt(changes, index - 1).aTo <= 2 * CONTEXT;
}

/** First and last (not included) of the changes that share a hunk. */
function* groupChanges(changes: RangeList): Generator<{ from: number; to: number }, void, void> {
  const count = countRanges(changes);
  for (let from = 0, to = 1; from < count; from = to++) {
    while (to < count && isNear(changes, to)) to++;
    yield { from, to };
  }
}

function* makeHunk(
  sides: Sides,
  { group, script }: { group: { from: number; to: number }; script: LineScript },
): Cooperative<StructuredPatchHunk> {
  const { changes, linesBefore } = script;
  const first = rangeAt(changes, group.from);
  const last = rangeAt(changes, group.to - 1);
  const before = Math.min(CONTEXT, first.aFrom);
  const after = Math.min(CONTEXT, sides.a.starts.length - 1 - last.aTo);
  const lines: string[] = [];
  let a = first.aFrom - before;
  for (let i = group.from; i < group.to; i++) {
    const { aFrom, aTo, bFrom, bTo } = rangeAt(changes, i);
    // Context is a's form of the lines, so that a patch that ignores differences still fits a.
    yield* addLines(lines, { side: sides.a, prefix: " ", from: a, to: aFrom });
    yield* addLines(lines, { side: sides.a, prefix: "-", from: aFrom, to: aTo });
    yield* addLines(lines, { side: sides.b, prefix: "+", from: bFrom, to: bTo });
    a = aTo;
    if (i % CHANGES_PER_TURN === 0) yield;
  }
  yield* addLines(lines, { side: sides.a, prefix: " ", from: a, to: a + after });
  return {
    oldStart: linesBefore + first.aFrom - before + 1,
    oldLines: last.aTo - first.aFrom + before + after,
    newStart: linesBefore + first.bFrom - before + 1,
    newLines: last.bTo - first.bFrom + before + after,
    lines: [lines.join("\n")],
  };
}

const NOTHING_TO_DO: readonly never[] = [];

/** Adds prefixed lines at once if they are few, else a block at a time. */
function addLines(lines: string[], block: Block): Iterable<void, void, void> {
  if (block.to - block.from > LINES_PER_BLOCK) return addBlocks(lines, block);
  if (block.to > block.from) addBlock(lines, block);
  return NOTHING_TO_DO;
}

function* addBlocks(lines: string[], block: Block): Cooperative<void> {
  for (let from = block.from; from < block.to; from += LINES_PER_BLOCK) {
    addBlock(lines, { ...block, from, to: Math.min(block.to, from + LINES_PER_BLOCK) });
    yield;
  }
}

/** Adds lines as one string, for a hunk may have millions; formatPatch joins whatever it is given. */
function addBlock(lines: string[], { side: { text, starts }, prefix, from, to }: Block): void {
  const end = starts[to]!;
  const isEnded = text.charCodeAt(end - 1) === 10;
  const part = text.slice(starts[from], isEnded ? end - 1 : end);
  // Not replaceAll, which makes one engine build a tree of strings: five times slower and ten times larger.
  lines.push(prefix + (to - from > 1 ? part.split("\n").join(`\n${prefix}`) : part));
  if (!isEnded) lines.push("\\ No newline at end of file");
}
