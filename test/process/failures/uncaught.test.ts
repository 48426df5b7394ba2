// process
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { describeEach } from "../../machine/skips.ts";
import { preloading } from "../../support/runtimes.ts";
import { withProcess } from "../support/with-process.ts";

const BREAKS = fileURLToPath(new URL("../support/breaks.mjs", import.meta.url));

describeEach("on $name", (runtime) => {
  const server = withProcess(preloading(runtime, BREAKS));

  test("what nobody catches is a fault in the log and ends nothing", async () => {
    const faults = () => server.output().match(/\{[^\n]*"event":"fault"[^\n]*/g) ?? [];
    process.kill(server.pid, "SIGUSR2");
    await expect.poll(() => faults().length).toBe(2);
    const lines = faults().map((line): { requestId?: string; name?: string } => JSON.parse(line));
    expect(lines.map(({ requestId }) => requestId)).toEqual(["process", "process"]);
    // Bun tells of the rejection when it has run what was due.
    expect(lines.map(({ name }) => name).toSorted()).toEqual(["RangeError", "TypeError"]);
    expect(server.output()).not.toContain("canary");
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});
