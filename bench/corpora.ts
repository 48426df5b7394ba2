// Any folder of PDFs and pictures, through every tool, beside qpdf, poppler and MuPDF:
// `npm run corpora -- FOLDER [every=8] [bytes=8000000] [from=0] [minutes=60] [jobs=2] [tool=NAME] [mutations=2] [seed=1] [log=FILE] [save=FOLDER]`.
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { showControls } from "../cli/terminal/io.ts";
import { detectFileType } from "../tools/file/file-type.ts";
import { type Comparison, compareFile, summaryOf } from "./corpora/compare.ts";
import { compareDamaged, type DamagedFile } from "./corpora/damaged.ts";
import { findJudges, type Judges } from "./corpora/facts.ts";
import { comparePicture, PICTURE_CALLS } from "./corpora/pictures.ts";
import { textOf, written } from "./corpora/programs.ts";
import { PDF_CALLS } from "./corpora/tools.ts";
import { mutate, seeded } from "./support/mutations.ts";

const USAGE =
  "npm run corpora -- FOLDER [every=8] [bytes=8000000] [from=0] [minutes=60] [jobs=2] [tool=NAME] [mutations=2] [seed=1] [log=FILE] [save=FOLDER]";
const FILES = /\.(pdf|jpe?g|png|webp|gif|avif|heic|tiff?|bmp|ico)$/i;

interface Options {
  readonly every: number;
  /** The most bytes a file may have. */
  readonly bytes: number;
  /** Where to go on after a run that was stopped by `minutes`. */
  readonly from: number;
  readonly minutes: number;
  /** How many files at once. */
  readonly jobs: number;
  /** Only the calls whose names begin so. */
  readonly tool: string;
  /** Damaged copies of each PDF; where there are some, the files themselves are not compared. */
  readonly mutations: number;
  readonly seed: number;
  /** Takes what is printed of each file, and a line for each class that a damaged copy was seen in. */
  readonly log: string | undefined;
  /** Takes the damaged copies of classes with a word in capital letters. */
  readonly save: string | undefined;
}

interface Run extends Options {
  readonly corpus: string;
  readonly names: readonly string[];
  readonly judges: Judges;
  readonly compared: Comparison[];
  /** How often each class of damaged copies was seen. */
  readonly tally: Map<string, number>;
  readonly end: number;
  next: number;
}

/** The files below a folder that are not too large, each `every`-th of them. */
function filesIn(folder: string, { every, bytes, mutations }: Options): string[] {
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const named = all.filter((name) => (mutations > 0 ? /\.pdf$/i : FILES).test(name)).sort();
  const sizes = named.map((name) => ({
    name,
    stat: statSync(join(folder, name), { throwIfNoEntry: false }),
  }));
  const fitting = sizes.filter(({ stat }) => stat?.isFile() && stat.size <= bytes);
  return fitting.map(({ name }) => name).filter((_, i) => i % every === 0);
}

/** Takes files until none is left or time is up. */
async function work(run: Run): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "corpora-"));
  try {
    while (run.next < run.names.length && performance.now() < run.end) {
      const name = run.names[run.next++]!;
      if (run.mutations === 0) await compareOne(run, { folder, name });
      else await damageAll(run, { folder, name });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Place {
  readonly folder: string;
  readonly name: string;
}

async function compareOne(run: Run, { folder, name }: Place): Promise<void> {
  const { corpus, judges, tool } = run;
  const path = join(corpus, name);
  const file = new Uint8Array(readFileSync(path));
  const comparing = { folder, path, file, judges };
  const isAsked = (call: { readonly name: string }): boolean => call.name.startsWith(tool);
  const compared =
    detectFileType(file) === "pdf" || /\.pdf$/i.test(name)
      ? await compareFile(comparing, PDF_CALLS.filter(isAsked))
      : await comparePicture(comparing, PICTURE_CALLS.filter(isAsked));
  run.compared.push(...compared);
  for (const { call, differences } of compared)
    if (differences.length > 0) report(run, `${name}\t${call}\t${differences.join("; ")}`);
}

/** The names of the files were chosen by other people. */
function report({ log }: Run, line: string): void {
  console.log(showControls(line));
  if (log) appendFileSync(log, `${line}\n`);
}

/** Damages copies in the same way in every run with the same seed. */
async function damageAll(run: Run, { folder, name }: Place): Promise<void> {
  const path = join(run.corpus, name);
  const file = readFileSync(path);
  const expected = (await textOf(path)).join("");
  const copies = Array.from({ length: run.mutations }, (_, i) => damagedCopy(run, { name, file, i }));
  await compareDamaged({ folder, copies, expected });
}

function damagedCopy(
  run: Run,
  { name, file, i }: { name: string; file: Uint8Array; i: number },
): DamagedFile {
  const random = seeded([...name].reduce((sum, c) => (sum * 31 + c.charCodeAt(0)) | 0, run.seed * 1000 + i));
  const damaged = new Uint8Array(mutate(file, random));
  const note = (kind: string): void => {
    noteKind(run, { kind, name: `${name} ${i}` });
    if (!run.save || !/[A-Z]{3}/.test(kind)) return;
    mkdirSync(run.save, { recursive: true });
    written(run.save, { name: `${i}-${name.replaceAll("/", "-")}`, bytes: damaged });
  };
  return { file: damaged, note };
}

function noteKind({ tally, log }: Run, { kind, name }: { kind: string; name: string }): void {
  tally.set(kind, (tally.get(kind) ?? 0) + 1);
  if (log) appendFileSync(log, `${kind}\t${name}\n`);
}

async function compareAll(corpus: string, options: Options): Promise<void> {
  const names = filesIn(corpus, options);
  const end = performance.now() + options.minutes * 60_000;
  const judges = await findJudges(console.log);
  const run: Run = {
    ...options,
    corpus,
    names,
    judges,
    compared: [],
    tally: new Map(),
    end,
    next: options.from,
  };
  await Promise.all(Array.from({ length: options.jobs }, () => work(run)));
  const seed = options.mutations > 0 ? `, seed ${options.seed}` : "";
  console.log(`files ${options.from} to ${run.next} of ${names.length}${seed}`);
  for (const [kind, count] of [...run.tally].sort(([, a], [, b]) => b - a))
    console.log(`${String(count).padStart(6)}  ${kind}`);
  for (const line of summaryOf(run.compared)) console.log(line);
  if (run.next < names.length) console.log(`time is up; go on with from=${run.next}`);
  if (run.compared.some(({ result }) => result === "LOST")) process.exitCode = 1;
}

const [corpus, ...rest] = process.argv.slice(2);
const textAt = (key: string): string | undefined =>
  rest.find((arg) => arg.startsWith(`${key}=`))?.slice(key.length + 1);
const numberAt = (key: string, otherwise: number): number => Number(textAt(key) ?? otherwise);
if (!corpus) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  await compareAll(corpus, {
    every: numberAt("every", 1),
    bytes: numberAt("bytes", 8_000_000),
    from: numberAt("from", 0),
    minutes: numberAt("minutes", 60),
    jobs: numberAt("jobs", 2),
    tool: textAt("tool") ?? "",
    mutations: numberAt("mutations", 0),
    seed: numberAt("seed", 1),
    log: textAt("log"),
    save: textAt("save"),
  });
}
