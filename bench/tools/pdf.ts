// Each PDF tool through HTTP, by curl, beside native qpdf: both a process that reads a file and writes one. "of HTTP"
// is the same call of a server that only sends back what it was sent: no service that is called so can take less.
// npm run bench -- pdf [megabytes ...] [part of a name ...]
import { execFile, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startProgram, startServer, type RunningServer } from "../../test/process/support/server.ts";
import { has, nodePath, type Runtime } from "../../test/support/runtimes.ts";
import { makeToken } from "../service/token.ts";
import { peakOf, processesOf, resetPeak, residentOf } from "../support/memory.ts";
import { pagesBuilt } from "../support/pages-built.ts";
import {
  annotatedPage,
  imagePage,
  makePdf,
  makeTaggedPdf,
  rawImagePage,
  textPage,
} from "../support/pdf-files.ts";

const run = promisify(execFile);
const ROUNDS = 5;
const ECHO = fileURLToPath(new URL("../support/bare-echo.ts", import.meta.url));
const NODE: Runtime = { name: "node", command: nodePath(), args: ["--no-warnings"] };
/** Pages of text in a megabyte. */
const PAGES = 260;

/** What curl is to send for a job, and the arguments with which qpdf does the same. */
interface Job {
  readonly path: string;
  readonly body: (file: string) => string[];
  readonly qpdf: (file: string, out: string) => string[];
}

// Sent while it is read. For --data-binary curl 7.88 reads the whole file before it connects, 4 KiB at a time: with
// 10 MB that took 9 to 25 ms, whatever was called.
const raw = (file: string): string[] => ["-H", "Content-Type: application/pdf", "-X", "POST", "-T", file];

const JOBS: Readonly<Record<string, Job>> = {
  rotate: {
    path: "pdf-rotate?angle=90",
    body: raw,
    qpdf: (file, out) => [file, "--rotate=+90", out],
  },
  lock: {
    path: "pdf-lock",
    body: (file) => ["-H", "Tool-Password: x", ...raw(file)],
    qpdf: (file, out) => ["--encrypt", "x", "y", "256", "--", file, out],
  },
  clean: {
    path: "pdf-clean",
    body: raw,
    // A program that writes the document anew, and takes nothing out.
    qpdf: (file, out) => [file, out],
  },
  unlock: {
    path: "pdf-unlock",
    body: (file) => ["-H", "Tool-Password: x", ...raw(file)],
    qpdf: (file, out) => ["--password=x", "--decrypt", file, out],
  },
  drop: {
    path: "pdf-split?mode=drop&range=1-2",
    body: raw,
    qpdf: (file, out) => [file, "--pages", ".", "3-z", "--", out],
  },
  each: {
    path: "pdf-split",
    body: raw,
    qpdf: (file, out) => ["--split-pages", file, out.replace(".pdf", "-%d.pdf")],
  },
  merge: {
    path: "pdf-merge",
    body: (file) => [file, copyOf(file)].flatMap((each) => ["-F", `files=@${each};type=application/pdf`]),
    // A copy, because qpdf writes the objects of one file only once; and with what belongs to the first document.
    qpdf: (file, out) => [file, "--pages", ".", copyOf(file), "--", out],
  },
};

function copyOf(file: string): string {
  const copy = file.replace(".pdf", "-again.pdf");
  copyFileSync(file, copy);
  return copy;
}

/** Times and memory of every tool on files of these sizes; memory is that of server and worker above idle. */
export async function benchPdf({
  megabytes = [1, 10],
  names = [],
}: { megabytes?: readonly number[]; names?: readonly string[] } = {}): Promise<void> {
  if (!has("qpdf")) return console.log("the PDF tools are compared with qpdf, which is not installed");
  const folder = mkdtempSync(join(tmpdir(), "bench-pdf-"));
  const echo = await startProgram([NODE.command, ...NODE.args, ECHO], { cwd: folder });
  console.log(
    `${"".padEnd(34)}${"ms".padStart(8)}${"of qpdf".padStart(10)}${"of HTTP".padStart(10)}` +
      `${"peak MiB".padStart(10)}${"of input".padStart(10)}${"size of qpdf's".padStart(16)}`,
  );
  try {
    for (const size of megabytes) {
      for (const { name, file, jobs } of makeFiles(folder, size)) {
        for (const job of jobs) {
          if (!names.every((part) => `${name} ${job}`.includes(part))) continue;
          console.log(await compare(job, { name, file, folder, echoUrl: echo.url }));
        }
        rmSync(file);
      }
    }
  } finally {
    await echo.stop();
    rmSync(folder, { recursive: true });
  }
}

interface Sample {
  readonly name: string;
  readonly file: string;
  readonly folder: string;
  readonly echoUrl: string;
}

async function compare(name: string, { name: kind, file, folder, echoUrl }: Sample): Promise<string> {
  const job = JOBS[name]!;
  const out = join(folder, "out.pdf");
  const theirSize = sizeOfQpdf(job.qpdf(file, out), folder);
  // A server of its own for each: a heap that once grew would hide what the next job needs.
  const server = await startServer(NODE, { WORKERS: "1" });
  await pagesBuilt(server);
  const calling = { url: server.url, token: await makeToken(server.url), job, file, out };
  const peak = await measurePeak(server, calling);
  const [best, qpdf, http] = await bestOfTurns([
    () => call(calling),
    () => timeQpdf(job.qpdf(file, out)),
    () => call({ ...calling, url: echoUrl }),
  ]);
  await call(calling);
  const size = statSync(out).size;
  await server.stop();
  clearOut(folder);
  const sent = statSync(file).size * (name === "merge" ? 2 : 1);
  const times = (value: number, width = 10): string => `${value.toFixed(2)} x`.padStart(width);
  return (
    `${`${kind} ${name}`.padEnd(34)}${best.toFixed(0).padStart(8)}${times(best / qpdf)}${times(best / http)}` +
    `${peak.toFixed(0).padStart(10)}${times((peak * 2 ** 20) / sent)}${times(size / theirSize, 16)}`
  );
}

