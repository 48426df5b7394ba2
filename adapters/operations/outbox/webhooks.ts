import { Webhook } from "standardwebhooks";
import type { Outbox, OutboxEvent } from "../../../db/outbox/outbox.ts";
import { followOutbox } from "./follow.ts";

/** Where events go, and the keys that sign them (Standard Webhooks 1.0). */
export interface WebhookSettings {
  readonly url: string;
  /** `whsec_` and base64; a receiver needs one of them. */
  readonly secrets: readonly string[];
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
  /** Has nothing more written down, and forgets what waits: the receiver wants no more. */
  readonly end: () => Promise<void>;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onFault: (error: unknown) => void;
}

/** Delivers what the database has written down, each event until it is confirmed by a 2xx, until it is stopped. */
export function startWebhooks(parts: Parts): { readonly stop: () => Promise<void> } {
  const pause = { until: 0 };
  let hasEnded = false;
  const handOn = async (due: readonly OutboxEvent[]) => {
    // Another instance, which has not heard it yet, may still write some.
    if (hasEnded) return parts.end();
    if (parts.now() < pause.until)
      return parts.outbox.postpone({ ids: due.map(({ id }) => id), at: pause.until });
    hasEnded = (await sendAll(due, { ...parts, pause })) === "ended";
    if (hasEnded) await parts.end();
  };
  return followOutbox({ ...parts, limit: AT_ONCE, handOn });
}

/** Tells all of what is due; "ended" where the receiver wants nothing more for ever. */
async function sendAll(
  due: readonly OutboxEvent[],
  parts: Parts & { pause: { until: number } },
): Promise<"ended" | undefined> {
  const { outbox, now, onFault, pause } = parts;
  const results = await Promise.all(
    due.map(async (event) => ({ event, failure: await failureOf(event, parts) })),
  );
  const gone = results.find(({ failure }) => failure instanceof WebhookError && failure.code === GONE);
  if (gone) {
    onFault(gone.failure);
    return "ended";
  }
  const isOver = (failure: unknown) => failure === undefined || isGivenUp(failure);
  await outbox.forget(results.filter(({ failure }) => isOver(failure)).map(({ event }) => event.id));
  for (const { failure } of results) {
    if (failure !== undefined) onFault(failure);
    if (failure instanceof WebhookError && failure.retryAfter !== undefined)
      pause.until = Math.max(pause.until, now() + boundedWait(failure.retryAfter));
  }
  const again = results.filter(({ failure }) => !isOver(failure)).map(({ event }) => event);
  for (const [tries, events] of Map.groupBy(again, (event) => event.tries)) {
    const at = pause.until > now() ? pause.until : now() + waitAfter(tries);
    await outbox.postpone({ ids: events.map(({ id }) => id), at });
  }
  return undefined;
}

/** What has kept an event from being confirmed, if something has. */
async function failureOf(event: OutboxEvent, { send, now }: Parts): Promise<unknown> {
  if (event.tries > 0 && now() - event.happenedAt > GIVE_UP_SECONDS) return new WebhookError(GIVEN_UP);
  return send(describeEvent(event), event).then(
    () => undefined,
    (error: unknown) => error ?? new WebhookError("webhook_refused"),
  );
}

function isGivenUp(failure: unknown): boolean {
  return failure instanceof WebhookError && failure.code === GIVEN_UP;
}

const GONE = "webhook_gone";
const GIVEN_UP = "webhook_given_up";

/** What an operator reads of a receiver that does not take an event; never its URL, which may hold a key. */
class WebhookError extends Error {
  override readonly name = "WebhookError";
  readonly code: string;
  /** For how many seconds the receiver wants to be left alone. */
  readonly retryAfter: number | undefined;

  constructor(code: string, retryAfter?: number) {
    super(code);
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

function describeEvent({ event, subject, kind, account, happenedAt }: OutboxEvent): WebhookEvent {
  const timestamp = new Date(happenedAt * 1000).toISOString();
  return { type: event, timestamp, data: { id: subject, kind, ...(account !== null && { account }) } };
}

/** Sends events to a receiver, as calls that are signed. */
export function callReceiver({ url, secrets, now }: WebhookSettings & Pick<Parts, "now">): Parts["send"] {
  return async (event, { id }) => {
    const payload = JSON.stringify(event);
    // Asked for once: the receiver checks the signature with the time of the header.
    const time = now();
    const sign = (secret: string) => new Webhook(secret).sign(id, new Date(time * 1000), payload);
    const headers = {
      "content-type": "application/json",
      "user-agent": "Hushkit",
      "webhook-id": id,
      "webhook-timestamp": String(time),
      "webhook-signature": secrets.map(sign).join(" "),
    };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const call = { method: "POST", headers, body: payload, redirect: "manual", signal } as const;
    const response = await fetch(url, call).catch(() => {
      throw new WebhookError("webhook_unreachable");
    });
    await response.body?.cancel();
    if (response.status === 410) throw new WebhookError(GONE);
    if (!response.ok) throw new WebhookError("webhook_refused", readRetryAfter(response.headers, now()));
  };
}

/** Seconds of a `Retry-After`, which has them or a date (RFC 9110, 10.2.3). */
function readRetryAfter(headers: Headers, now: number): number | undefined {
  const text = headers.get("retry-after")?.trim() ?? "";
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : Math.ceil(Date.parse(text) / 1000) - now;
  return seconds >= 0 ? seconds : undefined;
}

// Nobody can have a server ask at once, and all the time, or not at all.
function boundedWait(seconds: number): number {
  return Math.min(Math.max(seconds, FIRST_WAIT_SECONDS), LONGEST_WAIT_SECONDS);
}

function waitAfter(tries: number): number {
  return Math.min(FIRST_WAIT_SECONDS * 3 ** tries, LONGEST_WAIT_SECONDS);
}
