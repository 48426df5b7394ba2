import type { ExpressionBuilder, Kysely } from "kysely";
import type { Database } from "./open.ts";
import type { Tables } from "./schema.ts";
import { STEP_ROWS, sweepInSteps } from "./sweep-steps.ts";

/**
 * Closes the secrets whose time is over, and deletes receipts that are older than `receiptSeconds`, in bounded
 * steps; answers how many of each.
 */
export async function sweepSecrets(
  db: Database,
  { now, receiptSeconds }: { now: number; receiptSeconds: number },
): Promise<{ expired: number; purged: number }> {
  const expired = await sweepInSteps(() => expireSome(db, now));
  const purged = await sweepInSteps(() => purgeSome(db, now - receiptSeconds));
  return { expired, purged };
}

/** The bytes of all sealed contents together. */
export async function storedBytes(db: Database): Promise<number> {
  const { bytes } = await db.query
    .selectFrom("secret_content")
    .select(({ fn }) => fn.sum<number | null>("size").as("bytes"))
    .executeTakeFirstOrThrow();
  return bytes ?? 0;
}

async function expireSome(db: Database, now: number): Promise<number> {
  return db.write(async (trx) => {
    const last = await findLastToExpire(trx, now);
    const deleted = await trx
      .deleteFrom("secret_content")
      .where("secret_id", "in", (secrets) =>
        secrets.selectFrom("secret").select("id").where("closed_at", "is", null).where(isUpTo(last)),
      )
      .executeTakeFirstOrThrow();
    await trx
      .updateTable("secret")
      .set((secret) => ({ status: "expired", closed_at: secret.ref("expires_at") }))
      .where("closed_at", "is", null)
      .where(isUpTo(last))
      // One that another instance, whose clock is behind, has made since the last statement must wait.
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom("secret_content").select("size").whereRef("secret_id", "=", "secret.id"))),
      )
      .execute();
    return Number(deleted.numDeletedRows);
  });
}

interface Place {
  expires_at: number;
  id: string;
}

// In the order of the index: the last of the next few that are over, or a place after all of them.
async function findLastToExpire(trx: Kysely<Tables>, now: number): Promise<Place> {
  const last = await trx
    .selectFrom("secret")
    .select(["expires_at", "id"])
    .where("closed_at", "is", null)
    .where("expires_at", "<=", now)
    .orderBy("expires_at")
    .orderBy("id")
    .offset(STEP_ROWS - 1)
    .limit(1)
    .executeTakeFirst();
  return last ?? { expires_at: now + 1, id: "" };
}

function isUpTo({ expires_at, id }: Place) {
  return ({ eb, refTuple, tuple }: ExpressionBuilder<Tables, "secret">) =>
    eb(refTuple("expires_at", "id"), "<=", tuple(expires_at, id));
}

async function purgeSome(db: Database, before: number): Promise<number> {
  const { numDeletedRows } = await db.write((trx) =>
    trx
      .deleteFrom("secret")
      .where("id", "in", (secrets) =>
        secrets.selectFrom("secret").select("id").where("closed_at", "<", before).limit(STEP_ROWS),
      )
      .executeTakeFirstOrThrow(),
  );
  return Number(numDeletedRows);
}
