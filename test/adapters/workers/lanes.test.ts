import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  withWorkCounted,
  createLane,
  type LaneOptions,
  type WatchedLane,
} from "../../../adapters/workers/lanes.ts";
import { waiting, withWaits } from "../../../router/policy/running-call.ts";

/** A lane whose work ends when the test says so. */
function openLane(options: Partial<LaneOptions> = {}) {
  const lane = createLane({
    width: 1,
    maxWaiting: 100,
    maxWaitingPerCaller: 100,
    typicalSeconds: 1,
    ...options,
  });
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const enter = (label: string, { signal }: { signal?: AbortSignal } = {}) =>
    lane.run({ caller: label[0] ?? "", signal }, () => {
      started.push(label);
      return new Promise<string>((resolve) => ends.push(() => resolve(label)));
    });
  /** Ends the work that started first, and then the next, until none is left. */
  async function endAll(): Promise<void> {
    while (ends.length > 0) {
      ends.shift()?.();
      await settle();
    }
  }
  return { lane, started, enter, endAll };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

function stateOf({ running, waiting }: WatchedLane) {
  return { running, waiting };
}

test("runs as much at a time as the lane is wide, and the rest in order", async () => {
  const { lane, started, enter, endAll } = openLane({ width: 2 });
  const all = ["a1", "a2", "a3", "a4"].map((label) => enter(label));
  await settle();
  expect(started).toEqual(["a1", "a2"]);
  expect(stateOf(lane)).toEqual({ running: 2, waiting: 2 });
  await endAll();
  expect(started).toEqual(["a1", "a2", "a3", "a4"]);
  expect(await Promise.all(all)).toEqual(["a1", "a2", "a3", "a4"]);
  expect(stateOf(lane)).toEqual({ running: 0, waiting: 0 });
});

test("callers take turns, and each caller's own work keeps its order", async () => {
  const { started, enter, endAll } = openLane();
  for (const label of ["a1", "a2", "a3", "a4", "b1", "b2", "c1"]) void enter(label);
  await endAll();
  expect(started).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
});

test("a caller who comes last waits for one turn of each other, however much they wait for", async () => {
  const { started, enter, endAll } = openLane({ width: 2 });
  for (let i = 0; i < 20; i++) void enter(`a${i}`);
  for (let i = 0; i < 20; i++) void enter(`b${i}`);
  void enter("c0");
  await endAll();
  expect(started.indexOf("c0")).toBe(4);
});

test("nobody who comes when a place is given on passes those who wait", async () => {
  const { started, enter, endAll } = openLane();
  const first = enter("a1");
  void enter("a2");
  void first.then(() => enter("b1"));
  await endAll();
  expect(started).toEqual(["a1", "a2", "b1"]);
});

test("a caller who left is taken out at once, and its place is free for another", async () => {
  const { lane, started, enter, endAll } = openLane({ maxWaiting: 2 });
  const leaving = new AbortController();
  void enter("a1");
  const left = enter("b1", { signal: leaving.signal });
  void enter("c1");
  leaving.abort(new Error("The caller left"));
  expect(stateOf(lane)).toEqual({ running: 1, waiting: 1 });
  await expect(left).rejects.toThrow("The caller left");
  void enter("d1");
  await endAll();
  expect(started).toEqual(["a1", "c1", "d1"]);
});

test("work of one that left before it came never runs, and leaving while it runs is the work's own affair", async () => {
  const { lane, started, enter, endAll } = openLane();
  await expect(enter("a1", { signal: AbortSignal.abort(new Error("gone")) })).rejects.toThrow("gone");
  const leaving = new AbortController();
  const running = enter("a2", { signal: leaving.signal });
  leaving.abort();
  await endAll();
  expect(await running).toBe("a2");
  expect(started).toEqual(["a2"]);
  expect(stateOf(lane)).toEqual({ running: 0, waiting: 0 });
});

test.each([
  ["all together", { maxWaiting: 4 }, ["a2", "b1", "c1", "d1"], "e1"],
  ["each caller", { maxWaitingPerCaller: 2 }, ["a2", "a3", "b1", "b2"], "a4"],
])("refuses what is over the bound of %s, and says when to come back", async (_, options, waiting, over) => {
  const { lane, enter, endAll } = openLane({ ...options, typicalSeconds: 2.5 });
  const accepted = ["a1", ...waiting].map((label) => enter(label));
  expect(stateOf(lane)).toEqual({ running: 1, waiting: 4 });
  const refused: unknown = await enter(over).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "overloaded", details: { retryAfter: 11 } });
  expect(stateOf(lane)).toEqual({ running: 1, waiting: 4 });
  await endAll();
  expect(await Promise.all(accepted)).toEqual(["a1", ...waiting]);
});

