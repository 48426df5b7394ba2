// process
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, expectTypeOf, onTestFinished, test, vi } from "vitest";
import { testIf } from "../../machine/skips.ts";
import { usageOf } from "../../../adapters/workers/worker-handle.ts";
import { WorkerPool, type WorkerPoolOptions } from "../../../adapters/workers/worker-pool.ts";
import type { UnlockedPdf } from "../../../tools/pdf-unlock.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { ToolFailure } from "../../../wire/tool-failure.ts";
import type { jobs } from "./jobs/sample-jobs.ts";

const isDeno = "deno" in process.versions;
const isBun = "bun" in process.versions;

type SamplePool = WorkerPool<typeof jobs>;

/** For jobs that are not about their deadline: a busy machine can take a minute to start a worker. */
const PATIENT_SECONDS = 170;

// Warm between tests: most of them need no worker of their own.
const pool = createPool();
afterAll(() => pool.close());

const open: SamplePool[] = [];
afterAll(() => Promise.all(open.map((each) => each.close())));

function createPool(options: Partial<WorkerPoolOptions> = {}): SamplePool {
  const jobsModule = new URL("./jobs/sample-jobs.ts", import.meta.url);
  return new WorkerPool<typeof jobs>({ deadlineSeconds: PATIENT_SECONDS, jobsModule, ...options });
}

function openPool(options: Partial<WorkerPoolOptions> = {}): SamplePool {
  const own = createPool(options);
  open.push(own);
  return own;
}

function countUp(length: number): Bytes {
  return Uint8Array.from({ length }, (_, i) => i % 251);
}

function reasonOf(run: Promise<unknown>): Promise<unknown> {
  return run.then(
    () => "no error",
    (error: unknown) => error,
  );
}

test("a job's name says what it takes and gives; an unknown name is no job", async () => {
  const own: WorkerPool = new WorkerPool({ deadlineSeconds: PATIENT_SECONDS });
  const unlock = () => own.run("unlockPdf", [new Uint8Array(), { password: "secret" }]);
  expectTypeOf(unlock).returns.resolves.toExtend<
    Omit<UnlockedPdf, "bytes"> & { data: Bytes; sha256: string }
  >();
  // @ts-expect-error A name that is not in the record.
  const misnamed = () => own.run("unlockPdfs", []);
  // @ts-expect-error An option of another job.
  const mistaken = () => own.run("unlockPdf", [new Uint8Array(), { angle: 90 }]);
  expect(await reasonOf(mistaken())).toMatchObject({ code: "wrong_file_type" });
  expect(await reasonOf(misnamed())).toMatchObject({ name: "TypeError" });
  await own.close();
});

test("carries many byte arrays there and back", async () => {
  const sizes = [0, 1, 2, 65535, 65536, 1_048_575, 1_048_577, 0];
  const files = sizes.map((size) => ({ data: countUp(size) }));
  const result = await pool.run("invert", [files, { note: "ü🔑" }]);
  expect(result).toMatchObject({ size: sizes.reduce((a, b) => a + b), note: "ü🔑" });
  const inverted = (size: number) => countUp(size).map((byte) => 255 - byte);
  expect(result.files.map(({ data }) => data.length)).toEqual(sizes);
  for (const { data } of result.files) {
    expect(data.constructor).toBe(Uint8Array);
    expect(Buffer.compare(data, inverted(data.length))).toBe(0);
  }
});

test("carries arrays that share a buffer, small parts of a large one and Node's pooled Buffers", async () => {
  const large = countUp(1024 * 1024 + 100);
  const value = {
    most: large.subarray(10, 900_000),
    rest: large.subarray(900_000),
    part: countUp(5000).subarray(7, 19),
    pooled: [
      Buffer.from("one"),
      Buffer.from("two"),
      Buffer.allocUnsafe(2048).fill(3),
      Buffer.allocUnsafe(2048),
    ],
    $bytes: [0, 3],
  };
  const expected = structuredClone({ ...value, pooled: value.pooled.map((part) => new Uint8Array(part)) });
  expect(await pool.run("echo", [value])).toStrictEqual(expected);
});

