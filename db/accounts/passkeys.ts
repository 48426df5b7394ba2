import type { Database } from "../open.ts";
import { changesRow, type Bytes } from "../columns.ts";
import { removeWayIn, type WayInRemoval } from "./act-on-member.ts";
import { countOwn, lockMember } from "./lock-member.ts";

export interface Passkey {
  /** The credential id, in base64url. */
  id: string;
  member: string;
  name: string;
  /** A COSE key (RFC 9052). */
  publicKey: Bytes;
  /** The authenticator's count of uses; many always report 0. */
  counter: number;
  /** How the browser can reach the authenticator. */
  transports: string[];
  /** Unix seconds, as below. */
  createdAt: number;
  /** Null before the first login. */
  lastUsedAt: number | null;
}

/**
 * Stores a passkey. Returns false and stores nothing when the member has `ceiling` passkeys or is gone, or the passkey
 * is stored already.
 */
export async function insertPasskey(
  db: Database,
  { ceiling, ...passkey }: Omit<Passkey, "lastUsedAt"> & { ceiling: number },
): Promise<boolean> {
  const { publicKey, transports, createdAt, ...rest } = passkey;
  return db.write(async (trx) => {
    if (!(await lockMember(trx, passkey.member))) return false;
    if ((await countOwn(trx, "passkey", passkey.member)) >= ceiling) return false;
    const row = { ...rest, public_key: publicKey, transports: transports.join(), created_at: createdAt };
    return trx
      .insertInto("passkey")
      .values({ ...row, last_used_at: null })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .$call(changesRow);
  });
}

/** A member's passkeys, newest first; never more than the ceiling. */
export async function listPasskeys(db: Database, member: string): Promise<Passkey[]> {
  const rows = await selectPasskeys(db)
    .where("member", "=", member)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
  return rows.map(toPasskey);
}

export async function findPasskey(db: Database, id: string): Promise<Passkey | undefined> {
  const row = await selectPasskeys(db).where("id", "=", id).executeTakeFirst();
  return row && toPasskey(row);
}

/**
 * Stores a use of a passkey. False when it is gone, or when its counter has not grown, which means that a copy of it
 * exists.
 */
export async function usePasskey(
  db: Database,
  { id, counter, now }: { id: string; counter: number; now: number },
): Promise<boolean> {
  return db.write((trx) =>
    trx
      .updateTable("passkey")
      .set({ counter, last_used_at: now })
      .where("id", "=", id)
      .where("counter", counter > 0 ? "<" : "=", counter)
      .$call(changesRow),
  );
}

/** Removes one of a member's passkeys. False when the member has no such passkey. @throws LastWayIn */
export async function deletePasskey(
  db: Database,
  { id, ...from }: WayInRemoval & { id: string },
): Promise<boolean> {
  return removeWayIn(db, from, async (trx) => {
    const own = trx.deleteFrom("passkey").where("member", "=", from.member);
    return own.where("id", "=", id).$call(changesRow);
  });
}

function selectPasskeys(db: Database) {
  return db.query
    .selectFrom("passkey")
    .select([
      ...(["id", "member", "name", "public_key as publicKey", "counter", "transports"] as const),
      ...(["created_at as createdAt", "last_used_at as lastUsedAt"] as const),
    ]);
}

function toPasskey<Row extends { publicKey: Uint8Array; transports: string }>(of: Row) {
  const { publicKey, transports, ...row } = of;
  return {
    ...row,
    publicKey: new Uint8Array(publicKey),
    transports: transports === "" ? [] : transports.split(","),
  };
}
