import type { Database } from "../open.ts";
import { readSecret, type SecretRecord } from "./secret-records.ts";
import { giveUpFiles, markClosed, type SecretEnd, type NewSecret } from "./secret-rows.ts";
import { showExpired } from "../pages.ts";
import type { SecretStatus } from "../schema.ts";

export { listSecrets } from "./secret-records.ts";
export { storedBytes, sweepSecrets } from "./secret-sweep.ts";
export { claimAtOnce, claimSecret, insertSecret } from "./secret-rows.ts";
export type { NewSecret, SecretRecord, SecretStatus };

/**
 * Finds a secret. One that is active but whose time is over is shown as expired. Its content stays until the next sweep:
 * only a sweep asks whether the clock can be believed.
 */
export async function findSecret(
  db: Database,
  { id, now }: { id: string; now: number },
): Promise<SecretRecord | undefined> {
  const secret = await readSecret(db, id);
  return secret && showExpired(secret, now);
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
 * Ends an active secret and deletes its content, also where its time is over by a clock that may be wrong: whoever may end
 * it wants it gone. False when it was not active any more, or is expired from now on.
 */
export async function closeSecret(db: Database, { id, now, status }: SecretEnd): Promise<boolean> {
  // Content first, in every transaction here: two that want the same secret meet at the row of its content, and none
  // can wait for the other in a circle.
  return db.write(async (trx) => {
    const deleted = await trx
      .deleteFrom("secret_content")
      .where("secret_id", "=", id)
      .where("sweep_at", "is", null)
      .returning("secret_id")
      .executeTakeFirst();
    if (!deleted) return false;
    await giveUpFiles(trx, [id]);
    return (await markClosed(trx, { id, now, status })) === status;
  });
}
