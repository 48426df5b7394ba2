// Lock, clean and compress on a folder of PDFs beside the programs that do the same: qpdf, MuPDF, Ghostscript. Size,
// looks (SSIM of two pages at 60 dpi), text and time; ours is the time of a server whose worker is warm, theirs of a
// program that starts each time. A file counts for a pair where both made something of it.
// npm run bench -- pdf-peers FOLDER [files=300]
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSharpCodec } from "../../adapters/workers/image-sharp.ts";
import { cleanPdf } from "../../tools/pdf-clean.ts";
import { compressPdf } from "../../tools/pdf-compress.ts";
import { lockPdf } from "../../tools/pdf-lock.ts";
import type { Bytes } from "../../wire/bytes.ts";
import { drawPages, likeness, median, textOf } from "../support/pdf-looks.ts";
import type { GrayImage } from "../support/ssim.ts";

const PASSWORD = "x";
const LOOK = { pages: 2, dpi: 60 };
const codec = createSharpCodec();
const folder = mkdtempSync(join(tmpdir(), "bench-pdf-peers-"));

interface Pair {
  readonly name: string;
  readonly ours: (file: Bytes) => Promise<{ readonly bytes: Bytes }>;
  readonly theirs: (file: string, made: string) => readonly [program: string, ...args: string[]];
  /** What opens both results. */
  readonly isLocked?: boolean;
}

const GHOSTSCRIPT = ["-sDEVICE=pdfwrite", "-dPDFSETTINGS=/ebook", "-dNOPAUSE", "-dBATCH", "-dQUIET"];
const PAIRS: readonly Pair[] = [
  {
    name: "lock, of qpdf --encrypt",
    ours: (file) => lockPdf(file, { password: PASSWORD }),
    theirs: (file, made) => ["qpdf", "--encrypt", PASSWORD, PASSWORD, "256", "--", file, made],
    isLocked: true,
  },
  {
    name: "clean, of mutool clean -gggg",
    ours: (file) => cleanPdf(file),
    theirs: (file, made) => ["mutool", "clean", "-gggg", file, made],
  },
  {
    name: "clean with linearize, of qpdf --linearize",
    ours: (file) => cleanPdf(file, { linearize: true }),
    theirs: (file, made) => ["qpdf", "--linearize", file, made],
  },
  {
    name: "compress, of gs /ebook",
    ours: (file) => compressPdf(file, { codec }),
    theirs: (file, made) => ["gs", ...GHOSTSCRIPT, `-sOutputFile=${made}`, file],
  },
];

interface Original {
  readonly path: string;
  readonly text: string;
  readonly pages: readonly GrayImage[];
}

interface ResultFacts {
  readonly ms: number;
  readonly size: number;
  readonly hasText: boolean;
  readonly looks: number;
}

/** What ours and theirs made of each file; undefined for nothing. */
type Results = [ours: ResultFacts | undefined, theirs: ResultFacts | undefined][];

async function compare(pair: Pair, original: Original): Promise<Results[number]> {
  const [ours, theirs] = [join(folder, "ours.pdf"), join(folder, "theirs.pdf")];
  const file = new Uint8Array(readFileSync(original.path));
  const ourMs = await timed(async () => writeFileSync(ours, (await pair.ours(file)).bytes));
  const [program, ...args] = pair.theirs(original.path, theirs);
  // Warnings of qpdf are a status of their own.
  const theirMs = await timed(() => {
    const { status } = spawnSync(program, args, { stdio: "ignore", timeout: 60_000 });
    if (status !== 0 && status !== 3) throw new Error(`${program} gave up`);
  });
  return [
    ourMs === undefined ? undefined : look(ours, { pair, original, ms: ourMs }),
    theirMs === undefined ? undefined : look(theirs, { pair, original, ms: theirMs }),
  ];
}

async function timed(work: () => unknown): Promise<number | undefined> {
  const start = performance.now();
  try {
    await work();
    return performance.now() - start;
  } catch {
    return undefined;
  }
}

function look(
  made: string,
  { pair, original, ms }: { pair: Pair; original: Original; ms: number },
): ResultFacts {
  const size = statSync(made).size;
  const opened = pair.isLocked ? join(folder, "opened.pdf") : made;
  if (pair.isLocked) spawnSync("qpdf", [`--password=${PASSWORD}`, "--decrypt", made, opened]);
  const looks = likeness(original.pages, drawPages(opened, LOOK)) ?? 1;
  const hasText = textOf(opened) === original.text;
  rmSync(opened);
  return { ms, size, hasText, looks };
}

function report(name: string, results: Results): string {
  const both = results.flatMap(([ours, theirs]) => (ours && theirs ? [{ ours, theirs }] : []));
  const ratio = (key: "size" | "ms" | "looks") =>
    median(both.map(({ ours, theirs }) => ours[key] / (theirs[key] || 1)));
  const worst = (side: "ours" | "theirs") => both.filter((pair) => pair[side].looks < 0.95).length;
  const texts = (side: "ours" | "theirs") => both.filter((pair) => pair[side].hasText).length;
  const failed = [0, 1].map((side) => results.filter((pair) => !pair[side]).length).join("/");
  return (
    `${name.padEnd(44)} ${both.length} files: size ${ratio("size")}, SSIM ${ratio("looks")}, time ${ratio("ms")}, ` +
    `text kept ${texts("ours")}/${texts("theirs")}, SSIM below 0.95 ${worst("ours")}/${worst("theirs")}, refused ${failed}`
  );
}

const [from, limit = "files=300"] = process.argv.slice(2);
if (!from) console.log("npm run bench -- pdf-peers FOLDER [files=300]");
else {
  const names = readdirSync(from, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.pdf$/i.test(name),
  );
  const step = Math.max(1, Math.floor(names.length / Number(limit.slice("files=".length))));
  const results = new Map<string, Results>(PAIRS.map(({ name }) => [name, []]));
  for (const name of names.sort().filter((_, i) => i % step === 0)) {
    const path = join(from, name);
    // What has to be unlocked first is another job.
    if (spawnSync("qpdf", ["--requires-password", path]).status !== 2) continue;
    const original = { path, text: textOf(path), pages: drawPages(path, LOOK) };
    for (const pair of PAIRS) results.get(pair.name)?.push(await compare(pair, original));
  }
  for (const [name, all] of results) console.log(report(name, all));
}
rmSync(folder, { recursive: true });
