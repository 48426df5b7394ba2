// slow
import { expect, test } from "vitest";
import { findWrong } from "../../db/backup/findings.ts";
import { confirmClock } from "../../db/sweep/sweep-clock.ts";
import { call } from "../support/members.ts";
import type { Harness } from "../support/harness.ts";
import { startForTest } from "../support/with-server.ts";

// PostgreSQL would tell its own time.
const IN_MEMORY = { databaseUrl: ":memory:" };
const HOUR = 3_600;
const YEAR = 365 * 24 * HOUR;

const make = async (service: Harness, expires = HOUR) => {
  const { body } = await call(service, "/api/secrets", { json: { content: "hunter2", expires } });
  return (key = String(body.key)) =>
    call(service, `/api/secrets/${String(body.id)}/reveal`, { json: { key } });
};

const pass = (service: Harness, seconds: number) => {
  service.clock.now += seconds;
  service.uptime.now += seconds;
};

/** Half an hour that is as long on both clocks, with sweeps in it. */
const live = async (service: Harness) => {
  await service.sweep();
  pass(service, HOUR / 2);
  await service.sweep();
};

const contents = ({ db }: Harness) => db.query.selectFrom("secret_content").select("size").execute();
const gauge = async ({ metrics }: Harness, name: string) =>
  Number(new RegExp(`^hushkit_${name} (-?\\d+)$`, "m").exec(await metrics.text())?.[1]);
const faults = ({ lines }: Harness) => lines.filter((line) => line.includes('"code":"clock_jumped"'));
const check = ({ db, clock }: Harness, confirm: boolean) =>
  findWrong(db.query, { kind: db.kind, now: clock.now, confirm }).then((all) =>
    all.find(({ what }) => what === "clock")!,
  );

test("an hour that has really passed is swept", async () => {
  const service = await startForTest(IN_MEMORY);
  const reveal = await make(service);
  await live(service);
  expect(await contents(service)).toHaveLength(1);
  pass(service, HOUR / 2);
  await service.sweep();
  expect(await contents(service)).toEqual([]);
  expect([(await reveal()).status, faults(service)]).toEqual([410, []]);
});

test("unread secrets survive a clock that jumps a year ahead, and open when it is set back", async () => {
  const service = await startForTest(IN_MEMORY);
  const reveal = await make(service);
  const asked = await call(service, "/api/requests", { json: { gate: "A".repeat(43), expires: HOUR } });
  const status = (json: object) =>
    call(service, `/api/requests/${String(asked.body.id)}/status`, { json }).then(({ body }) => body.status);
  const token = { collectToken: asked.body.collectToken };
  await live(service);
  service.clock.now += YEAR;
  pass(service, 60);
  expect(await gauge(service, "clock_difference_seconds")).toBe(YEAR);
  await service.sweep();
  expect(await gauge(service, "clock_doubted")).toBe(1);
  expect([(await reveal()).status, await status(token)]).toEqual([410, "expired"]);
  for (let minute = 0; minute < 5; minute++) {
    pass(service, 60);
    await service.sweep();
  }
  expect(await contents(service)).toHaveLength(1);
  expect(faults(service)).toHaveLength(6);
  service.clock.now -= YEAR;
  await service.sweep();
  expect(await gauge(service, "clock_doubted")).toBe(1);
  expect([(await reveal()).body.content, await status(token)]).toEqual(["hunter2", "open"]);
});

test("a doubt is told once a minute, however often a sweep looks", async () => {
  const service = await startForTest(IN_MEMORY);
  await live(service);
  service.clock.now += YEAR;
  for (let i = 0; i < 4; i++) {
    pass(service, 20);
    await service.sweep();
  }
  expect(faults(service)).toHaveLength(2);
  expect(JSON.parse(faults(service)[0]!)).toMatchObject({ event: "fault", requestId: "sweep" });
});

test.each([
  ["an hour ahead", HOUR, 0],
  ["a second more", HOUR + 1, 1],
  ["five minutes back", -300, 0],
  ["a second more back", -301, 1],
])("a clock that jumps %s", async (_, seconds, doubted) => {
  const service = await startForTest(IN_MEMORY);
  await live(service);
  service.clock.now += seconds;
  await service.sweep();
  expect(await gauge(service, "clock_doubted")).toBe(doubted);
});

test("a check shows the jump, and sweeps go on when it confirms the clock", async () => {
  const service = await startForTest(IN_MEMORY);
  await make(service);
  await live(service);
  service.clock.now += YEAR;
  await service.sweep();
  const looked = await check(service, false);
  expect(looked).toMatchObject({ isWrong: true, found: expect.stringContaining(`jumped ${YEAR} s forward`) });
  await service.sweep();
  expect(await contents(service)).toHaveLength(1);
  const confirmed = await check(service, true);
  expect(confirmed).toMatchObject({ isWrong: false, found: expect.stringMatching(/now: confirmed$/) });
  await service.sweep();
  expect(await contents(service)).toEqual([]);
  expect(await gauge(service, "clock_doubted")).toBe(0);
  expect(await check(service, true)).toMatchObject({ found: "ok" });
});

test("sweeps go on after a clock that was set back is confirmed", async () => {
  const service = await startForTest(IN_MEMORY);
  await live(service);
  service.clock.now -= YEAR;
  await service.sweep();
  expect((await check(service, false)).found).toContain(`jumped ${YEAR} s back`);
  await confirmClock(service.db.query);
  await live(service);
  expect(await gauge(service, "clock_doubted")).toBe(0);
});

test("what was revoked is deleted while the clock is doubted", async () => {
  const service = await startForTest(IN_MEMORY);
  await live(service);
  const body = new Uint8Array(100_000);
  const headers = { "content-type": "application/octet-stream" };
  const sent = await service.request("/api/secrets/file", { method: "POST", body, headers });
  const { id, revokeToken } = (await sent.json()) as { id: string; revokeToken: string };
  service.clock.now += YEAR;
  await service.sweep();
  service.clock.now -= YEAR;
  expect((await call(service, `/api/secrets/${id}/revoke`, { json: { revokeToken } })).status).toBe(200);
  await service.sweep();
  expect(await service.db.query.selectFrom("secret_chunk").select("position").execute()).toEqual([]);
});
