import type { Outbox, OutboxEvent } from "../../../db/outbox/outbox.ts";

/** What somebody is told: nothing that was handed over, no name and no address (docs/webhooks.md). */
export interface WebhookEvent {
  /** Such as `secret.revealed`. */
  readonly type: string;
  /** RFC 3339, UTC. */
  readonly timestamp: string;
  readonly data: { readonly id: string | null; readonly kind: string | null; readonly account?: string };
}

/** Tells a receiver of an event, by an id that is the same each time; it is tried again where this throws. */
export type Send = (event: WebhookEvent, about: { id: string; tries: number }) => Promise<void>;

const FIRST_WAIT_SECONDS = 5;
const LONGEST_WAIT_SECONDS = 8 * 3600;
/** So long after it happened an event is sent again; older ones are forgotten. */
const GIVE_UP_SECONDS = 3 * 86_400;

interface Delivery {
  readonly outbox: Pick<Outbox, "forget" | "postpone">;
  readonly send: Send;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onFault: (error: unknown) => void;
  /** Until when the receiver wants to be left alone. */
  readonly pause: { until: number };
}

/**
 * Tells one receiver all of what is due, each event until it is confirmed by a 2xx: what was not is tried again, with
 * growing waits. "ended" where the receiver wants nothing more for ever.
 */
export async function sendAll(due: readonly OutboxEvent[], parts: Delivery): Promise<"ended" | undefined> {
  const { outbox, now, onFault, pause } = parts;
  if (now() < pause.until) {
    await outbox.postpone({ ids: due.map(({ id }) => id), at: pause.until });
    return undefined;
  }
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
async function failureOf(event: OutboxEvent, { send, now }: Delivery): Promise<unknown> {
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
export class WebhookError extends Error {
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

/** What a receiver has answered. */
export interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
}

/** @throws WebhookError unless the receiver has taken what it was told */
export function checkTaken({ status, retryAfter }: Answer, now: number): void {
  if (status === 410) throw new WebhookError(GONE);
  if (status < 200 || status >= 300)
    throw new WebhookError("webhook_refused", readRetryAfter(retryAfter, now));
}

/** Seconds of a `Retry-After`, which has them or a date (RFC 9110, 10.2.3). */
function readRetryAfter(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? "";
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
