import { expect, test } from "vitest";
import { createAdmission, createConcurrency, createSemaphore } from "../../../adapters/workers/admission.ts";

const OVERLOADED = expect.objectContaining({ code: "overloaded", status: 503 });

/** As many callers as asked for, each with a reservation of its own. */
function reservations(budgetBytes: number, ...callers: string[]) {
  const admission = createAdmission({ budgetBytes });
  return { admission, requests: callers.map((caller) => admission.open(caller)) };
}

test.each([
  [39, true],
  [40, true],
  [41, false],
])("beside 60 of 100 bytes, %i more are admitted: %s", (bytes, isAdmitted) => {
  const { admission, requests } = reservations(100, "a", "b");
  requests[0]!.reserve(60);
  const reserve = () => requests[1]!.reserve(bytes);
  if (isAdmitted) reserve();
  else expect(reserve).toThrow(OVERLOADED);
  expect(admission.reservedBytes).toBe(isAdmitted ? 60 + bytes : 60);
});

test("a request is not in its own way: the most that it asked for counts, also above the budget", () => {
  const { admission, requests } = reservations(100, "a", "b");
  const [request, other] = requests;
  for (const bytes of [60, 50, 90, 300]) request!.reserve(bytes);
  expect(admission.reservedBytes).toBe(300);
  expect(() => other!.reserve(1)).toThrow(OVERLOADED);
  request!.release();
  request!.release();
  expect(admission.reservedBytes).toBe(0);
});

test("a request that grows too large beside another holds nothing any more", () => {
  const { admission, requests } = reservations(100, "a", "b");
  requests[0]!.reserve(50);
  requests[1]!.reserve(50);
  expect(() => requests[1]!.reserve(51)).toThrow(OVERLOADED);
  expect(admission.reservedBytes).toBe(50);
});

test("what was released can be reserved again, and only once", () => {
  const { admission, requests } = reservations(100, "a", "b");
  const [first, second] = requests;
  first!.reserve(100);
  expect(() => second!.reserve(1)).toThrow(OVERLOADED);
  first!.release();
  first!.release();
  expect(admission.reservedBytes).toBe(0);
  first!.reserve(100);
  expect(() => second!.reserve(1)).toThrow(expect.objectContaining({ details: { retryAfter: 5 } }));
});

test("a job above the budget gets in alone, and nobody beside it", () => {
  const { requests } = reservations(100, "a", "b");
  const [small, large] = requests;
  small!.reserve(1);
  expect(() => large!.reserve(101)).toThrow(OVERLOADED);
  small!.release();
  large!.reserve(101);
  expect(() => small!.reserve(1)).toThrow(OVERLOADED);
  large!.release();
  small!.reserve(99);
});

test.each([
  [14, true],
  [15, true],
  [16, false],
])("beside 10 bytes of its caller a request holds %i of a budget of 100: %s", (bytes, isAdmitted) => {
  const { requests } = reservations(100, "a", "a", "b");
  const [first, second, other] = requests;
  first!.reserve(10);
  if (isAdmitted) second!.reserve(bytes);
  else expect(() => second!.reserve(bytes)).toThrow(expect.objectContaining({ code: "too_many_concurrent" }));
  other!.reserve(50);
});

test("a caller's first request may grow on, whatever the second holds", () => {
  const { requests } = reservations(100, "a", "a");
  const [first, second] = requests;
  first!.reserve(10);
  second!.reserve(15);
  first!.reserve(80);
  expect(() => second!.reserve(16)).toThrow(expect.objectContaining({ code: "too_many_concurrent" }));
});

test("small requests get in beside one that fills the budget, to an eighth of it together", () => {
  const { admission, requests } = reservations(1024, "a", ...Array.from({ length: 20 }, (_, i) => `b${i}`));
  const [large, first, ...others] = requests;
  large!.reserve(2000);
  expect(() => first!.reserve(9)).toThrow(OVERLOADED);
  for (const small of [first, ...others.slice(0, 15)]) small!.reserve(8);
  expect(() => others[15]!.reserve(8)).toThrow(OVERLOADED);
  expect(admission.reservedBytes).toBe(2000 + 128);
});

test("asks whether something would fit without taking it", () => {
  const { admission, requests } = reservations(100, "a", "b");
  requests[0]!.reserve(60);
  requests[1]!.check(40);
  expect(() => requests[1]!.check(41)).toThrow(OVERLOADED);
  expect(admission.reservedBytes).toBe(60);
});

test("a semaphore lets two run at a time and the rest in order", async () => {
  const semaphore = createSemaphore(2);
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const work = (i: number) => () => {
    started.push(i);
    return new Promise<number>((resolve) => (ends[i] = () => resolve(i)));
  };
  const all = [0, 1, 2, 3, 4].map((i) => semaphore(work(i)));
  expect(started).toEqual([0, 1]);
  ends[1]!();
  await all[1];
  expect(started).toEqual([0, 1, 2]);
  ends[0]!();
  await all[0];
  expect(started).toEqual([0, 1, 2, 3]);
  ends[2]!();
  ends[3]!();
  await all[3];
  expect(started).toEqual([0, 1, 2, 3, 4]);
  ends[4]!();
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4]);
});

test("nobody who comes later passes those who wait", async () => {
  const semaphore = createSemaphore(1);
  const order: string[] = [];
  const note = (name: string) => semaphore(async () => void order.push(name));
  const first = note("first");
  const second = note("second");
  await first;
  await Promise.all([second, note("late")]);
  expect(order).toEqual(["first", "second", "late"]);
});

test("work that fails lets the next one run", async () => {
  const semaphore = createSemaphore(1);
  const failing = semaphore(() => Promise.reject(new Error("broken")));
  const throwing = semaphore(() => {
    throw new Error("broken at once");
  });
  const next = semaphore(async () => "next");
  await expect(failing).rejects.toThrow("broken");
  await expect(throwing).rejects.toThrow("broken at once");
  expect(await next).toBe("next");
});

test.each([1, 2, 8])("a caller has at most %i calls at once, others their own", (limit) => {
  const { enter } = createConcurrency();
  const ends = Array.from({ length: limit }, () => enter("a", limit));
  expect(ends).not.toContain(undefined);
  expect(enter("a", limit)).toBe(undefined);
  expect(enter("b", limit)).toBeTypeOf("function");
  ends[0]!();
  ends[0]!();
  expect(enter("a", limit)).toBeTypeOf("function");
  expect(enter("a", limit)).toBe(undefined);
});

test("the larger limit of the same caller lets more in", () => {
  const { enter } = createConcurrency();
  enter("a", 1);
  expect(enter("a", 1)).toBe(undefined);
  expect(enter("a", 2)).toBeTypeOf("function");
});
