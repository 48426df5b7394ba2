import type { Selectable } from "kysely";
import type { Database } from "./open.ts";
import type { Bytes, SecretStatus, SecretTable } from "./schema.ts";

/** What a page of the list hands out as `next` and takes as `cursor`. */
export const SECRET_CURSOR = /^[0-9]{1,15}\.[0-9A-Za-z]{1,64}$/;

const COLUMNS = [
  "id",
  "verifier",
  "pass_verifier",
  "revoke_hash",
  "status",
  "created_at",
  "expires_at",
  "closed_at",
  "is_encrypted",
  "file_size",
  "attempts",
  "owner",
] as const satisfies (keyof SecretTable)[];

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
}

/** Which secrets to list: `limit` of them after `cursor`, only those in `status` where it is given. */
export interface SecretPage {
  owner: string;
  now: number;
  status?: SecretStatus | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** Reads a secret as it stands, whether or not its time is over. */
export async function readSecret(db: Database, id: string): Promise<SecretRecord | undefined> {
  const row = await db.query.selectFrom("secret").select(COLUMNS).where("id", "=", id).executeTakeFirst();
  return row && toRecord(row);
}

/**
 * A member's secrets, newest first, in stable pages: a secret that is made meanwhile moves nothing to
 * another page. One whose time is over is shown as expired, swept or not.
 */
export async function listSecrets(
  db: Database,
  page: SecretPage,
): Promise<{ secrets: SecretRecord[]; next: string | null }> {
  const rows = await selectPage(db, page).execute();
  const secrets = rows.slice(0, page.limit).map((row) => showExpired(toRecord(row), page.now));
  const last = secrets.at(-1);
  const next = rows.length > page.limit && last ? `${last.createdAt}.${last.id}` : null;
  return { secrets, next };
}

// One row more than asked for shows whether there is a next page.
function selectPage(db: Database, { owner, now, status, limit, cursor }: SecretPage) {
  let query = db.query.selectFrom("secret").select(COLUMNS).where("owner", "=", owner);
  if (status === "active") query = query.where("closed_at", "is", null).where("expires_at", ">", now);
  else if (status === "expired")
    query = query.where(({ eb, or }) =>
      or([eb("status", "=", status), eb.and([eb("closed_at", "is", null), eb("expires_at", "<=", now)])]),
    );
  else if (status) query = query.where("status", "=", status);
  if (cursor !== undefined) {
    const [createdAt = "", id = ""] = cursor.split(".");
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple("created_at", "id"), "<", tuple(Number(createdAt), id)),
    );
  }
  return query
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1);
}

function showExpired(secret: SecretRecord, now: number): SecretRecord {
  const isOver = secret.status === "active" && secret.expiresAt <= now;
  return isOver ? { ...secret, status: "expired", closedAt: secret.expiresAt } : secret;
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
  };
}
