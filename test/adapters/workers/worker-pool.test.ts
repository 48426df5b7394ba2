import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Overloaded } from "../../../adapters/workers/overloaded.ts";
import {
  createWorkerPool,
  type WorkerPool,
  type WorkerPoolOptions,
} from "../../../adapters/workers/worker-pool.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { ToolFailure } from "../../../wire/tool-failure.ts";
import type * as sample from "./jobs/sample.ts";

const isDeno = "deno" in process.versions;
const isNode = !isDeno && !("bun" in process.versions);

describe.each(isDeno ? ["processes"] : ["threads", "processes"])("in %s", (kind) => {
  const inProcesses = kind === "processes";
  const open: WorkerPool[] = [];
  afterEach(() => Promise.all(open.splice(0).map((pool) => pool.close())));

  function openRunner(options: Partial<WorkerPoolOptions> = {}): WorkerPool {
    const toolsUrl = new URL("./jobs/", import.meta.url);
    const pool = createWorkerPool({ workers: 1, deadlineSeconds: 30, toolsUrl, inProcesses, ...options });
    open.push(pool);
    return pool;
  }

  function countUp(length: number): Bytes {
    return Uint8Array.from({ length }, (_, i) => i % 251);
  }

  test("carries many byte arrays there and back", async () => {
    const pool = openRunner();
    const sizes = [0, 1, 2, 65535, 65536, 1_048_575, 1_048_577, 0];
    const files = sizes.map((size) => ({ data: countUp(size) }));
    const result = await pool.run<typeof sample.invert>("sample#invert", [files, { note: "ü🔑" }]);
    expect(result.size).toBe(sizes.reduce((a, b) => a + b));
    expect(result.note).toBe("ü🔑");
    sizes.forEach((size, i) => {
      expect(result.files[i]!.data.constructor).toBe(Uint8Array);
      expect(
        Buffer.compare(
          result.files[i]!.data,
          countUp(size).map((byte) => 255 - byte),
        ),
      ).toBe(0);
    });
  });

  test("carries arrays that share a buffer, small pieces of a large one and Node's pooled Buffers", async () => {
    const pool = openRunner();
    const large = countUp(1024 * 1024 + 100);
    const value = {
      most: large.subarray(10, 900_000),
      rest: large.subarray(900_000),
      piece: countUp(5000).subarray(7, 19),
      pooled: [
        Buffer.from("one"),
        Buffer.from("two"),
        Buffer.allocUnsafe(2048).fill(3),
        Buffer.allocUnsafe(2048),
      ],
      $bytes: [0, 3],
    };
    const expected = structuredClone({ ...value, pooled: value.pooled.map((part) => new Uint8Array(part)) });
    const result = await pool.run<typeof sample.echo<unknown>>("sample#echo", [value]);
    expect(result).toStrictEqual(expected);
  });

  test("answers undefined with undefined and null with null", async () => {
    const pool = openRunner();
    const echo = (value: unknown) => pool.run<typeof sample.echo<unknown>>("sample#echo", [value]);
    expect(await echo(null)).toBe(null);
    expect(await echo({ none: undefined, text: "" })).toEqual({ text: "" });
    await expect(echo(undefined)).rejects.toThrow("a value of type undefined");
    expect(await echo(1)).toBe(1);
  });

  test.runIf(isNode && !inProcesses)("hands buffers over without a copy", async () => {
    const pool = openRunner();
    const size = 200 * 1024 * 1024;
    await pool.ping();
    const before = process.memoryUsage().arrayBuffers;
    const file = await pool.run<typeof sample.fillNew>("sample#fillNew", [{ size, value: 7 }]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(size * 1.1);
    const peak = process.resourceUsage().maxRSS;
    const again = await pool.run<typeof sample.echo<Bytes>>("sample#echo", [file]);
    expect(file.length).toBe(0);
    expect(again.length).toBe(size);
    expect(again[size - 1]).toBe(7);
    expect((process.resourceUsage().maxRSS - peak) * 1024).toBeLessThan(size / 2);
  });

  test.runIf(!inProcesses)("refuses bytes that were given away before", async () => {
    const pool = openRunner();
    const file = countUp(10);
    await pool.run<typeof sample.echo<Bytes>>("sample#echo", [file]);
    await expect(pool.run<typeof sample.echo<Bytes>>("sample#echo", [file])).rejects.toThrow(
      "given away before",
    );
  });

  test("a failure of a tool is the same failure here", async () => {
    const pool = openRunner();
    const failure = await pool
      .run<typeof sample.refuse>("sample#refuse", [countUp(3)])
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ToolFailure);
    expect(failure).toMatchObject({
      code: "page_out_of_range",
      fault: "file",
      message: "Page 9 is past the last of 3",
      fields: { page: 9, pages: 3, sample: countUp(3) },
    });
  });

  test("any other error keeps its name and its frames, but nothing that it quotes", async () => {
    const pool = openRunner();
    const error = await pool
      .run<typeof sample.breakDown>("sample#breakDown", ["SECRET"])
      .catch((error: unknown) => error);
    if (!(error instanceof Error)) throw error;
    expect(error).not.toBeInstanceOf(ToolFailure);
    expect(error.name).toBe("RangeError");
    expect(error.stack).toContain("breakDown (test/adapters/workers/jobs/sample.ts:");
    expect(`${error.message}${error.stack}${JSON.stringify(error)}`).not.toContain("SECRET");
  });

  test("a result or an argument that cannot be carried is an error, and the worker goes on", async () => {
    const pool = openRunner();
    const result = pool.run<typeof sample.returnUncarried>("sample#returnUncarried", []);
    await expect(result).rejects.toThrow(expect.objectContaining({ name: "TypeError" }));
    await expect(pool.run<typeof sample.echo<Date>>("sample#echo", [new Date(0)])).rejects.toThrow(TypeError);
    expect(pool).toMatchObject({ busy: 0, waiting: 0 });
    await pool.ping();
  });

  test.each([
    "sample",
    "sample#",
    "#echo",
    "../sample#echo",
    "jobs/sample#echo",
    "sample.ts#echo",
    "sample#a.b",
  ])("refuses the name %s", async (name) => {
    await expect(openRunner().run(name, [])).rejects.toThrow("<file>#<export>");
  });

  test.each(["sample#absent", "sample#constructor", "absent#echo"])("finds no tool %s", async (name) => {
    await expect(openRunner().run(name, [])).rejects.toThrow("stopped unexpectedly");
  });

  test("stops a busy loop at the deadline, and the next job works", async () => {
    const pool = openRunner({ deadlineSeconds: 1 });
    const first = pool.run<typeof sample.spin>("sample#spin", []);
    const second = pool.run<typeof sample.echo<string>>("sample#echo", ["after"]);
    await expect(first).rejects.toThrow(
      expect.objectContaining({
        code: "too_complex",
        fields: { limit: "seconds", value: 1, unit: "seconds" },
      }),
    );
    expect(await second).toBe("after");
  });

  test("an abort stops a job that runs, and the next job works", async () => {
    const pool = openRunner();
    const controller = new AbortController();
    await pool.ping();
    const first = pool.run<typeof sample.spin>("sample#spin", [], { signal: controller.signal });
    const second = pool.run<typeof sample.echo<string>>("sample#echo", ["after"]);
    await vi.waitFor(() => expect(pool).toMatchObject({ busy: 1, waiting: 1 }));
    controller.abort(new Error("The caller left"));
    await expect(first).rejects.toThrow("The caller left");
    expect(await second).toBe("after");
  });

  test("an abort takes a waiting job from the line and leaves the others in place", async () => {
    const pool = openRunner();
    const controller = new AbortController();
    const bytes = countUp(4);
    const first = pool.run<typeof sample.sleep>("sample#sleep", [{ milliseconds: 300, label: "first" }]);
    const left = pool.run<typeof sample.echo<Bytes>>("sample#echo", [bytes], { signal: controller.signal });
    const last = pool.run<typeof sample.echo<string>>("sample#echo", ["last"]);
    controller.abort();
    await expect(left).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
    expect(pool.waiting).toBe(1);
    expect(bytes.length).toBe(4);
    expect(await Promise.all([first, last])).toEqual(["first", "last"]);
  });

  test("a job whose caller has left already never starts", async () => {
    const signal = AbortSignal.abort(new Error("The caller left"));
    await expect(openRunner().run<typeof sample.spin>("sample#spin", [], { signal })).rejects.toThrow("left");
  });

  test("an abort after the answer changes nothing", async () => {
    const pool = openRunner();
    const controller = new AbortController();
    const options = { signal: controller.signal };
    expect(await pool.run<typeof sample.countRuns>("sample#countRuns", [], options)).toBe(1);
    controller.abort();
    expect(await pool.run<typeof sample.countRuns>("sample#countRuns", [])).toBe(2);
  });

  test("a worker that dies fails its own job only", async () => {
    const pool = openRunner({ workers: 2 });
    const jobs = [
      pool.run<typeof sample.die>("sample#die", []),
      pool.run<typeof sample.sleep>("sample#sleep", [{ milliseconds: 200, label: "other" }]),
      pool.run<typeof sample.echo<string>>("sample#echo", ["next"]),
    ];
    const [died, ...others] = await Promise.allSettled(jobs);
    expect(died).toMatchObject({ status: "rejected", reason: { name: "WorkerDied" } });
    expect(others).toMatchObject([{ value: "other" }, { value: "next" }]);
  });

  test.runIf(inProcesses && (isNode || isDeno))(
    "a worker without memory fails its own job only",
    async () => {
      const pool = openRunner({ heapMegabytes: 48 });
      const full = pool.run<typeof sample.fillHeap>("sample#fillHeap", []);
      await expect(full).rejects.toMatchObject({
        code: "too_complex",
        fields: { limit: "memory", value: 48 },
      });
      expect(await pool.run<typeof sample.echo<string>>("sample#echo", ["next"])).toBe("next");
    },
  );

  test("refuses what does not fit the waiting line, and says when to come back", async () => {
    const pool = openRunner({ workers: 1, maxWaiting: 2 });
    const sleep = () => pool.run<typeof sample.sleep>("sample#sleep", [{ milliseconds: 100, label: "done" }]);
    const accepted = [sleep(), sleep(), sleep()];
    const error = await sleep().catch((error: unknown) => error);
    expect(error).toBeInstanceOf(Overloaded);
    expect(error).toMatchObject({ retryAfter: 3 });
    await pool.ping();
    expect(await Promise.all(accepted)).toEqual(["done", "done", "done"]);
    expect(await sleep()).toBe("done");
  });

  test("without a waiting line takes as many jobs as it has workers", async () => {
    const pool = openRunner({ workers: 2, maxWaiting: 0 });
    const sleep = () => pool.run<typeof sample.sleep>("sample#sleep", [{ milliseconds: 100, label: "done" }]);
    const accepted = [sleep(), sleep()];
    await expect(sleep()).rejects.toThrow(Overloaded);
    await Promise.all(accepted);
  });

  test("starts jobs in the order in which they came", async () => {
    const pool = openRunner({ maxWaiting: 20 });
    const counts = Array.from({ length: 20 }, () =>
      pool.run<typeof sample.countRuns>("sample#countRuns", []),
    );
    expect(await Promise.all(counts)).toEqual(counts.map((_, i) => i + 1));
  });

  test("works on as many jobs at once as it has workers, and on no more", async () => {
    const pool = openRunner({ workers: 2 });
    const spinning = [1, 2, 3].map(() =>
      pool.run<typeof sample.spin>("sample#spin", []).catch(() => "stopped"),
    );
    expect(pool).toMatchObject({ busy: 2, waiting: 1 });
    await pool.close();
    expect(await Promise.all(spinning)).toEqual(["stopped", "stopped", "stopped"]);
    await expect(pool.run<typeof sample.spin>("sample#spin", [])).rejects.toThrow("closed");
    await expect(pool.ping()).rejects.toThrow("closed");
  });

  test("a worker sees no environment and what a library prints goes nowhere", async () => {
    const pool = openRunner();
    const { isMainThread, names } = await pool.run<typeof sample.readEnvironment>(
      "sample#readEnvironment",
      [],
    );
    expect(isMainThread).toBe(inProcesses);
    expect(names).not.toContain("PATH");
    expect(await pool.run<typeof sample.print>("sample#print", ["\u0000\u0000"])).toBe(true);
    expect(await pool.run<typeof sample.echo<string>>("sample#echo", ["still in step"])).toBe(
      "still in step",
    );
  });

  test("idle workers let the process end", () => {
    const program = fileURLToPath(new URL("./jobs/use-once.ts", import.meta.url));
    const { stdout, status } = spawnSync(
      process.execPath,
      [...(isDeno ? ["run", "-A"] : []), program, kind],
      {
        encoding: "utf8",
        timeout: 30_000,
      },
    );
    expect({ stdout, status }).toEqual({ stdout: "done\n", status: 0 });
  });
});
