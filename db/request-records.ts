import type { Selectable } from "kysely";
import type { Database } from "./open.ts";
import { readPage, type Page, showExpired } from "./pages.ts";
import type { Bytes } from "./columns.ts";
import type { RequestStatus, RequestTable } from "./schema.ts";

/** A request without its answers. Times are unix seconds. */
export interface RequestRecord {
  id: string;
  /** SHA-256 of the gate. */
  gateHash: Bytes;
  /** SHA-256 of the collect token. */
  collectHash: Bytes;
  /** Encrypted by the asker; null without one and after the end. */
  note: string | null;
  status: RequestStatus;
  createdAt: number;
  expiresAt: number;
  /** When it took its last answer or was closed; null while it takes more. */
  answeredAt: number | null;
  /** When it ended; null while it is open or answered. */
  closedAt: number | null;
  owner: string | null;
  label: string | null;
  /** SHA-256 of each ticket with which an answer was collected. */
  ticketHashes: readonly Bytes[];
  /** How many answers it takes. */
  answers: number;
  /** How many it has received. */
  answered: number;
  /** How many of those were collected. */
  collected: number;
}

/** Reads a stored request, whether or not its time is over. */
export async function readRequest(db: Database, id: string): Promise<RequestRecord | undefined> {
  const row = await db.query.selectFrom("request").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toRecord(row);
}

/** A page of a member's requests. */
export async function listRequests(
  db: Database,
  page: Page<RequestStatus>,
): Promise<{ requests: RequestRecord[]; next: string | null }> {
  const { shown, next } = await readPage(db, { table: "request", toRecord }, page);
  return { requests: shown.map((each) => showOver(each, page.now)), next };
}

/** Shows a request past its time as it will be after the sweep, which deletes the note. */
export function showOver(request: RequestRecord, now: number): RequestRecord {
  const shown = showExpired(request, now);
  return shown.status === "expired" ? { ...shown, note: null } : shown;
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
    label: row.label,
    ticketHashes: splitHashes(row.ticket_hash),
    answers: row.answers,
    answered: row.answered,
    collected: row.collected,
  };
}

const HASH_BYTES = 32;

/** The hashes that are stored in one column, one after the other. */
export function splitHashes(joined: Uint8Array | null): Bytes[] {
  const count = (joined?.length ?? 0) / HASH_BYTES;
  return Array.from(
    { length: count },
    (_, at) => new Uint8Array(joined?.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES) ?? []),
  );
}

/** Joins hashes for one column; null for none. */
export function joinHashes(hashes: readonly Bytes[]): Bytes | null {
  if (hashes.length === 0) return null;
  const joined = new Uint8Array(hashes.length * HASH_BYTES);
  for (const [at, hash] of hashes.entries()) joined.set(hash, at * HASH_BYTES);
  return joined;
}