test("a result in parts arrives in one", async () => {
  const result = await pool.run("inParts", [countUp(5)]);
  expectTypeOf(result.data).toEqualTypeOf<Bytes>();
  expect(result).toEqual({ data: countUp(5), length: 5 });
});

test("answers undefined with undefined and null with null", async () => {
  const echo = (value: unknown) => pool.run("echo", [value]);
  expect(await echo(null)).toBe(null);
  expect(await echo({ none: undefined, text: "" })).toEqual({ text: "" });
  await expect(echo(undefined)).rejects.toThrow("a value of type undefined");
  expect(await echo(1)).toBe(1);
});

test("takes the bytes that were sent, and refuses to send them again", async () => {
  const file = countUp(10);
  expect(await pool.run("echo", [file])).toEqual(countUp(10));
  await expect.poll(() => file.length).toBe(0);
  await expect(pool.run("echo", [file])).rejects.toThrow("given away before");
});

test("a failure of a tool is the same failure here", async () => {
  const failure = await reasonOf(pool.run("refuse", [countUp(3)]));
  expect(failure).toBeInstanceOf(ToolFailure);
  expect(failure).toMatchObject({
    code: "page_out_of_range",
    message: "Page 9 is past the last of 3",
    fields: { page: 9, pages: 3, sample: countUp(3) },
  });
});

test("any other error keeps its name and its frames, but nothing that it quotes", async () => {
  const error = await reasonOf(pool.run("breakDown", ["SECRET"]));
  if (!(error instanceof Error)) throw error;
  expect(error).not.toBeInstanceOf(ToolFailure);
  expect(error.name).toBe("RangeError");
  expect(error.stack).toContain("breakDown (test/adapters/workers/jobs/sample-jobs.ts:");
  expect(`${error.message}${error.stack}${JSON.stringify(error)}`).not.toContain("SECRET");
});

test("a result or an argument that cannot be carried is an error, and the worker goes on", async () => {
  expect(await reasonOf(pool.run("returnUncarried", []))).toMatchObject({ name: "TypeError" });
  await expect(pool.run("echo", [new Date(0)])).rejects.toThrow(TypeError);
  await pool.ping();
});

test("an abort stops a job that runs, and the next job works", async () => {
  const controller = new AbortController();
  await pool.ping();
  const spinning = pool.run("spin", [], { signal: controller.signal });
  setTimeout(() => controller.abort(new Error("The caller left")), 50);
  await expect(spinning).rejects.toThrow("The caller left");
  expect(await pool.run("echo", ["after"])).toBe("after");
});

test("a job whose caller has left already never starts", async () => {
  const signal = AbortSignal.abort(new Error("The caller left"));
  await expect(pool.run("spin", [], { signal })).rejects.toThrow("left");
});

test("an abort after the answer changes nothing", async () => {
  const controller = new AbortController();
  const runs = await pool.run("countRuns", [], { signal: controller.signal });
  controller.abort();
  expect(await pool.run("countRuns", [])).toBe(runs + 1);
});

test("a worker that ends fails its own job only", async () => {
  const run = [pool.run("exit", []), pool.run("sleep", [200]), pool.run("echo", ["next"])];
  const [ended, ...others] = await Promise.allSettled<unknown>(run);
  expect(ended).toMatchObject({ status: "rejected", reason: { name: "WorkerDied" } });
  expect(others).toMatchObject([{ value: "done" }, { value: "next" }]);
});

test.each(["SIGKILL", "SIGQUIT"] as const)(
  "a worker that %s from outside ends is the server's fault, not the file's",
  async (signal) => {
    const lost: unknown[] = [];
    const own = openPool({ onLost: (error) => void lost.push(error) });
    expect(await reasonOf(own.run("kill", [signal]))).toMatchObject({
      code: "overloaded",
      status: 503,
      message: "The server lost the process that worked on this; send it again",
      details: { retryAfter: 1 },
    });
    expect(lost).toMatchObject([{ name: "WorkerLost", code: signal }]);
    expect(await own.run("echo", ["next"])).toBe("next");
  },
);

