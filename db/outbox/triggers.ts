import { sql, type Kysely } from "kysely";
import type { Database } from "../open.ts";
import type { Sink, Tables } from "../schema.ts";
import { startAlone } from "../upgrade/start-lock.ts";
import { acting } from "./actor.ts";

/** A change of a row that somebody is told of, in SQL of the row as `new` or `old`. */
interface Change {
  table: "secret" | "request" | "member" | "token" | "session" | "identity" | "passkey" | "hook";
  on: "insert" | "update" | "delete";
  event: string;
  /** What the audit log calls it where an administrator does it to somebody else. */
  administered?: string;
  when?: string;
  subject: string;
  kind: string;
  /** The member whose it is. */
  account: string;
  login?: string;
  happenedAt: string;
  /** Both of them where it is absent. */
  sink?: Sink;
}

type Kind = Database["kind"];

const NOW = { sqlite: "unixepoch()", postgres: "extract(epoch from now())::bigint" };
const ID = { sqlite: "lower(hex(randomblob(16)))", postgres: "replace(gen_random_uuid()::text, '-', '')" };

const SECRET_KIND = "case when new.file_size is null then 'text' else 'file' end";

/** In the words of docs/webhooks.md and docs/accounts.md. `now` is the database's time, where a row has none of its own. */
const CHANGES: Readonly<Record<string, (kind: Kind, now: string) => Change>> = {
  secret_made: () => ({
    ...({ table: "secret", on: "insert", event: "'secret.created'", subject: "new.id" } as const),
    ...{ kind: SECRET_KIND, account: "new.owner", happenedAt: "new.created_at" },
  }),
  secret_ended: () => ({
    ...({ table: "secret", on: "update", event: "'secret.' || new.status", subject: "new.id" } as const),
    when: "new.status <> old.status and new.status <> 'active'",
    ...{ kind: SECRET_KIND, account: "new.owner", happenedAt: "new.closed_at" },
  }),
  request_made: () => ({
    ...({ table: "request", on: "insert", event: "'request.created'", subject: "new.id" } as const),
    ...{ kind: "'request'", account: "new.owner", happenedAt: "new.created_at" },
  }),
  // Each answer is told of, and each that is collected; the status changes with the last ones.
  request_changed: (_, now) => ({
    ...({ table: "request", on: "update", subject: "new.id" } as const),
    event:
      "case when new.answered > old.answered then 'request.answered' " +
      "when new.collected > old.collected then 'request.collected' else 'request.' || new.status end",
    when:
      "new.answered > old.answered or new.collected > old.collected or " +
      "new.status <> old.status and new.status in ('cancelled', 'expired')",
    ...{ kind: "'request'", account: "new.owner" },
    happenedAt:
      "case when new.closed_at is not null then new.closed_at " +
      `when new.status <> old.status then new.answered_at else ${now} end`,
  }),
  account_made: () => ({
    ...({ table: "member", on: "insert", event: "'account.created'", subject: "new.id" } as const),
    ...{ administered: "'admin.account_added'", kind: "'account'", account: "new.id" },
    happenedAt: "new.created_at",
  }),
  account_gone: (_, now) => ({
    ...({ table: "member", on: "delete", event: "'account.deleted'", subject: "old.id" } as const),
    ...{ administered: "'admin.account_deleted'", kind: "'account'", account: "old.id", happenedAt: now },
  }),
  // A hash of the same password with other costs is nobody's act.
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
    ...({ table: "session", on: "insert", event: "'account.login'", subject: "new.member" } as const),
    ...{ kind: "'account'", account: "new.member", login: "new.login", happenedAt: "new.created_at" },
  }),
  // One whose time is over is swept away by nobody.
  session_ended: (kind, now) => ({
    ...({ table: "session", on: "delete", subject: "old.id", kind: "'session'", sink: "audit" } as const),
    event: `case when old.id = ${acting(kind, "session")} then 'account.logout' else 'session.ended' end`,
    when: `${acting(kind, "known")} is not null`,
    ...{ account: "old.member", happenedAt: now },
  }),
  token_made: () => ({
    ...({ table: "token", on: "insert", event: "'token.created'", subject: "new.id" } as const),
    ...{ kind: "'token'", account: "new.member", happenedAt: "new.created_at" },
  }),
  token_gone: (_, now) => ({
    ...({ table: "token", on: "delete", event: "'token.revoked'", subject: "old.id" } as const),
    // One that has expired is tidied away.
    when: `old.expires_at is null or old.expires_at > ${now}`,
    ...{ kind: "'token'", account: "old.member", happenedAt: now },
  }),
  passkey_added: () => ({
    ...({ table: "passkey", on: "insert", event: "'account.passkey_added'", sink: "audit" } as const),
    ...{ subject: "new.id", kind: "'passkey'", account: "new.member", happenedAt: "new.created_at" },
  }),
  passkey_removed: (_, now) => ({
    ...({ table: "passkey", on: "delete", event: "'account.passkey_removed'", sink: "audit" } as const),
    ...{ subject: "old.id", kind: "'passkey'", account: "old.member", happenedAt: now },
  }),
  identity_added: () => ({
    ...({ table: "identity", on: "insert", event: "'account.identity_added'", sink: "audit" } as const),
    ...{ subject: "new.member", kind: "'account'", account: "new.member", happenedAt: "new.created_at" },
  }),
  identity_removed: (_, now) => ({
    ...({ table: "identity", on: "delete", event: "'account.identity_removed'", sink: "audit" } as const),
    ...{ subject: "old.member", kind: "'account'", account: "old.member", happenedAt: now },
  }),
  // Not by the table's name, which is that of a sink.
  notice_added: () => ({
    ...({ table: "hook", on: "insert", event: "'account.hook_added'", sink: "audit" } as const),
    ...{ subject: "new.id", kind: "'hook'", account: "new.member", happenedAt: "new.created_at" },
  }),
  notice_removed: (_, now) => ({
    ...({ table: "hook", on: "delete", event: "'account.hook_removed'", sink: "audit" } as const),
    ...{ subject: "old.id", kind: "'hook'", account: "old.member", happenedAt: now },
  }),
};

