import { constants } from "node:os";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";

const SIGNALS = ["SIGTERM", "SIGINT"] as const;
/** What comes so soon is the same signal once more: launchers pass on the Ctrl-C that the terminal sends to all. */
const SAME_MS = 300;

interface Phases {
  readonly drainSeconds: number;
  /** Refuses new calls from now on. */
  readonly drain: () => void;
  /** Finishes what runs, and ends the process. */
  readonly end: () => Promise<void>;
}

/** Drains and then ends at the first signal, ends the draining at the second, and the process at the third. */
export function stopOnSignal({ drainSeconds, drain, end }: Phases): void {
  const hurry = new AbortController();
  const stop = async (signal: (typeof SIGNALS)[number]) => {
    drain();
    // Ctrl-C is of somebody who looks on, and no proxy has to move away.
    if (signal === "SIGINT") hurry.abort();
    await sleep(drainSeconds * 1000, undefined, { signal: hurry.signal }).catch(() => undefined);
    await end();
  };
  let [heard, last] = [0, -Infinity];
  const hear = (signal: (typeof SIGNALS)[number]) => {
    const now = performance.now();
    if (now - last < SAME_MS) return;
    [heard, last] = [heard + 1, now];
    if (heard === 1) void stop(signal);
    else if (heard === 2) hurry.abort();
    else process.exit(128 + constants.signals[signal]);
  };
  for (const signal of SIGNALS) process.on(signal, hear);
}

/** Parts of the room that is left until the heap's limit, in percent: mark beside other work, and at once. */
const SOFT_PERCENT = 60;
const HARD_PERCENT = 85;

/**
 * Lets V8 look for garbage when the heap has grown towards its limit. By itself Node 24 begins as soon as less room is
 * left than the young generation may take (Heap::IncrementalMarkingLimitReached): with the small heap of this server
 * that is always, so that each upload of a few megabytes paid for marking everything.
 */
export function markLessOften(): void {
  // Bun has another engine, and Deno takes such flags only when it starts.
  if (process.versions["bun"] || process.versions["deno"]) return;
  setFlagsFromString(`--incremental-marking-soft-trigger=${SOFT_PERCENT}`);
  setFlagsFromString(`--incremental-marking-hard-trigger=${HARD_PERCENT}`);
}
