import { expect, test } from "vitest";
import {
  createAdmission,
  createConcurrency,
  createSemaphore,
  createReservation,
} from "../../../adapters/workers/admission.ts";
import { Overloaded } from "../../../adapters/workers/overloaded.ts";

test.each([
  [39, true],
  [40, true],
  [41, false],
])("beside 60 of 100 bytes, %i more are admitted: %s", (bytes, isAdmitted) => {
  const admission = createAdmission({ budgetBytes: 100 });
  admission.admit(60);
  if (isAdmitted) admission.admit(bytes);
  else expect(() => admission.admit(bytes)).toThrow(Overloaded);
  expect(admission.reservedBytes).toBe(isAdmitted ? 60 + bytes : 60);
});

test("a request is not in its own way: the most that it asked for counts, also above the budget", () => {
  const admission = createAdmission({ budgetBytes: 100 });
  const request = createReservation(admission.admit);
  for (const bytes of [60, 50, 90, 300]) request.reserve(bytes);
  expect(admission.reservedBytes).toBe(300);
  expect(() => createReservation(admission.admit).reserve(1)).toThrow(Overloaded);
  request.release();
  request.release();
  expect(admission.reservedBytes).toBe(0);
});

test("a request that grows too large beside another holds nothing any more", () => {
  const admission = createAdmission({ budgetBytes: 100 });
  admission.admit(50);
  const request = createReservation(admission.admit);
  request.reserve(50);
  expect(() => request.reserve(51)).toThrow(Overloaded);
  request.release();
  expect(admission.reservedBytes).toBe(50);
});

test("what was released can be reserved again, and only once", () => {
  const admission = createAdmission({ budgetBytes: 100 });
  const release = admission.admit(100);
  expect(() => admission.admit(1)).toThrow(Overloaded);
  release();
  release();
  expect(admission.reservedBytes).toBe(0);
  admission.admit(100);
  expect(() => admission.admit(1)).toThrow(expect.objectContaining({ retryAfter: 5 }));
});

test("a job above the budget gets in alone, and nobody beside it", () => {
  const admission = createAdmission({ budgetBytes: 100 });
  const small = admission.admit(1);
  expect(() => admission.admit(101)).toThrow(Overloaded);
  small();
  const large = admission.admit(101);
  expect(() => admission.admit(0)).toThrow(Overloaded);
  large();
  admission.admit(99);
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
