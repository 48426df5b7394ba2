// oxlint-disable-next-line import/default -- Vite makes it of the query.
import workerUrl from "./worker.ts?worker&url";
import { unpackFailure } from "../../wire/tool-failure.ts";
import { UnreadableFile } from "../api/failure.ts";
import { scriptUrl } from "../app/trusted-types.ts";
import type { PageJobs, JobReply, JobRequest } from "./jobs.ts";

/** Reports a job's progress, and stops it. */
export interface Control {
  readonly signal: AbortSignal;
  /**
   * Called with the completed part, from 0 to 1, or undefined where it is unknown; in words, how many of several files.
   */
  readonly onProgress: (part?: number, done?: string) => void;
}

// Between jobs a worker is kept warm; simultaneous jobs get one each, which stay until no job follows.
const idle: Worker[] = [];
const KEPT_MS = 5000;

function keep(worker: Worker): void {
  idle.push(worker);
  setTimeout(() => {
    for (const surplus of idle.splice(1)) surplus.terminate();
  }, KEPT_MS);
}

/** Runs a job in a worker of this page; nothing leaves the machine. */
export function runHere<Name extends keyof PageJobs>(
  name: Name,
  args: Parameters<PageJobs[Name]>,
  control: Control,
): Promise<Awaited<ReturnType<PageJobs[Name]>>> {
  if (control.signal.aborted) return Promise.reject(control.signal.reason as Error);
  const worker = idle.pop() ?? new Worker(scriptUrl(workerUrl), { type: "module" });
  const request: JobRequest = { name, args };
  return new Promise((resolve, reject) => {
    // The worker outlives the job; its listeners do not.
    const over = new AbortController();
    const stop = (reason: unknown) => {
      over.abort();
      worker.terminate();
      reject(reason);
    };
    const listening = { signal: over.signal };
    control.signal.addEventListener("abort", () => stop(control.signal.reason), listening);
    worker.addEventListener("error", (event) => stop(explain(event)), listening);
    worker.addEventListener("message", onMessage, listening);
    worker.postMessage(request, []);

    function onMessage({ data }: MessageEvent<JobReply>): void {
      if ("progress" in data) return control.onProgress(data.progress);
      over.abort();
      keep(worker);
      // A worker's reply to a name has the type that PageJobs says.
      if ("result" in data) resolve(data.result as Awaited<ReturnType<PageJobs[Name]>>);
      else if ("failure" in data) reject(unpackFailure(data.failure));
      else if ("unreadable" in data) reject(new UnreadableFile(data.unreadable));
      else reject(Object.assign(new Error(data.error.message), { name: data.error.name }));
    }
  });
}

/** A worker whose script is gone, as after an update, reports it without a message. */
function explain(event: Event): Error {
  const isMissing = !(event instanceof ErrorEvent);
  return new Error(isMissing ? "Error importing a module script: the worker" : "The worker could not go on");
}