test.each(["SIGTERM", "SIGINT"] as const)(
  "a %s, which may be for a whole group, ends no worker, with a job or without one",
  async (signal) => {
    const lost: unknown[] = [];
    const own = openPool({ onLost: (error) => void lost.push(error) });
    const pid = await own.run("processId", []);
    process.kill(pid, signal);
    const sleeping = own.run("sleep", [200]);
    process.kill(pid, signal);
    expect(await sleeping).toBe("done");
    expect([await own.run("processId", []), lost]).toEqual([pid, []]);
  },
);

test("a file that breaks its engine is damaged, and the server tells how the engine ended", async () => {
  const lost: unknown[] = [];
  const own = openPool({ onLost: (error) => void lost.push(error) });
  expect(await reasonOf(own.run("kill", ["SIGSEGV"]))).toMatchObject({ code: "damaged_file" });
  expect(lost).toMatchObject([{ code: "SIGSEGV" }]);
});

const isLinux = process.platform === "linux";

testIf(isLinux, "only Linux tells what a process uses")(
  "a worker that has grown ends with its job, and the next gets a new one",
  async () => {
    const own = openPool();
    expect(await own.run("countRuns", [])).toBe(1);
    expect(await own.run("countRuns", [])).toBe(2);
    expect(await own.run("grow", [])).toBe(300 * 1024 * 1024);
    expect(await own.run("countRuns", [])).toBe(1);
  },
);

const warmUp = { name: "countRuns", args: [] };

test("a pool that was warmed up has a worker that did so for the first job, and for none that is at work", async () => {
  const own = openPool({ warmUp });
  await own.warmUp();
  expect(await own.run("countRuns", [])).toBe(2);
  const running = own.run("sleep", [0]);
  await own.warmUp();
  expect(await own.run("countRuns", [])).toBe(1);
  await running;
  const failing = openPool({ warmUp: { name: "breakDown", args: ["a"] } });
  await failing.warmUp();
  expect(await failing.run("echo", ["after"])).toBe("after");
});

testIf(isLinux, "only Linux tells what a process uses")(
  "a worker that has grown has a warm successor before anybody asks",
  async () => {
    const jobsModule = new URL("./jobs/sample-jobs.ts?of-its-own", import.meta.url);
    const own = openPool({ warmUp, jobsModule });
    await own.run("grow", []);
    const [grown] = processesWith(jobsModule.href);
    await expect.poll(() => processesWith(jobsModule.href).some((pid) => pid !== grown)).toBe(true);
    await own.warmUp();
    expect(await own.run("countRuns", [])).toBeGreaterThan(1);
    await expect.poll(() => processesWith(jobsModule.href)).toHaveLength(1);
  },
);

function processesWith(argument: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(argument);
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });
}

/** Of the real clock, also while a test has another one. */
const pause = promisify(setTimeout);

/** A pool whose clock the test sets; how busy the machine is does not matter to it. */
function openClockedPool({ name, ...options }: { name: string } & Partial<WorkerPoolOptions>) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const jobsModule = new URL(`./jobs/sample-jobs.ts?${name}`, import.meta.url);
  const own = createPool({ jobsModule, ...options });
  onTestFinished(async () => {
    await own.close();
    vi.useRealTimers();
  });
  const usedSeconds = () => {
    if (!isLinux) return Infinity;
    return Math.max(...processesWith(jobsModule.href).map((pid) => usageOf(Number(pid))?.cpuSeconds ?? 0));
  };
  /** How a busy loop ends that had more than half of a processor until the deadline of a second. */
  const spin = async (): Promise<unknown> => {
    await own.ping();
    const before = isLinux ? usedSeconds() : 0;
    const ended = reasonOf(own.run("spin", []));
    // With an interval, `poll` would move the clock of the test by it.
    const look = async () => (await pause(50), usedSeconds());
    await expect.poll(look, { interval: 0 }).toBeGreaterThan(before + 0.5);
    vi.advanceTimersByTime(1_000);
    return ended;
  };
  return { own, spin };
}

