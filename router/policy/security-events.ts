import type { ErrorCode } from "../errors/error-codes.ts";

/** What an operator may want to alert on. It names no account, no address and no credential. */
export type SecurityEvent =
  | "login_failed"
  | "login_locked"
  | "recovery_failed"
  | "password_wrong"
  | "token_revoked"
  | "token_refused"
  | "account_added"
  | "account_reset"
  | "account_deleted";

type Outcome = ErrorCode | "ok";

const EVENTS: Readonly<Record<string, Partial<Record<Outcome, SecurityEvent>>>> = {
  "account.login": { invalid_credentials: "login_failed", rate_limited: "login_locked" },
  "account.recover": { invalid_credentials: "recovery_failed", rate_limited: "login_locked" },
  "account.changePassword": { password_wrong: "password_wrong", rate_limited: "login_locked" },
  "account.delete": { ok: "account_deleted", password_wrong: "password_wrong", rate_limited: "login_locked" },
  "tokens.revoke": { ok: "token_revoked" },
};

/** The event that a call's outcome is, where it is one. */
export function securityEventOf(path: string, outcome: Outcome): SecurityEvent | undefined {
  return Object.hasOwn(EVENTS, path) ? EVENTS[path]?.[outcome] : undefined;
}
