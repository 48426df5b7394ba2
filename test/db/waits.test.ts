import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { endStep, LONGEST_WAIT_MS, waiting, waitingWithin, waitsUntil, withWaits } from "../../db/waits.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
});

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const left = () => Math.round(waitsUntil() - performance.now());

/** What a call has left after this. */
async function leftAfter(work: () => Promise<unknown>): Promise<number> {
  const call = withWaits(() => work().then(left));
  await vi.runAllTimersAsync();
  return call;
}

test("waits one after the other are added, work between them is not", async () => {
  const work = async () => {
    await waiting(pause(2_000));
    await pause(60_000);
    await waiting(pause(3_000));
  };
  expect(await leftAfter(work)).toBe(5_000);
});

test("waits at the same time, or one in another, count once", async () => {
  const work = () => Promise.all([waiting(pause(2_000)), waiting(waiting(pause(3_000)))]);
  expect(await leftAfter(work)).toBe(7_000);
});

test("a wait that is running counts already, and ends when nothing is left", async () => {
  const work = async () => {
    const long = waiting(pause(20_000));
    await pause(4_000);
    expect(left()).toBe(6_000);
    await expect(waitingWithin(pause(20_000), () => new Error("late"))).rejects.toThrow("late");
    expect(left()).toBe(0);
    await long;
  };
  expect(await leftAfter(work)).toBe(-10_000);
});

test("a long file may wait shortly as often as it likes, and long now and then", async () => {
  const step = (milliseconds: number) => waiting(pause(milliseconds)).then(endStep);
  const many = async () => {
    for (let i = 0; i < 1_000; i++) await step(900);
  };
  expect(await leftAfter(many)).toBe(LONGEST_WAIT_MS);
  const two = async () => {
    await step(4_000);
    await step(10);
    await step(4_000);
  };
  expect(await leftAfter(two)).toBeLessThan(3_000);
  const rare = async () => {
    await step(4_000);
    await pause(60_000);
    await step(10);
  };
  expect(await leftAfter(rare)).toBe(LONGEST_WAIT_MS);
});

test("what is no call's, or beside one, has ten seconds each time", async () => {
  expect(left()).toBe(LONGEST_WAIT_MS);
  const work = async () => {
    await waiting(pause(9_000));
    expect(withWaits(left, 2_000)).toBe(2_000);
  };
  expect(await leftAfter(work)).toBe(1_000);
  expect(left()).toBe(LONGEST_WAIT_MS);
});
