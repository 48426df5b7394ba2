import type { Database } from "../open.ts";
import type { Sink } from "../schema.ts";
import { acting } from "./actor.ts";

/** A change of a row that is reported, in SQL on the row as `new` or `old`. */
export interface Change {
  table: "secret" | "request" | "member" | "token" | "session" | "identity" | "passkey" | "hook";
  on: "insert" | "update" | "delete";
  event: string;
  /** Its name in the audit log where an administrator does it to somebody else. */
  administered?: string;
  when?: string;
  subject: string;
  kind: string;
  /** The member to whom it belongs. */
  account: string;
  login?: string;
  happenedAt: string;
  /** Reported to both where it is absent. */
  sink?: Sink;
}

export type Kind = Database["kind"];

const SECRET_KIND = "case when new.file_size is null then 'text' else 'file' end";

/**
 * Named as in docs/webhooks.md and docs/accounts.md. `now` is the database's time, for rows without a time of their
 * own.
 */
export const CHANGES: Readonly<Record<string, (kind: Kind, now: string) => Change>> = {
  secret_made: () => ({
    table: "secret",
    on: "insert",
    event: "'secret.created'",
    subject: "new.id",
    kind: SECRET_KIND,
    account: "new.owner",
    happenedAt: "new.created_at",
  }),
  secret_ended: () => ({
    table: "secret",
    on: "update",
    event: "'secret.' || new.status",
    subject: "new.id",
    when: "new.status <> old.status and new.status <> 'active'",
    kind: SECRET_KIND,
    account: "new.owner",
    happenedAt: "new.closed_at",
  }),
  request_made: () => ({
    table: "request",
    on: "insert",
    event: "'request.created'",
    subject: "new.id",
    kind: "'request'",
    account: "new.owner",
    happenedAt: "new.created_at",
  }),
  // Reports each answer and each that is collected; the status changes with the last ones.
  request_changed: (_, now) => ({
    table: "request",
    on: "update",
    subject: "new.id",
    event:
      "case when new.answered > old.answered then 'request.answered' " +
      "when new.collected > old.collected then 'request.collected' else 'request.' || new.status end",
    when:
      "new.answered > old.answered or new.collected > old.collected or " +
      "new.status <> old.status and new.status in ('cancelled', 'expired')",
    kind: "'request'",
    account: "new.owner",
    happenedAt:
      "case when new.closed_at is not null then new.closed_at " +
      `when new.status <> old.status then new.answered_at else ${now} end`,
  }),
  account_made: () => ({
    table: "member",
    on: "insert",
    event: "'account.created'",
    subject: "new.id",
    administered: "'admin.account_added'",
    kind: "'account'",
    account: "new.id",
    happenedAt: "new.created_at",
  }),
  account_gone: (_, now) => ({
    table: "member",
    on: "delete",
    event: "'account.deleted'",
    subject: "old.id",
    administered: "'admin.account_deleted'",
    kind: "'account'",
    account: "old.id",
    happenedAt: now,
  }),
  // A new hash of the same password with other costs is not an act.
  password_changed: (kind, now) => ({
    ...memberChange({ event: "'account.password_changed'", administered: "'admin.account_reset'", now }),
    when:
      "new.password <> old.password and new.recovery_hash is not distinct from old.recovery_hash and " +
      `${acting(kind, "known")} is not null`,
  }),
  account_recovered: (_, now) => ({
    ...memberChange({ event: "'account.recovered'", administered: "'admin.account_reset'", now }),
    when: "new.password <> old.password and new.recovery_hash is distinct from old.recovery_hash",
  }),
  recovery_code_changed: (_, now) => ({
    ...memberChange({ event: "'account.recovery_code_changed'", now }),
    when: "new.password = old.password and new.recovery_hash is distinct from old.recovery_hash",
  }),
  role_changed: (_, now) => ({
    ...memberChange({ event: "'account.role_changed'", administered: "'admin.role_changed'", now }),
    when: "new.role is distinct from old.role",
  }),
  account_disabled: (_, now) => ({
    ...memberChange({ event: "'account.disabled'", administered: "'admin.account_disabled'", now }),
    when: "new.disabled_at is not null and old.disabled_at is null",
  }),
  account_enabled: (_, now) => ({
    ...memberChange({ event: "'account.enabled'", administered: "'admin.account_enabled'", now }),
    when: "new.disabled_at is null and old.disabled_at is not null",
  }),
  totp_added: (_, now) => ({
    ...memberChange({ event: "'account.totp_added'", now }),
    when: "new.totp_since is not null and old.totp_since is null",
  }),
  totp_removed: (_, now) => ({
    ...memberChange({ event: "'account.totp_removed'", now }),
    when: "new.totp_since is null and old.totp_since is not null",
  }),
  account_entered: () => ({
    table: "session",
    on: "insert",
    event: "'account.login'",
    subject: "new.member",
    kind: "'account'",
    account: "new.member",
    login: "new.login",
    happenedAt: "new.created_at",
  }),
  // Sweeping away an expired session is not an act.
  session_ended: (kind, now) => ({
    table: "session",
    on: "delete",
    subject: "old.id",
    kind: "'session'",
    sink: "audit",
    event: `case when old.id = ${acting(kind, "session")} then 'account.logout' else 'session.ended' end`,
    when: `${acting(kind, "known")} is not null`,
    account: "old.member",
    happenedAt: now,
  }),
  token_made: () => ({
    table: "token",
    on: "insert",
    event: "'token.created'",
    subject: "new.id",
    kind: "'token'",
    account: "new.member",
    happenedAt: "new.created_at",
  }),
  token_gone: (_, now) => ({
    table: "token",
    on: "delete",
    event: "'token.revoked'",
    subject: "old.id",
    // Removing an expired one is not an act.
    when: `old.expires_at is null or old.expires_at > ${now}`,
    kind: "'token'",
    account: "old.member",
    happenedAt: now,
  }),
  passkey_added: () => ({
    table: "passkey",
    on: "insert",
    event: "'account.passkey_added'",
    sink: "audit",
    subject: "new.id",
    kind: "'passkey'",
    account: "new.member",
    happenedAt: "new.created_at",
  }),
  passkey_removed: (_, now) => ({
    table: "passkey",
    on: "delete",
    event: "'account.passkey_removed'",
    sink: "audit",
    subject: "old.id",
    kind: "'passkey'",
    account: "old.member",
    happenedAt: now,
  }),
  identity_added: () => ({
    table: "identity",
    on: "insert",
    event: "'account.identity_added'",
    sink: "audit",
    subject: "new.member",
    kind: "'account'",
    account: "new.member",
    happenedAt: "new.created_at",
  }),
  identity_removed: (_, now) => ({
    table: "identity",
    on: "delete",
    event: "'account.identity_removed'",
    sink: "audit",
    subject: "old.member",
    kind: "'account'",
    account: "old.member",
    happenedAt: now,
  }),
  // Not the table's name, which is that of a sink.
  notice_added: () => ({
    table: "hook",
    on: "insert",
    event: "'account.hook_added'",
    sink: "audit",
    subject: "new.id",
    kind: "'hook'",
    account: "new.member",
    happenedAt: "new.created_at",
  }),
  // Not where its receiver ends it, or where it is encrypted with another key of the instance.
  notice_changed: (kind, now) => ({
    table: "hook",
    on: "update",
    event: "'account.hook_changed'",
    sink: "audit",
    when: `${acting(kind, "known")} is not null and (new.sealed <> old.sealed or new.events <> old.events)`,
    subject: "new.id",
    kind: "'hook'",
    account: "new.member",
    happenedAt: now,
  }),
  notice_removed: (_, now) => ({
    table: "hook",
    on: "delete",
    event: "'account.hook_removed'",
    sink: "audit",
    subject: "old.id",
    kind: "'hook'",
    account: "old.member",
    happenedAt: now,
  }),
};

function memberChange({ now, ...named }: { event: string; administered?: string; now: string }) {
  const row = { table: "member", on: "update", subject: "new.id", account: "new.id", sink: "audit" } as const;
  return { ...row, ...named, kind: "'account'", happenedAt: now };
}
