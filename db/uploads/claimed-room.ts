import { giveAllowanceBack, type Windows } from "../allowance.ts";
import type { Database } from "../open.ts";
import type { Bytes } from "../columns.ts";
import type { SweepOptions } from "../sweep/sweep-steps.ts";

/**
 * A row of such a bucket holds, by rate key, what an upload has claimed of a window; it expires unless it is extended.
 */
const ARRIVING = "arriving ";

interface ClaimedRoom {
  /** Random and unrelated to the secret's id, so that nothing links an address to what it stores. */
  claim: string;
  /** Until when the process that receives the upload is assumed to be alive. */
  until: number;
}

/**
 * Records what an upload has claimed of windows so far, to give it back if its process dies. If the record is lost, the
 * windows end by themselves.
 */
export async function noteClaimedRoom(
  db: Database,
  { claim, until, windows }: ClaimedRoom & { windows: Windows },
): Promise<void> {
  const rows = windows.map(({ key, amount = 1 }) => ({
    bucket: ARRIVING + claim,
    key,
    count: amount,
    resets_at: until,
  }));
  await db.writeSoon((trx) =>
    trx
      .insertInto("allowance")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(["bucket", "key"]).doUpdateSet((row) => ({
          count: row.ref("excluded.count"),
          resets_at: row.ref("excluded.resets_at"),
        })),
      )
      .execute(),
  );
}

/** Extends an upload that is still arriving, and its claim. */
export async function keepUpload(
  db: Database,
  { id, claim, until }: ClaimedRoom & { id: string },
): Promise<void> {
  await db.writeSoon(async (trx) => {
    await trx
      .updateTable("secret_file")
      .set({ sweep_at: until })
      .where("secret_id", "=", id)
      .where("sweep_at", ">", 0)
      .where("ticket_hash", "is", null)
      .execute();
    await trx
      .updateTable("allowance")
      .set({ resets_at: until })
      .where("bucket", "=", ARRIVING + claim)
      .execute();
  });
}

/** The upload has ended: what it claimed is stored, or its caller has given it back. */
export async function forgetClaimedRoom(db: Database, claim: string): Promise<void> {
  await db.writeSoon((trx) =>
    trx
      .deleteFrom("allowance")
      .where("bucket", "=", ARRIVING + claim)
      .execute(),
  );
}

/**
 * Gives back to the windows of `bucket` what uploads of dead processes have claimed, on any instance; returns how many
 * rows there were. Runs before the sweep of windows, which deletes these rows too.
 */
export async function returnDeadClaims(
  db: Database,
  { now, bucket, signal }: SweepOptions & { now: number; bucket: string },
): Promise<number> {
  const dead = await db.query
    .selectFrom("allowance")
    .select(["bucket", "key"])
    .where("bucket", "like", `${ARRIVING}%`)
    .where("resets_at", "<=", now)
    .execute();
  for (const row of dead) if (!signal?.aborted) await returnOne(db, { row, bucket, now });
  return dead.length;
}

// Of several sweeping instances, one deletes the row.
async function returnOne(
  db: Database,
  { row, bucket, now }: { row: { bucket: string; key: Uint8Array }; bucket: string; now: number },
): Promise<void> {
  const key: Bytes = new Uint8Array(row.key);
  const deleted = await db.writeSoon((trx) =>
    trx
      .deleteFrom("allowance")
      .where("bucket", "=", row.bucket)
      .where("key", "=", key)
      .where("resets_at", "<=", now)
      .returning("count")
      .executeTakeFirst(),
  );
  if (!deleted) return;
  const unused = { limit: 0, windowSeconds: 0 };
  await giveAllowanceBack(db, { ...unused, bucket, key, now, amount: deleted.count });
}