type TimedRun = () => number | Promise<number>;

/** The least of each over several rounds. They take turns: what else the machine does changes within a second. */
async function bestOfTurns(all: readonly [TimedRun, TimedRun, TimedRun]): Promise<[number, number, number]> {
  const best: [number, number, number] = [Infinity, Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round++)
    for (const [i, timed] of all.entries()) best[i] = Math.min(best[i]!, await timed());
  return best;
}

interface JobCall {
  readonly url: string;
  readonly token: string;
  readonly job: Job;
  readonly file: string;
  readonly out: string;
}

/** How often memory is looked at, in milliseconds: the server ends a worker that has grown as soon as it has answered. */
const LOOK = 5;

async function measurePeak(server: RunningServer, calling: JobCall): Promise<number> {
  const small = calling.file.replace(/[^/]+$/, "small.pdf");
  writeFileSync(small, makePdf(2, textPage));
  // The first call starts the worker and loads the tool; its answer may be a refusal.
  await call({ ...calling, file: small }, "422");
  const processes = processesOf(server.pid);
  const idle = processes.map(residentOf);
  processes.forEach(resetPeak);
  const peaks = new Map(processes.map((pid) => [pid, 0]));
  const look = (): void => {
    for (const [pid, peak] of peaks) peaks.set(pid, Math.max(peak, peakOf(pid)));
  };
  const looking = setInterval(look, LOOK);
  await call(calling);
  clearInterval(looking);
  look();
  return processes.reduce((sum, pid, i) => sum + Math.max(0, peaks.get(pid)! - idle[i]!), 0);
}

async function call({ url, token, job, file, out }: JobCall, also = "200"): Promise<number> {
  const start = performance.now();
  const args = [
    "-sS",
    "-H",
    "Expect:",
    "-H",
    `Authorization: Bearer ${token}`,
    ...job.body(file),
    "-o",
    out,
    "-w",
    "%{http_code}",
  ];
  const { stdout: status } = await run("curl", [...args, `${url}/api/tools/${job.path}`]);
  if (status !== "200" && status !== also) throw new Error(`The bench was answered ${status}`);
  return performance.now() - start;
}

function timeQpdf(args: readonly string[]): number {
  const start = performance.now();
  spawnSync("qpdf", args);
  return performance.now() - start;
}

function sizeOfQpdf(args: readonly string[], folder: string): number {
  spawnSync("qpdf", args);
  const made = outIn(folder);
  const size = made.reduce((sum, path) => sum + statSync(path).size, 0);
  clearOut(folder);
  return size;
}

function outIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.startsWith("out"));
  return names.map((name) => join(folder, name));
}

function clearOut(folder: string): void {
  for (const path of outIn(folder)) rmSync(path);
}

interface BenchFile {
  readonly name: string;
  readonly file: string;
  readonly jobs: readonly string[];
}

function* makeFiles(folder: string, megabytes: number): Generator<BenchFile> {
  const put = (name: string, bytes: () => Buffer): string => {
    const path = join(folder, `${name.replaceAll(" ", "-")}.pdf`);
    writeFileSync(path, bytes());
    return path;
  };
  const made = (kind: string, bytes: () => Buffer, jobs: readonly string[]): BenchFile => {
    const name = `${megabytes} MB, ${kind},`;
    return { name, file: put(kind, bytes), jobs };
  };
  const locked = ({ name, file }: BenchFile): BenchFile => {
    const path = file.replace(".pdf", "-locked.pdf");
    spawnSync("qpdf", ["--encrypt", "x", "y", "256", "--", file, path]);
    return { name, file: path, jobs: ["unlock"] };
  };
  const packed = ({ name, file, jobs }: BenchFile): BenchFile => {
    const path = file.replace(".pdf", "-packed.pdf");
    spawnSync("qpdf", ["--object-streams=generate", file, path]);
    return { name: name.replace("objects", "packed objects"), file: path, jobs };
  };
  const all = ["rotate", "clean", "lock", "drop", "each", "merge"];
  for (const kind of [
    made("photographs", () => makePdf(megabytes * 4, imagePage), all),
    made("raw images", () => makePdf(megabytes * 4, rawImagePage), all),
    made("text", () => makePdf(megabytes * PAGES, textPage), all),
  ]) {
    yield locked(kind);
    yield kind;
  }
  for (const kind of [
    made("objects", () => makePdf(megabytes * 42, annotatedPage), all),
    made("tagged objects", () => makeTaggedPdf(megabytes * 100), ["rotate", "drop", "merge"]),
  ]) {
    yield packed(kind);
    yield kind;
  }
  if (megabytes === 10) yield made("500 pages of text", () => makePdf(500, textPage), ["each"]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sizes = process.argv.slice(2).map(Number).filter(Number.isFinite);
  const names = process.argv.slice(2).filter((arg) => Number.isNaN(Number(arg)));
  await benchPdf({ ...(sizes.length > 0 && { megabytes: sizes }), names });
}
