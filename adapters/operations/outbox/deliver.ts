import type { Outbox, OutboxEvent } from "../../../db/outbox/outbox.ts";
import { idsOf, LONGEST_WAIT_SECONDS } from "./follow.ts";

/** What receivers are told: no content, name or address (docs/webhooks.md). */
export interface WebhookEvent {
  /** For example `secret.revealed`. */
  readonly type: string;
  /** RFC 3339, UTC. */
  readonly timestamp: string;
  readonly data: { readonly id: string | null; readonly kind: string | null; readonly account?: string };
}

/** Sends an event with its fixed id to a receiver; repeated later where this throws. */
export type EventSender = (event: WebhookEvent, about: { id: string; tries: number }) => Promise<void>;

const FIRST_WAIT_SECONDS = 5;
/** For how long after it happened an event is repeated; older ones are deleted. */
const GIVE_UP_SECONDS = 3 * 86_400;

interface Delivery {
  readonly outbox: Pick<Outbox, "forget" | "postpone">;
  readonly send: EventSender;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onFault: (error: unknown) => void;
  /** Until when the receiver wants to be left alone. */
  readonly pause: { until: number };
}

/**
 * Sends all due events to one receiver, each until a 2xx confirms it; unconfirmed ones are repeated, with growing
 * waits. Returns whether the receiver has ended, because it wants no more events at all.
 */
export async function sendAll(due: readonly OutboxEvent[], parts: Delivery): Promise<boolean> {
  const { outbox, now, onFault, pause } = parts;
  // A longer pause was asked for before the clock was set back.
  if (pause.until > now() + LONGEST_WAIT_SECONDS) pause.until = 0;
  if (now() < pause.until) {
    await outbox.postpone(idsOf(due), pause.until);
    return false;
  }
  const results = await Promise.all(
    due.map(async (event) => ({ event, failure: await failureOf(event, parts) })),
  );
  const gone = results.find(({ failure }) => hasCode(failure, GONE));
  if (gone) {
    onFault(gone.failure);
    return true;
  }
  const isOver = (failure: unknown) => failure === undefined || hasCode(failure, GIVEN_UP);
  await outbox.forget(results.filter(({ failure }) => isOver(failure)).map(({ event }) => event.id));
  for (const { failure } of results) {
    if (failure !== undefined) onFault(failure);
    if (failure instanceof WebhookError && failure.retryAfter !== undefined)
      pause.until = Math.max(pause.until, now() + boundedWait(failure.retryAfter));
  }
  const again = results.filter(({ failure }) => !isOver(failure)).map(({ event }) => event);
  for (const [tries, events] of Map.groupBy(again, (event) => event.tries)) {
    const at = pause.until > now() ? pause.until : now() + waitAfter(tries);
    await outbox.postpone(idsOf(events), at);
  }
  return false;
}

/** Why an event was not confirmed, if it was not. */
async function failureOf(event: OutboxEvent, { send, now }: Delivery): Promise<unknown> {
  if (event.tries > 0 && now() - event.happenedAt > GIVE_UP_SECONDS) return new WebhookError(GIVEN_UP);
  return send(describeEvent(event), event).then(
    () => undefined,
    (error: unknown) => error ?? new WebhookError("webhook_refused"),
  );
}

function hasCode(failure: unknown, code: string): boolean {
  return failure instanceof WebhookError && failure.code === code;
}

const GONE = "webhook_gone";
const GIVEN_UP = "webhook_given_up";

/** What an operator reads about a receiver that does not accept an event; never its URL, which may contain a key. */
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

/** The parts of a receiver's answer that matter. */
export interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
}

/** @throws WebhookError unless the receiver has accepted the event */
export function checkAccepted({ status, retryAfter }: Answer, now: number): void {
  if (status === 410) throw new WebhookError(GONE);
  if (status < 200 || status >= 300)
    throw new WebhookError("webhook_refused", readRetryAfter(retryAfter, now));
}

/** The seconds of a `Retry-After`, which has them or a date (RFC 9110, 10.2.3). */
function readRetryAfter(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? "";
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : Math.ceil(Date.parse(text) / 1000) - now;
  return seconds >= 0 ? seconds : undefined;
}

// A receiver can make a server send neither all the time nor never.
function boundedWait(seconds: number): number {
  return Math.min(Math.max(seconds, FIRST_WAIT_SECONDS), LONGEST_WAIT_SECONDS);
}

function waitAfter(tries: number): number {
  return Math.min(FIRST_WAIT_SECONDS * 3 ** tries, LONGEST_WAIT_SECONDS);
}
