import { expect, test } from "vitest";
import { watchEventLoop } from "../../../adapters/operations/event-loop.ts";

test("tells the longest delay since it was last asked", () => {
  const delay = watchEventLoop();
  expect(delay()).toBe(0);
  const until = performance.now() + 150;
  while (performance.now() < until);
  expect(delay()).toBeGreaterThanOrEqual(0.125);
  expect(delay()).toBeLessThan(0.125);
});
