import { sql, type Kysely } from "kysely";
import { compileOnce } from "./connection/compiled.ts";
import { isRolledBack } from "./connection/postgres.ts";
import type { Database } from "./open.ts";
import { newRow, takeContent, type Claim, type NewSecret, type Taken } from "./secret-rows.ts";
import type { Bytes, Tables } from "./schema.ts";

/**
 * Stores an active secret, after `claim` in the same transaction, which may throw. False when the id is taken.
 * Nothing is stored in either case.
 */
export async function insertSecret(
  db: Database,
  secret: NewSecret,
  claim?: (trx: Kysely<Tables>) => Promise<void>,
): Promise<boolean> {
  const row = { ...newRow(secret), size: secret.sealed.length, sealed: secret.sealed };
  if (db.kind === "postgres" && !claim) return insertAtOnce(db, row);
  return db.write(async (trx) => {
    await claim?.(trx);
    const { numAffectedRows } = await insertRow(trx, row);
    if (numAffectedRows === 0n) return false;
    await insertContent(trx, row);
    return true;
  });
}

/**
 * Takes the sealed content out of an active text, for the one caller whose verifiers are right: the others get
 * undefined and change nothing. The content is deleted before anything is read, so of many processes exactly one
 * gets it. Nothing is taken for a caller who has left, by `signal`, before it is committed.
 * @throws the reason of the signal
 */
export async function claimSecret(db: Database, claim: Claim): Promise<Bytes | undefined> {
  return (await take(db, claim))?.sealed;
}

async function take(db: Database, claim: Claim): Promise<Taken | undefined> {
  return db.write(async (trx) => {
    // A connection to PostgreSQL may have been waited for.
    claim.signal?.throwIfAborted();
    const taken = await takeContent(trx, { ...claim, kind: "text" });
    // The row may have been waited for too. What is thrown rolls all of it back.
    claim.signal?.throwIfAborted();
    return taken;
  });
}

/**
 * The same with fewer trips to PostgreSQL, for a text without a passphrase that nobody else has a hold on: undefined
 * says only that it was not taken this way.
 * @throws the reason of the signal
 */
export async function claimAtOnce(
  db: Database,
  claim: Omit<Claim, "passVerifier">,
): Promise<Taken | undefined> {
  if (db.kind === "sqlite") return take(db, { ...claim, passVerifier: null });
  claim.signal?.throwIfAborted();
  const { id, verifier, now } = claim;
  const { rows } = await onceMore(() => takeWithoutWaiting(db.query, { id, verifier, now }));
  const [row] = rows;
  if (!row) return undefined;
  const { sealed, is_encrypted, expires_at } = row;
  return { sealed: new Uint8Array(sealed), isEncrypted: is_encrypted === 1, expiresAt: expires_at };
}

type Row = ReturnType<typeof newRow> & { size: number; sealed: Bytes };

const insertRow = compileOnce((query: Kysely<Tables>, row: Row) =>
  query
    .insertInto("secret")
    .values(columnsOf(row))
    .onConflict((conflict) => conflict.column("id").doNothing()),
);

const insertContent = compileOnce((query: Kysely<Tables>, { id, size, sealed }: Row) =>
  query.insertInto("secret_content").values({ secret_id: id, size, sealed }),
);

async function insertAtOnce({ query }: Database, row: Row): Promise<boolean> {
  const { rows } = await onceMore(() => insertBoth(query, row));
  return rows.length === 1;
}

const insertBoth = compileOnce((query: Kysely<Tables>, row: Row) =>
  query
    .with("stored", (stored) =>
      stored
        .insertInto("secret")
        .values(columnsOf(row))
        .onConflict((conflict) => conflict.column("id").doNothing())
        .returning("id"),
    )
    .insertInto("secret_content")
    .columns(["secret_id", "size", "sealed"])
    .expression((from) =>
      from
        .selectFrom("stored")
        .select((column) => [
          column.ref("stored.id").as("secret_id"),
          sql<number>`${row.size}::integer`.as("size"),
          sql<Bytes>`${row.sealed}::bytea`.as("sealed"),
        ]),
    )
    .returning("secret_id"),
);

// A row that somebody else holds is left to them: a caller who leaves while he waits must not have taken anything.
const takeWithoutWaiting = compileOnce<
  { id: string; verifier: Bytes; now: number },
  { sealed: Uint8Array; is_encrypted: number; expires_at: number }
>((query, { id, verifier, now }) => ({
  compile: () =>
    sql<{ sealed: Uint8Array; is_encrypted: number; expires_at: number }>`
      with taken as (
        delete from secret_content where secret_id in (
          select secret_id from secret_content where secret_id = ${id} and exists (
            select 1 from secret where id = ${id} and closed_at is null and expires_at > ${now}
              and verifier = ${verifier} and pass_verifier is null and file_size is null
          ) for update skip locked
        ) returning sealed
      ), closed as (
        update secret set status = 'revealed', closed_at = ${now}
        where id = ${id} and exists (select 1 from taken) returning is_encrypted, expires_at
      )
      select sealed, is_encrypted, expires_at from taken, closed`.compile(query),
}));

// What the server has certainly undone is tried again.
async function onceMore<T>(run: () => Promise<T>): Promise<T> {
  return run().catch((error: unknown) => {
    if (isRolledBack(error)) return run();
    throw error;
  });
}

// Read one by one: `row` stands for parameters.
function columnsOf(row: Row): ReturnType<typeof newRow> {
  return {
    id: row.id,
    verifier: row.verifier,
    pass_verifier: row.pass_verifier,
    revoke_hash: row.revoke_hash,
    status: row.status,
    created_at: row.created_at,
    expires_at: row.expires_at,
    closed_at: row.closed_at,
    is_encrypted: row.is_encrypted,
    file_size: row.file_size,
    attempts: row.attempts,
    owner: row.owner,
    label: row.label,
  };
}
