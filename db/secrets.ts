import type { Kysely } from "kysely";
import type { Database } from "./open.ts";
import { readSecret, type SecretRecord } from "./secret-records.ts";
import {
  giveUpFiles,
  markClosed,
  newRow,
  takeContent,
  type Claim,
  type Ending,
  type NewSecret,
} from "./secret-rows.ts";
import type { Bytes, SecretStatus, Tables } from "./schema.ts";

export { listSecrets } from "./secret-records.ts";
export { storedBytes, sweepSecrets } from "./secret-sweep.ts";
export type { NewSecret, SecretRecord, SecretStatus };

/**
 * Stores an active secret, after `claim` in the same transaction, which may throw. False when the id is taken.
 * Nothing is stored in either case.
 */
export async function insertSecret(
  db: Database,
  secret: NewSecret,
  claim?: (trx: Kysely<Tables>) => Promise<void>,
): Promise<boolean> {
  return db.write(async (trx) => {
    await claim?.(trx);
    const inserted = await trx
      .insertInto("secret")
      .values(newRow(secret))
      .onConflict((conflict) => conflict.column("id").doNothing())
      .executeTakeFirst();
    if (inserted.numInsertedOrUpdatedRows === 0n) return false;
    const { id, sealed } = secret;
    await trx.insertInto("secret_content").values({ secret_id: id, size: sealed.length, sealed }).execute();
    return true;
  });
}

/** Finds a secret. One that is active but whose time is over is closed first, and its content deleted. */
export async function findSecret(
  db: Database,
  { id, now }: { id: string; now: number },
): Promise<SecretRecord | undefined> {
  const secret = await readSecret(db, id);
  if (secret?.status !== "active" || secret.expiresAt > now) return secret;
  await endSecret(db, { id, now, status: "expired" });
  return readSecret(db, id);
}

/**
 * Counts one try at the passphrase before it is checked, so that parallel tries cannot exceed the ceiling.
 * The raised count, or undefined when no try is left or the secret is not active.
 */
export async function takeAttempt(
  db: Database,
  { id, now, ceiling }: { id: string; now: number; ceiling: number },
): Promise<number | undefined> {
  const row = await db.query
    .updateTable("secret")
    .set((secret) => ({ attempts: secret("attempts", "+", 1) }))
    .where("id", "=", id)
    .where("closed_at", "is", null)
    .where("expires_at", ">", now)
    .where("attempts", "<", ceiling)
    .returning("attempts")
    .executeTakeFirst();
  return row?.attempts;
}

/**
 * Takes the sealed content out of an active secret, for the one caller whose verifiers are right: the
 * others get undefined and change nothing. The content is deleted before anything is read, so of many
 * processes exactly one gets it. Nothing is taken for a caller who has left, by `signal`, before it is
 * committed.
 * @throws the reason of the signal
 */
export async function claimSecret(db: Database, claim: Claim): Promise<Bytes | undefined> {
  return db.write(async (trx) => {
    // A connection to PostgreSQL may have been waited for.
    claim.signal?.throwIfAborted();
    const sealed = await takeContent(trx, claim);
    // The row may have been waited for too. What is thrown rolls all of it back.
    claim.signal?.throwIfAborted();
    return sealed;
  });
}

/** Ends an active secret and deletes its content. False when it was not active any more. */
export async function closeSecret(
  db: Database,
  { id, now, status }: { id: string; now: number; status: "revoked" | "locked" },
): Promise<boolean> {
  return endSecret(db, { id, now, status });
}

// Content first, in every transaction here: two that want the same secret meet at the row of its content,
// and none can wait for the other in a circle.
async function endSecret(db: Database, { id, now, status }: Ending): Promise<boolean> {
  return db.write(async (trx) => {
    const deleted = await trx
      .deleteFrom("secret_content")
      .where("secret_id", "=", id)
      .where("secret_id", "in", (secrets) =>
        secrets
          .selectFrom("secret")
          .select("id")
          .where("id", "=", id)
          .where("expires_at", status === "expired" ? "<=" : ">", now),
      )
      .returning("secret_id")
      .executeTakeFirst();
    if (!deleted) return false;
    await giveUpFiles(trx, [id]);
    await markClosed(trx, { id, now, status });
    return true;
  });
}
