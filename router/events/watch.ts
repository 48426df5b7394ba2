import type { Database } from "../../db/open.ts";
import { readStates, stateOf, type WatchTarget } from "../../db/watched.ts";
import { MAX_STREAM_SECONDS } from "../limits.ts";
import { withWaits } from "../policy/running-call.ts";

/** How often to check for changes by other instances and for what has expired. */
const LOOK_MS = 1_000;
/** Writes of this process are looked at without that wait; writes within this time are looked at together. */
const GATHER_MS = 100;

interface Parts {
  readonly db: Database;
  /** Unix seconds. */
  readonly now: () => number;
  /** Called for each check that fails; the next one makes up for it. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Reports changes of secrets and requests to those who follow them. All are read by one statement: after this process
 * has written, which no procedure or sweep can forget to report, and each second.
 */
export class Watch {
  readonly #parts: Parts;
  readonly #watchers = new Set<Watcher>();
  /** Stops listening for writes, which cost nothing while nobody follows. */
  #leave = () => {};
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasWritten = false;
  #isLooking = false;
  #isEnded = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Begins to follow what was just read in this state, until the signal aborts or the watcher ends. */
  open(
    watched: WatchTarget & Pick<Watcher, "state" | "expiresAt">,
    signal: AbortSignal | undefined,
  ): Watcher {
    const { db, now } = this.#parts;
    const watcher = new Watcher(watched, { since: now(), onEnd: () => this.#remove(watcher) });
    this.#watchers.add(watcher);
    if (this.#watchers.size === 1) this.#leave = db.onWrite(() => this.#wrote());
    if (this.#isEnded || signal?.aborted) watcher.end();
    signal?.addEventListener("abort", () => watcher.end(), { once: true });
    // A check that is due is not postponed.
    if (this.#watchers.size === 1) this.#schedule();
    return watcher;
  }

  /** Ends all watchers; from then on callers get only the current state. */
  end(): void {
    this.#isEnded = true;
    for (const watcher of this.#watchers) watcher.end();
  }

  #remove(watcher: Watcher): void {
    if (!this.#watchers.delete(watcher) || this.#watchers.size > 0) return;
    this.#leave();
    this.#schedule();
  }

  #wrote(): void {
    if (this.#hasWritten) return;
    this.#hasWritten = true;
    this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#isLooking || this.#watchers.size === 0) return;
    this.#timer = setTimeout(() => void this.#look(), this.#hasWritten ? GATHER_MS : LOOK_MS);
  }

  async #look(): Promise<void> {
    [this.#isLooking, this.#hasWritten] = [true, false];
    const watchers = [...this.#watchers];
    const { db, now, onFault } = this.#parts;
    try {
      // Not a wait of the call in which the timer was set.
      const states = await withWaits(() => readStates(db, watchers));
      const stored = new Map(states.map((state) => [nameOf(state), stateOf(state)]));
      for (const watcher of watchers) watcher.compare(stored.get(nameOf(watcher)), now());
    } catch (error) {
      onFault(error);
    }
    this.#isLooking = false;
    this.#schedule();
  }
}

function nameOf({ kind, id }: WatchTarget): string {
  return `${kind} ${id}`;
}

/** Waits for changes of one secret or request. */
export class Watcher implements WatchTarget {
  readonly kind: WatchTarget["kind"];
  readonly id: string;
  readonly expiresAt: number;
  /** The last state that its caller knows. */
  state: string;
  readonly #since: number;
  readonly #onEnd: () => void;
  #hasChanged = false;
  #isEnded = false;
  #wake = () => {};

  constructor(
    { kind, id, state, expiresAt }: WatchTarget & Pick<Watcher, "state" | "expiresAt">,
    { since, onEnd }: { since: number; onEnd: () => void },
  ) {
    this.kind = kind;
    this.id = id;
    this.state = state;
    this.expiresAt = expiresAt;
    this.#since = since;
    this.#onEnd = onEnd;
  }

  /** Waits until the state may have changed; false once there is nothing more to report. */
  async hasChanged(): Promise<boolean> {
    if (!this.#hasChanged && !this.#isEnded) await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#hasChanged = false;
    return !this.#isEnded;
  }

  /** Wakes the caller where the stored state has changed; a deleted one has none. */
  compare(stored: string | undefined, now: number): void {
    if (now - this.#since >= MAX_STREAM_SECONDS) return this.end();
    if (stored === this.state && now < this.expiresAt) return;
    this.#hasChanged = true;
    this.#wake();
  }

  end(): void {
    this.#isEnded = true;
    this.#onEnd();
    this.#wake();
  }
}
