// slow
import { readFileSync } from "node:fs";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { processesOf } from "../../../bench/support/memory.ts";
import { describeEach } from "../../machine/skips.ts";
import { withProcess } from "../support/with-process.ts";

/** By which Linux chooses what to end when there is no memory left. */
function scoreOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/oom_score_adj`, "utf8"));
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
    const answer = fetch(convert, { method: "POST", body: noise });
    await expect.poll(() => processesOf(server.pid).length).toBe(2);
    // Long enough for the image to be with the worker.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const [main = 0, ...workers] = processesOf(server.pid);
    // The kernel would have chosen the same.
    for (const worker of workers) await expect.poll(() => scoreOf(worker)).toBeGreaterThan(scoreOf(main));
    for (const worker of workers) process.kill(worker, "SIGKILL");
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
