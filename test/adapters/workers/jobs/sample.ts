// Functions for the pool's tests to run in a worker.
import { readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import type { Bytes } from "../../../../wire/bytes.ts";
import { ToolFailure } from "../../../../wire/tool-failure.ts";

export function echo<T>(value: T): T {
  return value;
}

/** Turns each byte around, and answers with the sum of all sizes. */
export async function invert(files: { data: Bytes }[], options: { note: string }) {
  const inverted = files.map(({ data }) => ({ data: data.map((byte) => 255 - byte) }));
  return { files: inverted, size: files.reduce((sum, { data }) => sum + data.length, 0), note: options.note };
}

export function fillNew({ size, value }: { size: number; value: number }): Bytes {
  return new Uint8Array(size).fill(value);
}

export function refuse(file: Bytes): never {
  throw new ToolFailure("page_out_of_range", `Page 9 is past the last of ${file.length}`, {
    page: 9,
    pages: file.length,
    sample: file,
  });
}

export function breakDown(content: string): never {
  throw new RangeError(`could not read ${content}\n    at ${content} (/srv/${content}:1:1)`);
}

export function returnUncarried(): unknown {
  return new Map();
}

export function spin(): never {
  for (;;) Math.sqrt(2);
}

export async function sleep({
  milliseconds,
  label,
}: {
  milliseconds: number;
  label: string;
}): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  return label;
}

export function die(): never {
  process.exit(7);
}

export function fillHeap(): number {
  const kept: object[] = [];
  for (;;) kept.push({ number: kept.length, text: `${kept.length}` });
}

export function print(text: string): boolean {
  console.log(text);
  console.warn(text);
  return true;
}

export function countRuns(): number {
  runs += 1;
  return runs;
}
let runs = 0;

export function readEnvironment(): { isMainThread: boolean; names: string[]; own: boolean } {
  return {
    isMainThread,
    names: Object.keys(process.env),
    own: readFileSync(new URL(import.meta.url)).length > 0,
  };
}
