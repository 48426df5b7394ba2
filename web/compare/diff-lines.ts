import type { Row } from "../../tools/text-compare.ts";

/** One line of a view: a pair of lines, or a folded run of equal lines. */
export type ViewLine =
  | { readonly is: "pair"; readonly a: Row | undefined; readonly b: Row | undefined }
  | { readonly is: "fold"; readonly from: number; readonly count: number };

const MIN_FOLDED_LINES = 4;

/** Arranges rows in two columns, deleted lines beside the lines that replace them. */
export function pairRows(rows: readonly Row[]): ViewLine[] {
  const lines: ViewLine[] = [];
  for (let at = 0; at < rows.length;) {
    const end = endOfRun(rows, at);
    const run = rows.slice(at, end);
    const isEqual = run[0]?.op === "equal";
    // A run can have more lines than a call may have arguments.
    for (const pair of isEqual ? run.map(pairEqual) : pairChange(run)) lines.push(pair);
    at = end;
  }
  return lines;
}

function pairEqual(row: Row): ViewLine {
  return { is: "pair", a: row, b: row };
}

/** Arranges rows in one column, as in a patch. */
export function listRows(rows: readonly Row[]): ViewLine[] {
  return rows.map((row) => ({
    is: "pair",
    a: row.op === "insert" ? undefined : row,
    b: row.op === "delete" ? undefined : row,
  }));
}

function endOfRun(rows: readonly Row[], start: number): number {
  const isEqual = rows[start]?.op === "equal";
  let end = start;
  while (end < rows.length && (rows[end]?.op === "equal") === isEqual) end++;
  return end;
}

function pairChange(run: readonly Row[]): ViewLine[] {
  const deleted = run.filter(({ op }) => op === "delete");
  const inserted = run.filter(({ op }) => op === "insert");
  const height = Math.max(deleted.length, inserted.length);
  return Array.from({ length: height }, (_, i) => ({ is: "pair", a: deleted[i], b: inserted[i] }));
}

/** Folds runs of equal lines, except `context` lines next to a change. `open` contains the opened folds. */
export function foldEqual(lines: readonly ViewLine[], { open, context }: FoldOptions): ViewLine[] {
  const shown: ViewLine[] = [];
  for (let at = 0; at < lines.length;) {
    let end = at;
    while (end < lines.length && isEqualLine(lines[end])) end++;
    const run = end === at ? lines.slice(at, ++end) : foldRun(lines, { at, end, open, context });
    for (const line of run) shown.push(line);
    at = end;
  }
  return shown;
}

interface FoldOptions {
  readonly open: ReadonlySet<number>;
  readonly context: number;
}

function foldRun(
  lines: readonly ViewLine[],
  { at, end, open, context }: FoldOptions & { at: number; end: number },
): ViewLine[] {
  const from = at === 0 ? at : at + context;
  const to = end === lines.length ? end : end - context;
  if (to - from < MIN_FOLDED_LINES || open.has(from)) return lines.slice(at, end);
  return [...lines.slice(at, from), { is: "fold", from, count: to - from }, ...lines.slice(to, end)];
}

function isEqualLine(line: ViewLine | undefined): boolean {
  return line?.is === "pair" && line.a?.op === "equal";
}

/** The index of each change: of a line that differs after one that does not. */
export function changeStarts(areEqual: readonly boolean[]): number[] {
  return areEqual.flatMap((isEqual, i) => (isEqual || areEqual[i - 1] === false ? [] : [i]));
}

/** Whether nothing differs in a line of a view. */
export function isUnchanged(line: ViewLine): boolean {
  return line.is === "fold" || isEqualLine(line);
}

interface LinePart {
  readonly text: string;
  readonly isChanged: boolean;
}

/** A changed line in parts. In a line that changed as a whole, nothing is marked. */
export function partsOf({ text, changed = [] }: Row): LinePart[] {
  const parts: LinePart[] = [];
  let at = 0;
  for (const [start, end] of changed) {
    parts.push({ text: text.slice(at, start), isChanged: false });
    parts.push({ text: text.slice(start, end), isChanged: true });
    at = end;
  }
  parts.push({ text: text.slice(at), isChanged: false });
  return parts.filter((part) => part.text !== "");
}

/** How differences are shown: as code, in a monospaced font, or as prose. */
export type Look = "code" | "prose";

/** Authors break code into lines; prose is mostly broken by the program that shows it. */
const MEAN_LINE_OF_PROSE = 90;

/** The probable kind of a text, by the mean length of its lines that are not blank. */
export function guessLook(text: string): Look {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const length = lines.reduce((sum, line) => sum + line.length, 0);
  return length / Math.max(1, lines.length) > MEAN_LINE_OF_PROSE ? "prose" : "code";
}
