// Operations on secrets that need one round trip to PostgreSQL for all calls of the same moment.
import { sql, type Insertable } from "kysely";
import { inBatches } from "../connection/batches.ts";
import type { Bytes } from "../columns.ts";
import type { SecretTable } from "../schema.ts";
import { run, statementOfRows, type ParameterOf } from "../statement.ts";

/** The rows of a new active secret that is a text. */
export type NewRow = Required<Omit<Insertable<SecretTable>, "ticket_hash">> & { size: number; sealed: Bytes };

/** A caller who may take a text without a passphrase. */
interface OpenClaim {
  id: string;
  verifier: Bytes;
  now: number;
  signal?: AbortSignal | undefined;
}

/** What a claim returns. */
export interface ClaimResult {
  sealed: Bytes;
  isEncrypted: boolean;
  expiresAt: number;
}

/** Stores secrets; false for each whose id is taken. */
export const insertAtOnce = inBatches<NewRow, boolean>({
  keyOf: ({ id }) => id,
  run: async (db, secrets) => {
    const { rows } = await run(db, INSERT_BOTH, secrets);
    const stored = new Set(rows.map(({ secret_id: id }) => id));
    return secrets.map(({ id }) => stored.has(id));
  },
});

// Each value has a cast: PostgreSQL does not infer the types of parameters in VALUES.
const INSERT_BOTH = statementOfRows((_, secrets: readonly ParameterOf<NewRow>[]) => {
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

/** Takes texts and deletes them. */
export const takeAtOnce = inBatches<OpenClaim, ClaimResult | undefined>({
  keyOf: ({ id }) => id,
  signalOf: ({ signal }) => signal,
  run: async (db, claims) => {
    const { rows } = await run(db, DELETE_WITHOUT_WAITING, claims);
    return toTaken(claims, rows);
  },
});

interface KeptClaim extends OpenClaim {
  ticketHash: Bytes;
  sweepAt: number;
}

/** Takes texts, which are kept for their tickets. */
export const keepAtOnce = inBatches<KeptClaim, ClaimResult | undefined>({
  keyOf: ({ id }) => id,
  signalOf: ({ signal }) => signal,
  run: async (db, claims) => {
    const { rows } = await run(db, KEEP_WITHOUT_WAITING, claims);
    return toTaken(claims, rows);
  },
});

function toTaken(claims: readonly { id: string }[], rows: readonly TakenRow[]): (ClaimResult | undefined)[] {
  const taken = new Map(rows.map((row) => [row.secret_id, row]));
  return claims.map(({ id }) => {
    const row = taken.get(id);
    if (!row) return undefined;
    const { sealed, is_encrypted, expires_at } = row;
    return { sealed: new Uint8Array(sealed), isEncrypted: is_encrypted === 1, expiresAt: expires_at };
  });
}

// Skips rows that others have locked: a caller who leaves while waiting must not have taken anything. Each secret is
// looked up by its id alone (LATERAL, LIMIT): before its first statistics of a table, PostgreSQL 15 read all active
// secrets instead, from a batch of eight on.
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

const DELETE_WITHOUT_WAITING = statementOfRows(
  (_, claims: readonly ParameterOf<Omit<OpenClaim, "signal">>[]) => {
    const wanted = claims.map(
      (of) => sql`(${of("id")}::text, ${of("verifier")}::bytea, ${of("now")}::bigint)`,
    );
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
  },
);

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
