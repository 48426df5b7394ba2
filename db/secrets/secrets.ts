import type { Database } from "../open.ts";
import { giveUpFiles, markClosed, type SecretEnd, type NewSecret } from "./secret-rows.ts";
import { showExpired, readPage, type Page } from "../pages.ts";
import type { SecretStatus, SecretTable } from "../schema.ts";
import type { Selectable } from "kysely";
import type { Bytes } from "../columns.ts";

export { storedBytes, sweepSecrets } from "./secret-sweep.ts";
export { claimAtOnce, claimSecret, insertSecret } from "./secret-rows.ts";
export type { NewSecret, SecretStatus };

/**
 * Finds a secret. An active one past its time is shown as expired. Its content stays until the next sweep, because only
 * sweeps check whether the clock can be trusted.
 */
export async function findSecret(db: Database, id: string, now: number): Promise<SecretRecord | undefined> {
  const row = await db.query.selectFrom("secret").selectAll().where("id", "=", id).executeTakeFirst();
  return row && showExpired(toRecord(row), now);
}

/**
 * Counts one attempt at the passphrase before it is checked, so that parallel attempts cannot exceed the maximum.
 * Returns the new count; undefined when no attempt is left or the secret is not active.
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
 * Ends an active secret and deletes its content, even where it is past its time by a clock that may be wrong: its owner
 * wants it gone. False when it was no longer active, or is expired from now on.
 */
export async function closeSecret(db: Database, { id, now, status }: SecretEnd): Promise<boolean> {
  // Content first, in every transaction here: two that want the same secret meet at the row of its content, so that
  // they cannot deadlock.
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

/** A secret without its content. Times are unix seconds. */
export interface SecretRecord {
  id: string;
  verifier: Bytes;
  /** Null without a passphrase. */
  passVerifier: Bytes | null;
  /** SHA-256 of the revoke token. */
  revokeHash: Bytes;
  status: SecretStatus;
  createdAt: number;
  expiresAt: number;
  /** When it ended; null while it is active. */
  closedAt: number | null;
  isEncrypted: boolean;
  /** Bytes of the file; null for a text. */
  fileSize: number | null;
  attempts: number;
  owner: string | null;
  label: string | null;
  /** SHA-256 of the ticket with which it was claimed; null without one. */
  ticketHash: Bytes | null;
}

/** A page of a member's secrets. */
export async function listSecrets(
  db: Database,
  page: Page<SecretStatus>,
): Promise<{ secrets: SecretRecord[]; next: string | null }> {
  const { shown, next } = await readPage(db, { table: "secret", toRecord }, page);
  return { secrets: shown, next };
}

function toRecord(row: Selectable<SecretTable>): SecretRecord {
  return {
    id: row.id,
    verifier: new Uint8Array(row.verifier),
    passVerifier: row.pass_verifier && new Uint8Array(row.pass_verifier),
    revokeHash: new Uint8Array(row.revoke_hash),
    status: row.status,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    closedAt: row.closed_at,
    isEncrypted: row.is_encrypted === 1,
    fileSize: row.file_size,
    attempts: row.attempts,
    owner: row.owner,
    label: row.label,
    ticketHash: row.ticket_hash && new Uint8Array(row.ticket_hash),
  };
}
