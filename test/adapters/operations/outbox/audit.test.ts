import { expect, onTestFinished, test } from "vitest";
import { startAudit } from "../../../../adapters/operations/outbox/audit.ts";
import { createHealth } from "../../../../adapters/operations/health.ts";
import { recordAct, openOutbox } from "../../../../db/outbox/outbox.ts";
import { recordEvents } from "../../../../db/outbox/triggers.ts";
import { startForTest } from "../../../support/with-server.ts";

const ACT = { event: "admin.members_listed", account: "a".repeat(16) };

/** The audit log of a service, which takes lines or fails as `append` does. */
async function audited(append: (lines: string) => Promise<void>) {
  const service = await startForTest();
  await recordEvents(service.db, ["audit"]);
  const faults: unknown[] = [];
  const audit = startAudit({
    outbox: openOutbox(service.db, "audit"),
    log: { append, reopen() {}, close: async () => {} },
    isMixed: false,
    clock: () => service.clock.now * 1000,
    onFault: (error) => void faults.push(error),
  });
  onTestFinished(() => audit.stop());
  const act = () => recordAct(service.db, { ...ACT, now: service.clock.now });
  return { service, audit, faults, act };
}

test("a log that cannot be written for a minute is a fault, until it can be", async () => {
  const lines: string[] = [];
  let isFull = true;
  const { service, audit, faults, act } = await audited(async (line) => {
    if (isFull) throw new Error("full");
    lines.push(line);
  });
  await act();
  await expect.poll(() => faults.length).toBeGreaterThan(0);
  // A health of its own each time: what it has found holds for a second.
  const failing = () => createHealth({ version: "1", probes: { audit: audit.check } }).failing();
  service.clock.now += 59;
  expect(await failing()).toEqual([]);
  service.clock.now += 1;
  expect(await failing()).toEqual(["audit"]);
  isFull = false;
  await expect.poll(() => lines.length).toBe(1);
  await expect.poll(failing).toEqual([]);
});

test("a log that hangs is a fault too", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let asked = 0;
  const { service, audit, act } = await audited(() => (asked++, promise));
  await act();
  await expect.poll(() => asked).toBe(1);
  service.clock.now += 60;
  await expect(audit.check()).rejects.toThrow("cannot be written");
  resolve();
  await expect
    .poll(() =>
      audit.check().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
});

test("what another instance has written meanwhile is no fault of this one", async () => {
  const { service, audit, faults, act } = await audited(() => Promise.reject(new Error("full")));
  await act();
  await expect.poll(() => faults.length).toBeGreaterThan(0);
  await service.db.query.deleteFrom("outbox").execute();
  service.clock.now += 60;
  await audit.check();
});

test("without anybody who is told nothing is written down", async () => {
  const service = await startForTest();
  await recordEvents(service.db, ["webhook", "audit"]);
  await recordEvents(service.db, []);
  await recordAct(service.db, { ...ACT, isEvent: true, now: service.clock.now });
  expect(await service.db.query.selectFrom("outbox").selectAll().execute()).toEqual([]);
});
