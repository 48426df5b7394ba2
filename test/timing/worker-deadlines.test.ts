import { expect, onTestFinished, test } from "vitest";
import { WorkerPool } from "../../adapters/workers/worker-pool.ts";
import type { jobs } from "../adapters/workers/jobs/sample-jobs.ts";

const DEADLINE_MS = 1_000;
/** Timers may come a few milliseconds early. */
const EARLY_MS = 50;

test("a busy loop in a worker is stopped when its deadline has passed, and not before", async () => {
  const jobsModule = new URL("../adapters/workers/jobs/sample-jobs.ts", import.meta.url);
  const pool = new WorkerPool<typeof jobs>({ deadlineSeconds: DEADLINE_MS / 1000, jobsModule });
  onTestFinished(() => pool.close());
  const started = performance.now();
  const reason: unknown = await pool.run("spin", []).catch((error: unknown) => error);
  expect(performance.now() - started).toBeGreaterThan(DEADLINE_MS - EARLY_MS);
  // How much of a processor it had decides which of the two; worker-pool.test.ts tries both with a clock of its own.
  expect(reason).toMatchObject({ code: expect.stringMatching(/^(too_complex|overloaded)$/) });
});
