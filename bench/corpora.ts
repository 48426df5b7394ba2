// Any folder of PDFs beside qpdf and poppler:
// `npm run corpora -- FOLDER [every=8] [bytes=8000000] [from=0] [minutes=60] [jobs=2] [pixels=4] [mutations=2] [seed=1] [log=FILE] [save=FOLDER]`.
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compareFile } from "./corpora/compare.ts";
import { compareDamaged, type Damaged } from "./corpora/damaged.ts";
import { textOf, written } from "./corpora/programs.ts";
import { mutate, seeded } from "./support/mutations.ts";

interface Options {
  readonly every: number;
  /** The most bytes a file may have. */
  readonly bytes: number;
  /** Where to go on after a run that was stopped by `minutes`. */
  readonly from: number;
  readonly minutes: number;
  /** How many files at once. */
  readonly jobs: number;
  /** Of each how many-th file the pixels of its last page are compared; 0 for none. */
  readonly pixels: number;
  /** Damaged copies of each file; where there are some, the files themselves are not compared. */
  readonly mutations: number;
  readonly seed: number;
  /** Takes a line for each class that a file was seen in. */
  readonly log: string | undefined;
  /** Takes the damaged copies of classes with a word in capital letters. */
  readonly save: string | undefined;
}

/** The PDFs below a folder that are not too large, each `every`-th of them. */
function pdfsIn(folder: string, { every, bytes }: Options): string[] {
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const pdfs = all.filter((name) => name.toLowerCase().endsWith(".pdf")).sort();
  return pdfs.filter((name) => statSync(join(folder, name)).size <= bytes).filter((_, i) => i % every === 0);
}

/** How often each class of result was seen. */
type Tally = Map<string, number>;

interface Run extends Options {
  readonly corpus: string;
  readonly names: readonly string[];
  readonly tally: Tally;
  readonly end: number;
  next: number;
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

async function compareOne(run: Run, { folder, name }: { folder: string; name: string }): Promise<void> {
  const path = join(run.corpus, name);
  const file = new Uint8Array(readFileSync(path));
  const withPixels = run.pixels > 0 && run.names.indexOf(name) % run.pixels === 0;
  await compareFile({ folder, path, file, note: (kind) => noteKind(run, { kind, name }), withPixels });
}

/** Damages copies in the same way in every run with the same seed. */
async function damageAll(run: Run, { folder, name }: { folder: string; name: string }): Promise<void> {
  const path = join(run.corpus, name);
  const file = readFileSync(path);
  const expected = (await textOf(path)).join("");
  const copies = Array.from({ length: run.mutations }, (_, i) => damagedCopy(run, { name, file, i }));
  await compareDamaged({ folder, copies, expected });
}

interface Damaging {
  readonly name: string;
  readonly file: Uint8Array;
  readonly i: number;
}

function damagedCopy(run: Run, { name, file, i }: Damaging): Damaged {
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
  const names = pdfsIn(corpus, options);
  const end = performance.now() + options.minutes * 60_000;
  const run: Run = { ...options, corpus, names, tally: new Map(), end, next: options.from };
  await Promise.all(Array.from({ length: options.jobs }, () => work(run)));
  console.log(`files ${options.from} to ${run.next} of ${names.length}, seed ${options.seed}`);
  for (const [kind, count] of [...run.tally].sort(([, a], [, b]) => b - a))
    console.log(`${String(count).padStart(6)}  ${kind}`);
  if (run.next < names.length) console.log(`time is up; go on with from=${run.next}`);
}

const [corpus, ...rest] = process.argv.slice(2);
const textAt = (key: string): string | undefined =>
  rest.find((arg) => arg.startsWith(`${key}=`))?.slice(key.length + 1);
const numberAt = (key: string, otherwise: number): number => Number(textAt(key) ?? otherwise);
if (!corpus)
  console.log(
    "npm run corpora -- FOLDER [every=8] [bytes=8000000] [from=0] [minutes=60] [jobs=2] [pixels=4] [mutations=2] [seed=1] [log=FILE] [save=FOLDER]",
  );
else {
  await compareAll(corpus, {
    every: numberAt("every", 1),
    bytes: numberAt("bytes", 8_000_000),
    from: numberAt("from", 0),
    minutes: numberAt("minutes", 60),
    jobs: numberAt("jobs", 2),
    mutations: numberAt("mutations", 0),
    pixels: numberAt("pixels", 4),
    seed: numberAt("seed", 1),
    log: textAt("log"),
    save: textAt("save"),
  });
}
