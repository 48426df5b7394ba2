import type { Hook } from "../../../db/accounts/hooks.ts";
import type { Outbox, OutboxEvent } from "../../../db/outbox/outbox.ts";
import type { Hooks } from "../../../router/accounts/hooks.ts";
import { isLetIn } from "../../../router/accounts/start-session.ts";
import type { Services } from "../../../router/context.ts";
import { openHookTarget } from "../../../router/instance-key.ts";
import { isAllowed, type NotifyHosts } from "../../config/notify-hosts.ts";
import { checkAccepted, sendAll, WebhookError, type EventSender } from "../outbox/deliver.ts";
import { followOutbox, idsOf } from "../outbox/follow.ts";
import { callHook } from "./call-hook.ts";
import { hookCallOf } from "./hook-forms.ts";

const EVENTS_AT_ONCE = 32;
/** How many hooks are called at a time; if all of these hang, the others wait for the first to end. */
const HOOKS_AT_ONCE = 64;
/** A test call is part of its member's call, which is answered within ten seconds. */
const TEST_MS = 5_000;

/** What the API needs for members' hooks, where the operator has allowed hosts. */
export function createHooks(hosts: NotifyHosts, now: () => number): Hooks {
  return {
    hosts: hosts.names,
    allows: (url) => isAllowed(url, hosts),
    async test({ form, url, secret }, { id, event }) {
      try {
        const call = hookCallOf(form, { url, secret }, { event, id, time: now() });
        checkAccepted(await callHook(call, { ...hosts, timeoutMs: TEST_MS }), now());
        return undefined;
      } catch (error) {
        return failureOf(error);
      }
    },
  };
}

function failureOf(error: unknown): "hook_address" | "hook_unreachable" | "hook_refused" {
  if (!(error instanceof WebhookError)) throw error;
  const { code } = error;
  return code === "hook_address" || code === "hook_unreachable" ? code : "hook_refused";
}

interface Parts {
  /** The hook with this id, if it still exists and its member is not disabled. */
  readonly find: (id: string) => Promise<Hook | undefined>;
  /** Stops recording events for a hook whose receiver wants no more. */
  readonly end: (id: string) => Promise<void>;
  readonly outbox: Outbox;
  readonly hosts: NotifyHosts;
  readonly services: Pick<Services, "db" | "now" | "login" | "keys">;
  readonly onFault: (error: unknown) => void;
}

/** Calls members' hooks with what the database has recorded for them, until it is stopped. */
export function startHooks(parts: Parts): { readonly stop: () => Promise<void> } {
  const { outbox, services } = parts;
  const { now } = services;
  const pauses = new Map<string, { until: number }>();
  const send = async (hook: Hook | undefined, due: readonly OutboxEvent[]) => {
    // The hook was removed or has ended meanwhile, or its member is disabled or no longer confirmed by the provider.
    if (!hook || hook.endedAt !== null || !(await isLetIn(hook.member, services)))
      return outbox.forget(idsOf(due));
    // A receiver's request to wait does not apply once its member has moved the hook elsewhere.
    const place = hook.sealed.join();
    const pause = pauses.get(place) ?? { until: 0 };
    const hasEnded = await sendAll(due, { ...parts, now, send: senderTo(hook, parts), pause });
    if (pause.until > now()) pauses.set(place, pause);
    else pauses.delete(place);
    if (hasEnded) await parts.end(hook.id);
  };
  const running = new Map<string, Promise<void>>();
  const waiting = new Map<string, OutboxEvent[]>();
  // A hanging receiver delays only its own events, which are then sent together.
  const work = async (id: string) => {
    try {
      for (let due = waiting.get(id) ?? []; due.length > 0; due = waiting.get(id) ?? []) {
        waiting.delete(id);
        await send(await parts.find(id), due);
      }
    } finally {
      // What waits after a failure is taken again when its lease ends, and must not be sent twice. Nothing runs between
      // the last check of the loop and this, so no event is left behind.
      waiting.delete(id);
      running.delete(id);
    }
  };
  const handle = async (due: readonly OutboxEvent[]) => {
    for (const [id, events] of Map.groupBy(due, ({ hook }) => hook ?? "")) {
      waiting.set(id, [...(waiting.get(id) ?? []), ...events]);
      if (running.has(id)) continue;
      while (running.size >= HOOKS_AT_ONCE) await Promise.race(running.values());
      running.set(id, work(id).catch(parts.onFault));
    }
  };
  const follower = followOutbox({ ...parts, now, limit: EVENTS_AT_ONCE, handle });
  return {
    stop: async () => {
      await follower.stop();
      await Promise.all(running.values());
    },
  };
}

function senderTo(hook: Hook, { hosts, services: { keys, now } }: Parts): EventSender {
  return async (event, { id }) => {
    const target = await openHookTarget(hook.sealed, hook.id, keys);
    // The operator may have removed its host, or the instance's key was changed.
    if (!target || !isAllowed(new URL(target.url), hosts)) throw new WebhookError("hook_not_allowed");
    const call = hookCallOf(hook.form, target, { event, id, time: now() });
    checkAccepted(await callHook(call, hosts), now());
  };
}
