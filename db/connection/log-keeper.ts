import { Worker } from "node:worker_threads";

/** The number of pages not yet written back that starts a checkpoint, and the number in the log that restarts it. */
const PAGES_TO_WRITE_BACK = 500;
const MOST_PAGES = 1_500;

/**
 * Writing back beside other writers; the same without other writers, so that the log restarts or is truncated; writing
 * the first page of an empty log; the end.
 */
export type CheckpointStep = "passive" | "restart" | "truncate" | "begin" | "close";

/** The pages in the log, and whether others were in the way; or SQLite's error code. */
export type CheckpointAnswer = { isBusy: boolean; pages: number } | { code: string };

/** Keeps the write-ahead log of one SQLite file short, without holding up those who write into it. */
export class LogKeeper {
  readonly #checkpoints: Checkpoints;
  readonly #alone: <T>(work: () => Promise<T>) => Promise<T>;
  #running: Promise<void> | undefined;
  /** When true, `begin` comes before the first write. */
  isEmpty = false;

  /** `alone` runs work while nobody else in this process writes. */
  constructor(path: string, alone: <T>(work: () => Promise<T>) => Promise<T>) {
    this.#checkpoints = new Checkpoints(path);
    this.#alone = alone;
  }

  /** Whether the log is long enough to be written back, and nobody is doing that yet. */
  isDue({ log, checkpointed }: { log: number; checkpointed: number }): boolean {
    return this.#running === undefined && log - checkpointed >= PAGES_TO_WRITE_BACK;
  }

  /**
   * Writes back beside other writers, once for all who ask meanwhile. Under load the log never restarts by itself,
   * because somebody always writes: when it is long, writers wait for the short rest.
   */
  writeBack(): Promise<void> {
    return (this.#running ??= this.#writeBack().finally(() => (this.#running = undefined)));
  }

  /** Truncates the log. False when another process is in the way. */
  async empty(): Promise<boolean> {
    await this.writeBack();
    return this.#alone(async () => {
      const { isBusy } = await this.#checkpoints.run("truncate");
      this.isEmpty = !isBusy;
      return !isBusy;
    });
  }

  /** Writes the first page of an empty log, while nobody else writes. */
  async begin(): Promise<void> {
    this.isEmpty = false;
    await this.#checkpoints.run("begin");
  }

  /** Waits for a running step, which needs a turn of its own. */
  async settle(): Promise<void> {
    await this.#running?.catch(() => undefined);
  }

  /** Closes the file; the next checkpoint opens it again. */
  close(): Promise<void> {
    return this.#checkpoints.close();
  }

  async #writeBack(): Promise<void> {
    const { pages } = await this.#checkpoints.run("passive");
    if (pages >= MOST_PAGES) await this.#alone(() => this.#checkpoints.run("restart"));
  }
}

/** Runs the checkpoints of one SQLite file on a thread, which starts with the first of them. */
class Checkpoints {
  readonly #path: string;
  #thread: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** Runs a step after those before it. @throws an error with SQLite's code; the file is then reopened */
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

// Between steps the thread does not keep a program alive.
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
