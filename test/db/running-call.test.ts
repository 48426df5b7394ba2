import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { arrivedAt, isLate, waitsUntil, withWaits } from "../../db/running-call.ts";

test("the deadline of a call counts from its arrival", () => {
  const arrived = performance.now() - 4_000;
  const until = withWaits(waitsUntil, 10_000, arrived);
  expect(until).toBeGreaterThan(arrived + 9_999);
  expect(until).toBeLessThanOrEqual(performance.now() + 6_000);
  expect(withWaits(isLate, 10_000, arrived)).toBe(false);
  expect(withWaits(isLate, 3_000, arrived)).toBe(true);
});

test("what is handled in one turn of the loop, or in the next, has arrived when that began", async () => {
  const first = arrivedAt();
  while (performance.now() === first);
  expect(arrivedAt()).toBe(first);
  await setImmediate();
  expect(arrivedAt()).toBe(first);
  await setImmediate();
  const second = arrivedAt();
  expect(second).toBeGreaterThan(first);
  for (let turns = 0; turns < 3; turns++) await setImmediate();
  expect(arrivedAt()).toBeGreaterThan(second);
});
