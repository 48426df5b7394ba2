// The program of a worker process: one job at a time, read from standard input, answered on standard output.
import { packFailure, ToolFailure, type PackedFailure } from "../../wire/tool-failure.ts";
import { describeError } from "../operations/log.ts";
import { pipeParts, readPipeSync, writePipeSync } from "./pipe.ts";

/** A job by its name; without one, a check whether the worker is alive. */
export type Task = { name?: string; args?: readonly unknown[] };

export type Reply =
  { result?: unknown } | { failure: PackedFailure } | { error: { name: string; frames: string[] } };

// A library's warning may quote the file, and standard output is the pipe.
for (const method of ["log", "info", "warn", "error", "debug", "trace"] as const) console[method] = () => {};

// A terminal and some service managers send these to all processes of a group. The server, which has heard it too, still
// needs the answer; a worker ends with its input, or by SIGKILL.
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => {});

type Job = (...args: readonly unknown[]) => unknown;

const { jobs }: { jobs: Readonly<Record<string, Job>> } = await import(process.argv[2] ?? "");

for (let task = readPipeSync(); task !== undefined; task = readPipeSync()) {
  // Both ends of the pipe are this program, so the shape is known.
  writePipeSync(packReply(await answer(task as Task)));
}

async function answer({ name, args = [] }: Task): Promise<Reply> {
  if (name === undefined) return {};
  try {
    const job = jobs[name];
    if (!job) throw new TypeError("No job has this name");
    return { result: await job(...args) };
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
