import type { Insertable, Kysely } from "kysely";
import type { Database } from "./open.ts";
import { readSecret, type SecretRecord } from "./secret-records.ts";
import type { Bytes, SecretStatus, SecretTable, Tables } from "./schema.ts";

export { listSecrets, SECRET_CURSOR } from "./secret-records.ts";
export type { SecretRecord, SecretStatus };

/** Rows that one transaction of a sweep touches, so that nobody waits long for it. */
const SWEEP_ROWS = 500;

export interface NewSecret {
  id: string;
  verifier: Bytes;
  passVerifier: Bytes | null;
  revokeHash: Bytes;
  sealed: Bytes;
  created: number;
  expiry: number;
  isEncrypted: boolean;
  owner: string | null;
}

/** Stores an active secret. False when the id is taken, and then nothing is stored. */
export async function insertSecret(db: Database, secret: NewSecret): Promise<boolean> {
  return db.write(async (trx) => {
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

/** Finds a secret. One that is active but past its expiry is closed first, and its content deleted. */
export async function findSecret(
  db: Database,
  { id, now }: { id: string; now: number },
): Promise<SecretRecord | undefined> {
  const secret = await readSecret(db, id);
  if (secret?.status !== "active" || secret.expiry > now) return secret;
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
    .where("closed", "is", null)
    .where("expiry", ">", now)
    .where("attempts", "<", ceiling)
    .returning("attempts")
    .executeTakeFirst();
  return row?.attempts;
}

/**
 * Takes the sealed content out of an active secret, for the one caller whose verifiers are right: the
 * others get undefined and change nothing. The content is deleted before anything is read, so of many
 * processes exactly one gets it.
 */
export async function claimSecret(
  db: Database,
  {
    id,
    verifier,
    passVerifier,
    now,
  }: { id: string; verifier: Bytes; passVerifier: Bytes | null; now: number },
): Promise<Bytes | undefined> {
  return db.write(async (trx) => {
    const taken = await trx
      .deleteFrom("secret_content")
      .where("secret_id", "=", id)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom("secret")
            .select("id")
            .where("id", "=", id)
            .where("closed", "is", null)
            .where("expiry", ">", now)
            .where("verifier", "=", verifier)
            .where("pass_verifier", passVerifier === null ? "is" : "=", passVerifier),
        ),
      )
      .returning("sealed")
      .executeTakeFirst();
    if (!taken) return undefined;
    await markClosed(trx, { id, now, status: "revealed" });
    return new Uint8Array(taken.sealed);
  });
}

/** Ends an active secret and deletes its content. False when it was not active any more. */
export async function closeSecret(
  db: Database,
  { id, now, status }: { id: string; now: number; status: "revoked" | "locked" },
): Promise<boolean> {
  return endSecret(db, { id, now, status });
}

/**
 * Closes what is past its expiry, and deletes receipts that are older than `receiptSeconds`, in bounded
 * steps; answers how many of each.
 */
export async function sweepSecrets(
  db: Database,
  { now, receiptSeconds }: { now: number; receiptSeconds: number },
): Promise<{ expired: number; purged: number }> {
  const expired = await untilFew(() => expireSome(db, now));
  const purged = await untilFew(() => purgeSome(db, now - receiptSeconds));
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
          .where("expiry", status === "expired" ? "<=" : ">", now),
      )
      .returning("secret_id")
      .executeTakeFirst();
    if (!deleted) return false;
    await markClosed(trx, { id, now, status });
    return true;
  });
}

/** How a secret ends; an expired one ended when its time was over, not when somebody noticed. */
interface Ending {
  id: string;
  now: number;
  status: Exclude<SecretStatus, "active">;
}

async function markClosed(trx: Kysely<Tables>, { id, now, status }: Ending): Promise<void> {
  await trx
    .updateTable("secret")
    .set((secret) => ({ status, closed: status === "expired" ? secret.ref("expiry") : now }))
    .where("id", "=", id)
    .execute();
}

async function expireSome(db: Database, now: number): Promise<number> {
  return db.write(async (trx) => {
    const deleted = await trx
      .deleteFrom("secret_content")
      .where("secret_id", "in", (secrets) =>
        secrets
          .selectFrom("secret")
          .select("id")
          .where("closed", "is", null)
          .where("expiry", "<=", now)
          .orderBy("expiry")
          .orderBy("id")
          .limit(SWEEP_ROWS),
      )
      .executeTakeFirstOrThrow();
    await trx
      .updateTable("secret")
      .set((secret) => ({ status: "expired", closed: secret.ref("expiry") }))
      .where("closed", "is", null)
      .where("expiry", "<=", now)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom("secret_content").select("size").whereRef("secret_id", "=", "secret.id"))),
      )
      .execute();
    return Number(deleted.numDeletedRows);
  });
}

async function purgeSome(db: Database, before: number): Promise<number> {
  const { numDeletedRows } = await db.write((trx) =>
    trx
      .deleteFrom("secret")
      .where("id", "in", (secrets) =>
        secrets.selectFrom("secret").select("id").where("closed", "<", before).limit(SWEEP_ROWS),
      )
      .executeTakeFirstOrThrow(),
  );
  return Number(numDeletedRows);
}

async function untilFew(sweepSome: () => Promise<number>): Promise<number> {
  for (let total = 0; ;) {
    const some = await sweepSome();
    total += some;
    if (some < SWEEP_ROWS) return total;
  }
}

function newRow(secret: NewSecret): Insertable<SecretTable> {
  return {
    id: secret.id,
    verifier: secret.verifier,
    pass_verifier: secret.passVerifier,
    revoke_hash: secret.revokeHash,
    status: "active",
    created: secret.created,
    expiry: secret.expiry,
    closed: null,
    is_encrypted: secret.isEncrypted ? 1 : 0,
    attempts: 0,
    owner: secret.owner,
  };
}