function memberChange({ now, ...named }: { event: string; administered?: string; now: string }) {
  const row = { table: "member", on: "update", subject: "new.id", account: "new.id", sink: "audit" } as const;
  return { ...row, ...named, kind: "'account'", happenedAt: now };
}

/** Part of each name: a release that tells something else has another number, and makes them anew. */
const PREFIX = "event3_";
const SINKS: readonly Sink[] = ["webhook", "audit", "hook"];

/**
 * Has the database write down what happens, for each sink, in the transaction in which it happens; without a sink not any
 * more. All instances on one database have the same setting. Where it is so already, no table is touched: that would wait
 * for all who use it.
 */
export async function recordEvents(db: Database, { sinks }: { sinks: readonly Sink[] }): Promise<void> {
  const wanted = SINKS.filter((sink) => sinks.includes(sink));
  await db.write(async (trx) => {
    await startAlone(trx, db.kind);
    await trx
      .deleteFrom("outbox")
      .$if(wanted.length > 0, (query) => query.where("sink", "not in", wanted))
      .execute();
    await record(trx, { kind: db.kind, sinks: wanted });
  });
  db.sinks = wanted;
}

/** Has the database write down what happens for one sink more, beside those that a server has asked for. */
export async function alsoRecordEvents(db: Database, sink: Sink): Promise<void> {
  db.sinks = await db.write(async (trx) => {
    await startAlone(trx, db.kind);
    const recorded = await recordedSinks(trx, db.kind);
    const sinks = SINKS.filter((each) => each === sink || recorded.includes(each));
    await record(trx, { kind: db.kind, sinks });
    return sinks;
  });
}

/** Has the database write down nothing more for one sink, whichever others there are, and forgets what waits for it. */
export async function stopRecording(db: Database, sink: Sink): Promise<void> {
  db.sinks = await db.write(async (trx) => {
    await startAlone(trx, db.kind);
    await trx.deleteFrom("outbox").where("sink", "=", sink).execute();
    const sinks = (await recordedSinks(trx, db.kind)).filter((each) => each !== sink);
    await record(trx, { kind: db.kind, sinks });
    return sinks;
  });
}

async function recordedSinks(trx: Kysely<Tables>, kind: Kind): Promise<Sink[]> {
  const found = (await listTriggers(trx, kind)).map(({ name }) => name);
  return SINKS.filter((sink) => found.some((name) => sinksOf(name).includes(sink)));
}

async function record(
  trx: Kysely<Tables>,
  { kind, sinks }: { kind: Kind; sinks: readonly Sink[] },
): Promise<void> {
  const changes = Object.entries(CHANGES).flatMap(([name, make]) => {
    const change = make(kind, NOW[kind]);
    const told = sinks.filter((sink) => isTold(sink, change));
    return told.length === 0 ? [] : [{ name: `${PREFIX}${told.join("_")}_${name}`, change, sinks: told }];
  });
  const found = await listTriggers(trx, kind);
  const names = changes.map(({ name }) => name);
  if (found.length === names.length && found.every(({ name }) => names.includes(name))) return;
  await dropTriggers(trx, kind);
  for (const change of changes) await create(trx, { kind, ...change });
}

function sinksOf(name: string): readonly Sink[] {
  const [, ...parts] = name.split("_");
  const end = parts.findIndex((part) => SINKS.every((sink) => sink !== part));
  return SINKS.filter((sink) => parts.slice(0, end).includes(sink));
}

function isTold(sink: Sink, { sink: only, table }: Change): boolean {
  return sink === "hook" ? isThing(table) : (only ?? sink) === sink;
}

/** What a member hands over or asks for. */
function isThing(table: Change["table"]): boolean {
  return table === "secret" || table === "request";
}

