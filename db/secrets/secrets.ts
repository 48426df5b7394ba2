import type { Database } from "../open.ts";
import { readSecret, type SecretRecord } from "./secret-records.ts";
import { giveUpFiles, markClosed, type Ending, type NewSecret } from "./secret-rows.ts";
import type { SecretStatus } from "../schema.ts";

export { listSecrets } from "./secret-records.ts";
export { storedBytes, sweepSecrets } from "./secret-sweep.ts";
export { claimAtOnce, claimSecret, insertSecret } from "./secret-texts.ts";
export type { NewSecret, SecretRecord, SecretStatus };

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
      .where("sweep_at", "is", null)
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
