// process
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { usageOf } from "../../../adapters/workers/worker-handle.ts";
import { createWorkers, type Workers } from "../../../adapters/workers/workers.ts";
import { processesOf } from "../../../bench/support/memory.ts";
import { ApiError } from "../../../router/errors/errors.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { call, register } from "../../support/members.ts";

/** Of the real clock, also while a test has another one. */
const pause = promisify(setTimeout);
const GIB = 1024 ** 3;
const SOMEBODY = { caller: "somebody" };

let workers: Workers;
let service: Harness;
let photograph: Bytes;

beforeAll(async () => {
  workers = createWorkers({ workers: 1, workSeconds: 600 });
  service = await startHarness({ memoryBudget: 4 * GIB });
  photograph = await makePhotograph(4000, 3000);
});

afterAll(() => Promise.all([workers.close(), service.close()]));

const open: Workers[] = [];
afterEach(() => Promise.all(open.splice(0).map((each) => each.close())));

// Noise blown up: as much to encode as a photograph has, and not as much as noise.
async function makePhotograph(width: number, height: number): Promise<Bytes> {
  const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
  const create = { width: 300, height: 200, channels: 3, background: "#888", noise } as const;
  const image = sharp({ create }).resize(width, height, { fit: "fill" });
  return new Uint8Array(await image.jpeg().toBuffer());
}

function reasonOf(run: Promise<unknown>): Promise<unknown> {
  return run.then(
    () => "no error",
    (error: unknown) => error,
  );
}

test.each(["webp", "jpeg", "png", "avif"] as const)("converts to %s in a worker", async (format) => {
  const small = await makePhotograph(60, 40);
  const made = await workers.runImageJob("convertImage", [small, { format, quality: 80 }], SOMEBODY);
  expect(made).toMatchObject({ format, width: 60, height: 40, sourceFormat: "jpeg" });
  expect((await sharp(made.data).metadata()).width).toBe(60);
});

test("what a worker has made is finished: named, measured, digested, its warnings told", async () => {
  const options = { format: "png", filename: "a/holiday.jpg" } as const;
  const image = await makePhotograph(6, 4);
  const { data, ...told } = await workers.runImageJob("convertImage", [image, options], SOMEBODY);
  expect(told).toEqual({
    ...{ name: "holiday.png", type: "image/png", size: data.length, warnings: [] },
    sha256: createHash("sha256").update(data).digest("hex"),
    ...{ format: "png", width: 6, height: 4, sourceFormat: "jpeg", metadataRemoved: [] },
  });
  const plain = await workers.runJob("stripMetadata", [data, {}], SOMEBODY);
  expect(plain.name).toBe("image.png");
});

test("memory for the pixels is asked for when the worker has read how many they are", async () => {
  const asked: number[] = [];
  const reserve = (bytes: number) => void asked.push(bytes);
  const requester = { ...SOMEBODY, reserve };
  await workers.runImageJob("convertImage", [await makePhotograph(60, 40), { format: "webp" }], requester);
  expect(asked).toEqual([60 * 40 * 10]);
  const full = () => {
    throw new ApiError("overloaded", "The server is full", { retryAfter: 1 });
  };
  const refused = workers.runImageJob("convertImage", [await makePhotograph(60, 40), { format: "webp" }], {
    ...SOMEBODY,
    reserve: full,
  });
  expect(await reasonOf(refused)).toMatchObject({ code: "overloaded" });
  // The worker that was refused is as good as before.
  const next = await workers.runImageJob(
    "convertImage",
    [await makePhotograph(6, 4), { format: "webp" }],
    SOMEBODY,
  );
  expect(next.width).toBe(6);
});

test("an image that is refused is refused for the same reason as ever", async () => {
  const noImage = workers.runImageJob("convertImage", [new Uint8Array(100), { format: "webp" }], SOMEBODY);
  expect(await reasonOf(noImage)).toMatchObject({ code: "wrong_file_type" });
});

