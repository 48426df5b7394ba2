import { statSync } from "node:fs";
import { DatabaseUnavailable } from "./unavailable.ts";

/** Looking at two files takes microseconds; calls that store nothing rely on the last look for this long. */
const LOOK_EVERY_MS = 1000;
const SUFFIXES = ["", "-wal"];

/**
 * Whether a SQLite file and its log are still the ones that were opened. Unix lets an open file be moved, replaced,
 * deleted or emptied; writes then succeed and are lost when the process ends.
 */
export class FileIdentity {
  readonly #path: string;
  /** Device and inode by suffix. The log appears with the first write, so it is remembered when it is first seen. */
  readonly #known = new Map<string, string>();
  #isReplaced = false;
  /** When the next call that stores nothing has to `verify`, on the clock of `performance.now`. */
  lookAgainAt = 0;

  constructor(path: string) {
    this.#path = path;
    this.verify();
  }

  /**
   * Once it has failed, it always fails: others may have used the files meanwhile, even if they come back.
   * @throws {DatabaseUnavailable} with the code `database_replaced`
   */
  verify(): void {
    if (this.#path === ":memory:") return void (this.lookAgainAt = Infinity);
    this.lookAgainAt = 0;
    this.#isReplaced ||= SUFFIXES.some((suffix) => this.#isOther(suffix));
    if (this.#isReplaced) throw new DatabaseUnavailable(replaced());
    this.lookAgainAt = performance.now() + LOOK_EVERY_MS;
  }

  /** The last process to close the file deletes the log, and the next one makes a new one. */
  forgetLog(): void {
    this.#known.delete("-wal");
  }

  #isOther(suffix: string): boolean {
    const found = readStat(this.#path + suffix);
    const known = this.#known.get(suffix);
    // An emptied file is another one too: the header of ours is there before the first look. Logs may be empty.
    const isOurs = found !== undefined && (found.size > 0n || suffix !== "");
    const identity = isOurs ? `${found.dev} ${found.ino}` : undefined;
    if (known === undefined && identity !== undefined) this.#known.set(suffix, identity);
    return known !== undefined && identity !== known;
  }
}

function readStat(path: string) {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    // For example a folder that can no longer be read.
    throw new DatabaseUnavailable(error);
  }
}

function replaced(): Error {
  const message = "The database file is no longer the one that was opened.";
  return Object.assign(new Error(message), { code: "database_replaced" });
}
