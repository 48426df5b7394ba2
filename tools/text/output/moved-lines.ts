import type { Row } from "./rows.ts";

/** Letters and digits that a block needs: lines such as a bracket occur everywhere (git's --color-moved uses 20 too). */
const MIN_LETTERS = 20;
/** How many equal lines of the other text are tried as the beginning of a block. */
const MAX_PLACES = 32;

type Block = { readonly at: number; readonly length: number };

/**
 * Marks blocks of lines that were deleted in one place and inserted in another, exactly as they are: `moved` of a row is
 * the number of its line in the other text. Each line takes the longest block that begins with it, and no line moves twice.
 */
export function markMoved(rows: Row[]): void {
  const inserted = indexInserted(rows);
  const deleted = rows.flatMap((row, i) => (row.op === "delete" ? [i] : []));
  for (let i = 0; i < deleted.length;) {
    const from = deleted[i] ?? 0;
    const block = longestBlock(rows, from, inserted.get(rows[from]?.text ?? "") ?? []);
    if (block) markBlock(rows, { from, ...block });
    i += block?.length ?? 1;
  }
}

function indexInserted(rows: readonly Row[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [i, { op, text }] of rows.entries()) {
    if (op !== "insert") continue;
    const known = places.get(text);
    if (known) known.push(i);
    else places.set(text, [i]);
  }
  return places;
}

function longestBlock(rows: readonly Row[], from: number, places: readonly number[]): Block | undefined {
  let best: Block | undefined;
  let tries = 0;
  for (const at of places) {
    if (rows[at]?.moved !== undefined) continue;
    if (++tries > MAX_PLACES) break;
    const length = lengthOfBlock(rows, from, at);
    if (length > (best?.length ?? 0)) best = { at, length };
  }
  return best && hasLetters(rows, from, best.length) ? best : undefined;
}

/** How many consecutive lines are the same. */
function lengthOfBlock(rows: readonly Row[], from: number, at: number): number {
  let length = 0;
  for (;;) {
    const [deleted, inserted] = [rows[from + length], rows[at + length]];
    if (deleted?.op !== "delete" || inserted?.op !== "insert" || deleted.text !== inserted.text)
      return length;
    if (inserted.moved !== undefined) return length;
    length++;
  }
}

function hasLetters(rows: readonly Row[], from: number, length: number): boolean {
  let letters = 0;
  for (const { text } of rows.slice(from, from + length)) {
    letters += text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    if (letters >= MIN_LETTERS) return true;
  }
  return false;
}

function markBlock(rows: Row[], { from, at, length }: Block & { from: number }): void {
  for (let i = 0; i < length; i++) {
    const [deleted, inserted] = [rows[from + i], rows[at + i]];
    if (!deleted || !inserted) return;
    deleted.moved = inserted.b ?? 0;
    inserted.moved = deleted.a ?? 0;
    // The changed parts are those compared with another line, which no longer counts.
    delete deleted.changed;
    delete inserted.changed;
  }
}
