import type { CallerContext } from "../context.ts";
import { toApiError } from "../errors/to-api-error.ts";
import { securityEventOf, type SecurityEvent } from "./security-events.ts";

/** What a procedure has done that ended well. */
const ACTS: Readonly<Record<string, string>> = {
  "account.register": "account.created",
  "account.login": "account.login",
  "account.passkeyLogin": "account.login",
  "account.recover": "account.recovered",
  "account.logout": "account.logout",
  "account.delete": "account.deleted",
  "account.changePassword": "account.password_changed",
  "account.endSession": "session.ended",
  "account.endOtherSessions": "session.ended",
  "account.confirmTotp": "account.totp_added",
  "account.endTotp": "account.totp_removed",
  "account.addPasskey": "account.passkey_added",
  "account.deletePasskey": "account.passkey_removed",
  "account.deleteIdentity": "account.identity_removed",
  "tokens.create": "token.created",
  "tokens.revoke": "token.revoked",
  "secrets.create": "secret.created",
  "secrets.createFile": "secret.created",
  "secrets.revokeOwn": "secret.revoked",
  "requests.create": "request.created",
  "requests.cancelOwn": "request.cancelled",
  "admin.addMember": "admin.account_added",
  "admin.resetMember": "admin.account_reset",
  "admin.disableMember": "admin.account_disabled",
  "admin.enableMember": "admin.account_enabled",
  "admin.deleteMember": "admin.account_deleted",
};

/** Of those that failed, the ones that somebody has to know of. */
const FAILURES: Partial<Record<SecurityEvent, string>> = {
  login_failed: "account.login_failed",
  recovery_failed: "account.recovery_failed",
};

/** These begin without a member, who is in the answer. */
const BEGINS = new Set(["account.register", "account.login", "account.passkeyLogin", "account.recover"]);

/** Tells of what a call has done, where an account has done it. */
export function tellAct(
  path: string,
  {
    ctx: { caller, services, address, idempotency },
    result,
  }: {
    ctx: Pick<CallerContext, "caller" | "services" | "address" | "idempotency">;
    result: { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly error: unknown };
  },
): void {
  if (!services.onAct || idempotency.isRepeat) return;
  const event = result.ok ? actOf(path) : failureOf(path, result.error);
  if (event === undefined) return;
  const id = result.ok ? idOf(result.data) : undefined;
  const who = BEGINS.has(path) ? (id ?? null) : caller.tier === "member" ? caller.memberId : undefined;
  if (who === undefined) return;
  const token = caller.tier === "member" ? caller.tokenPrefix : undefined;
  services.onAct({
    event,
    account: who,
    token,
    subject: BEGINS.has(path) ? undefined : id,
    address: address.usage,
  });
}

function actOf(path: string): string | undefined {
  return Object.hasOwn(ACTS, path) ? ACTS[path] : undefined;
}

function failureOf(path: string, error: unknown): string | undefined {
  const event = securityEventOf(path, toApiError(error).code);
  return event && FAILURES[event];
}

function idOf(data: unknown): string | undefined {
  if (typeof data !== "object" || data === null || !("id" in data)) return undefined;
  return typeof data.id === "string" ? data.id : undefined;
}
