import type { HookForm } from "../../../db/accounts/hooks.ts";
import type { WebhookEvent } from "../outbox/deliver.ts";
import { signedHeaders } from "../outbox/webhooks.ts";
import type { HookTarget } from "../../../router/instance-key.ts";
import type { HookCall } from "./call-hook.ts";

/** An event with its fixed id, and the current time in unix seconds. */
interface HookEvent {
  readonly event: WebhookEvent;
  readonly id: string;
  readonly time: number;
}

/** The call that tells a hook of an event, in the format of its service. */
export function hookCallOf(form: HookForm, target: HookTarget, told: HookEvent): HookCall {
  const { url, body, headers = {} } = FORMS[form](target, told);
  const common = { "content-type": "application/json", "user-agent": "Hushkit" };
  return { url: url ?? new URL(target.url), headers: { ...common, ...headers }, body };
}

interface HookRequest {
  readonly body: string;
  readonly headers?: Record<string, string>;
  /** Where it differs from the member's URL. */
  readonly url?: URL;
}

const FORMS: Readonly<Record<HookForm, (target: HookTarget, told: HookEvent) => HookRequest>> = {
  // Standard Webhooks 1.0.
  standard({ secret }, { event, id, time }) {
    const body = JSON.stringify(event);
    return { body, headers: secret === null ? {} : signedHeaders(body, { id, time, secrets: [secret] }) };
  },
  // https://docs.ntfy.sh/publish/#publish-as-json: sent to the root, with the topic in the JSON.
  ntfy({ url: given }, { event }) {
    const [url, isUrgent] = [new URL(given), event.type === "secret.locked"];
    const parts = url.pathname.replace(/\/+$/, "").split("/");
    const topic = decodeURIComponent(parts.pop() ?? "");
    url.pathname = parts.join("/") || "/";
    const more = { tags: [isUrgent ? "warning" : "lock"], priority: isUrgent ? 4 : 3 };
    return { url, body: JSON.stringify({ topic, title: "Hushkit", message: sentenceOf(event), ...more }) };
  },
  // Incoming webhooks of Slack, which Mattermost and Rocket.Chat accept too.
  slack: (_, { event }) => ({ body: JSON.stringify({ text: sentenceOf(event) }) }),
  // The workflow "Post to a channel when a webhook request is received" takes a message with an Adaptive Card.
  teams: (_, { event }) => ({ body: JSON.stringify(cardOf(sentenceOf(event))) }),
  // Hookshot's inbound webhooks, which Element's hosts have too.
  matrix: (_, { event }) => ({ body: JSON.stringify({ text: sentenceOf(event) }) }),
};

function cardOf(text: string) {
  const content = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    body: [{ type: "TextBlock", text, wrap: true }],
  };
  const contentType = "application/vnd.microsoft.card.adaptive";
  return { type: "message", attachments: [{ contentType, contentUrl: null, content }] };
}

/** An event as a sentence. It contains only the id, which opens nothing. */
function sentenceOf({ type, data: { id } }: WebhookEvent): string {
  return SENTENCES[type]?.(id ?? "") ?? `${type}: ${id}.`;
}

const SENTENCES: Readonly<Record<string, (id: string) => string>> = {
  "hook.created": () =>
    "This is a test. From now on Hushkit says here what happens to your secrets and requests.",
  "secret.created": (id) => `Your secret ${id} was stored.`,
  "secret.revealed": (id) => `Your secret ${id} was opened.`,
  "secret.revoked": (id) => `Your secret ${id} was deleted.`,
  "secret.expired": (id) => `Your secret ${id} has expired, and nobody has opened it.`,
  "secret.locked": (id) =>
    `Your secret ${id} was deleted after ten wrong passphrases, and nobody has read it.`,
  "request.created": (id) => `Your request ${id} was made.`,
  "request.answered": (id) => `Somebody has answered your request ${id}.`,
  "request.collected": (id) => `An answer to your request ${id} was collected.`,
  "request.cancelled": (id) => `Your request ${id} was cancelled.`,
  "request.expired": (id) => `Your request ${id} has expired.`,
};
