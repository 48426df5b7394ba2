import type { Row } from "./rows.ts";

/** Letters and digits that a block needs: short lines such as brackets stand everywhere (git's --color-moved uses 20 too). */
const MIN_LETTERS = 20;
/** Places of the other text that are tried for a line. */
const MAX_PLACES = 32;

type Block = { readonly at: number; readonly length: number };

/**
 * Marks blocks of lines that were deleted in one place and inserted in another, exactly as they are: `moved` of a row is
 * the number of its line in the other text. The longest block from a line on counts, and no line moves twice.
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
    const length = lengthOfBlock(rows, { from, at });
    if (length > (best?.length ?? 0)) best = { at, length };
  }
  return best && hasLetters(rows, { from, length: best.length }) ? best : undefined;
}

/** How many lines one behind the other are the same. */
function lengthOfBlock(rows: readonly Row[], { from, at }: { from: number; at: number }): number {
  let length = 0;
  for (;;) {
    const [gone, come] = [rows[from + length], rows[at + length]];
    if (gone?.op !== "delete" || come?.op !== "insert" || gone.text !== come.text) return length;
    if (come.moved !== undefined) return length;
    length++;
  }
}

function hasLetters(rows: readonly Row[], { from, length }: { from: number; length: number }): boolean {
  let letters = 0;
  for (const { text } of rows.slice(from, from + length)) {
    letters += text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    if (letters >= MIN_LETTERS) return true;
  }
  return false;
}

function markBlock(rows: Row[], { from, at, length }: Block & { from: number }): void {
  for (let i = 0; i < length; i++) {
    const [gone, come] = [rows[from + i], rows[at + i]];
    if (!gone || !come) return;
    gone.moved = come.b ?? 0;
    come.moved = gone.a ?? 0;
    // All of it went: what changed beside another line has no meaning here.
    delete gone.changed;
    delete come.changed;
  }
}
