// process
import { sql } from "kysely";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { createHealth } from "../../../adapters/operations/health.ts";
import { makeSqlite, type TestDatabase } from "../../db/support/harness.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { call } from "../../support/members.ts";

let place: TestDatabase;
let service: Harness;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  place = await makeSqlite();
  service = await startHarness({ databaseUrl: place.url });
});
afterAll(async () => {
  vi.useRealTimers();
  await service.close();
  await place.drop();
});

/** After the two seconds for which an answer counts. */
async function readiness() {
  vi.advanceTimersByTime(2_100);
  const { status, body } = await call(service, "/readyz");
  return { status, body };
}

test("is not ready while nothing can be written, names the part, and leaves a fault with the code", async () => {
  // On a busy machine the first worker takes longer to start than a part may be silent.
  await expect.poll(readiness).toEqual({ status: 200, body: { status: "ready" } });
  await sql`pragma query_only = on`.execute(service.db.query);
  const from = service.lines.length;
  expect(await readiness()).toEqual({
    status: 503,
    body: { status: "not ready", failing: ["database"] },
  });
  for (let i = 0; i < 5; i++) {
    expect((await service.request("/", { method: "POST", body: "hush" })).status).toBe(503);
  }
  const faults = service.lines.slice(from).map((line) => JSON.parse(line));
  expect(faults.filter(({ event }) => event === "fault")).toMatchObject([{ code: "SQLITE_READONLY" }]);
  await sql`pragma query_only = off`.execute(service.db.query);
  await expect.poll(readiness).toEqual({ status: 200, body: { status: "ready" } });
});

test("a part that is silent is named after two seconds", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  const silent = () => new Promise<void>(() => {});
  const health = createHealth({ version: "1", probes: { database: silent } });
  const answers: string[][] = [];
  const asking = health.failing().then((failing) => answers.push(failing));
  await vi.advanceTimersByTimeAsync(1_999);
  expect(answers).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await asking;
  expect(answers).toEqual([["database"]]);
});
