// Any folder of PDFs beside qpdf and poppler: `npm run corpora -- FOLDER [every=8] [mutations=2] [seed=1] [list]`.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { splitPdf } from "../tools/pdf-split.ts";
import { rotatePdf } from "../tools/pdf-rotate.ts";
import { ToolFailure } from "../wire/tool-failure.ts";
import type { Bytes } from "../wire/bytes.ts";
import { mutate, seeded } from "./support/mutations.ts";

const SECONDS = 20;
const MOST_BYTES = 8_000_000;

interface Options {
  readonly every: number;
  readonly mutations: number;
  readonly seed: number;
  readonly isList: boolean;
}

/** What came of a program or tool: bytes, or why there are none. */
type Outcome = { readonly bytes: Uint8Array } | { readonly refusal: string };

/** How often each class of result was seen, and with which files. */
type Tally = Map<string, string[]>;

function note(tally: Tally, kind: string, file: string): void {
  const files = tally.get(kind);
  if (files) files.push(file);
  else tally.set(kind, [file]);
}

/** The PDFs below a folder, each `every`-th of them. */
function pdfsIn(folder: string, every: number): string[] {
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const pdfs = all.filter((name) => name.toLowerCase().endsWith(".pdf")).sort();
  return pdfs.filter((name, i) => i % every === 0 && statSync(join(folder, name)).size < MOST_BYTES);
}

function run(program: string, args: readonly string[]): { text: string; status: number } {
  const { stdout, status } = spawnSync(program, args, { timeout: SECONDS * 1000, maxBuffer: 1 << 28 });
  return { text: stdout?.toString("latin1") ?? "", status: status ?? -1 };
}

async function ours(work: () => Promise<{ bytes: Uint8Array }>): Promise<Outcome> {
  try {
    return { bytes: (await work()).bytes };
  } catch (error) {
    if (error instanceof ToolFailure) return { refusal: error.code };
    return { refusal: `crash ${error instanceof Error ? error.message : ""}` };
  }
}

/** qpdf ends with 3 where it repaired something. */
function qpdf(folder: string, args: readonly string[]): Outcome {
  const out = join(folder, "qpdf.pdf");
  rmSync(out, { force: true });
  const { status } = run("qpdf", [...args, out]);
  if (status !== 0 && status !== 3) return { refusal: `status ${status}` };
  return { bytes: readFileSync(out) };
}

/** What poppler reads on the pages of a file, without white space. */
function textOf(path: string, pages: readonly string[] = []): string {
  return run("pdftotext", ["-q", ...pages, path, "-"]).text.replace(/\s+/g, "");
}

function pixelsOf(path: string, pages: readonly string[] = []): string {
  return run("pdftoppm", ["-q", "-r", "30", "-gray", ...pages, path]).text;
}

function pageCountOf(path: string): number {
  return Number(run("qpdf", ["--show-npages", path]).text.trim()) || 0;
}

interface Comparing {
  readonly folder: string;
  readonly name: string;
  readonly path: string;
  readonly tally: Tally;
}

/** Takes the last page of a file, which leads through everything that reading and pruning do. */
async function compareLastPage({ folder, name, path, tally }: Comparing): Promise<void> {
  const file: Bytes = new Uint8Array(readFileSync(path));
  const theirs = qpdf(folder, [path, "--pages", ".", "z", "--"]);
  const kept = await ours(() => splitPdf(file, { mode: "keep", range: "end" }));
  if ("refusal" in kept) {
    const kind = "bytes" in theirs ? `refused as ${kept.refusal}, qpdf gives a page` : "refused by both";
    return note(tally, kind, name);
  }
  const result = join(folder, "ours.pdf");
  writeFileSync(result, kept.bytes);
  if (run("qpdf", ["--check", result]).status !== 0) note(tally, "result that qpdf warns of", name);
  if ("refusal" in theirs) return note(tally, "only here", name);
  note(tally, "both give a page", name);
  const other = join(folder, "qpdf.pdf");
  if (textOf(result) !== textOf(other)) note(tally, textClass(path, { result, other }), name);
  else if (pixelsOf(result) !== pixelsOf(other)) note(tally, pixelClass(path, { result, other }), name);
}

interface Results {
  readonly result: string;
  readonly other: string;
}

