import { Webhook } from "standardwebhooks";
import type { Outbox, OutboxEvent } from "../../../db/outbox/outbox.ts";
import { checkAccepted, sendAll, WebhookError, type EventSender } from "./deliver.ts";
import { followOutbox } from "./follow.ts";

const TIMEOUT_MS = 15_000;
const BATCH_SIZE = 32;

interface Parts {
  readonly outbox: Outbox;
  readonly send: EventSender;
  /** Stops recording events and deletes pending ones, because the receiver wants no more. */
  readonly end: () => Promise<void>;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onFault: (error: unknown) => void;
}

/** Delivers the recorded events, each until a 2xx confirms it, until it is stopped. */
export function startWebhooks(parts: Parts): { readonly stop: () => Promise<void> } {
  const pause = { until: 0 };
  let hasEnded = false;
  const handle = async (due: readonly OutboxEvent[]) => {
    // Another instance that does not know yet that the receiver has ended may still record events.
    hasEnded ||= await sendAll(due, { ...parts, pause });
    if (hasEnded) await parts.end();
  };
  return followOutbox({ ...parts, limit: BATCH_SIZE, handle });
}

/** The headers of a signed call. */
export function signedHeaders(
  payload: string,
  { id, time, secrets }: { id: string; time: number; secrets: readonly string[] },
): Record<string, string> {
  const sign = (secret: string) => new Webhook(secret).sign(id, new Date(time * 1000), payload);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(time),
    "webhook-signature": secrets.map(sign).join(" "),
  };
}

/** Sends events to a receiver in calls that are signed with each secret (`whsec_` and base64); it needs one of them. */
export function callReceiver({
  url,
  secrets,
  now,
}: { url: string; secrets: readonly string[] } & Pick<Parts, "now">): EventSender {
  return async (event, { id }) => {
    const payload = JSON.stringify(event);
    const headers = {
      "content-type": "application/json",
      "user-agent": "Hushkit",
      // The time is read once: the receiver checks the signature with that of the header.
      ...signedHeaders(payload, { id, time: now(), secrets }),
    };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const call = { method: "POST", headers, body: payload, redirect: "manual", signal } as const;
    const response = await fetch(url, call).catch(() => {
      throw new WebhookError("webhook_unreachable");
    });
    // The status confirms the event, even if the connection is lost afterwards.
    await response.body?.cancel().catch(() => {});
    checkAccepted({ status: response.status, retryAfter: response.headers.get("retry-after") }, now());
  };
}
