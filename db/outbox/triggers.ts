import { sql, type Kysely } from "kysely";
import type { Database } from "../open.ts";
import type { Tables } from "../schema.ts";

/** What a trigger tells of one table: when, and which columns say of whom and when it happened. */
interface EventTrigger {
  table: "secret" | "request" | "member" | "token" | "session";
  on: "insert" | "update" | "delete";
  /** SQL, of the row as `new` or `old`. */
  event: string;
  when?: string;
  subject: string;
  kind: string;
  account: string;
  happenedAt: string;
}

const NOW = { sqlite: "unixepoch()", postgres: "extract(epoch from now())::bigint" };
const ID = { sqlite: "lower(hex(randomblob(16)))", postgres: "replace(gen_random_uuid()::text, '-', '')" };

const SECRET_KIND = "case when new.file_size is null then 'text' else 'file' end";

/** In the words of docs/webhooks.md. `now` is the database's time, where a row that goes has none of its own. */
const TRIGGERS: Readonly<Record<string, (now: string) => EventTrigger>> = {
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
  request_changed: () => ({
    ...({ table: "request", on: "update", event: "'request.' || new.status", subject: "new.id" } as const),
    when: "new.status <> old.status and new.status <> 'open'",
    ...{ kind: "'request'", account: "new.owner" },
    happenedAt: "coalesce(new.closed_at, new.answered_at)",
  }),
  account_made: () => ({
    ...({ table: "member", on: "insert", event: "'account.created'", subject: "new.id" } as const),
    ...{ kind: "'account'", account: "new.id", happenedAt: "new.created_at" },
  }),
  account_gone: (now) => ({
    ...({ table: "member", on: "delete", event: "'account.deleted'", subject: "old.id" } as const),
    ...{ kind: "'account'", account: "old.id", happenedAt: now },
  }),
  account_entered: () => ({
    ...({ table: "session", on: "insert", event: "'account.login'", subject: "new.member" } as const),
    ...{ kind: "'account'", account: "new.member", happenedAt: "new.created_at" },
  }),
  token_made: () => ({
    ...({ table: "token", on: "insert", event: "'token.created'", subject: "new.id" } as const),
    ...{ kind: "'token'", account: "new.member", happenedAt: "new.created_at" },
  }),
  token_gone: (now) => ({
    ...({ table: "token", on: "delete", event: "'token.revoked'", subject: "old.id" } as const),
    // One that has expired is tidied away.
    when: `old.expires_at is null or old.expires_at > ${now}`,
    ...{ kind: "'token'", account: "old.member", happenedAt: now },
  }),
};

/** Part of each name: a release that tells something else has another number, and makes them anew. */
const PREFIX = "event1_";

/**
 * Has the database write down what happens, in the transaction in which it happens, or not any more. All instances on one
 * database have the same setting. Where it is so already, no table is touched: that would wait for all who use it.
 */
export async function recordEvents(db: Database, { isOn }: { isOn: boolean }): Promise<void> {
  const wanted = isOn ? Object.keys(TRIGGERS).map((name) => PREFIX + name) : [];
  await db.write(async (trx) => {
    const found = await listTriggers(trx, db.kind);
    if (!isOn) await trx.deleteFrom("outbox").execute();
    if (found.length === wanted.length && found.every(({ name }) => wanted.includes(name))) return;
    await dropTriggers(trx, db.kind);
    if (!isOn) return;
    for (const [name, make] of Object.entries(TRIGGERS))
      await create(trx, { kind: db.kind, name: PREFIX + name, trigger: make(NOW[db.kind]) });
  });
}

/** Stops the writing, as part of a transaction, and leaves what was written. */
export async function dropTriggers(trx: Kysely<Tables>, kind: Database["kind"]): Promise<void> {
  for (const { name, table } of await listTriggers(trx, kind)) await drop(trx, { kind, name, table });
}

const SQLITE_TRIGGERS = `select name, tbl_name as "table" from sqlite_master where type = 'trigger' and name like 'event%'`;
const POSTGRES_TRIGGERS = `select tgname as name, relname as "table" from pg_trigger
  join pg_class on pg_class.oid = tgrelid join pg_namespace on pg_namespace.oid = relnamespace
  where nspname = current_schema() and not tgisinternal and tgname like 'event%'`;

async function listTriggers(
  trx: Kysely<Tables>,
  kind: Database["kind"],
): Promise<readonly { name: string; table: string }[]> {
  const text = kind === "sqlite" ? SQLITE_TRIGGERS : POSTGRES_TRIGGERS;
  return (await sql.raw<{ name: string; table: string }>(text).execute(trx)).rows;
}

async function drop(
  trx: Kysely<Tables>,
  { kind, name, table }: { kind: Database["kind"]; name: string; table: string },
): Promise<void> {
  if (kind === "sqlite") return void (await sql.raw(`drop trigger if exists ${name}`).execute(trx));
  await sql.raw(`drop trigger if exists ${name} on "${table}"`).execute(trx);
  await sql.raw(`drop function if exists ${name}()`).execute(trx);
}

async function create(
  trx: Kysely<Tables>,
  { kind, name, trigger }: { kind: Database["kind"]; name: string; trigger: EventTrigger },
): Promise<void> {
  const { table, on, event, when, subject, kind: what, account, happenedAt } = trigger;
  const columns = "id, event, subject, kind, account, happened_at, next_at, tries";
  const values = [ID[kind], event, subject, what, account, happenedAt, happenedAt, "0"].join(", ");
  const insert = `insert into outbox (${columns}) values (${values});`;
  const condition = when === undefined ? "" : `when (${when})`;
  if (kind === "sqlite") {
    const text = `create trigger ${name} after ${on} on "${table}" ${condition} begin ${insert} end`;
    return void (await sql.raw(text).execute(trx));
  }
  const body = `create or replace function ${name}() returns trigger language plpgsql as $$ begin ${insert} return null; end $$`;
  await sql.raw(body).execute(trx);
  const text = `create trigger ${name} after ${on} on "${table}" for each row ${condition} execute function ${name}()`;
  await sql.raw(text).execute(trx);
}