/** Whose text is that of the original. */
function textClass(path: string, { result, other }: Results): string {
  const count = String(pageCountOf(path) || 1);
  const original = textOf(path, ["-f", count, "-l", count]);
  if (textOf(result) === original) return "text as in the original, qpdf's differs";
  if (textOf(other) === original) return "TEXT DIFFERS, qpdf's is as in the original";
  return textOf(result).length < textOf(other).length
    ? "TEXT LESS than in qpdf's"
    : "text more than in qpdf's";
}

function pixelClass(path: string, { result, other }: Results): string {
  const count = String(pageCountOf(path) || 1);
  const original = pixelsOf(path, ["-f", count, "-l", count]);
  if (pixelsOf(result) === original) return "pixels as in the original, qpdf's differ";
  return pixelsOf(other) === original ? "PIXELS DIFFER, qpdf's are as in the original" : "pixels unlike both";
}

async function compareWhole({ folder, name, path, tally }: Comparing): Promise<void> {
  const file: Bytes = new Uint8Array(readFileSync(path));
  const turned = await ours(() => rotatePdf(file, { angle: 180 }));
  if ("refusal" in turned) return;
  const result = join(folder, "turned.pdf");
  writeFileSync(result, turned.bytes);
  const isSound = run("qpdf", ["--check", path]).status === 0;
  if (isSound && run("qpdf", ["--check", result]).status !== 0)
    note(tally, "turned: qpdf warns of the result only", name);
  if (isSound && pageCountOf(path) !== pageCountOf(result)) note(tally, "turned: PAGE COUNT DIFFERS", name);
}

/** How much of the text of a damaged copy survives here and in qpdf's result. */
async function compareMutation({ folder, name, path, tally }: Comparing): Promise<void> {
  const file: Bytes = new Uint8Array(readFileSync(path));
  const theirs = qpdf(folder, [path]);
  const kept = await ours(() => splitPdf(file, { mode: "keep", range: "1-z" }));
  if ("refusal" in kept) {
    const pages = "bytes" in theirs ? pageCountOf(join(folder, "qpdf.pdf")) : 0;
    const kind = pages > 0 ? `damaged: REFUSED as ${kept.refusal}, qpdf gives pages` : "damaged: refused";
    return note(tally, kind, name);
  }
  if ("refusal" in theirs) return note(tally, "damaged: only here", name);
  const result = join(folder, "kept.pdf");
  writeFileSync(result, kept.bytes);
  const [mine, other] = [lettersOf(result), lettersOf(join(folder, "qpdf.pdf"))];
  const kind =
    mine === other ? "same text" : mine.length >= other.length ? "more text" : "LESS TEXT than qpdf";
  note(tally, `damaged: ${kind}`, name);
}

/** The characters of a text in order of the alphabet: poppler orders them by how a page happens to be written. */
function lettersOf(path: string): string {
  return [...textOf(path)].sort().join("");
}

async function compareAll(folder: string, { every, mutations, seed, isList }: Options): Promise<void> {
  const tally: Tally = new Map();
  const random = seeded(seed);
  const work = mkdtempSync(join(tmpdir(), "corpora-"));
  try {
    const names = pdfsIn(folder, every);
    for (const name of names) {
      const path = join(folder, name);
      await compareLastPage({ folder: work, name, path, tally });
      await compareWhole({ folder: work, name, path, tally });
      for (let i = 0; i < mutations; i++) {
        const damaged = join(work, "damaged.pdf");
        writeFileSync(damaged, mutate(readFileSync(path), random));
        await compareMutation({ folder: work, name, path: damaged, tally });
      }
    }
    console.log(`${names.length} files, seed ${seed}`);
    for (const [kind, files] of [...tally].sort(([, a], [, b]) => b.length - a.length)) {
      console.log(`${String(files.length).padStart(6)}  ${kind}`);
      if (isList && files.length < names.length / 4)
        for (const file of files) console.log(`          ${file}`);
    }
  } finally {
    rmSync(work, { recursive: true });
  }
}

const [folder, ...rest] = process.argv.slice(2);
const numberOf = (key: string, otherwise: number): number =>
  Number(rest.find((arg) => arg.startsWith(`${key}=`))?.slice(key.length + 1) ?? otherwise);
if (!folder) console.log("npm run corpora -- FOLDER [every=8] [mutations=2] [seed=1] [list]");
else {
  await compareAll(folder, {
    every: numberOf("every", 1),
    mutations: numberOf("mutations", 0),
    seed: numberOf("seed", 1),
    isList: rest.includes("list"),
  });
}
