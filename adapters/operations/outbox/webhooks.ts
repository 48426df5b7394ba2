import { Webhook } from "standardwebhooks";
import type { Outbox, OutboxEvent } from "../../../db/outbox/outbox.ts";
import { followOutbox } from "./follow.ts";

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
const AT_ONCE = 32;
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

/** Delivers what the database has written down, each event until it is confirmed by a 2xx, until it is stopped. */
export function startWebhooks(parts: Parts): { readonly stop: () => Promise<void> } {
  return followOutbox({ ...parts, limit: AT_ONCE, handOn: (due) => sendAll(due, parts) });
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
