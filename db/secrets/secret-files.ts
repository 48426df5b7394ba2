import { sql, type Kysely } from "kysely";
import type { Database } from "../open.ts";
import { writeChunks, type Chunks } from "./secret-chunks.ts";
import { giveUpFiles, newRow, type NewSecret } from "./secret-rows.ts";
import type { Tables } from "../schema.ts";
import { runInside, statement, type ParameterOf } from "../statement.ts";
import type { TransactionSteps } from "../stored-bytes.ts";
import type { SweepOptions } from "../sweep/sweep-steps.ts";
import { changesRow, countChanged } from "../columns.ts";

/** Chunks that are deleted in one step: a megabyte, so that nobody waits long for the database. */
const CHUNKS_PER_STEP = 16;

/** Begins an upload. It is deleted at `sweepAt`, unless its secret becomes active or more arrives. */
export async function beginFile(
  db: Database,
  { id, owner, sweepAt }: { id: string; owner: string | null; sweepAt: number },
): Promise<void> {
  const row = { secret_id: id, owner, size: 0, sweep_at: sweepAt, ticket_hash: null, head: null };
  await db.writeSoon((trx) => trx.insertInto("secret_file").values(row).execute());
}

interface ArrivingChunks extends Chunks {
  sweepAt: number;
}

/**
 * Stores chunks of an upload, after `claim` in the same transaction, which may throw, and keeps it until a later time.
 * False when the sweep has deleted it.
 */
export async function storeChunks(
  db: Database,
  { id, from, chunks, sweepAt }: ArrivingChunks,
  claim?: (trx: Kysely<Tables>) => Promise<void>,
): Promise<boolean> {
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
  // Reaches the disk with the secret; nothing is acknowledged before.
  return db.writeSoon(async (trx) => {
    await claim?.(trx);
    if (!(await keepFile(trx, { id, bytes, sweepAt }))) return false;
    await writeChunks(db.kind, trx, { id, from, chunks });
    return true;
  });
}

/** Replaces chunks by as many of the same length. False when the sweep has deleted the file. */
export async function replaceChunks(
  db: Database,
  { id, from, chunks, sweepAt }: ArrivingChunks,
): Promise<boolean> {
  return db.writeSoon(async (trx) => {
    if (!(await keepFile(trx, { id, bytes: 0, sweepAt }))) return false;
    await writeChunks(db.kind, trx, { id, from, chunks });
    return true;
  });
}

interface Growth {
  id: string;
  bytes: number;
  sweepAt: number;
}

async function keepFile(trx: Kysely<Tables>, { id, bytes, sweepAt }: Growth): Promise<boolean> {
  const { numAffectedRows = 0n } = await runInside(trx, GROW_FILE, { id, bytes, sweepAt });
  return numAffectedRows > 0n;
}

// `sweep_at` is the time from which a file is deleted; null for one in use, 0 for one that was given up.
const GROW_FILE = statement((query, of: ParameterOf<Growth>) =>
  query
    .updateTable("secret_file")
    .set((file) => ({ size: file("size", "+", of("bytes")), sweep_at: of("sweepAt") }))
    .where("secret_id", "=", of("id"))
    .where("sweep_at", ">", 0),
);

/**
 * Makes the secret of a file whose chunks are all stored; `sealed` is its encrypted metadata. `fileSize` counts the
 * bytes of the file as its reader gets it, `storedSize` those of all rows. False when the sweep has deleted the file.
 */
export async function activateFile(
  db: Database,
  secret: NewSecret & { fileSize: number; storedSize: number },
  { claim, keep }: TransactionSteps = {},
): Promise<boolean> {
  const { id, sealed, fileSize, storedSize } = secret;
  return db.write(async (trx) => {
    await claim?.(trx);
    const isThere = await trx
      .updateTable("secret_file")
      .set({ sweep_at: null })
      .where("secret_id", "=", id)
      .where("sweep_at", ">", 0)
      .where("ticket_hash", "is", null)
      .$call(changesRow);
    if (!isThere) return false;
    await trx.insertInto("secret").values(newRow(secret, fileSize)).execute();
    await trx.insertInto("secret_content").values({ secret_id: id, size: storedSize, sealed }).execute();
    await keep?.(trx);
    return true;
  });
}

/** Deletes a file with all its rows, whatever it is used for. */
export async function deleteFile(db: Database, { id, signal }: { id: string } & SweepOptions): Promise<void> {
  // From here on it is closed for readers and writers; its rows still exist.
  await db.writeSoon((trx) => giveUpFiles(trx, [id]));
  await deleteGivenUp(db, id, { signal });
}

/** Deletes files that are past their time or were given up, a megabyte at a time; returns how many. */
export async function sweepFiles(
  db: Database,
  { now, signal }: { now: number } & SweepOptions,
): Promise<number> {
  // From here on, activating it or continuing a delivery finds it given up.
  await db.writeSoon((trx) =>
    trx
      .updateTable("secret_file")
      .set({ sweep_at: 0 })
      .where("sweep_at", "<=", now)
      .where("sweep_at", ">", 0)
      .execute(),
  );
  const givenUp = await db.query
    .selectFrom("secret_file")
    .select("secret_id")
    .where("sweep_at", "=", 0)
    .execute();
  let deleted = 0;
  for (const { secret_id: id } of givenUp) {
    if (signal?.aborted) break;
    await deleteGivenUp(db, id, { signal });
    deleted++;
  }
  return deleted;
}

// Of one file. In an expression, because PostgreSQL would look through all that were given up at once for it: its
// statistics do not know of them yet.
const IS_GIVEN_UP = sql<boolean>`coalesce(sweep_at, 1) = 0`;

/**
 * Deletes the rows of a file that was given up, a megabyte at a time. When several do so at once on PostgreSQL, some
 * find nothing left while others still delete: the one that deletes the last chunk deletes the file.
 */
export async function deleteGivenUp(db: Database, id: string, { signal }: SweepOptions = {}): Promise<void> {
  while (!signal?.aborted) {
    const started = performance.now();
    if ((await deleteSome(db, id)) === 0) break;
    // Others have the database for as long as this step has taken.
    await new Promise((resolve) => setTimeout(resolve, performance.now() - started));
  }
  if (signal?.aborted) return;
  await db.writeSoon((trx) =>
    trx
      .deleteFrom("secret_file")
      .where("secret_id", "=", id)
      .where(IS_GIVEN_UP)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom("secret_chunk").select("position").where("secret_id", "=", id))),
      )
      .execute(),
  );
}

async function deleteSome(db: Database, id: string): Promise<number> {
  return db.writeSoon((trx) =>
    trx
      .deleteFrom("secret_chunk")
      .where("secret_id", "=", id)
      .where(({ exists, selectFrom }) =>
        exists(selectFrom("secret_file").select("size").where("secret_id", "=", id).where(IS_GIVEN_UP)),
      )
      .where("position", "in", (chunks) =>
        chunks
          .selectFrom("secret_chunk")
          .select("position")
          .where("secret_id", "=", id)
          .orderBy("position")
          .limit(CHUNKS_PER_STEP),
      )
      .$call(countChanged),
  );
}
