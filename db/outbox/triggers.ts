import { sql, type Kysely } from "kysely";
import type { Database } from "../open.ts";
import type { Sink, Tables } from "../schema.ts";
import { acting } from "./actor.ts";
import { CHANGES, type Change, type Kind } from "./changes.ts";
import type { Transaction } from "../stored-bytes.ts";

const NOW = { sqlite: "unixepoch()", postgres: "extract(epoch from now())::bigint" };
const ID = { sqlite: "lower(hex(randomblob(16)))", postgres: "replace(gen_random_uuid()::text, '-', '')" };

/**
 * Part of each trigger's name: a release that reports something else changes the number, so that they are made anew.
 */
const PREFIX = "event3_";
const SINKS: readonly Sink[] = ["webhook", "audit", "hook"];

/**
 * Makes the database record events for each sink, in the transaction in which they happen, and stops it without sinks.
 * All instances on one database have the same setting. Where it is right already, no table is touched, because that
 * would wait for all who use it.
 */
export async function recordEvents(db: Database, sinks: readonly Sink[]): Promise<void> {
  const wanted = SINKS.filter((sink) => sinks.includes(sink));
  await db.write(async (trx) => {
    await startAlone(trx, db.kind);
    await trx
      .deleteFrom("outbox")
      .$if(wanted.length > 0, (query) => query.where("sink", "not in", wanted))
      .execute();
    await record(trx, db.kind, wanted);
  });
  db.sinks = wanted;
}

/** Makes the database record events for one more sink, besides those that a server has asked for. */
export async function alsoRecordEvents(db: Database, sink: Sink): Promise<void> {
  db.sinks = await db.write(async (trx) => {
    await startAlone(trx, db.kind);
    const recorded = await recordedSinks(trx, db.kind);
    const sinks = SINKS.filter((each) => each === sink || recorded.includes(each));
    await record(trx, db.kind, sinks);
    return sinks;
  });
}

/** Stops recording events for one sink, and deletes its pending ones. */
export async function stopRecording(db: Database, sink: Sink): Promise<void> {
  db.sinks = await db.write(async (trx) => {
    await startAlone(trx, db.kind);
    await trx.deleteFrom("outbox").where("sink", "=", sink).execute();
    const sinks = (await recordedSinks(trx, db.kind)).filter((each) => each !== sink);
    await record(trx, db.kind, sinks);
    return sinks;
  });
}

async function recordedSinks(trx: Kysely<Tables>, kind: Kind): Promise<Sink[]> {
  const found = (await listTriggers(trx, kind)).map(({ name }) => name);
  return SINKS.filter((sink) => found.some((name) => sinksOf(name).includes(sink)));
}

async function record(trx: Kysely<Tables>, kind: Kind, sinks: readonly Sink[]): Promise<void> {
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

/** Whether rows of this table are secrets or requests. */
function isThing(table: Change["table"]): boolean {
  return table === "secret" || table === "request";
}

/** Stops recording, as part of a transaction, and keeps what was recorded. */
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

// Adds a row for each hook that subscribes to the event.
function insertHookEvents({ event, subject, kind: what, account, happenedAt }: Change, kind: Kind): string {
  const columns = "id, sink, hook, event, subject, kind, account, happened_at, next_at, tries";
  const values = [ID[kind], "'hook'", "hook.id", event, subject, what, account, happenedAt, happenedAt, "0"];
  const isWanted = `',' || hook.events || ',' like '%,' || (${event}) || ',%'`;
  return `insert into outbox (${columns}) select ${values.join(", ")} from hook
    where hook.member = ${account} and new.is_quiet is null and hook.ended_at is null and ${isWanted};`;
}

const INSERTS = { webhook: insertEvent, audit: insertAct, hook: insertHookEvents };

// Anybody with its link can end a secret or a request, and nothing is recorded about them; what its owner does is an
// act. On accounts everything is an act: the member's own or an administrator's.
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
  // What nobody in particular makes is not an act.
  const where = isOwn && on === "insert" ? `where ${account} is not null` : "";
  return `insert into outbox (${columns}) select ${values.join(", ")} ${where};`;
}

/** This program's number among the advisory locks of a database: "hush" in ASCII. */
const START_LOCK = 0x68_75_73_68;

/**
 * Waits, until the transaction ends, for every other start that checks and creates triggers. When two create the same
 * function, trigger or table at once, PostgreSQL refuses the second, even with "or replace" and "if not exists". The
 * Migrator has a lock of its own; SQLite has one writing transaction at a time. It is a lock of the transaction,
 * because one of the session would stay behind a PgBouncer.
 */
async function startAlone(trx: Transaction, kind: "sqlite" | "postgres"): Promise<void> {
  if (kind === "postgres") await sql`select pg_advisory_xact_lock(${sql.lit(START_LOCK)})`.execute(trx);
}
