import { expect, onTestFinished } from "vitest";
import { readConfig } from "../../../../adapters/config/config.ts";
import { startHooks } from "../../../../adapters/operations/hooks/hooks.ts";
import { callReceiver, startWebhooks } from "../../../../adapters/operations/outbox/webhooks.ts";
import { endHook, findHook } from "../../../../db/accounts/hooks.ts";
import { openOutbox, type Outbox } from "../../../../db/outbox/outbox.ts";
import { recordEvents, stopRecording } from "../../../../db/outbox/triggers.ts";
import type { Harness } from "../../../support/harness.ts";
import { SECRET } from "./receiver.ts";

/** Delivers the events of a service until the test ends. */
export async function deliverEvents(
  service: Harness,
  { url, outbox = openOutbox(service.db, "webhook") }: { url: string; outbox?: Outbox },
) {
  const faults: string[] = [];
  await recordEvents(service.db, ["webhook"]);
  const now = () => service.clock.now;
  const hooks = startWebhooks({
    ...{ outbox, now, send: callReceiver({ url, secrets: [SECRET], now }) },
    end: () => stopRecording(service.db, "webhook"),
    onFault: (error) => void faults.push(String(error)),
  });
  onTestFinished(() => hooks.stop());
  return { hooks, faults };
}

/** Calls the hooks of a service's members until the test ends; `reading.before` is waited for before one is read. */
export async function callHooks(service: Harness, settings: { NOTIFY_HOSTS: string }) {
  const { notifyHosts: hosts } = readConfig(settings);
  if (!hosts) throw new Error("There are hosts");
  const { db, services } = service;
  await recordEvents(db, ["hook"]);
  const faults: string[] = [];
  const reading = { before: async () => {} };
  const hooks = startHooks({
    ...{ hosts, services, outbox: openOutbox(db, "hook") },
    find: async (id) => {
      await reading.before();
      return findHook(db, id);
    },
    end: (id) => endHook(db, id, service.clock.now),
    onFault: (error) => void faults.push(String(error)),
  });
  onTestFinished(() => hooks.stop());
  return { faults, reading };
}

/** Waits for something to be so; with a service whose clock is set, which wakes nobody, while that writes. */
export async function until(done: () => boolean | Promise<boolean>, service?: Harness): Promise<void> {
  const look = async () => {
    const isDone = await done();
    if (!isDone) await service?.db.ping();
    return isDone;
  };
  await expect.poll(look).toBe(true);
}

/** How many events wait. */
export async function waiting({ db }: Harness): Promise<number> {
  return (await db.query.selectFrom("outbox").select("id").execute()).length;
}
