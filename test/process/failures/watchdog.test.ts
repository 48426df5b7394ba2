// process
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeEach, runtimesHere } from "../../machine/skips.ts";
import { preloading } from "../../support/runtimes.ts";
import { exitCodes, startServer, type RunningServer } from "../support/server.ts";

const FREEZES = fileURLToPath(new URL("../support/freezes.mjs", import.meta.url));
/** Longer than the watchdog waits. */
const PAUSE_MS = 13_000;
/** In which it looks a few more times. */
const AFTER_MS = 2_000;
/** Six servers start, one after the other. */
const START_MS = 6 * 60_000;

/** By the name of the runtime; they wait all at the same time. */
const frozen = new Map<string, RunningServer>();
const paused = new Map<string, RunningServer>();

beforeAll(
  async () => {
    for (const runtime of runtimesHere()) {
      frozen.set(runtime.name, await startServer(preloading(runtime, FREEZES)));
      paused.set(runtime.name, await startServer(runtime));
    }
    for (const { pid } of frozen.values()) process.kill(pid, "SIGUSR2");
    for (const { pid } of paused.values()) process.kill(pid, "SIGSTOP");
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    for (const { pid } of paused.values()) process.kill(pid, "SIGCONT");
    await new Promise((resolve) => setTimeout(resolve, AFTER_MS));
  },
  START_MS + PAUSE_MS + AFTER_MS,
);

afterAll(async () => {
  await Promise.all([...frozen.values(), ...paused.values()].map((server) => server.stop()));
});

describeEach("on $name", ({ name }) => {
  test("a loop that stands still ends the process with code 70 and a line", async () => {
    const server = frozen.get(name)!;
    await expect.poll(() => isAlive(server.pid)).toBe(false);
    expect(await server.stop(), server.output().slice(-2000)).toBe(70);
    const [line = ""] = server.output().match(/\{[^\n]*"event":"fault"[^\n]*/g) ?? [];
    expect(JSON.parse(line)).toMatchObject({ requestId: "process", code: "event_loop_stuck" });
    expect(server.output()).not.toContain("debugger");
  });

  test("a process that was paused as long goes on", async () => {
    const server = paused.get(name)!;
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(server.output()).not.toContain("event_loop_stuck");
    expect(exitCodes(0)).toContain(await server.stop());
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
