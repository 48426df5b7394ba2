import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Pace, WINDOW_MS } from "../../../adapters/trpc/body/pace.ts";
import { RequestBody } from "../../../adapters/trpc/body/request-body.ts";
import { sendParts } from "../../../adapters/trpc/answer/stream.ts";
import { ByteStream } from "../../../wire/byte-pieces.ts";

const KIB = 1024;
const LIMIT = { limit: 1024 * KIB, tooLarge: () => new Error("too large") };

// Not setImmediate, for which every transfer of the process waits after a megabyte.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

test.each([
  ["16 KiB a second", 16 * KIB, true],
  ["a byte less", 16 * KIB - 1, false],
])("over a window, %s is fast enough: %s", (_, bytes, isFast) => {
  const pace = new Pace();
  const seconds = Array.from({ length: WINDOW_MS / 1000 }, () => pace.passed(1000, bytes));
  expect(seconds.at(-1)).toBe(isFast);
  expect(seconds.slice(0, -1)).not.toContain(false);
});

test("a fast window does not make up for a slow one", () => {
  const pace = new Pace();
  expect(pace.passed(WINDOW_MS, 100 * 1024 * KIB)).toBe(true);
  expect(pace.passed(WINDOW_MS, 1)).toBe(false);
});

/** Lets time go by in steps, between which the event loop has its turns. */
async function pass(seconds: number): Promise<void> {
  for (let i = 0; i < 2 * seconds; i++) await vi.advanceTimersByTimeAsync(500);
}

/** A body without an end that brings a number of bytes every half a second. */
function drip(bytes: number): Request {
  const pull = (controller: ReadableStreamDefaultController) =>
    new Promise<void>((resolve) => {
      setTimeout(() => resolve(controller.enqueue(new Uint8Array(bytes))), 500);
    });
  const body = new ReadableStream({ pull }, { highWaterMark: 0 });
  return new Request("http://localhost/", { method: "POST", body, duplex: "half" } as RequestInit);
}

test.each([
  [1, 31],
  [8 * KIB - 1, 31],
])("ends an upload of %i bytes every half a second after %i seconds", async (bytes, seconds) => {
  const reading = new RequestBody(drip(bytes)).bytes(LIMIT).catch((error: unknown) => error);
  await pass(seconds);
  expect(await reading).toMatchObject({ code: "request_timeout", status: 408 });
});

test("does not wait once more, before its answer, for what came too slowly", async () => {
  const body = new RequestBody(drip(1));
  const reading = body.bytes(LIMIT).catch((error: unknown) => error);
  await pass(31);
  await reading;
  // No timer moves from here on.
  await body.drain();
});

test("reads an upload of 16 KiB a second to its end, however long that takes", async () => {
  const reading = new RequestBody(drip(8 * KIB)).bytes(LIMIT).catch((error: unknown) => error);
  await pass(70);
  expect(await reading).toMatchObject({ message: "too large" });
});

test("does not count the time in which the reader itself is busy", async () => {
  const reading = new RequestBody(drip(8 * KIB)).chunks(LIMIT);
  const first = reading.next();
  await vi.advanceTimersByTimeAsync(500);
  await first;
  await vi.advanceTimersByTimeAsync(10 * WINDOW_MS);
  const second = reading.next();
  await vi.advanceTimersByTimeAsync(500);
  expect(await second).toMatchObject({ done: false });
});

test("cuts off an answer of which nobody takes any more", async () => {
  const { stream, sent } = sendParts([new Uint8Array(200 * KIB)]);
  const reader = stream.getReader();
  expect((await reader.read()).value?.length).toBe(64 * KIB);
  let isSent = false;
  void sent.then(() => (isSent = true));
  await vi.advanceTimersByTimeAsync(4 * WINDOW_MS - 1000);
  expect(isSent).toBe(false);
  await vi.advanceTimersByTimeAsync(2000);
  expect(isSent).toBe(true);
  await expect(reader.read()).rejects.toThrow("too slowly");
});

test("does not cut off a reader of 40 KiB a second, whose buffer of 4 MB is drained in steps", async () => {
  const { stream } = sendParts([new Uint8Array(16_000 * KIB)]);
  const reader = stream.getReader();
  const step = 1300;
  for (let taken = 0; taken < 9 * step; taken += step) {
    for (let at = 0; at < step; at += 64) await reader.read();
    await vi.advanceTimersByTimeAsync(33_000);
  }
  expect((await reader.read()).done).toBe(false);
  await reader.cancel();
});

test("ends an answer when somebody else reads on", async () => {
  const replaced = new AbortController();
  const pieces = (async function* () {
    for (let i = 0; i < 9; i++) yield new Uint8Array(KIB);
  })();
  const { stream, sent } = sendParts([new ByteStream(pieces, 9 * KIB, replaced.signal)]);
  const reader = stream.getReader();
  await reader.read();
  replaced.abort();
  await sent;
  await expect(reader.read()).rejects.toThrow("Somebody else");
  expect(vi.getTimerCount()).toBe(0);
});

test("tells when an answer was taken whole, or given up", async () => {
  const whole = sendParts([new Uint8Array(100 * KIB), new Uint8Array(1)]);
  expect((await new Response(whole.stream).arrayBuffer()).byteLength).toBe(100 * KIB + 1);
  await whole.sent;
  const left = sendParts([new Uint8Array(100 * KIB)]);
  await left.stream.cancel();
  await left.sent;
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ["lets go of", true, 0],
  ["keeps", false, KIB],
])("%s a piece that was taken when all has left the process: %s", async (_, isGone, length) => {
  const pieces = [new Uint8Array(KIB), new Uint8Array(KIB)];
  async function* make() {
    yield* pieces;
  }
  const { stream } = sendParts([new ByteStream(make())], { hasLeft: () => isGone });
  const reader = stream.getReader();
  await reader.read();
  expect(pieces[0]).toHaveLength(KIB);
  await reader.read();
  expect(pieces.map((piece) => piece.length)).toStrictEqual([length, KIB]);
  await reader.cancel();
});
