import type { Database } from "../open.ts";
import { changesRow, type Bytes } from "../columns.ts";
import type { TransactionSteps } from "../stored-bytes.ts";
import { countOwn, lockMember } from "./lock-member.ts";

/** The stored time of the last use is updated only when it is older than this, so that a call costs no write. */
const TOUCH_SECONDS = 600;

export interface Token {
  id: string;
  member: string;
  memberName: string;
  /** When the member joined, in unix seconds, and from where, while that is stored. */
  memberCreatedAt: number;
  memberCreatedFrom: Uint8Array | null;
  name: string;
  /** The first characters, to tell tokens apart in a list. */
  prefix: string;
  /** Unix seconds, as below. */
  createdAt: number;
  /** Null for a token that never expires. */
  expiresAt: number | null;
  /** To the minute, accurate to ten minutes; null before the first use. */
  lastUsedAt: number | null;
}

export interface NewToken {
  id: string;
  /** SHA-256 of the whole token. */
  hash: Bytes;
  member: string;
  name: string;
  prefix: string;
  createdAt: number;
  expiresAt: number | null;
}

/**
 * Stores a token. Returns false and stores nothing when the member has `ceiling` tokens already or is gone; expired
 * ones make room.
 */
export async function insertToken(
  db: Database,
  { ceiling, keep, ...token }: NewToken & Pick<TransactionSteps, "keep"> & { ceiling: number },
): Promise<boolean> {
  return db.write(async (trx) => {
    if (!(await lockMember(trx, token.member))) return false;
    await trx
      .deleteFrom("token")
      .where("member", "=", token.member)
      .where("expires_at", "<=", token.createdAt)
      .execute();
    if ((await countOwn(trx, "token", token.member)) >= ceiling) return false;
    const { createdAt, expiresAt, ...rest } = token;
    const row = { ...rest, created_at: createdAt, expires_at: expiresAt };
    await trx.insertInto("token").values(row).execute();
    await keep?.(trx);
    return true;
  });
}

/**
 * Finds the token with this hash while it is valid and its member not disabled, and stores its use, at most every ten
 * minutes.
 */
export async function findToken(db: Database, hash: Bytes, now: number): Promise<Token | undefined> {
  const token = await selectValid(db, now).where("hash", "=", hash).executeTakeFirst();
  if (!token || (token.lastUsedAt !== null && now - token.lastUsedAt < TOUCH_SECONDS)) return token;
  const lastUsedAt = now - (now % 60);
  await db.query.updateTable("token").set({ last_used_at: lastUsedAt }).where("id", "=", token.id).execute();
  return { ...token, lastUsedAt };
}

/** Whether a token is valid, by its id; that is no use of it. */
export async function hasToken(db: Database, id: string, now: number): Promise<boolean> {
  return (await selectValid(db, now).where("token.id", "=", id).executeTakeFirst()) !== undefined;
}

/** A member's tokens, newest first; never more than the ceiling. */
export async function listTokens(db: Database, member: string): Promise<Token[]> {
  return selectTokens(db)
    .where("member", "=", member)
    .orderBy("token.created_at", "desc")
    .orderBy("token.id")
    .execute();
}

/** Revokes one of a member's tokens, with effect from the next call. False when the member has no such token. */
export async function deleteToken(db: Database, member: string, id: string): Promise<boolean> {
  return db.write((trx) =>
    trx.deleteFrom("token").where("member", "=", member).where("id", "=", id).$call(changesRow),
  );
}

function selectValid(db: Database, now: number) {
  return selectTokens(db)
    .where("disabled_at", "is", null)
    .where(({ eb, or }) => or([eb("expires_at", "is", null), eb("expires_at", ">", now)]));
}

function selectTokens(db: Database) {
  return db.query
    .selectFrom("token")
    .innerJoin("member", "member.id", "token.member")
    .select([
      "token.id",
      "member",
      "member.name as memberName",
      "member.created_at as memberCreatedAt",
      "member.created_from as memberCreatedFrom",
      "token.name",
      "prefix",
      "token.created_at as createdAt",
      "expires_at as expiresAt",
      "last_used_at as lastUsedAt",
    ]);
}