test("a conversion ends at the deadline, engine and all, and the next one works", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const hurried = createWorkers({ workers: 1, workSeconds: 1 });
  open.push(hurried);
  const used = watchNewProcesses();
  const late = reasonOf(
    hurried.runImageJob("convertImage", [photograph.slice(), { format: "avif" }], SOMEBODY),
  );
  // With less than a third of a processor until the deadline it would be the server that was too busy.
  // With an interval, `poll` would move the clock of the test by it.
  await expect.poll(async () => (await pause(50), used()), { interval: 0 }).toBeGreaterThan(0.5);
  vi.advanceTimersByTime(1_000);
  expect(await late).toMatchObject({ code: "too_complex" });
  expect(hurried).toMatchObject({ busy: 0, waiting: 0 });
  const next = hurried.runImageJob("convertImage", [await makePhotograph(6, 4), { format: "png" }], SOMEBODY);
  expect(await next).toMatchObject({ width: 6 });
});

/** Processor seconds of the children that start from now on; endless where the system does not tell. */
function watchNewProcesses(): () => number {
  if (process.platform !== "linux") return () => Infinity;
  const known = new Set(processesOf(process.pid));
  return () => {
    const fresh = processesOf(process.pid).filter((pid) => !known.has(pid));
    return fresh.reduce((sum, pid) => sum + (usageOf(pid)?.cpuSeconds ?? 0), 0);
  };
}

test("images wait for images only: documents, passwords and file locks go on at once", async () => {
  const leaving = new AbortController();
  const requester = { caller: "many images", signal: leaving.signal };
  const parse = () => workers.runJob("parseFiles", [new TextEncoder().encode("{}")], SOMEBODY);
  // Starts the worker, which would take long beside the images on a busy machine.
  await parse();
  const convert = () =>
    workers.runImageJob("convertImage", [photograph.slice(), { format: "avif" }], requester);
  const conversions = Promise.allSettled([convert(), convert(), convert(), convert()]);
  await expect.poll(() => workers.busy).toBe(2);
  expect(workers.waiting).toBe(2);
  const others = ["passwords", "fileLocks"] as const;
  const ran = await Promise.all(others.map((name) => workers.lanes[name].run(SOMEBODY, async () => name)));
  expect(ran).toEqual(others);
  expect(await parse()).toEqual({ value: {} });
  expect(workers).toMatchObject({ busy: 2, waiting: 2 });
  leaving.abort();
  expect((await conversions).map(({ status }) => status)).toEqual(Array(4).fill("rejected"));
  expect(workers).toMatchObject({ busy: 0, waiting: 0 });
});

test("a lane that is full of one caller's work answers that caller 503, and nobody else", async () => {
  const { fileLocks } = service.services.lanes;
  const ip = freshIp();
  const { promise: end, resolve } = Promise.withResolvers<void>();
  // Two run, twenty wait.
  const running = Array.from({ length: 22 }, () => fileLocks.run({ caller: `address ${ip}` }, () => end));
  const lock = (from: string) =>
    service.request("/api/tools/file-encrypt?password=secret", { method: "POST", ip: from, body: "abc" });
  const refused = await lock(ip);
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({ code: "overloaded" });
  const accepted = lock(freshIp());
  resolve();
  expect((await accepted).status).toBe(200);
  await Promise.all(running);
});

test("somebody else logs in while one address converts two photographs to AVIF", async () => {
  const { name, password } = await register(service);
  const leaving = new AbortController();
  const convert = { method: "POST", ip: freshIp(), body: photograph, signal: leaving.signal };
  const path = "/api/tools/image-convert?format=avif";
  const conversions = Promise.allSettled([service.request(path, convert), service.request(path, convert)]);
  await expect.poll(() => service.workers.busy).toBe(2);
  const login = await call(service, "/api/account/login", { json: { name, password } });
  expect(login.status).toBe(200);
  // It did not wait for them.
  expect(service.workers.busy).toBe(2);
  leaving.abort();
  await conversions;
  // Who leaves takes the work along.
  await expect.poll(() => service.workers.busy).toBe(0);
});
