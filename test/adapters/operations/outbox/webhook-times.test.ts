// process
import { expect, onTestFinished, test, vi } from "vitest";
import { openOutbox, type Outbox } from "../../../../db/outbox/outbox.ts";
import { recordEvents } from "../../../../db/outbox/triggers.ts";
import type { Harness } from "../../../support/harness.ts";
import { call } from "../../../support/members.ts";
import { startForTest } from "../../../support/with-server.ts";
import { deliverEvents, until, waiting } from "../support/deliver.ts";
import { startReceiver } from "../support/receiver.ts";

/** Writes down an event as another process does, of which this one hears nothing. */
async function insertEvent({ db, clock }: Harness, ageSeconds = 0): Promise<void> {
  const row = { id: "e1", event: "secret.created", subject: "s1", kind: "text", account: null, tries: 0 };
  const at = clock.now - ageSeconds;
  await db.query
    .insertInto("outbox")
    .values({ ...row, happened_at: at, next_at: at })
    .execute();
}

test("waits longer each time, and gives up three days after it happened", async () => {
  const service = await startForTest();
  const receiver = await startReceiver(() => 503);
  const { faults } = await deliverEvents(service, receiver);
  await call(service, "/api/secrets", { json: { content: "a", expires: 2_592_000 } });
  const next = async () =>
    (await service.db.query.selectFrom("outbox").select(["next_at", "tries"]).execute())[0];
  const waits: number[] = [];
  const start = service.clock.now;
  for (let tries = 1; tries <= 12; tries++) {
    await until(async () => {
      const row = await next();
      return (
        row === undefined ||
        (row.tries === tries && receiver.count() === tries && row.next_at !== service.clock.now + 60)
      );
    }, service);
    const row = await next();
    if (!row) break;
    waits.push(row.next_at - service.clock.now);
    service.clock.now = row.next_at;
  }
  expect(waits.slice(0, 6)).toEqual([5, 15, 45, 135, 405, 1215]);
  expect(Math.max(...waits)).toBe(28_800);
  await until(async () => {
    service.clock.now += 28_800;
    return (await waiting(service)) === 0;
  }, service);
  expect(service.clock.now - start).toBeGreaterThan(3 * 86_400);
  expect(faults.join()).toContain("webhook_given_up");
});

test("an event that waited for longer than three days is sent once, and never again", async () => {
  const service = await startForTest();
  await recordEvents(service.db, ["webhook"]);
  await insertEvent(service, 3 * 86_400 + 1);
  const receiver = await startReceiver(() => 503);
  const { faults } = await deliverEvents(service, receiver);
  await until(() => receiver.count() === 1, service);
  await until(async () => {
    service.clock.now += 5;
    return (await waiting(service)) === 0;
  }, service);
  expect([receiver.count(), faults]).toEqual([
    1,
    ["WebhookError: webhook_refused", "WebhookError: webhook_given_up"],
  ]);
});

test("a receiver that hangs is given up on after some seconds, and gets the event again", async () => {
  const service = await startForTest();
  const receiver = await startReceiver((count) => (count === 0 ? "hang" : 204));
  const patience = holdTimeouts();
  const { faults } = await deliverEvents(service, receiver);
  await call(service, "/api/secrets", { json: { content: "a" } });
  await until(() => receiver.count() === 1);
  // The event would be taken a second time after a minute.
  expect(patience.milliseconds()).toBeLessThan(60_000);
  patience.end();
  await until(() => faults.length === 1);
  expect(faults).toEqual(["WebhookError: webhook_unreachable"]);
  service.clock.now += 5;
  await until(async () => receiver.received.length === 1 && (await waiting(service)) === 0, service);
});

