import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startSweeping } from "../../../server/open.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const quiet = { onFault: () => {}, everyMs: 60_000, againMs: 31_000 };

test("a sweep comes at once, after 31 seconds and then each minute, and a failed one does not end them", async () => {
  const faults: unknown[] = [];
  let sweeps = 0;
  const sweep = async () => {
    sweeps++;
    throw new Error("no database");
  };
  const stop = startSweeping({ ...quiet, sweep, onFault: (error) => void faults.push(error) });
  expect(sweeps).toBe(1);
  await vi.advanceTimersByTimeAsync(31_000);
  expect(sweeps).toBe(2);
  await vi.advanceTimersByTimeAsync(89_000);
  expect(sweeps).toBe(4);
  expect(faults).toHaveLength(4);
  await stop();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(sweeps).toBe(4);
});

test("a sweep that still runs is not started again, and the end waits for it", async () => {
  const ends: (() => void)[] = [];
  const signals: AbortSignal[] = [];
  const sweep = (signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<void>((resolve) => void ends.push(resolve));
  };
  const stop = startSweeping({ ...quiet, sweep });
  await vi.advanceTimersByTimeAsync(600_000);
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ends).toHaveLength(2);
  const stopped = vi.fn();
  const stopping = stop().then(stopped);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  expect(stopped).not.toHaveBeenCalled();
  ends[1]?.();
  await stopping;
});
