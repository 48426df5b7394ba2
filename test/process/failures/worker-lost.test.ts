// process
import { readFileSync } from "node:fs";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { cpuSeconds, processesOf } from "../../../bench/support/memory.ts";
import { describeEach } from "../../machine/skips.ts";
import { withProcess } from "../support/with-process.ts";

/** By which Linux chooses what to end when there is no memory left. */
function scoreOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/oom_score_adj`, "utf8"));
}

/** One that is warmed up may still run beside the one that works. */
function workersOf(server: number): number[] {
  return processesOf(server).slice(1);
}

/** Whether Linux would end each of its workers first. */
function isServerLast(server: number): boolean {
  return workersOf(server).every((worker) => scoreOf(worker) > scoreOf(server));
}

/** Processor time of a server's workers. */
function workedSeconds(server: number): number {
  return cpuSeconds(workersOf(server).map((pid) => ({ pid })));
}

const WORDS = "abcdefghij klmnopqrst\n";

let noise: Uint8Array<ArrayBuffer>;
beforeAll(async () => void (noise = await makeNoise()));

/** Work for several seconds on any machine: noise, as large as a photograph, to AVIF. */
async function makeNoise(): Promise<Uint8Array<ArrayBuffer>> {
  const noise = { type: "gaussian" as const, mean: 128, sigma: 60 };
  const picture = sharp({ create: { width: 4000, height: 3000, channels: 3, background: "#000", noise } });
  return new Uint8Array(await picture.jpeg().toBuffer());
}

describeEach("on $name, a worker that is killed from outside", (runtime) => {
  const server = withProcess(runtime, { WORKERS: "1" });

  test("is a 503 to try again, and a line in the log with its code", async () => {
    const convert = `${server.url}/api/tools/image-convert?format=avif`;
    await expect.poll(() => processesOf(server.pid).length).toBe(2);
    const idle = workedSeconds(server.pid);
    const answer = fetch(convert, { method: "POST", body: noise });
    // By its own clock: a second of ours can be all of the work, or none, on a machine that does much else.
    // The kernel would have chosen the same. One look for both: between two the work could end.
    const isAtWork = () => workedSeconds(server.pid) > idle + 0.3 && isServerLast(server.pid);
    await expect.poll(isAtWork, { interval: 20 }).toBe(true);
    for (const worker of workersOf(server.pid)) process.kill(worker, "SIGKILL");
    const response = await answer;
    expect(response.status).toBe(503);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await response.json()).toMatchObject({ code: "overloaded" });
    const fault = () => /\{[^\n]*"event":"fault"[^\n]*/.exec(server.output())?.[0];
    // Lines are written together every few milliseconds.
    await expect.poll(fault).toBeDefined();
    const line: unknown = JSON.parse(fault() ?? "{}");
    expect(line).toMatchObject({ requestId: "worker", name: "WorkerLost", code: "SIGKILL" });
    const next = await fetch(`${server.url}/api/tools/text-compare`, {
      method: "POST",
      body: JSON.stringify({ a: WORDS.repeat(2000), b: "x" }),
    });
    expect(next.status).toBe(200);
  });
});
