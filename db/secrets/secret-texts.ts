import { sql } from "kysely";
import { inBatches } from "../connection/batches.ts";
import type { Database } from "../open.ts";
import { newRow, takeContent, type Claim, type NewSecret, type Taken } from "./secret-rows.ts";
import type { Bytes } from "../schema.ts";
import { run, runInside, statement, statementOfRows, type ParameterOf } from "../statement.ts";
import type { StoredWith } from "../stored-bytes.ts";

/** Stores an active secret. False when the id is taken, and then nothing is stored. */
export async function insertSecret(
  db: Database,
  secret: NewSecret,
  { claim, keep }: StoredWith = {},
): Promise<boolean> {
  const row = { ...newRow(secret), size: secret.sealed.length, sealed: secret.sealed };
  if (db.kind === "postgres" && !claim && !keep) return insertAtOnce(db, row);
  return db.write(async (trx) => {
    await claim?.(trx);
    const { numAffectedRows } = await runInside(trx, INSERT_ROW, row);
    if (numAffectedRows === 0n) return false;
    await runInside(trx, INSERT_CONTENT, row);
    await keep?.(trx);
    return true;
  });
}

/**
 * Takes the sealed content out of an active text, for the one caller whose verifiers are right: the others get
 * undefined and change nothing. The content is deleted, or kept for a ticket, before anything is read, so of many
 * processes exactly one gets it. Nothing is taken for a caller who has left, by `signal`, before it is committed.
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
  const { ticket, ...by } = claim;
  if (!ticket) return takeAtOnce(db, by);
  return keepAtOnce(db, { ...by, ticketHash: ticket.hash, sweepAt: ticket.sweepAt });
}

type Row = ReturnType<typeof newRow> & { size: number; sealed: Bytes };

const INSERT_ROW = statement((query, of: ParameterOf<Row>) =>
  query
    .insertInto("secret")
    .values({
      id: of("id"),
      verifier: of("verifier"),
      pass_verifier: of("pass_verifier"),
      revoke_hash: of("revoke_hash"),
      status: of("status"),
      created_at: of("created_at"),
      expires_at: of("expires_at"),
      closed_at: of("closed_at"),
      is_encrypted: of("is_encrypted"),
      file_size: of("file_size"),
      attempts: of("attempts"),
      owner: of("owner"),
      label: of("label"),
      is_quiet: of("is_quiet"),
    })
    .onConflict((conflict) => conflict.column("id").doNothing()),
);

const INSERT_CONTENT = statement((query, of: ParameterOf<Pick<Row, "id" | "size" | "sealed">>) =>
  query.insertInto("secret_content").values({ secret_id: of("id"), size: of("size"), sealed: of("sealed") }),
);

const insertAtOnce = inBatches<Row, boolean>({
  keyOf: ({ id }) => id,
  run: async (db, secrets) => {
    const { rows } = await run(db, INSERT_BOTH, secrets);
    const stored = new Set(rows.map(({ secret_id: id }) => id));
    return secrets.map(({ id }) => stored.has(id));
  },
});

// The types are those of the first row, which PostgreSQL does not guess.
const INSERT_BOTH = statementOfRows((_, secrets: readonly ParameterOf<Row>[]) => {
  const rows = secrets.map(
    (of) => sql`(${of("id")}::text, ${of("verifier")}::bytea, ${of("pass_verifier")}::bytea,
      ${of("revoke_hash")}::bytea, ${of("status")}::text, ${of("created_at")}::bigint, ${of("expires_at")}::bigint,
      ${of("is_encrypted")}::integer, ${of("attempts")}::integer, ${of("owner")}::text, ${of("label")}::text,
      ${of("is_quiet")}::integer, ${of("size")}::integer, ${of("sealed")}::bytea)`,
  );
  return sql<{ secret_id: string }>`
    with fresh (id, verifier, pass_verifier, revoke_hash, status, created_at, expires_at, is_encrypted, attempts,
      owner, label, is_quiet, size, sealed) as (values ${sql.join(rows)}),
    stored as (
      insert into secret (id, verifier, pass_verifier, revoke_hash, status, created_at, expires_at, is_encrypted,
        attempts, owner, label, is_quiet)
      select id, verifier, pass_verifier, revoke_hash, status, created_at, expires_at, is_encrypted, attempts,
        owner, label, is_quiet from fresh
      on conflict (id) do nothing returning id
    )
    insert into secret_content (secret_id, size, sealed)
    select id, size, sealed from fresh join stored using (id) returning secret_id`;
});

type TakenRow = { secret_id: string; sealed: Uint8Array; is_encrypted: number; expires_at: number };

const takeAtOnce = inBatches<Omit<Claim, "passVerifier">, Taken | undefined>({
  keyOf: ({ id }) => id,
  signalOf: ({ signal }) => signal,
  run: async (db, claims) => {
    const { rows } = await run(db, DELETE_WITHOUT_WAITING, claims);
    return toTaken(claims, rows);
  },
});

interface KeptClaim extends Omit<Claim, "passVerifier" | "ticket"> {
  ticketHash: Bytes;
  sweepAt: number;
}

const keepAtOnce = inBatches<KeptClaim, Taken | undefined>({
  keyOf: ({ id }) => id,
  signalOf: ({ signal }) => signal,
  run: async (db, claims) => {
    const { rows } = await run(db, KEEP_WITHOUT_WAITING, claims);
    return toTaken(claims, rows);
  },
});

function toTaken(claims: readonly { id: string }[], rows: readonly TakenRow[]): (Taken | undefined)[] {
  const taken = new Map(rows.map((row) => [row.secret_id, row]));
  return claims.map(({ id }) => {
    const row = taken.get(id);
    if (!row) return undefined;
    const { sealed, is_encrypted, expires_at } = row;
    return { sealed: new Uint8Array(sealed), isEncrypted: is_encrypted === 1, expiresAt: expires_at };
  });
}

// A row that somebody else holds is left to them: a caller who leaves while he waits must not have taken anything. Each
// secret is looked up by its id alone (LATERAL, LIMIT): before its first statistics of a table, PostgreSQL 15 read all
// active secrets instead, from a batch of eight on.
const HELD = sql`held as (
    select content.secret_id, wanted.* from wanted
    cross join lateral (
      select id from secret
      where id = wanted.id and closed_at is null and expires_at > wanted.now and verifier = wanted.verifier
        and pass_verifier is null and file_size is null
      limit 1
    ) as active
    cross join lateral (
      select secret_id from secret_content
      where secret_id = active.id and sweep_at is null limit 1 for update skip locked
    ) as content
  )`;

type Wanted = Pick<Claim, "id" | "verifier" | "now">;

const DELETE_WITHOUT_WAITING = statementOfRows((_, claims: readonly ParameterOf<Wanted>[]) => {
  const wanted = claims.map((of) => sql`(${of("id")}::text, ${of("verifier")}::bytea, ${of("now")}::bigint)`);
  return sql<TakenRow>`
    with wanted (id, verifier, now) as (values ${sql.join(wanted)}), ${HELD}, taken as (
      delete from secret_content using held where secret_content.secret_id = held.secret_id
      returning secret_content.secret_id, sealed
    ), closed as (
      update secret set status = 'revealed', closed_at = wanted.now
      from taken join wanted on wanted.id = taken.secret_id where secret.id = taken.secret_id
      returning secret.id, is_encrypted, expires_at
    )
    select secret_id, sealed, is_encrypted, expires_at from taken join closed on closed.id = secret_id`;
});

const KEEP_WITHOUT_WAITING = statementOfRows((_, claims: readonly ParameterOf<KeptClaim>[]) => {
  const wanted = claims.map(
    (
      of,
    ) => sql`(${of("id")}::text, ${of("verifier")}::bytea, ${of("now")}::bigint, ${of("ticketHash")}::bytea,
      ${of("sweepAt")}::bigint)`,
  );
  return sql<TakenRow>`
    with wanted (id, verifier, now, ticket_hash, sweep_at) as (values ${sql.join(wanted)}), ${HELD}, taken as (
      update secret_content set sweep_at = held.sweep_at from held
      where secret_content.secret_id = held.secret_id
      returning secret_content.secret_id, sealed
    ), closed as (
      update secret set status = 'revealed', closed_at = wanted.now, ticket_hash = wanted.ticket_hash
      from taken join wanted on wanted.id = taken.secret_id where secret.id = taken.secret_id
      returning secret.id, is_encrypted, expires_at
    )
    select secret_id, sealed, is_encrypted, expires_at from taken join closed on closed.id = secret_id`;
});
