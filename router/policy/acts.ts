import type { Actor } from "../../db/outbox/actor.ts";
import { actingAs, currentActor } from "../../db/running-call.ts";
import { recordAct, type LoginKind } from "../../db/outbox/outbox.ts";
import type { Caller, Services } from "../context.ts";
import { toApiError } from "../errors/to-api-error.ts";
import type { Meta, SecurityEvent } from "../meta.ts";

export type { Actor };

// The database itself records changes of account rows (db/outbox/triggers.ts), with the actor of the call. Recorded
// here is what changes none: what administrators read, and attempts that were refused.

const FAILURES: Partial<Record<SecurityEvent, string>> = {
  login_failed: "account.login_failed",
  recovery_failed: "account.recovery_failed",
};

type ActServices = Pick<Services, "db" | "now">;

/** Adds what its credential says to the actor of a request. */
export function noteCaller<Who extends Caller>(actor: Actor, caller: Who): Who {
  if (caller.tier === "anonymous") return caller;
  actor.account = caller.memberId;
  if (caller.tokenPrefix !== undefined) actor.token = caller.tokenPrefix;
  if (caller.via === "session") actor.session = caller.credentialId;
  return caller;
}

/** Stores whose login is tried, to be recorded if it fails; the caller learns nothing of it. */
export function noteTried(account: string | undefined): void {
  const actor = currentActor();
  if (actor && account !== undefined) actor.tried = account;
}

type Outcome = { readonly ok: true } | { readonly ok: false; readonly error: unknown };

/** Runs a call that logs somebody in or out, and records its failure. */
export async function tellingFailures<Result extends Outcome>(
  meta: Meta | undefined,
  services: ActServices,
  work: () => Promise<Result>,
): Promise<Result> {
  // The calls of a batch share a request, but each has its own attempt.
  const actor = currentActor();
  const own = actor && { ...actor };
  const result = await actingAs(own, work);
  if (result.ok) return result;
  const { code } = toApiError(result.error);
  const failure = meta?.events?.[code];
  const event = failure && FAILURES[failure];
  // What is asked second failed second.
  const login = meta?.loginBy ?? (code === "second_factor_wrong" ? "totp" : "password");
  if (event !== undefined) await recordFailure(event, { services, actor: own, login });
  return result;
}

/** Records a failed login, with the account where it is known. */
export async function recordFailure(
  event: string,
  of: { services: ActServices; actor?: Actor | undefined; login: LoginKind },
): Promise<void> {
  const { services, actor = currentActor(), login } = of;
  const isEvent = event === "account.login_failed";
  const { tried = null, address } = actor ?? {};
  await recordAct(services.db, { event, account: tried, address, login, isEvent, now: services.now() });
}

/** Runs an administrator's call, which may affect others, and records what it reads. */
export async function actingAsAdmin<Result extends Outcome>(
  meta: Meta | undefined,
  services: ActServices,
  work: () => Promise<Result>,
): Promise<Result> {
  const actor = currentActor();
  const result = await actingAs(actor && { ...actor, admin: 1 }, work);
  const event = meta?.reads;
  if (!result.ok || event === undefined || !actor) return result;
  const { account = null, address } = actor;
  await recordAct(services.db, { event, account, address, now: services.now() });
  return result;
}
