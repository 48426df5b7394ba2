import { Worker } from "node:worker_threads";

/** How often the event loop shows progress. */
const BEAT_MS = 250;

/**
 * Watches the event loop from a thread (watchdog-thread.ts). Where it makes no progress for ten of the thread's own
 * seconds, the process ends with code 70 and a line, so that its supervisor restarts it. A paused machine pauses the
 * thread too, which is not a fault.
 */
export function startWatchdog(): { stop: () => Promise<void> } {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const timer = setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS);
  timer.unref();
  const thread = new Worker(new URL("./watchdog-thread.ts", import.meta.url), { workerData: beats });
  thread.unref();
  const stop = async () => {
    clearInterval(timer);
    await thread.terminate();
  };
  return { stop };
}
