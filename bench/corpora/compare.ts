import type { Bytes } from "../../wire/bytes.ts";
import { mergePdf } from "../../tools/pdf-merge.ts";
import { rotatePdf } from "../../tools/pdf-rotate.ts";
import { splitPdf } from "../../tools/pdf-split.ts";
import { compareWhole } from "./whole.ts";
import { textClass } from "./text-class.ts";
import { ours, pixelsOf, qpdf, qpdfCheck, textOf, written } from "./programs.ts";

/** A file, a folder to work in, and who is told what came of it. */
export interface Comparing {
  readonly folder: string;
  readonly path: string;
  readonly file: Bytes;
  readonly note: (kind: string) => void;
}

/**
 * Turns a file, takes its last page, and joins it with a copy of itself of which all pages are selected, so that one
 * result has gone through both of the ways that objects take. Programs are started only where they decide something.
 */
export async function compareFile(comparing: Comparing & { readonly withPixels: boolean }): Promise<void> {
  const { folder, path, file, note } = comparing;
  const turned = await ours(() => rotatePdf(file, { angle: 180 }), note);
  if ("refusal" in turned) return noteRefusal(comparing, turned.refusal);
  note("read");
  if (turned.warnings.length > 0) note("told of repairs, signatures or standards");
  const joined = await ours(() => mergePdf([{ data: file, range: "1-z" }, { data: file }]), note);
  if ("refusal" in joined) return note(`joined: refused as ${joined.refusal}`);
  const pages = await textOf(path);
  const expected = pages.join("");
  const result = written(folder, { name: "joined", bytes: joined.bytes });
  const check = await qpdfCheck(result);
  if (check === "not judged") note("joined: not judged in time");
  else if (check !== "clean")
    note(
      (await qpdfCheck(path)) === "clean"
        ? `joined: ${check}, ORIGINAL CLEAN`
        : `joined: ${check} as the original`,
    );
  const text = (await textOf(result)).join("");
  const kind = textClass(text, { expected: expected + expected, told: joined.warnings });
  if (kind) note(`joined: ${kind} than in the original`);
  await compareWhole({ ...comparing, expected });
  await compareLastPage({ ...comparing, pages });
}

async function noteRefusal({ folder, path, note }: Comparing, refusal: string): Promise<void> {
  const theirs = await qpdf(folder, [path]);
  if ("refusal" in theirs) return note("refused by both");
  // qpdf counts entries of the page tree, whatever they are.
  const drawn = await pixelsOf(theirs.path);
  note(drawn.length > 0 ? `REFUSED as ${refusal}, qpdf gives pages` : "refused, qpdf gives no pages");
}

/** The last page leads through everything that pruning does. */
async function compareLastPage({
  folder,
  path,
  file,
  note,
  pages,
  withPixels,
}: Comparing & { readonly pages: readonly string[]; readonly withPixels: boolean }): Promise<void> {
  const kept = await ours(() => splitPdf(file, { mode: "keep", range: "z" }), note);
  if ("refusal" in kept) return note(`last page: refused as ${kept.refusal}`);
  const result = written(folder, { name: "last", bytes: kept.bytes });
  const text = (await textOf(result)).join("");
  const kind = textClass(text, { expected: pages.at(-1) ?? "", told: kept.warnings });
  if (kind) return note(`last page: ${kind} than in the original`);
  if (!withPixels) return;
  const count = String(pages.length || 1);
  const original = await pixelsOf(path, ["-f", count, "-l", count]);
  if (original.length === 0) return note("last page: poppler draws nothing of the original");
  note((await pixelsOf(result)).equals(original) ? "last page: same pixels" : "last page: PIXELS DIFFER");
}
