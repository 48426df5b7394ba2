// The program of a worker process: one job at a time, read from standard input, answered on standard output.
import type { Bytes } from "../../wire/bytes.ts";
import { decodeFrame } from "../../wire/frame.ts";
import { packFailure, ToolFailure, type PackedFailure } from "../../wire/tool-failure.ts";
import { describeError } from "../operations/log.ts";
import { pipeParts, readFrameSync, writePipeSync } from "./pipe.ts";
import { spliceResult } from "./splice.ts";

/** A job by its name; without one, a check whether the worker is alive. */
export type Task = {
  name?: string;
  args?: readonly unknown[];
  /** Whether the server keeps what it sends, so that its bytes need not come back. */
  isKept?: true;
};

export type Reply =
  | { result?: unknown; isSpliced?: boolean }
  | { failure: PackedFailure }
  | { error: { name: string; frames: string[] } };

// A library's warning may quote the file, and standard output is the pipe.
for (const method of ["log", "info", "warn", "error", "debug", "trace"] as const) console[method] = () => {};

// A terminal and some service managers send these to all processes of a group. The server, which has heard it too, still
// needs the answer; a worker ends with its input, or by SIGKILL.
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => {});

type Job = (...args: readonly unknown[]) => unknown;

const { jobs }: { jobs: Readonly<Record<string, Job>> } = await import(process.argv[2] ?? "");

for (let frame = readFrameSync(); frame !== undefined; frame = readFrameSync()) {
  writePipeSync(packReply(await answer(frame)));
}

async function answer(frame: Bytes): Promise<Reply> {
  // Both ends of the pipe are this program, so the shape is known.
  const { name, args = [], isKept } = decodeFrame(frame) as Task;
  if (name === undefined) return {};
  try {
    const job = jobs[name];
    if (!job) throw new TypeError("No job has this name");
    const result = await job(...args);
    const spliced = isKept ? spliceResult(result, frame) : result;
    return { result: spliced, isSpliced: spliced !== result };
  } catch (error) {
    return error instanceof ToolFailure ? { failure: packFailure(error) } : { error: describeError(error) };
  }
}

function packReply(reply: Reply): Uint8Array[] {
  try {
    return pipeParts(reply);
  } catch (error) {
    return pipeParts({ error: describeError(error) });
  }
}
