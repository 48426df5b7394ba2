import inspector from "node:inspector";
import { constants } from "node:os";
import process from "node:process";
import { setTimeout } from "node:timers";
import { setTimeout as sleep } from "node:timers/promises";
import { isatty } from "node:tty";
import { setFlagsFromString } from "node:v8";

const SIGNALS = ["SIGTERM", "SIGINT"] as const;
/** A signal so soon after the last is the same one: launchers pass on the Ctrl-C that the terminal sends to all. */
const DUPLICATE_SIGNAL_MS = 300;

/**
 * Drains and then stops at the first signal, ends the draining at the second, and the process at the third. `drain`
 * refuses new calls; `end` finishes running ones, and ends the process.
 */
export function stopOnSignal(of: {
  drainSeconds: number;
  drain: () => void;
  end: () => Promise<void>;
}): void {
  const { drainSeconds, drain, end } = of;
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

/**
 * Ends a server that is still starting at a signal, until the returned function is called. The kernel does that for
 * every process but the first of a container, which only gets the signals that it handles; and a start may wait long.
 */
export function endOnSignal(): () => void {
  if (process.pid !== 1) return () => {};
  const end = (signal: NodeJS.Signals) => process.exit(128 + constants.signals[signal]);
  for (const signal of SIGNALS) process.on(signal, end);
  return () => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
}

/**
 * Calls `reload` at SIGHUP, which service managers send for a reload and which must not end the server. In a terminal it
 * means that the terminal was closed: a server with nothing to reload then ends.
 */
export function reloadOnSignal({ hasLog }: { hasLog: boolean }): { reload: () => void } {
  const at = { reload: () => {} };
  if (hasLog || !isatty(0)) process.on("SIGHUP", () => at.reload());
  return at;
}

/**
 * Ignores the signals that log rotation sends to other programs. Without a listener, SIGUSR1 would open Node's debugger on
 * a port of this machine, and SIGUSR2 would end the process at once.
 */
export function surviveUserSignals(): void {
  process.on("SIGUSR1", () => process.versions.deno && closeDebugger());
  process.on("SIGUSR2", () => {});
}

/** Deno 2.9 opens its debugger also where there is a listener, and may do so after that was called. */
function closeDebugger(): void {
  for (const milliseconds of [100, 1000, 5000]) setTimeout(() => inspector.close(), milliseconds).unref();
}

/** V8's default. */
const GROWTH_FACTOR = 2;

/** How much of the heap's free space may be used before V8 marks incrementally, and before it marks at once. */
const SOFT_PERCENT = 60;
const HARD_PERCENT = 85;

/**
 * Keeps the young generation at its first size until `releaseHeap`. V8 doubles it whenever more survives than fits,
 * and gives it back after marking alone: the modules of a start, which all survive, left 15 MB that nothing needed.
 */
export function holdHeap(): void {
  // V8 accepts a factor below two only while it runs, not as a flag of the command line.
  setFlags("--semi-space-growth-factor=1");
}

/**
 * Lets the heap grow for the calls, and makes V8 collect garbage when it has grown towards its limit. By default Node 24
 * starts as soon as less room is left than the young generation may take (Heap::IncrementalMarkingLimitReached): with
 * this server's small heap that is always, so each upload of a few megabytes paid for marking everything.
 */
export function releaseHeap(): void {
  setFlags(
    `--semi-space-growth-factor=${GROWTH_FACTOR}`,
    `--incremental-marking-soft-trigger=${SOFT_PERCENT}`,
    `--incremental-marking-hard-trigger=${HARD_PERCENT}`,
  );
}

// Bun has another engine, and Deno takes such flags only at its start.
function setFlags(...flags: readonly string[]): void {
  if (process.versions["bun"] || process.versions["deno"]) return;
  for (const flag of flags) setFlagsFromString(flag);
}
