import type { Selectable } from "kysely";
import type { Database } from "../open.ts";
import { readPage, type Page } from "../pages.ts";
import type { Bytes } from "../columns.ts";
import type { SecretStatus, SecretTable } from "../schema.ts";

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
  /** SHA-256 of the ticket that it was claimed with; null without one. */
  ticketHash: Bytes | null;
}

/** Reads a secret as it stands, whether or not its time is over. */
export async function readSecret(db: Database, id: string): Promise<SecretRecord | undefined> {
  const row = await db.query.selectFrom("secret").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toRecord(row);
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
