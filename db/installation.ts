import { sql, type Kysely } from "kysely";
import type { Database } from "./open.ts";
import type { Bytes } from "./columns.ts";
import type { Tables } from "./schema.ts";

/** The row of `installation` by which a database recognizes its key. */
const CHECK = "key check";
/** Members at a time. */
const PAGE = 500;

/** Stores a value by its name. */
export async function putValue(query: Kysely<Tables>, name: string, value: Uint8Array): Promise<void> {
  await query
    .insertInto("installation")
    .values({ name, value })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet((row) => ({ value: row.ref("excluded.value") })),
    )
    .execute();
}

/** The stored value of a name. */
export async function readValue(query: Kysely<Tables>, name: string): Promise<Bytes | undefined> {
  const row = await query
    .selectFrom("installation")
    .select("value")
    .where("name", "=", name)
    .executeTakeFirst();
  return row && new Uint8Array(row.value);
}

/** The stored check value of the key that a database is served with; undefined before the first start with one. */
export async function readKeyCheck(query: Kysely<Tables>): Promise<Bytes | undefined> {
  return readValue(query, CHECK);
}

/**
 * Stores the check value of a key where there is none yet, and encrypts the seeds that an older version left
 * unencrypted, in one transaction: those of `openBytes`. Returns false and changes nothing where the check value is a
 * different one.
 */
export async function adoptKeyCheck(
  db: Database,
  check: Bytes,
  { openBytes, seal }: { openBytes: number; seal: (seed: Bytes, member: string) => Promise<Bytes> },
): Promise<boolean> {
  return db.write(async (trx) => {
    // An update that changes nothing, because RETURNING skips a row that was left alone. A second instance waits here
    // for the first.
    const { value } = await trx
      .insertInto("installation")
      .values({ name: CHECK, value: check })
      .onConflict((conflict) =>
        conflict.column("name").doUpdateSet((row) => ({ value: row.ref("installation.value") })),
      )
      .returning("value")
      .executeTakeFirstOrThrow();
    if (!areEqual(value, check)) return false;
    await renewSeeds(trx, { renew: seal, ofBytes: openBytes });
    return true;
  });
}

/** How many seeds were encrypted again, and how many stay as they are. */
export interface RenewedSeeds {
  renewed: number;
  left: number;
}

/**
 * Replaces the check value, and each seed for which `renew` returns another one, as part of a transaction; `renewHook`
 * is the same for hooks, by their ids. Deletes digests that were made with the old key. Returns undefined and changes
 * nothing where the check value is neither of the two; where it is the new one already, nothing is left to do. `from` is
 * undefined where the old key is lost.
 */
export async function replaceKeyCheck(
  trx: Kysely<Tables>,
  of: { from: Bytes | undefined; to: Bytes; renew: SealRenewal; renewHook: SealRenewal },
): Promise<RenewedSeeds | undefined> {
  const { from, to, renew, renewHook } = of;
  const kept = await readKeyCheck(trx);
  if (kept && areEqual(kept, to)) return { renewed: 0, left: 0 };
  if (kept && from && !areEqual(kept, from)) return undefined;
  await putValue(trx, CHECK, to);
  await trx.deleteFrom("allowance").execute();
  await trx.updateTable("member").set({ created_from: null }).where("created_from", "is not", null).execute();
  await renewHooks(trx, renewHook);
  return renewSeeds(trx, { renew });
}

// A hook whose key is lost cannot be called any more; its member makes a new one.
async function renewHooks(trx: Kysely<Tables>, renew: SealRenewal): Promise<void> {
  for (const { id, sealed } of await trx.selectFrom("hook").select(["id", "sealed"]).execute()) {
    const to = await renew(new Uint8Array(sealed), id);
    if (to) await trx.updateTable("hook").set({ sealed: to }).where("id", "=", id).execute();
    else await trx.deleteFrom("hook").where("id", "=", id).execute();
  }
}

/** What a stored value of this member, or this hook, is encrypted to again; undefined where it stays as it is. */
type SealRenewal = (stored: Bytes, member: string) => Promise<Bytes | undefined>;

async function renewSeeds(
  trx: Kysely<Tables>,
  { renew, ofBytes }: { renew: SealRenewal; ofBytes?: number },
): Promise<RenewedSeeds> {
  const counts = { renewed: 0, left: 0 };
  for (let after = "", rows = PAGE; rows === PAGE;) {
    const members = await trx
      .selectFrom("member")
      .select(["id", "totp_key"])
      .where("totp_key", "is not", null)
      .where("id", ">", after)
      .$if(ofBytes !== undefined, (query) => query.where(sql`length(totp_key)`, "=", ofBytes))
      .orderBy("id")
      .limit(PAGE)
      .execute();
    for (const { id, totp_key: stored } of members) {
      const key = stored && (await renew(new Uint8Array(stored), id));
      counts[key ? "renewed" : "left"] += 1;
      // An older instance that still runs may have stored another seed meanwhile.
      if (key)
        await trx
          .updateTable("member")
          .set({ totp_key: key })
          .where("id", "=", id)
          .where("totp_key", "=", stored)
          .execute();
      after = id;
    }
    rows = members.length;
  }
  return counts;
}

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