/** Stops the writing, as part of a transaction, and leaves what was written. */
export async function dropTriggers(trx: Kysely<Tables>, kind: Kind): Promise<void> {
  for (const { name, table } of await listTriggers(trx, kind)) await drop(trx, { kind, name, table });
}

const SQLITE_TRIGGERS = `select name, tbl_name as "table" from sqlite_master where type = 'trigger' and name like 'event%'`;
const POSTGRES_TRIGGERS = `select tgname as name, relname as "table" from pg_trigger
  join pg_class on pg_class.oid = tgrelid join pg_namespace on pg_namespace.oid = relnamespace
  where nspname = current_schema() and not tgisinternal and tgname like 'event%'`;

async function listTriggers(
  trx: Kysely<Tables>,
  kind: Kind,
): Promise<readonly { name: string; table: string }[]> {
  const text = kind === "sqlite" ? SQLITE_TRIGGERS : POSTGRES_TRIGGERS;
  return (await sql.raw<{ name: string; table: string }>(text).execute(trx)).rows;
}

async function drop(
  trx: Kysely<Tables>,
  { kind, name, table }: { kind: Kind; name: string; table: string },
): Promise<void> {
  if (kind === "sqlite") return void (await sql.raw(`drop trigger if exists ${name}`).execute(trx));
  await sql.raw(`drop trigger if exists ${name} on "${table}"`).execute(trx);
  await sql.raw(`drop function if exists ${name}()`).execute(trx);
}

async function create(
  trx: Kysely<Tables>,
  { kind, name, change, sinks }: { kind: Kind; name: string; change: Change; sinks: readonly Sink[] },
): Promise<void> {
  const { table, on, when } = change;
  const inserts = sinks.map((sink) => INSERTS[sink](change, kind)).join(" ");
  const condition = when === undefined ? "" : `when (${when})`;
  if (kind === "sqlite") {
    const text = `create trigger ${name} after ${on} on "${table}" ${condition} begin ${inserts} end`;
    return void (await sql.raw(text).execute(trx));
  }
  const body = `create or replace function ${name}() returns trigger language plpgsql as $$ begin ${inserts} return null; end $$`;
  await sql.raw(body).execute(trx);
  const text = `create trigger ${name} after ${on} on "${table}" for each row ${condition} execute function ${name}()`;
  await sql.raw(text).execute(trx);
}

function insertEvent({ event, subject, kind: what, account, happenedAt }: Change, kind: Kind): string {
  const columns = "id, sink, event, subject, kind, account, happened_at, next_at, tries";
  const values = [ID[kind], "'webhook'", event, subject, what, account, happenedAt, happenedAt, "0"];
  return `insert into outbox (${columns}) values (${values.join(", ")});`;
}

// A row for each hook that wants to hear of it.
function insertHookEvents({ event, subject, kind: what, account, happenedAt }: Change, kind: Kind): string {
  const columns = "id, sink, hook, event, subject, kind, account, happened_at, next_at, tries";
  const values = [ID[kind], "'hook'", "hook.id", event, subject, what, account, happenedAt, happenedAt, "0"];
  const isWanted = `',' || hook.events || ',' like '%,' || (${event}) || ',%'`;
  return `insert into outbox (${columns}) select ${values.join(", ")} from hook
    where hook.member = ${account} and new.is_quiet is null and hook.ended_at is null and ${isWanted};`;
}

const INSERTS = { webhook: insertEvent, audit: insertAct, hook: insertHookEvents };

// A secret or a request is ended by whoever has its link, of whom nothing is written; what its owner does is an act. Of
// accounts everything is an act: the member's own, or an administrator's.
function insertAct(change: Change, kind: Kind): string {
  const { table, on, event, administered = event, subject, kind: what, account, login = "null" } = change;
  const isOwn = isThing(table);
  const isOther = `${acting(kind, "admin")} is not null and ${acting(kind, "account")} is distinct from ${account}`;
  const isActor = isOwn ? `${acting(kind, "account")} = ${account}` : "1 = 1";
  const values = [
    ...[ID[kind], "'audit'"],
    isOwn ? event : `case when ${isOther} then ${administered} else ${event} end`,
    isOwn ? subject : `case when ${isOther} then ${subject} else nullif(${subject}, ${account}) end`,
    what,
    isOwn ? account : `case when ${isOther} then ${acting(kind, "account")} else ${account} end`,
    ...["token", "address"].map((field) => `case when ${isActor} then ${acting(kind, field as "token")} end`),
    ...[login, change.happenedAt, "0", "0"],
  ];
  const columns =
    "id, sink, event, subject, kind, account, token, address, login, happened_at, next_at, tries";
  // What nobody in particular makes is nobody's act.
  const where = isOwn && on === "insert" ? `where ${account} is not null` : "";
  return `insert into outbox (${columns}) select ${values.join(", ")} ${where};`;
}
