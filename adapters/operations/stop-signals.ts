import { constants } from "node:os";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";

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