describe("a pool with a deadline", () => {
  test("stops a busy loop at the deadline, and the next job works", async () => {
    const { own, spin } = openClockedPool({ name: "a-busy-loop", deadlineSeconds: 1 });
    expect(await spin()).toMatchObject({
      code: "too_complex",
      fields: { limit: "seconds", value: 1, unit: "seconds" },
    });
    expect(await own.run("echo", ["after"])).toBe("after");
  });

  test("a worker that the pool itself ends is not lost", async () => {
    const lost: unknown[] = [];
    const onLost = (error: Error) => void lost.push(error);
    const { spin } = openClockedPool({ name: "none-lost", onLost, deadlineSeconds: 1 });
    expect(await spin()).toMatchObject({ code: "too_complex" });
    const idle = openPool({ onLost });
    await idle.run("echo", ["idle"]);
    await idle.close();
    expect(lost).toEqual([]);
  });

  testIf(isLinux, "only Linux tells what a process uses")(
    "a job that got no processor is the server's fault, not the file's",
    async () => {
      const { own } = openClockedPool({ name: "no-processor", deadlineSeconds: 3 });
      await own.ping();
      const ended = reasonOf(own.run("sleep", [30_000]));
      vi.advanceTimersByTime(3_000);
      expect(await ended).toMatchObject({ code: "overloaded", status: 503, details: { retryAfter: 10 } });
    },
  );

  test("of idle workers one is kept", async () => {
    const { own } = openClockedPool({ name: "idle", idleSeconds: 1 });
    const count = () => own.run("countRuns", []);
    expect(await Promise.all([count(), count()])).toEqual([1, 1]);
    vi.advanceTimersByTime(1_000);
    expect((await Promise.all([count(), count()])).toSorted()).toEqual([1, 2]);
  });
});

// Bun has no bound for its heap.
testIf(!isBun, "Bun bounds no heap")("a worker without memory fails its own job only", async () => {
  const own = openPool({ heapMegabytes: 48 });
  expect(await reasonOf(own.run("fillHeap", []))).toMatchObject({
    code: "too_complex",
    fields: { limit: "memory", value: 48 },
  });
  expect(await own.run("echo", ["next"])).toBe("next");
});

test("a worker that is free is used again before another is started", async () => {
  const own = openPool();
  const counts = [await own.run("countRuns", []), await own.run("countRuns", [])];
  const atOnce = await Promise.all([own.run("countRuns", []), own.run("countRuns", [])]);
  expect([counts, atOnce]).toEqual([
    [1, 2],
    [3, 1],
  ]);
});

test("closing stops what runs, and nothing starts after it", async () => {
  const own = openPool();
  const spinning = [1, 2].map(() => own.run("spin", []).catch(() => "stopped"));
  await own.close();
  expect(await Promise.all(spinning)).toEqual(["stopped", "stopped"]);
  await expect(own.run("spin", [])).rejects.toThrow("closed");
  await expect(own.ping()).rejects.toThrow("closed");
});

test("a worker sees no environment and what a library prints goes nowhere", async () => {
  const { names, own } = await pool.run("readEnvironment", []);
  expect(names).not.toContain("PATH");
  expect(own).toBe(true);
  expect(await pool.run("print", ["\u0000\u0000"])).toBe(true);
  expect(await pool.run("echo", ["still in step"])).toBe("still in step");
});

test("idle workers let the process end", () => {
  const program = fileURLToPath(new URL("./jobs/use-once.ts", import.meta.url));
  const flags = isDeno ? ["run", "-A"] : [];
  const options = { encoding: "utf8", timeout: 120_000 } as const;
  const { stdout, status, stderr } = spawnSync(process.execPath, [...flags, program], options);
  expect({ stdout, status }, stderr).toEqual({ stdout: "done\n", status: 0 });
});