test("a caller of whom nothing runs finds a place beside a full lane, and only then", async () => {
  const { lane, enter, endAll } = openLane({ width: 2, spare: 1 });
  const entered = ["a1", "a2", "a3", "b1", "b2", "c1"].map((label) => enter(label));
  // Of a two run, of b one beside them.
  expect(stateOf(lane)).toEqual({ running: 3, waiting: 3 });
  await endAll();
  expect(await Promise.all(entered)).toEqual(["a1", "a2", "a3", "b1", "b2", "c1"]);
  expect(stateOf(lane)).toEqual({ running: 0, waiting: 0 });
});

test("a caller over its bound is in nobody else's way", async () => {
  const { enter, endAll } = openLane({ maxWaitingPerCaller: 1 });
  const accepted = [enter("a1"), enter("a2")];
  await expect(enter("a3")).rejects.toMatchObject({ code: "overloaded" });
  accepted.push(enter("b1"));
  await endAll();
  expect(await Promise.all(accepted)).toEqual(["a1", "a2", "b1"]);
});

test("work that fails gives its place on", async () => {
  const lane = createLane({ width: 1, maxWaiting: 9, maxWaitingPerCaller: 9, typicalSeconds: 1 });
  const requester = { caller: "a" };
  const failing = lane.run(requester, () => Promise.reject(new Error("broken")));
  const throwing = lane.run(requester, () => {
    throw new Error("broken at once");
  });
  const next = lane.run(requester, async () => "next");
  await expect(failing).rejects.toThrow("broken");
  await expect(throwing).rejects.toThrow("broken at once");
  expect(await next).toBe("next");
  expect(stateOf(lane)).toEqual({ running: 0, waiting: 0 });
});

test("refuses who has waited as long as a call may, and lets the work of others go on", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { lane, started, enter, endAll } = openLane();
  const running = enter("a1");
  const late = withWaits(async () => {
    await waiting(new Promise((resolve) => setTimeout(resolve, 6_000)));
    await enter("b1");
  });
  const refused = expect(late).rejects.toMatchObject({ code: "overloaded" });
  await vi.advanceTimersByTimeAsync(6_000);
  const next = enter("c1");
  await vi.advanceTimersByTimeAsync(3_999);
  expect(stateOf(lane)).toEqual({ running: 1, waiting: 2 });
  await vi.advanceTimersByTimeAsync(1);
  await refused;
  expect(stateOf(lane)).toEqual({ running: 1, waiting: 1 });
  await endAll();
  await Promise.all([running, next]);
  expect(started).toEqual(["a1", "c1"]);
});

describe("work that counts as a wait", () => {
  const SECONDS = 1_000;

  function open() {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const lane = createLane({ width: 1, maxWaiting: 9, maxWaitingPerCaller: 9, typicalSeconds: 1 });
    const started: string[] = [];
    const derive = (label: string, seconds: number) =>
      withWorkCounted(lane, { typicalSeconds: 1 }).run({ caller: label }, async () => {
        started.push(label);
        await new Promise((resolve) => setTimeout(resolve, seconds * SECONDS));
        return label;
      });
    return { lane, started, derive };
  }

  test("is over for its call after ten seconds together, however many follow each other, and keeps its place", async () => {
    const { lane, started, derive } = open();
    const call = withWaits(async () => {
      await derive("check", 4);
      await waiting(new Promise((resolve) => setTimeout(resolve, 2 * SECONDS)));
      await derive("rehash", 5);
    });
    const refused = expect(call).rejects.toMatchObject({ code: "overloaded" });
    await vi.advanceTimersByTimeAsync(10 * SECONDS - 1);
    expect(started).toEqual(["check", "rehash"]);
    const next = derive("next", 0);
    await vi.advanceTimersByTimeAsync(1);
    await refused;
    expect(stateOf(lane)).toEqual({ running: 1, waiting: 1 });
    await vi.advanceTimersByTimeAsync(2 * SECONDS);
    expect(await next).toBe("next");
  });

  test("counts beside what was waited in the queue", async () => {
    const { started, derive } = open();
    const first = derive("a", 8);
    const refused = expect(withWaits(() => derive("b", 3))).rejects.toMatchObject({ code: "overloaded" });
    await vi.advanceTimersByTimeAsync(8 * SECONDS);
    expect([await first, ...started]).toEqual(["a", "a", "b"]);
    await vi.advanceTimersByTimeAsync(2 * SECONDS);
    await refused;
  });

  test("does not begin where nothing is left", async () => {
    const { started, derive } = open();
    const call = withWaits(async () => {
      await waiting(new Promise((resolve) => setTimeout(resolve, 10 * SECONDS)));
      await derive("a", 1);
    });
    const refused = expect(call).rejects.toMatchObject({ code: "overloaded" });
    await vi.advanceTimersByTimeAsync(10 * SECONDS);
    await refused;
    expect(started).toEqual([]);
  });

  test("ends as the work does, also by failing", async () => {
    const { lane } = open();
    const counted = withWorkCounted(lane, { typicalSeconds: 1 });
    await expect(counted.run({ caller: "a" }, () => Promise.reject(new Error("broken")))).rejects.toThrow(
      "broken",
    );
    expect(stateOf(lane)).toEqual({ running: 0, waiting: 0 });
  });
});
