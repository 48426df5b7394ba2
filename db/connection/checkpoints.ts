import { Worker } from "node:worker_threads";

/**
 * Writing the log back beside everybody; the same with nobody writing meanwhile, so that the log begins anew or has
 * no bytes any more; the first page of a log that has none; the end.
 */
export type CheckpointStep = "passive" | "restart" | "truncate" | "begin" | "close";

/** How much is in the log, and whether somebody else was in the way; or SQLite's code of what went wrong. */
export type CheckpointAnswer = { isBusy: boolean; pages: number } | { code: string };

/** Checkpoints of one SQLite file on a thread of their own, which begins with the first of them. */
export class Checkpoints {
  readonly #path: string;
  #thread: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** Runs a step when those before it are done. @throws an error with SQLite's code; the file is then opened anew */
  run(step: CheckpointStep): Promise<{ isBusy: boolean; pages: number }> {
    const ran = this.#last.then(() => this.#ask(step));
    this.#last = ran.catch(() => this.#end());
    return ran;
  }

  async close(): Promise<void> {
    await this.#last;
    if (this.#thread) await this.run("close");
    await this.#end();
  }

  async #ask(step: CheckpointStep): Promise<{ isBusy: boolean; pages: number }> {
    this.#thread ??= new Worker(new URL("./checkpoint-thread.ts", import.meta.url), {
      workerData: this.#path,
    });
    const answer = await askThread(this.#thread, step);
    if ("code" in answer) throw Object.assign(new Error("The log was not written back."), answer);
    return answer;
  }

  async #end(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    thread?.removeAllListeners();
    await thread?.terminate();
  }
}

// Between two steps the thread does not keep a program that has nothing else to do.
async function askThread(thread: Worker, step: CheckpointStep): Promise<CheckpointAnswer> {
  thread.ref();
  const answer = new Promise<CheckpointAnswer>((resolve, reject) => {
    thread.removeAllListeners();
    thread.once("message", resolve);
    thread.once("error", reject);
    thread.once("exit", () => resolve({ code: "SQLITE_IOERR" }));
    thread.postMessage(step);
  });
  return answer.finally(() => thread.unref());
}
