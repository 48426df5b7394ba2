import type { Generated } from "kysely";
import type {
  HookTable,
  IdentityTable,
  LoginKind,
  MemberTable,
  PasskeyTable,
  SessionTable,
  TokenTable,
} from "./accounts/tables.ts";
import type { AddedColumn, BytesColumn, OptionalBytesColumn } from "./columns.ts";

/** The state of a secret; every state but `active` is final and has no content. */
export type SecretStatus = "active" | "revealed" | "revoked" | "expired" | "locked";

/** A secret without its content; after its end this row is the receipt. All times are unix seconds. */
export interface SecretTable {
  id: string;
  verifier: BytesColumn;
  pass_verifier: OptionalBytesColumn;
  revoke_hash: BytesColumn;
  status: SecretStatus;
  created_at: number;
  expires_at: number;
  /** Null exactly while the status is `active`. */
  closed_at: number | null;
  is_encrypted: number;
  /** Bytes of the file; null for a text. */
  file_size: number | null;
  attempts: number;
  owner: string | null;
  /** The owner's name for it, encrypted in the browser. */
  label: string | null;
  /** SHA-256 of the ticket with which it was claimed; kept in receipts. */
  ticket_hash: AddedColumn<Uint8Array>;
  /** 1 where the owner's hooks are not told of it. */
  is_quiet: AddedColumn<number>;
}

/** The encrypted content: the row exists while its secret is active, and for a text also while it is delivered. */
interface SecretContentTable {
  secret_id: string;
  size: number;
  sealed: BytesColumn;
  /** When a delivery is over; null while the secret is active. */
  sweep_at: AddedColumn<number>;
}

/** The row of one file: while it arrives, while its secret is active, and while it is delivered. */
interface SecretFileTable {
  secret_id: string;
  /** The account that sends it. */
  owner: string | null;
  /** The bytes of its chunks so far. */
  size: number;
  /** When it is deleted: null while its secret is active, 0 once that has begun. */
  sweep_at: number | null;
  /** SHA-256 of the ticket with which a delivery continues; null before there is one. */
  ticket_hash: OptionalBytesColumn;
  /** The metadata of the chunks from when the secret was active; null before the delivery. */
  head: OptionalBytesColumn;
  /** How many readers with the same ticket there were: only the latest may read on. */
  reader: Generated<number>;
}

/** One encrypted chunk of a file, by its position from 1 on. */
interface SecretChunkTable {
  secret_id: string;
  position: number;
  sealed: BytesColumn;
}

/** The state of a request; `open`, which takes answers, and `answered`, which takes no more, are not final. */
export type RequestStatus = "open" | "answered" | "collected" | "cancelled" | "expired";

/** A request for a secret; after its end this row is the receipt. */
export interface RequestTable {
  id: string;
  /** SHA-256 of the gate, which anybody with the link derives from the public key in it. */
  gate_hash: BytesColumn;
  /** SHA-256 of the token that the asker keeps. */
  collect_hash: BytesColumn;
  /** Encrypted by the asker; null without one and after the end. */
  note: string | null;
  status: RequestStatus;
  created_at: number;
  expires_at: number;
  answered_at: number | null;
  /** Null exactly while the status is `open` or `answered`. */
  closed_at: number | null;
  owner: string | null;
  /** The owner's name for it, encrypted in the browser. */
  label: string | null;
  /** SHA-256 of the tickets with which answers were collected, one after the other; kept in receipts. */
  ticket_hash: AddedColumn<Uint8Array>;
  /** How many answers it takes, how many there were, and how many of those were collected. */
  answers: Generated<number>;
  answered: Generated<number>;
  collected: Generated<number>;
  /** 1 where the owner's hooks are not told of it. */
  is_quiet: AddedColumn<number>;
}

/** An encrypted answer: the row exists until it is collected or its request ends, and while it is delivered. */
interface RequestAnswerTable {
  request_id: string;
  /** Counts up from 1 in the order of arrival. */
  position: number;
  size: number;
  sealed: BytesColumn;
  /** When a delivery is over; null before there is one. */
  sweep_at: AddedColumn<number>;
  /** SHA-256 of the ticket with which it was collected, and when; null before that. */
  ticket_hash: AddedColumn<Uint8Array>;
  collected_at: AddedColumn<number>;
}

/** A running window of one rate key; `resets_at` is when the window ends. */
export interface AllowanceTable {
  bucket: string;
  key: BytesColumn;
  count: number;
  resets_at: number;
}

/** Calls of one tool in one hour from one address, whose last part is set to zero. */
interface UsageTable {
  tool: string;
  succeeded: number;
  address: string;
  hour: number;
  count: number;
}

/** What an installation stores about itself, by name. */
interface InstallationTable {
  name: string;
  value: BytesColumn;
}

/** Who is told of events: the receiver of webhooks, the audit log, or members by their own hooks. */
export type Sink = "webhook" | "audit" | "hook";

/** An event that one sink has not been told of yet. */
interface OutboxTable {
  /** Counts up in the order in which rows were written. */
  position: Generated<number>;
  id: string;
  sink: Generated<Sink>;
  event: string;
  /** The id of what it happened to; null where there is nothing. */
  subject: string | null;
  kind: string | null;
  /** The member to whom that belongs or, for the audit log, who did it. */
  account: string | null;
  /** For the audit log, as the next two: the first characters of the API token that was sent. */
  token: AddedColumn<string>;
  /** With its last part set to zero. */
  address: AddedColumn<string>;
  login: AddedColumn<LoginKind>;
  happened_at: number;
  /** When it is sent next. */
  next_at: number;
  tries: number;
  /** The member's hook to call. */
  hook: AddedColumn<string>;
}

/** A call that may be repeated under its idempotency key (docs/formats.md, 9). */
interface IdempotencyKeyTable {
  key_hash: BytesColumn;
  /** Identifies which of several calls is running, or has run, under the key. */
  claim: string;
  /** Null while the call is running, as is the answer. */
  body_hash: OptionalBytesColumn;
  /** The answer, which only the key and the body together decrypt. */
  sealed: OptionalBytesColumn;
  /** When the key is free again. */
  sweep_at: number;
}

export interface Tables {
  secret: SecretTable;
  secret_content: SecretContentTable;
  secret_file: SecretFileTable;
  secret_chunk: SecretChunkTable;
  request: RequestTable;
  request_answer: RequestAnswerTable;
  allowance: AllowanceTable;
  usage: UsageTable;
  installation: InstallationTable;
  member: MemberTable;
  session: SessionTable;
  token: TokenTable;
  identity: IdentityTable;
  passkey: PasskeyTable;
  hook: HookTable;
  outbox: OutboxTable;
  idempotency_key: IdempotencyKeyTable;
}
