import { expect, onTestFinished } from "vitest";
import { callReceiver, startWebhooks } from "../../../../adapters/operations/outbox/webhooks.ts";
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
