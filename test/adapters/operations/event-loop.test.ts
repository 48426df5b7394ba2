import { expect, onTestFinished, test, vi } from "vitest";
import { watchEventLoop } from "../../../adapters/operations/gauges.ts";

test("tells the longest delay since it was last asked", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const delay = watchEventLoop();
  expect(delay()).toBe(0);
  // A timer of 20 ms that fires after 150 ms was kept waiting for 130.
  vi.advanceTimersByTime(150);
  expect(delay()).toBe(0.13);
  expect(delay()).toBe(0);
});
