import { join } from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { openDatabase, type Database } from "../../db/open.ts";
import { createUsage } from "../../router/policy/usage.ts";
import { startHarness } from "../support/harness.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { withServer } from "../support/with-server.ts";

const service = withServer();
const USE = { tool: "password", succeeded: true, address: "192.0.2.0", hour: 7_200 };

/** A clock of the test's own for what is done again and again. */
function stopIntervals(): void {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
}

async function openMemory(): Promise<Database> {
  const db = await openDatabase(":memory:");
  onTestFinished(() => db.close());
  return db;
}

function usageOf(db: Database) {
  const faults: unknown[] = [];
  return { ...createUsage({ db, onFault: (error) => void faults.push(error) }), faults };
}

async function countsIn({ query }: Database): Promise<{ rows: number; calls: number }> {
  const counts = await query.selectFrom("usage").select("count").execute();
  return { rows: counts.length, calls: counts.reduce((sum, { count }) => sum + count, 0) };
}

test("a call is counted without a statement, and written when a second is over", async () => {
  stopIntervals();
  const own = await startHarness();
  onTestFinished(own.close);
  for (const ip of ["203.0.113.7", "203.0.113.8", "198.51.100.7"])
    await own.request("/api/tools/password", { ip });
  expect(await countsIn(own.db)).toEqual({ rows: 0, calls: 0 });
  vi.advanceTimersByTime(1_000);
  await expect.poll(() => countsIn(own.db)).toEqual({ rows: 2, calls: 3 });
});

test("the hour of a call is that of its end on the clock of the server", async () => {
  const address = "198.18.5.0";
  for (const seconds of [0, 3_600]) {
    service.clock.now += seconds;
    await service.request("/api/tools/password", { ip: "198.18.5.1" });
  }
  await service.services.usage.flush();
  const rows = service.db.query.selectFrom("usage").select("hour").where("address", "=", address);
  const start = Math.floor(service.clock.now / 3_600) * 3_600;
  expect((await rows.orderBy("hour").execute()).map(({ hour }) => hour)).toEqual([start - 3_600, start]);
});

test("what was counted is written when the server stops, before the database closes", async () => {
  stopIntervals();
  const databaseUrl = join(makeTempFolder(), "service.db");
  const own = await startHarness({ databaseUrl });
  await own.request("/api/tools/password");
  await own.close();
  const db = await openDatabase(databaseUrl);
  onTestFinished(() => db.close());
  expect(await countsIn(db)).toEqual({ rows: 1, calls: 1 });
});

test("several instances add up, and calls that come during a write are in the next one", async () => {
  const db = await openMemory();
  const instances = [usageOf(db), usageOf(db)];
  const flushes = Array.from({ length: 40 }, (_, i) => {
    const usage = instances[i % 2]!;
    usage.count(USE);
    return usage.flush();
  });
  await Promise.all(flushes);
  expect(await countsIn(db)).toEqual({ rows: 1, calls: 40 });
  await Promise.all(instances.map((usage) => usage.stop()));
});

test("what the database does not take is kept, told and tried again, and no caller hears of it", async () => {
  const at = "203.0.114.0";
  const lines = service.lines.length;
  await sql`alter table usage rename to usage_away`.execute(service.db.query);
  const call = () => service.request("/api/tools/password", { ip: "203.0.114.9" });
  expect((await call()).status).toBe(200);
  await service.services.usage.flush();
  const told = service.lines.slice(lines).map((line) => JSON.parse(line) as object);
  expect(told).toMatchObject([{ event: "fault", requestId: "database" }]);
  expect((await call()).status).toBe(200);
  await sql`alter table usage_away rename to usage`.execute(service.db.query);
  await service.services.usage.flush();
  const rows = service.db.query.selectFrom("usage").select("count").where("address", "=", at);
  expect(await rows.execute()).toEqual([{ count: 2 }]);
});

test("many addresses are written before the second is over, and the memory stays bounded", async () => {
  stopIntervals();
  const db = await openMemory();
  const usage = usageOf(db);
  const countFrom = (from: number, to: number) => {
    for (let i = from; i < to; i++) usage.count({ ...USE, address: `2001:db8:${i.toString(16)}::` });
  };
  countFrom(0, 999);
  await new Promise((resolve) => setImmediate(resolve));
  expect(await countsIn(db)).toEqual({ rows: 0, calls: 0 });
  countFrom(999, 1_000);
  await expect.poll(() => countsIn(db)).toEqual({ rows: 1_000, calls: 1_000 });
  await sql`alter table usage rename to usage_away`.execute(db.query);
  countFrom(1_000, 5_000);
  await usage.flush();
  // Addresses that are known already are counted all the same.
  countFrom(1_000, 5_000);
  await usage.flush();
  expect(usage.faults).toHaveLength(3);
  await sql`alter table usage_away rename to usage`.execute(db.query);
  await usage.stop();
  expect(await countsIn(db)).toEqual({ rows: 3_000, calls: 5_000 });
});
