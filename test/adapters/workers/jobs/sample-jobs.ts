// Jobs for the pool's tests to run in a worker.
import { readFileSync } from "node:fs";
import { ByteParts } from "../../../../wire/byte-pieces.ts";
import type { Bytes } from "../../../../wire/bytes.ts";
import { ToolFailure } from "../../../../wire/tool-failure.ts";

export const jobs = {
  echo,
  invert,
  inParts,
  refuse,
  breakDown,
  returnUncarried,
  spin,
  sleep,
  exit,
  kill,
  processId,
  fillHeap,
  grow,
  print,
  countRuns,
  readEnvironment,
};

function echo(value: unknown): unknown {
  return value;
}

/** Turns each byte around, and answers with the sum of all sizes. */
async function invert(files: { data: Bytes }[], { note }: { note: string }) {
  const inverted = files.map(({ data }) => ({ data: data.map((byte) => 255 - byte) }));
  return { files: inverted, size: files.reduce((sum, { data }) => sum + data.length, 0), note };
}

function inParts(file: Bytes) {
  return { data: new ByteParts([file.subarray(0, 2), file.subarray(2)]), length: file.length };
}

function refuse(file: Bytes): never {
  throw new ToolFailure("page_out_of_range", `Page 9 is past the last of ${file.length}`, {
    page: 9,
    pages: file.length,
    sample: file,
  });
}

function breakDown(content: string): never {
  throw new RangeError(`could not read ${content}\n    at ${content} (/srv/${content}:1:1)`);
}

function returnUncarried(): unknown {
  return new Map();
}

function spin(): never {
  for (;;) Math.sqrt(2);
}

async function sleep(milliseconds: number): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  return "done";
}

function exit(): never {
  process.exit(7);
}

function processId(): number {
  return process.pid;
}

/** As somebody outside does it: the pool knows nothing of it. */
async function kill(signal: NodeJS.Signals): Promise<void> {
  process.kill(process.pid, signal);
  await new Promise((resolve) => setTimeout(resolve, 30_000));
}

function fillHeap(): number {
  const kept: object[] = [];
  for (;;) kept.push({ number: kept.length, text: `${kept.length}` });
}

function print(text: string): boolean {
  console.log(text);
  console.warn(text);
  return true;
}

let grown: Uint8Array | undefined;

/** To more than a worker may keep. */
function grow(): number {
  grown = new Uint8Array(300 * 1024 * 1024).fill(1);
  return grown.length;
}

let runs = 0;

function countRuns(): number {
  runs += 1;
  return runs;
}

function readEnvironment(): { names: string[]; own: boolean } {
  return { names: Object.keys(process.env), own: readFileSync(new URL(import.meta.url)).length > 0 };
}
