import { Worker } from "node:worker_threads";

/** So many pages that are not written back yet begin a checkpoint; so many in the log begin it anew. */
const PAGES_TO_WRITE_BACK = 500;
const MOST_PAGES = 1_500;

/**
 * Writing the log back beside everybody; the same with nobody writing meanwhile, so that the log begins anew or has
 * no bytes any more; the first page of a log that has none; the end.
 */
export type CheckpointStep = "passive" | "restart" | "truncate" | "begin" | "close";

/** How much is in the log, and whether somebody else was in the way; or SQLite's code of what went wrong. */
export type CheckpointAnswer = { isBusy: boolean; pages: number } | { code: string };

/** Keeps the write-ahead log of one SQLite file short, without holding up those who write into it. */
export class LogKeeper {
  readonly #checkpoints: Checkpoints;
  readonly #alone: <T>(work: () => Promise<T>) => Promise<T>;
  #running: Promise<void> | undefined;
  /** Before the first write into it comes `begin`. */
  isEmpty = false;

  /** `alone` runs work while nobody of this process writes. */
  constructor(path: string, alone: <T>(work: () => Promise<T>) => Promise<T>) {
    this.#checkpoints = new Checkpoints(path);
    this.#alone = alone;
  }

  /** Whether so much is in the log that it should be written back, and nobody is doing that. */
  isDue({ log, checkpointed }: { log: number; checkpointed: number }): boolean {
    return this.#running === undefined && log - checkpointed >= PAGES_TO_WRITE_BACK;
  }

  /**
   * Writes back beside everybody, once for all who ask meanwhile. Under load somebody always writes, and the log
   * would never begin anew by itself: when it is long, they wait for the little that is left.
   */
  writeBack(): Promise<void> {
    return (this.#running ??= this.#writeBack().finally(() => (this.#running = undefined)));
  }

  /** Leaves a log without bytes. False when another process is in the way. */
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

  /** Waits for what runs; it needs its turn for that. */
  async settle(): Promise<void> {
    await this.#running?.catch(() => undefined);
  }

  /** Lets go of the file; the next checkpoint opens it anew. */
  close(): Promise<void> {
    return this.#checkpoints.close();
  }

  async #writeBack(): Promise<void> {
    const { pages } = await this.#checkpoints.run("passive");
    if (pages >= MOST_PAGES) await this.#alone(() => this.#checkpoints.run("restart"));
  }
}

/** Checkpoints of one SQLite file on a thread of their own, which begins with the first of them. */
class Checkpoints {
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
