import { join } from "node:path";
import type { Bytes } from "../../wire/bytes.ts";
import { splitPdf } from "../../tools/pdf-split.ts";
import { textClass } from "./text-class.ts";
import { type Outcome, ours, qpdf, qpdfCheck, run, textOf, written } from "./programs.ts";

/** A damaged copy, and who is told what came of it. */
export interface DamagedFile {
  readonly file: Bytes;
  readonly note: (kind: string) => void;
}

/** A result that was written. */
interface WrittenResult {
  readonly path: string;
  readonly pages: number;
}

interface DamagedCopies {
  readonly folder: string;
  readonly copies: readonly DamagedFile[];
  /** The text of the file before. */
  readonly expected: string;
}

/** One copy in this number is checked by qpdf alone, even if nothing was found in it among the others. */
const CHECKED_ALONE = 5;

/**
 * Selects all pages of damaged copies of a file. To start few programs, qpdf and poppler read all results at once; each
 * that has lost something or that qpdf warns of is then compared alone.
 */
export async function compareDamaged({ folder, copies, expected }: DamagedCopies): Promise<void> {
  const results: Outcome[] = [];
  const kept = new Map<number, WrittenResult>();
  for (const [i, { file, note }] of copies.entries()) {
    let pages = 0;
    const result = await ours(async () => {
      const split = await splitPdf(file, { mode: "keep", range: "1-z" });
      pages = split.pages;
      return split;
    }, note);
    results.push(result);
    if ("bytes" in result)
      kept.set(i, { path: written(folder, { name: `kept-${i}`, bytes: result.bytes }), pages });
  }
  const texts = await textsTogether(folder, [...kept.values()]);
  for (const [i, result] of results.entries()) {
    const { file, note } = copies[i]!;
    const text = texts?.get(kept.get(i)?.path ?? "");
    const isWhole = text !== undefined && textClass(text, { expected, told: [] }) === undefined;
    if (isWhole && i % CHECKED_ALONE > 0) note(ALL_LEFT);
    else {
      const damaged = written(folder, { name: "damaged", bytes: file });
      await compareAlone({ folder, path: damaged, file, note, result, expected });
    }
  }
}

const ALL_LEFT = "damaged: all text is left";

/** The text of each of these files; undefined if qpdf has anything to say of one of them. */
async function textsTogether(
  folder: string,
  kept: readonly WrittenResult[],
): Promise<Map<string, string> | undefined> {
  if (kept.length === 0 || kept.some(({ pages }) => pages === 0)) return undefined;
  const all = join(folder, "all.pdf");
  const { status } = await run("qpdf", ["--empty", "--pages", ...kept.map(({ path }) => path), "--", all]);
  if (status !== 0) return undefined;
  const pages = await textOf(all);
  let from = 0;
  return new Map(kept.map((each) => [each.path, pages.slice(from, (from += each.pages)).join("")]));
}

interface DamagedCase extends DamagedFile {
  readonly folder: string;
  readonly path: string;
}

interface CaseWithResult extends DamagedCase {
  readonly result: Outcome;
  readonly expected: string;
}

/** How much of the text of a damaged copy survives here and, where that is less than there was, in qpdf's result. */
async function compareAlone(comparing: CaseWithResult): Promise<void> {
  const { folder, path, note, result, expected } = comparing;
  if ("refusal" in result) return noteRefusal(comparing, result.refusal);
  const kept = written(folder, { name: "kept", bytes: result.bytes });
  const check = await qpdfCheck(kept);
  const pages = await textOf(kept);
  const text = pages.join("");
  const isWhole = textClass(text, { expected, told: [] }) === undefined;
  if (check === "clean" && isWhole) return note(ALL_LEFT);
  const theirs = await qpdf(folder, [path]);
  if ("refusal" in theirs) return note(`damaged: pages here only, result ${check.toLowerCase()}`);
  const otherPages = await textOf(theirs.path);
  const other = otherPages.join("");
  // A result can also be clean because what was damaged is no longer in it.
  const isSound = otherPages.length >= pages.length && other.length >= text.length;
  if (check !== "clean" && isSound && (await qpdfCheck(theirs.path)) === "clean")
    note(`damaged: ${check}, QPDF'S CLEAN`);
  const kind = textClass(text, { expected: other, told: result.warnings });
  note(kind ? `damaged: ${kind} than in qpdf's` : "damaged: the same text as in qpdf's");
}

async function noteRefusal({ folder, path, note }: DamagedCase, refusal: string): Promise<void> {
  const theirs = await qpdf(folder, [path]);
  const pages = "bytes" in theirs ? (await textOf(theirs.path)).join("").length : 0;
  note(pages > 0 ? `damaged: REFUSED as ${refusal}, qpdf gives text` : "damaged: refused, no text in qpdf's");
}
