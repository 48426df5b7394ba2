import { Webhook } from "standardwebhooks";
import type { Outbox, OutboxEvent } from "../../db/outbox/outbox.ts";

/** Where events go, and the key that signs them (Standard Webhooks 1.0). */
export interface WebhookSettings {
  readonly url: string;
  /** `whsec_` and base64. */
  readonly secret: string;
}

/** What somebody is told: nothing that was handed over, no name and no address (docs/webhooks.md). */
export interface WebhookEvent {
  /** Such as `secret.revealed`. */
  readonly type: string;
  /** RFC 3339, UTC. */
  readonly timestamp: string;
  readonly data: { readonly id: string | null; readonly kind: string | null; readonly account?: string };
}

const TIMEOUT_MS = 15_000;
/** Longer than a call may take: an event that was taken by a server that died is taken again. */
const LEASE_SECONDS = 60;
const AT_ONCE = 32;
/** What happens in this process is heard of at once; what others leave, as an administrator's program does, is looked for. */
const LOOK_MS = 5_000;
/** What happens in so short a time is sent together; and where another instance is just taking what is due, it is waited for. */
const GATHER_MS = 20;
const FIRST_WAIT_SECONDS = 5;
const LONGEST_WAIT_SECONDS = 8 * 3600;
/** So long after it happened an event is sent again; older ones are forgotten. */
const GIVE_UP_SECONDS = 3 * 86_400;

interface Parts {
  readonly outbox: Outbox;
  /** Tells somebody of an event; it is tried again where this throws. */
  readonly send: (event: WebhookEvent, about: { id: string; tries: number }) => Promise<void>;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onFault: (error: unknown) => void;
}

/** Sends events from the outbox until it is stopped. */
export interface Webhooks {
  /** Writes down an event that changes no row. */
  readonly record: (event: "account.login_failed") => void;
  /** Waits for the calls that run. */
  readonly stop: () => Promise<void>;
}

/** Delivers what the database has written down, each event until it is confirmed by a 2xx. */
export function startWebhooks(parts: Parts): Webhooks {
  const { outbox, now, onFault } = parts;
  const ending = new AbortController();
  const alarm = createAlarm();
  outbox.onWrite(alarm.ring);
  const running = deliver(parts, { ending: ending.signal, alarm });
  return {
    record: (event) => {
      const id = crypto.randomUUID().replaceAll("-", "");
      void outbox.insert({ id, event, now: now() }).catch(onFault);
    },
    stop: async () => {
      ending.abort();
      alarm.ring();
      await running;
    },
  };
}

async function deliver(
  parts: Parts,
  { ending, alarm }: { ending: AbortSignal; alarm: ReturnType<typeof createAlarm> },
): Promise<void> {
  while (!ending.aborted) {
    // Should this fail, they are sent again when the lease has ended: an event arrives once at least.
    const pauseMs = await deliverDue(parts).catch((error: unknown) => {
      parts.onFault(error);
      return LOOK_MS;
    });
    if (pauseMs > 0) {
      await alarm.sleep(pauseMs);
      await pause(GATHER_MS);
    }
  }
}

/** Sends what is due; how many milliseconds there is nothing more to do, as far as is known. */
async function deliverDue(parts: Parts): Promise<number> {
  const { outbox, now } = parts;
  const [nextAt, time] = [await outbox.nextAt(), now()];
  // A statement that only reads is in nobody's way while nothing happens.
  if (nextAt === undefined || nextAt > time) return Math.min(LOOK_MS, ((nextAt ?? Infinity) - time) * 1000);
  const due = await outbox.takeDue({ now: time, until: time + LEASE_SECONDS, limit: AT_ONCE });
  await sendAll(due, parts);
  return due.length === 0 ? GATHER_MS : 0;
}

async function sendAll(due: readonly OutboxEvent[], parts: Parts): Promise<void> {
  const { outbox, now } = parts;
  const results = await Promise.all(
    due.map(async (event) => ({ event, isDone: await isOver(event, parts) })),
  );
  await outbox.forget(results.filter(({ isDone }) => isDone).map(({ event }) => event.id));
  const again = results.filter(({ isDone }) => !isDone).map(({ event }) => event);
  for (const [tries, events] of Map.groupBy(again, (event) => event.tries))
    await outbox.postpone({ ids: events.map(({ id }) => id), at: now() + waitAfter(tries) });
}

/** Whether an event was confirmed, or is too old to be sent again. */
async function isOver(event: OutboxEvent, parts: Parts): Promise<boolean> {
  if (event.tries > 0 && parts.now() - event.happenedAt > GIVE_UP_SECONDS) {
    parts.onFault(new WebhookError("webhook_given_up"));
    return true;
  }
  return parts.send(describeEvent(event), event).then(
    () => true,
    (error: unknown) => {
      parts.onFault(error);
      return false;
    },
  );
}

/** What an operator reads of a receiver that does not take an event; never its URL, which may hold a key. */
class WebhookError extends Error {
  override readonly name = "WebhookError";
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

function describeEvent({ event, subject, kind, account, happenedAt }: OutboxEvent): WebhookEvent {
  const timestamp = new Date(happenedAt * 1000).toISOString();
  return { type: event, timestamp, data: { id: subject, kind, ...(account !== null && { account }) } };
}

/** Sends events to a receiver, as calls that are signed. */
export function callReceiver({ url, secret, now }: WebhookSettings & Pick<Parts, "now">): Parts["send"] {
  return async (event, { id }) => {
    const payload = JSON.stringify(event);
    // Asked for once: the receiver checks the signature with the time of the header.
    const time = now();
    const headers = {
      "content-type": "application/json",
      "user-agent": "Hushkit",
      "webhook-id": id,
      "webhook-timestamp": String(time),
      "webhook-signature": new Webhook(secret).sign(id, new Date(time * 1000), payload),
    };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const call = { method: "POST", headers, body: payload, redirect: "manual", signal } as const;
    const response = await fetch(url, call).catch(() => {
      throw new WebhookError("webhook_unreachable");
    });
    await response.body?.cancel();
    if (!response.ok) throw new WebhookError("webhook_refused");
  };
}

function waitAfter(tries: number): number {
  return Math.min(FIRST_WAIT_SECONDS * 3 ** tries, LONGEST_WAIT_SECONDS);
}

/** A pause that somebody may end, also before it begins. */
function createAlarm() {
  let hasRung = false;
  let end = () => {};
  return {
    ring: () => {
      hasRung = true;
      end();
    },
    sleep: async (milliseconds: number): Promise<void> => {
      if (!hasRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          end = () => (clearTimeout(timer), resolve());
        });
      }
      hasRung = false;
    },
  };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
