// Each PDF tool beside native qpdf, in the same run: text-heavy, image-heavy and object-heavy documents.
// Run alone: node bin/start.mjs bench/pdf.ts [megabytes]
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Bytes } from "../tools/bytes.ts";
import { mergePdf } from "../tools/pdf-merge.ts";
import { rotatePdf } from "../tools/pdf-rotate.ts";
import { splitPdf } from "../tools/pdf-split.ts";
import { unlockPdf } from "../tools/pdf-unlock.ts";
import { annotatedPage, imagePage, makePdf, textPage } from "./pdf-files.ts";

const ROUNDS = 3;
const SELF = fileURLToPath(import.meta.url);

/** A tool, and the arguments with which qpdf does the same. */
interface Job {
  readonly run: (file: Bytes) => Promise<{ bytes: Bytes }>;
  readonly qpdf: (path: string, out: string) => string[];
}

const JOBS: Readonly<Record<string, Job>> = {
  rotate: { run: (file) => rotatePdf(file, { angle: 90 }), qpdf: (path, out) => [path, "--rotate=+90", out] },
  unlock: {
    run: (file) => unlockPdf(file, { password: "x" }),
    qpdf: (path, out) => ["--password=x", "--decrypt", path, out],
  },
  drop: {
    run: (file) => splitPdf(file, { mode: "drop", range: "1-2" }),
    qpdf: (path, out) => [path, "--pages", ".", "3-z", "--", out],
  },
  each: {
    run: (file) => splitPdf(file, { mode: "each" }),
    qpdf: (path, out) => ["--split-pages", path, out.replace(".pdf", "-%d.pdf")],
  },
  merge: {
    run: (data) => mergePdf([{ data }, { data }]),
    qpdf: (path, out) => ["--empty", "--pages", path, path, "--", out],
  },
};

const [first, path] = process.argv.slice(2);
if (first && path) await measureHere(first, path);
else await compareAll(Number(first ?? 10));

/** In a process of its own, so that its peak memory is the tool's. */
async function measureHere(name: string, path: string): Promise<void> {
  const file = new Uint8Array(readFileSync(path));
  const idle = process.resourceUsage().maxRSS;
  let best = Infinity;
  let peak = 0;
  let size = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    size = (await JOBS[name]!.run(file)).bytes.length;
    best = Math.min(best, performance.now() - start);
    if (round === 0) peak = process.resourceUsage().maxRSS - idle;
  }
  console.log(JSON.stringify({ ms: best, kilobytes: peak, size }));
}

async function compareAll(megabytes: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "bench-pdf-"));
  try {
    const files = makeFiles(folder, megabytes);
    console.log(
      `${"".padEnd(24)}${"ms".padStart(8)}${"of qpdf".padStart(10)}${"peak".padStart(10)}${"size of qpdf's".padStart(16)}`,
    );
    for (const [kind, file] of Object.entries(files)) {
      for (const name of Object.keys(JOBS)) {
        const isLocked = kind.endsWith("locked");
        if (isLocked === (name === "unlock")) compare(name, { kind, path: file, folder });
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function compare(name: string, { kind, path, folder }: { kind: string; path: string; folder: string }): void {
  const peer = timeQpdf(JOBS[name]!.qpdf(path, join(folder, "out.pdf")), folder);
  const answer = execFileSync(process.execPath, [SELF, name, path], { encoding: "utf8" });
  const { ms, kilobytes, size } = JSON.parse(answer);
  const times = (value: number): string => `${value.toFixed(2)} x`;
  const peak = times((kilobytes * 1024) / statSync(path).size);
  console.log(
    `${`${kind} ${name}`.padEnd(24)}${ms.toFixed(0).padStart(8)}${times(ms / peer.ms).padStart(10)}` +
      `${peak.padStart(10)}${times(size / peer.size).padStart(16)}`,
  );
}

function timeQpdf(args: readonly string[], folder: string): { ms: number; size: number } {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    const { error } = spawnSync("qpdf", args);
    if (error) throw new Error("qpdf is needed to compare with, and is not installed");
    best = Math.min(best, performance.now() - start);
  }
  const made = readdirSync(folder).filter((name) => name.startsWith("out"));
  const size = made.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  for (const name of made) rmSync(join(folder, name));
  return { ms: best, size };
}

function makeFiles(folder: string, megabytes: number): Record<string, string> {
  const put = (name: string, bytes: Buffer): string => {
    const path = join(folder, `${name}.pdf`);
    writeFileSync(path, bytes);
    return path;
  };
  const lock = (path: string): string => {
    const locked = path.replace(".pdf", "-locked.pdf");
    spawnSync("qpdf", ["--encrypt", "x", "y", "256", "--", path, locked]);
    return locked;
  };
  const image = put("image", makePdf(megabytes, imagePage));
  const text = put("text", makePdf(megabytes * 120, textPage));
  const plain = put("plain", makePdf(megabytes * 120, annotatedPage));
  const objects = join(folder, "objects.pdf");
  spawnSync("qpdf", ["--object-streams=generate", plain, objects]);
  return {
    image,
    "image locked": lock(image),
    text,
    "text locked": lock(text),
    objects,
    "500 pages": put("pages", makePdf(500, textPage)),
  };
}
