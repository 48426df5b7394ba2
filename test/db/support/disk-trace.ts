import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "./runtimes.ts";

const CALLS = "write,pwrite64,ftruncate,fsync,fdatasync";
/** What a disk writes whole. */
const SECTOR_BYTES = 512;

/** What a process did to its files and what it said, in the order in which that began. */
export type Step =
  | { readonly kind: "write"; readonly path: string; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: "truncate"; readonly path: string; readonly size: number }
  /** What was done before `since` is on the disk now. */
  | { readonly kind: "synced"; readonly path: string; readonly since: number }
  | { readonly kind: "said"; readonly text: string };

/** Runs a file of this folder to its end under strace. */
export function traceProcess([program, ...before]: Command, [file = "", ...args]: readonly string[]): Step[] {
  const folder = mkdtempSync(join(tmpdir(), "hushkit-trace-"));
  const output = join(folder, "trace");
  const options = ["-f", "-y", "-xx", "-qq", "-s", "1000000", "-e", `trace=${CALLS}`, "-e", "signal=none"];
  const path = fileURLToPath(new URL(file, import.meta.url));
  const { status } = spawnSync("strace", [...options, "-o", output, program, ...before, path, ...args]);
  const text = readFileSync(output, "latin1");
  rmSync(folder, { recursive: true });
  if (status !== 0) throw new Error(`The process ended with ${status}`);
  return readTrace(text);
}

// "123 pwrite64(23<PATH>, "BYTES", 4096, 56) = 4096". A call that another thread's comes between is told in two lines:
// "123 fdatasync(23<PATH> <unfinished ...>" and "123 <... fdatasync resumed>) = 0".
function readTrace(text: string): Step[] {
  const steps: Step[] = [];
  const syncing = new Map<string, { path: string; since: number }>();
  for (const line of text.split("\n")) {
    const [, thread = "", name, file = "", rest = ""] =
      /^(\d+) +(write(?=\(1<)|pwrite64|f\w+)\(\d+<(.*?)>(.*)/.exec(line) ?? [];
    const [path, since] = [fromHex(file).toString(), steps.length];
    if (name === "fsync" || name === "fdatasync") syncing.set(thread, { path, since });
    else if (name !== undefined) steps.push(readStep(name, { path, rest }));
    const [, ended = ""] =
      /^(\d+) +(?:fsync|fdatasync|<\.\.\. f(?:data)?sync resumed>).*= 0$/.exec(line) ?? [];
    const synced = syncing.get(ended);
    if (synced) steps.push({ kind: "synced", ...synced });
    if (synced) syncing.delete(ended);
  }
  return steps;
}

function readStep(name: string, { path, rest }: { path: string; rest: string }): Step {
  const [, text = ""] = /"([^"]*)"/.exec(rest) ?? [];
  // Of pwrite64 the place in the file, of ftruncate its new length.
  const last = Number(/(\d+)(?:\)| <)/.exec(rest.replace(/".*"/, ""))?.[1]);
  if (name === "ftruncate") return { kind: "truncate", path, size: last };
  if (name === "pwrite64") return { kind: "write", path, offset: last, bytes: fromHex(text) };
  return { kind: "said", text: fromHex(text).toString() };
}

// "\x48\x69"
function fromHex(text: string): Buffer {
  return Buffer.from(text.replaceAll("\\x", ""), "hex");
}

/** What a disk has of one file, and what was written since it was synced. */
interface Remembered {
  readonly image: Buffer;
  size: number;
  pending: { readonly at: number; readonly step: Step }[];
}

/**
 * Writes the files as a disk could have them when the power fails before step `end`: all that was synced, and of what
 * was written since each sector or not, as `isKept` says.
 */
export function replayInto(
  folder: string,
  { steps, end, isKept }: { steps: readonly Step[]; end: number; isKept: () => boolean },
): void {
  const files = new Map<string, Remembered>();
  for (const [at, step] of steps.slice(0, end).entries()) {
    if (step.kind === "said") continue;
    const file = files.get(step.path) ?? newFile(steps, step.path);
    files.set(step.path, file);
    if (step.kind === "synced") sync(file, step.since);
    else file.pending.push({ at, step });
  }
  for (const [path, file] of files) {
    for (const { step } of file.pending) apply(file, step, isKept);
    const bytes = file.image.subarray(0, file.size);
    if (path.endsWith(".db") || path.endsWith("-wal")) writeFileSync(join(folder, basename(path)), bytes);
  }
}

function newFile(steps: readonly Step[], path: string): Remembered {
  const ends = steps.map((step) =>
    step.kind === "write" && step.path === path ? step.offset + step.bytes.length : 0,
  );
  return { image: Buffer.alloc(Math.max(...ends)), size: 0, pending: [] };
}

function sync(file: Remembered, since: number): void {
  for (const { at, step } of file.pending) if (at < since) apply(file, step, () => true);
  file.pending = file.pending.filter(({ at }) => at >= since);
}

function apply(file: Remembered, step: Step, isKept: () => boolean): void {
  if (step.kind === "truncate" && isKept()) {
    file.image.fill(0, step.size);
    file.size = step.size;
  }
  if (step.kind !== "write") return;
  const { offset, bytes } = step;
  for (let from = 0; from < bytes.length; from += SECTOR_BYTES) {
    if (!isKept()) continue;
    const sector = bytes.subarray(from, from + SECTOR_BYTES);
    sector.copy(file.image, offset + from);
    file.size = Math.max(file.size, offset + from + sector.length);
  }
}
