import { Checkpoints } from "./checkpoints.ts";

/** So many pages that are not written back yet begin a checkpoint; so many in the log begin it anew. */
const PAGES_TO_WRITE_BACK = 500;
const MOST_PAGES = 1_500;

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
