import type { ErrorCode } from "../errors/error-codes.ts";

/** What an operator may want to alert on. It names no account, no address and no credential. */
export type SecurityEvent =
  | "login_failed"
  | "login_locked"
  | "recovery_failed"
  | "password_wrong"
  | "token_revoked"
  | "token_refused"
  | "oidc_refused"
  | "account_added"
  | "account_reset"
  | "account_deleted"
  | "account_disabled"
  | "account_enabled"
  | "role_changed"
  | "key_rotated"
  | "admin_refused";

type Outcome = ErrorCode | "ok";

/** Of every procedure for administrators: somebody else tries it, or does not know the password. */
const ADMIN_REFUSED = { admin_required: "admin_refused", password_wrong: "password_wrong" } as const;

const EVENTS: Readonly<Record<string, Partial<Record<Outcome, SecurityEvent>>>> = {
  "account.login": {
    invalid_credentials: "login_failed",
    account_disabled: "login_failed",
    second_factor_wrong: "login_failed",
    rate_limited: "login_locked",
  },
  "account.passkeyLogin": {
    passkey_wrong: "login_failed",
    account_disabled: "login_failed",
    rate_limited: "login_locked",
  },
  "account.recover": {
    invalid_credentials: "recovery_failed",
    account_disabled: "recovery_failed",
    rate_limited: "login_locked",
  },
  "account.changePassword": { password_wrong: "password_wrong", rate_limited: "login_locked" },
  "account.delete": { ok: "account_deleted", password_wrong: "password_wrong", rate_limited: "login_locked" },
  "tokens.revoke": { ok: "token_revoked" },
  "admin.addMember": { ok: "account_added", ...ADMIN_REFUSED },
  "admin.resetMember": { ok: "account_reset", ...ADMIN_REFUSED },
  "admin.disableMember": { ok: "account_disabled", ...ADMIN_REFUSED },
  "admin.enableMember": { ok: "account_enabled", ...ADMIN_REFUSED },
  "admin.deleteMember": { ok: "account_deleted", ...ADMIN_REFUSED },
  "admin.members": ADMIN_REFUSED,
  "admin.counters": ADMIN_REFUSED,
};

/** The event that a call's outcome is, where it is one. */
export function securityEventOf(path: string, outcome: Outcome): SecurityEvent | undefined {
  return Object.hasOwn(EVENTS, path) ? EVENTS[path]?.[outcome] : undefined;
}