/** Timeouts of calls, which pass when the test says so. */
function holdTimeouts() {
  const asked: { milliseconds: number; controller: AbortController }[] = [];
  const spy = vi.spyOn(AbortSignal, "timeout").mockImplementation((milliseconds) => {
    const controller = new AbortController();
    asked.push({ milliseconds, controller });
    return controller.signal;
  });
  onTestFinished(() => spy.mockRestore());
  return {
    milliseconds: () => asked.at(-1)?.milliseconds,
    end: () => asked.at(-1)?.controller.abort(new DOMException("The time is over", "TimeoutError")),
  };
}

test("a redirect is followed nowhere", async () => {
  const service = await startForTest();
  const receiver = await startReceiver((count) => (count === 0 ? 302 : 204));
  const { faults } = await deliverEvents(service, receiver);
  await call(service, "/api/secrets", { json: { content: "a" } });
  await until(() => faults.length === 1);
  expect([receiver.count(), faults]).toEqual([1, ["WebhookError: webhook_refused"]]);
  service.clock.now += 5;
  await until(() => receiver.received.length === 1, service);
  expect(receiver.count()).toBe(2);
});

test("another server goes on where one has died, with the same id", async () => {
  const service = await startForTest();
  const receiver = await startReceiver();
  await recordEvents(service.db, ["webhook"]);
  await call(service, "/api/secrets", { json: { content: "a" } });
  const { now } = service.clock;
  const [taken] = await openOutbox(service.db, "webhook").takeDue({ now, until: now + 60, limit: 10 });
  expect(await openOutbox(service.db, "webhook").takeDue({ now, until: now + 60, limit: 10 })).toEqual([]);
  service.clock.now += 60;
  await deliverEvents(service, receiver);
  await until(() => receiver.received.length === 1);
  expect(receiver.received[0]?.headers["webhook-id"]).toBe(taken?.id);
});

test("nothing is asked again and again while nothing happens, and what happens is sent at once", async () => {
  const service = await startForTest();
  const receiver = await startReceiver();
  const outbox = openOutbox(service.db, "webhook");
  let asked = 0;
  const counted: Outbox = {
    ...outbox,
    nextAt: () => (asked++, outbox.nextAt()),
    takeDue: (due) => (asked++, outbox.takeDue(due)),
  };
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  await deliverEvents(service, { url: receiver.url, outbox: counted });
  await expect.poll(() => asked).toBeGreaterThan(0);
  // It looks again after five seconds.
  for (let passed = 0; passed < 4_500; passed += 100) {
    await vi.advanceTimersByTimeAsync(100);
    // Reads only, which wakes nobody.
    await waiting(service);
  }
  expect(asked).toBeLessThanOrEqual(2);
  // From here on the timer that it sleeps by never ends: only the event can wake it.
  vi.useRealTimers();
  await call(service, "/api/secrets", { json: { content: "a" } });
  await until(() => receiver.received.length === 1);
});

test("finds what another process has written down", async () => {
  const service = await startForTest();
  const receiver = await startReceiver();
  await deliverEvents(service, receiver);
  await until(async () => (await waiting(service)) === 0);
  await insertEvent(service);
  await until(() => receiver.received.length === 1);
});

test.each([
  ["was silent", undefined],
  ["asked for a pause", () => "28800"],
])("after the clock was set back by a day, a receiver that %s is sent to at once", async (_, retryAfter) => {
  const service = await startForTest();
  service.clock.now += 86_400;
  let isUp = false;
  const receiver = await startReceiver(() => (isUp ? 204 : 503), retryAfter);
  await deliverEvents(service, receiver);
  await call(service, "/api/secrets", { json: { content: "a" } });
  const isPostponed = async () => {
    const [row] = await service.db.query.selectFrom("outbox").select(["next_at", "tries"]).execute();
    return row?.tries === 1 && row.next_at !== service.clock.now + 60;
  };
  await until(isPostponed, service);
  service.clock.now -= 86_400;
  isUp = true;
  await until(async () => (await waiting(service)) === 0, service);
  expect(receiver.received).toHaveLength(1);
});
