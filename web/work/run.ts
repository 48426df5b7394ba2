// oxlint-disable-next-line import/default -- Vite makes it of the query.
import workerUrl from "./worker.ts?worker&url";
import { ToolFailure, type FailureCode } from "../../wire/tool-failure.ts";
import { scriptUrl } from "../app/trusted-types.ts";
import type { Answered, Asked, TaskName, Tasks } from "./tasks.ts";

/** How a job is watched and stopped. */
export interface Control {
  readonly signal: AbortSignal;
  /** Told the part that is done, from 0 to 1. */
  readonly onProgress: (part: number) => void;
}

// One worker is kept warm between jobs; a second job at the same time gets a second one.
let idle: Worker | undefined;

/** Runs a task in a worker of this page; nothing leaves the machine. */
export function runHere<Name extends TaskName>(
  name: Name,
  { args, control }: { args: Parameters<Tasks[Name]>; control: Control },
): Promise<Awaited<ReturnType<Tasks[Name]>>> {
  const worker = idle ?? new Worker(scriptUrl(workerUrl), { type: "module" });
  idle = undefined;
  const asked: Asked = { name, args };
  return new Promise((resolve, reject) => {
    // The worker outlives the job, what listens to it does not.
    const over = new AbortController();
    const stop = (reason: unknown) => {
      over.abort();
      worker.terminate();
      reject(reason);
    };
    const listening = { signal: over.signal };
    control.signal.addEventListener("abort", () => stop(control.signal.reason), listening);
    worker.addEventListener("error", () => stop(new Error("The worker could not go on")), listening);
    worker.addEventListener("message", onMessage, listening);
    worker.postMessage(asked, []);

    function onMessage({ data }: MessageEvent<Answered>): void {
      if ("progress" in data) return control.onProgress(data.progress);
      over.abort();
      idle = worker;
      // A worker answers a name with what Tasks says of it.
      if ("result" in data) resolve(data.result as Awaited<ReturnType<Tasks[Name]>>);
      else reject(failureFrom(data));
    }
  });
}

function failureFrom(answered: Exclude<Answered, { progress: number } | { result: unknown }>): Error {
  if ("error" in answered)
    return Object.assign(new Error(answered.error.message), { name: answered.error.name });
  const { code, message, fields } = answered.failure;
  // The worker writes only what a ToolFailure has.
  return new ToolFailure(code as FailureCode, message, fields);
}
