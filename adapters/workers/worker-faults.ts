import { ApiError } from "../../router/errors/errors.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";

// How a job ends that no tool has ended: by its worker, its deadline, or others on the machine.

const STARVED_RETRY_SECONDS = 10;

/** A new worker starts in less. */
const RETRY_SECONDS = 1;

// How V8 ends a process whose heap is full, on Node and on Deno.
const OUT_OF_MEMORY = /^SIG(ABRT|TRAP|ILL)$/;

// Ended by an administrator, or by the kernel when the machine runs out of memory; or a worker that could not start for
// lack of memory, files or processes. The pool's own kills take the job away first.
const KILLED = /^SIG(KILL|TERM|INT|HUP|QUIT)$|^E[A-Z]+$/;

// What a file can do to a native library.
const CRASHED = /^SIG(SEGV|BUS|FPE)$/;

/** The error for a caller whose worker has ended, by its signal, exit code or the code of an error. */
export function explainExit(reason: string, heapMegabytes: number | undefined): Error {
  if (OUT_OF_MEMORY.test(reason)) return fullHeap(heapMegabytes);
  if (KILLED.test(reason)) return killedWorker();
  if (CRASHED.test(reason)) return brokenEngine();
  return rebuildError({ name: "WorkerDied", frames: [reason] });
}

export function rebuildError({ name, frames }: { name: string; frames: string[] }): Error {
  const error = new Error("A tool stopped unexpectedly");
  error.name = name;
  error.stack = [`${name}: ${error.message}`, ...frames].join("\n    ");
  return error;
}

function fullHeap(heapMegabytes: number | undefined): ToolFailure {
  const bound = heapMegabytes === undefined ? {} : { value: heapMegabytes, unit: "MiB" };
  return new ToolFailure("too_complex", "The file needs more memory than one call may take", {
    limit: "memory",
    ...bound,
  });
}

export function pastDeadline(seconds: number): ToolFailure {
  const message = `The work did not end within ${seconds} seconds, the longest one call may take`;
  return new ToolFailure("too_complex", message, { limit: "seconds", value: seconds, unit: "seconds" });
}

/** For the log: how a worker ended, and nothing about what it worked on. */
export function lostWorker(reason: string): Error {
  const error = new Error("A worker ended");
  error.name = "WorkerLost";
  error.stack = `${error.name}: ${error.message}`;
  return Object.assign(error, { code: reason });
}

function brokenEngine(): ToolFailure {
  return new ToolFailure("damaged_file", "The file broke the program that reads such files");
}

export function tooBusy(): ApiError {
  const message = "The server was too busy to finish this in time; send it again later";
  return new ApiError("overloaded", message, { retryAfter: STARVED_RETRY_SECONDS });
}

function killedWorker(): ApiError {
  const message = "The server lost the process that worked on this; send it again";
  return new ApiError("overloaded", message, { retryAfter: RETRY_SECONDS });
}
