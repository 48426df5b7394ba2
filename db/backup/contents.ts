import { sql, type Kysely } from "kysely";
import { dropTriggers } from "../outbox/triggers.ts";
import { migrate, altered, findDifference, judge, recognise } from "../upgrade/migrate.ts";
import { MIGRATIONS } from "../upgrade/migrations.ts";
import { DatabaseRefused } from "../connection/unavailable.ts";
import type { Tables } from "../schema.ts";
import { BackupRefused, unsound, type Counts, type RestoredSecrets } from "./backups.ts";

const NOTHING =
  "The database of DATABASE_URL holds nothing of Hushkit: start the server on it first, or name another.";

/** The migrations of a database of this version or an older one. @throws {DatabaseRefused} {BackupRefused} */
export async function requireMigrations(
  query: Kysely<Tables>,
  kind: "sqlite" | "postgres",
): Promise<string[]> {
  const names = await recognise(query, kind);
  if (names.length === 0) throw new BackupRefused(NOTHING);
  return names;
}

/** Refuses a backup of another program or a newer version, by its migrations. @throws {BackupRefused} */
export function verifyMigrations(names: readonly string[]): void {
  const [baseline = ""] = Object.keys(MIGRATIONS);
  if (!names.includes(baseline)) throw unsound();
  const refused = judge({ names: [], migrations: names }, "sqlite");
  if (refused) refuseBackup(refused);
}

// Sentences about databases name the setting with its URL, which is not where a backup is.
function refuseBackup(error: unknown): never {
  if (!(error instanceof DatabaseRefused)) throw error;
  throw new BackupRefused(`The backup cannot be restored: ${error.message}.`, { cause: error });
}

/**
 * The migrations of a database of this version or an older one; for this version, checks its tables too.
 * @throws {DatabaseRefused} {BackupRefused}
 */
export async function verifyTables(query: Kysely<Tables>, kind: "sqlite" | "postgres"): Promise<string[]> {
  const names = await requireMigrations(query, kind);
  if (names.length < Object.keys(MIGRATIONS).length) return names;
  const difference = await findDifference(query, kind);
  if (difference !== undefined) throw altered(difference);
  return names;
}

/** Refuses the tables of an older version, which lack some that are needed. @throws {BackupRefused} */
export async function verifyNewest(query: Kysely<Tables>, kind: "sqlite" | "postgres"): Promise<void> {
  const names = await verifyTables(query, kind);
  if (names.length !== Object.keys(MIGRATIONS).length)
    throw new BackupRefused("The database is of an older version: start this version on it first.");
}

export async function count(query: Kysely<Tables>, now: number): Promise<Counts> {
  const { accounts } = await query
    .selectFrom("member")
    .select(({ fn }) => fn.countAll().as("accounts"))
    .executeTakeFirstOrThrow();
  const { unread } = await query
    .selectFrom("secret")
    .select(({ fn }) => fn.countAll().as("unread"))
    .where("closed_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirstOrThrow();
  return { accounts: Number(accounts), unread: Number(unread) };
}

/** Prepares a restored database, as part of a transaction: today's tables, and nothing of calls of that time. */
export async function prepareRestored(
  trx: Kysely<Tables>,
  { kind, now, secrets }: { kind: "sqlite" | "postgres"; now: number; secrets: RestoredSecrets },
): Promise<Counts> {
  // First, because what a restore ends is no event, and events from before the backup belong to the database that it
  // was made of. A server that starts on this one records events again, if it should.
  await dropTriggers(trx, kind);
  await migrate(trx, kind).catch(refuseBackup);
  // Sessions and tokens may have been ended since.
  await trx.deleteFrom("session").execute();
  await trx.deleteFrom("token").execute();
  // Counters too, those of stored bytes included: they are summed up again when the account next stores something.
  await trx.deleteFrom("allowance").execute();
  // A stored answer keeps its idempotency key, so that repeating its call does nothing twice. No call of that time is
  // still running.
  await trx
    .deleteFrom("idempotency_key")
    .$if(secrets === "keep", (query) => query.where("sealed", "is", null))
    .execute();
  await trx.deleteFrom("outbox").execute();
  // Its member may have removed it since.
  await trx.deleteFrom("hook").execute();
  await forgetContents(trx, secrets);
  await closeEmpty(trx, now, secrets);
  return count(trx, now);
}

// Ends all uploads and deliveries of that time. With `revoke` it ends everything else too.
async function forgetContents(trx: Kysely<Tables>, secrets: RestoredSecrets): Promise<void> {
  const isOver = secrets === "keep" ? sql<boolean>`sweep_at is not null` : sql<boolean>`1 = 1`;
  await trx.deleteFrom("secret_content").where(isOver).execute();
  await trx.deleteFrom("request_answer").where(isOver).execute();
  await trx
    .deleteFrom("secret_chunk")
    .where("secret_id", "in", (files) => files.selectFrom("secret_file").select("secret_id").where(isOver))
    .execute();
  await trx.deleteFrom("secret_file").where(isOver).execute();
  await trx.updateTable("secret").set({ ticket_hash: null }).execute();
  await trx.updateTable("request").set({ ticket_hash: null }).execute();
  // What was being delivered counts as collected, and what the backup leaves out is gone.
  await trx
    .updateTable("request")
    .set(({ eb, selectFrom }) => ({
      collected: eb(
        "answered",
        "-",
        selectFrom("request_answer")
          .select(({ fn }) => fn.countAll<number>().as("left"))
          .whereRef("request_id", "=", "request.id"),
      ),
    }))
    .where("closed_at", "is", null)
    .execute();
}

// A backup may have been made without contents: a secret without one cannot be opened.
async function closeEmpty(trx: Kysely<Tables>, now: number, secrets: RestoredSecrets): Promise<void> {
  await trx
    .updateTable("secret")
    .set({ status: "revoked", closed_at: now })
    .where("closed_at", "is", null)
    .where("id", "not in", (contents) => contents.selectFrom("secret_content").select("secret_id"))
    .execute();
  await trx
    .updateTable("request")
    .set({ status: "cancelled", closed_at: now, note: null })
    .where("closed_at", "is", null)
    .where(({ or, and, eb, selectFrom }) =>
      or([
        eb(sql.val(secrets), "=", "revoke"),
        and([
          eb("status", "=", "answered"),
          eb("id", "not in", selectFrom("request_answer").select("request_id")),
        ]),
      ]),
    )
    .execute();
}
