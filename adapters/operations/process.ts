import { constants } from "node:os";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";

const SIGNALS = ["SIGTERM", "SIGINT"] as const;
/** A signal so soon after the last is the same one: launchers pass on the Ctrl-C that the terminal sends to all. */
const DUPLICATE_SIGNAL_MS = 300;

/**
 * Drains and then stops at the first signal, ends the draining at the second, and the process at the third. `drain`
 * refuses new calls; `end` finishes running ones, and ends the process.
 */
export function stopOnSignal({
  drainSeconds,
  drain,
  end,
}: {
  drainSeconds: number;
  drain: () => void;
  end: () => Promise<void>;
}): void {
  const hurry = new AbortController();
  const stop = async (signal: (typeof SIGNALS)[number]) => {
    drain();
    // Ctrl-C comes from somebody who is watching, and no proxy has to move away.
    if (signal === "SIGINT") hurry.abort();
    await sleep(drainSeconds * 1000, undefined, { signal: hurry.signal }).catch(() => undefined);
    await end();
  };
  let [signals, last] = [0, -Infinity];
  const onSignal = (signal: (typeof SIGNALS)[number]) => {
    const now = performance.now();
    if (now - last < DUPLICATE_SIGNAL_MS) return;
    [signals, last] = [signals + 1, now];
    if (signals === 1) void stop(signal);
    else if (signals === 2) hurry.abort();
    else process.exit(128 + constants.signals[signal]);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
}
