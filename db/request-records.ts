import type { Selectable } from "kysely";
import type { Database } from "./open.ts";
import type { Bytes, RequestStatus, RequestTable } from "./schema.ts";

/** A request for a secret without its answer. Times are unix seconds. */
export interface RequestRecord {
  id: string;
  /** SHA-256 of the gate. */
  gateHash: Bytes;
  /** SHA-256 of the collect token. */
  collectHash: Bytes;
  /** Sealed by the asker; null without one and after the end. */
  note: string | null;
  status: RequestStatus;
  createdAt: number;
  expiresAt: number;
  /** When it was answered; null while nobody has. */
  answeredAt: number | null;
  /** When it ended; null while it is open or answered. */
  closedAt: number | null;
  owner: string | null;
}

/** Which requests to list: `limit` of them after `cursor`, only those in `status` where it is given. */
export interface RequestPage {
  owner: string;
  now: number;
  status?: RequestStatus | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** Reads a request as it stands, whether or not its time is over. */
export async function readRequest(db: Database, id: string): Promise<RequestRecord | undefined> {
  const row = await db.query.selectFrom("request").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toRecord(row);
}

/** A member's requests, newest first, in stable pages. One whose time is over is shown as expired, swept or not. */
export async function listRequests(
  db: Database,
  page: RequestPage,
): Promise<{ requests: RequestRecord[]; next: string | null }> {
  const rows = await selectPage(db, page).execute();
  const requests = rows.slice(0, page.limit).map((row) => showExpired(toRecord(row), page.now));
  const last = requests.at(-1);
  return { requests, next: rows.length > page.limit && last ? `${last.createdAt}.${last.id}` : null };
}

// One row more than asked for shows whether there is a next page.
function selectPage(db: Database, { owner, now, status, limit, cursor }: RequestPage) {
  let query = db.query.selectFrom("request").selectAll().where("owner", "=", owner);
  if (status === "expired")
    query = query.where(({ eb, or }) =>
      or([eb("status", "=", status), eb.and([eb("closed_at", "is", null), eb("expires_at", "<=", now)])]),
    );
  else if (status) query = query.where("status", "=", status);
  if (status === "open" || status === "answered") query = query.where("expires_at", ">", now);
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

function showExpired(request: RequestRecord, now: number): RequestRecord {
  if (request.closedAt !== null || request.expiresAt > now) return request;
  return { ...request, status: "expired", closedAt: request.expiresAt, note: null };
}

function toRecord(row: Selectable<RequestTable>): RequestRecord {
  return {
    id: row.id,
    gateHash: new Uint8Array(row.gate_hash),
    collectHash: new Uint8Array(row.collect_hash),
    note: row.note,
    status: row.status,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    answeredAt: row.answered_at,
    closedAt: row.closed_at,
    owner: row.owner,
  };
}
