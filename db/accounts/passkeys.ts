import type { Database } from "../open.ts";
import type { Bytes } from "../columns.ts";
import { lockMember } from "./act-on-member.ts";

export interface Passkey {
  /** The credential's id, in base64url. */
  id: string;
  member: string;
  name: string;
  /** COSE (RFC 9052). */
  publicKey: Bytes;
  /** How often its authenticator says that it was used; many say 0 always. */
  counter: number;
  /** How the browser reaches it. */
  transports: string[];
  /** Unix seconds, as the next one. */
  createdAt: number;
  /** Null before the first login. */
  lastUsedAt: number | null;
}

/** Stores a passkey. False, and nothing is stored, when the member has `ceiling` of them or is gone, or somebody has this one. */
export async function insertPasskey(
  db: Database,
  { ceiling, ...passkey }: Omit<Passkey, "lastUsedAt"> & { ceiling: number },
): Promise<boolean> {
  const { publicKey, transports, createdAt, ...rest } = passkey;
  return db.write(async (trx) => {
    if (!(await lockMember(trx, passkey.member))) return false;
    const { count } = await trx
      .selectFrom("passkey")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("member", "=", passkey.member)
      .executeTakeFirstOrThrow();
    if (Number(count) >= ceiling) return false;
    const row = { ...rest, public_key: publicKey, transports: transports.join(), created_at: createdAt };
    const inserted = await trx
      .insertInto("passkey")
      .values({ ...row, last_used_at: null })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .executeTakeFirst();
    return inserted.numInsertedOrUpdatedRows === 1n;
  });
}

/** A member's passkeys, newest first; there are never more than the ceiling. */
export async function listPasskeys(db: Database, { member }: { member: string }): Promise<Passkey[]> {
  const rows = await selectPasskeys(db)
    .where("member", "=", member)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
  return rows.map(toPasskey);
}

export async function findPasskey(db: Database, { id }: { id: string }): Promise<Passkey | undefined> {
  const row = await selectPasskeys(db).where("id", "=", id).executeTakeFirst();
  return row && toPasskey(row);
}

/** Stores that a passkey was used. False when it is gone, or its counter has not grown: then somebody has a copy of it. */
export async function usePasskey(
  db: Database,
  { id, counter, now }: { id: string; counter: number; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db.write((trx) =>
    trx
      .updateTable("passkey")
      .set({ counter, last_used_at: now })
      .where("id", "=", id)
      .$if(counter > 0, (query) => query.where("counter", "<", counter))
      .$if(counter === 0, (query) => query.where("counter", "=", 0))
      .executeTakeFirstOrThrow(),
  );
  return numUpdatedRows === 1n;
}

/** Forgets one of a member's passkeys. False when the member has no such one. */
export async function deletePasskey(
  db: Database,
  { member, id }: { member: string; id: string },
): Promise<boolean> {
  const { numDeletedRows } = await db.write((trx) =>
    trx.deleteFrom("passkey").where("member", "=", member).where("id", "=", id).executeTakeFirstOrThrow(),
  );
  return numDeletedRows === 1n;
}

function selectPasskeys(db: Database) {
  return db.query
    .selectFrom("passkey")
    .select([
      ...(["id", "member", "name", "public_key as publicKey", "counter", "transports"] as const),
      ...(["created_at as createdAt", "last_used_at as lastUsedAt"] as const),
    ]);
}

function toPasskey<Row extends { publicKey: Uint8Array; transports: string }>({
  publicKey,
  transports,
  ...row
}: Row) {
  return {
    ...row,
    publicKey: new Uint8Array(publicKey),
    transports: transports === "" ? [] : transports.split(","),
  };
}
