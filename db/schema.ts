import type { ColumnType, Generated } from "kysely";

/** Bytes as the rest of the house takes them: never a view on a driver's buffer. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** A column of bytes, BLOB or bytea; each driver hands out its own kind of Uint8Array. */
type BytesColumn = ColumnType<Uint8Array, Uint8Array, Uint8Array>;
type OptionalBytesColumn = ColumnType<Uint8Array | null, Uint8Array | null, Uint8Array | null>;
/** A column that new rows leave empty. */
type AddedColumn<T> = ColumnType<T | null, T | null | undefined, T | null>;

/** Where a secret stands; every state but `active` is final and has no content. */
export type SecretStatus = "active" | "revealed" | "revoked" | "expired" | "locked";

/** A secret without its content; after its end this row is the receipt. Times are unix seconds everywhere. */
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
  /** What its owner calls it, sealed in a browser. */
  label: string | null;
  /** SHA-256 of the ticket that it was claimed with; also of a receipt. */
  ticket_hash: AddedColumn<Uint8Array>;
  /** 1 where its owner's hooks are told nothing of it. */
  is_quiet: AddedColumn<number>;
}

/** The sealed content: a row stands here while its secret is active, and that of a text while it is delivered. */
interface SecretContentTable {
  secret_id: string;
  size: number;
  sealed: BytesColumn;
  /** When a delivery is over; null while the secret is active. */
  sweep_at: AddedColumn<number>;
}

/** The rows of one file: while it arrives, while its secret is active, and while it is delivered. */
interface SecretFileTable {
  secret_id: string;
  /** The account that sends it. */
  owner: string | null;
  /** Bytes of its chunks so far. */
  size: number;
  /** When it is deleted: null while its secret is active, 0 once that has begun. */
  sweep_at: number | null;
  /** SHA-256 of the ticket with which a delivery goes on; null before there is one. */
  ticket_hash: OptionalBytesColumn;
  /** What stood beside the chunks while the secret was active; null before the delivery. */
  head: OptionalBytesColumn;
  /** Of several readers with one ticket the last may read on: how many there were. */
  reader: Generated<number>;
}

/** One sealed chunk of a file, by its place from 1 on. */
interface SecretChunkTable {
  secret_id: string;
  position: number;
  sealed: BytesColumn;
}

/** Where a request stands; `open`, which takes answers, and `answered`, which takes no more, are not final. */
export type RequestStatus = "open" | "answered" | "collected" | "cancelled" | "expired";

/** Somebody asks for a secret; after its end this row is the receipt. */
export interface RequestTable {
  id: string;
  /** SHA-256 of the gate, which whoever was given the link derives from the public key in it. */
  gate_hash: BytesColumn;
  /** SHA-256 of the token that the asker keeps. */
  collect_hash: BytesColumn;
  /** Sealed by the asker; null without one and after the end. */
  note: string | null;
  status: RequestStatus;
  created_at: number;
  expires_at: number;
  answered_at: number | null;
  /** Null exactly while the status is `open` or `answered`. */
  closed_at: number | null;
  owner: string | null;
  /** What its owner calls it, sealed in a browser. */
  label: string | null;
  /** SHA-256 of the tickets that answers were collected with, one behind the other; also of a receipt. */
  ticket_hash: AddedColumn<Uint8Array>;
  /** How many answers it takes, how many there were, and how many of those were collected. */
  answers: Generated<number>;
  answered: Generated<number>;
  collected: Generated<number>;
  /** 1 where its owner's hooks are told nothing of it. */
  is_quiet: AddedColumn<number>;
}

/** A sealed answer: a row stands here until it is collected or its request ends, and while it is delivered. */
interface RequestAnswerTable {
  request_id: string;
  /** In the order in which they came, from 1 on. */
  position: number;
  size: number;
  sealed: BytesColumn;
  /** When a delivery is over; null before there is one. */
  sweep_at: AddedColumn<number>;
  /** SHA-256 of the ticket that it was collected with, and when; null before that. */
  ticket_hash: AddedColumn<Uint8Array>;
  collected_at: AddedColumn<number>;
}

/** One running window of one rate key; `resets_at` is when the window ends. */
export interface AllowanceTable {
  bucket: string;
  key: BytesColumn;
  count: number;
  resets_at: number;
}

/** Calls of one tool in one hour from one address, whose last part is already zero. */
interface UsageTable {
  tool: string;
  succeeded: number;
  address: string;
  hour: number;
  count: number;
}

/** What one installation knows about itself, by name. */
interface InstallationTable {
  name: string;
  value: BytesColumn;
}

export interface MemberTable {
  id: string;
  name: string;
  /** PHC string of the password. */
  password: string;
  /** SHA-256 of the recovery code; null once it was used. */
  recovery_hash: OptionalBytesColumn;
  created_at: number;
  /** HMAC of the address, for a day; null for whom the administrator made. */
  created_from: OptionalBytesColumn;
  /** What an authenticator app shares with the server (RFC 6238), sealed with the key of the instance; null without one. */
  totp_key: AddedColumn<Uint8Array>;
  /** Since when a login asks for its codes: not before one of them was right. */
  totp_since: AddedColumn<number>;
  /** The step of time of the last code, which is good once. */
  totp_step: AddedColumn<number>;
  /** Who administers the instance; null for everybody else. */
  role: AddedColumn<"admin">;
  /** Since when an administrator lets the member do nothing. */
  disabled_at: AddedColumn<number>;
  /** Until when a password is good that an administrator has set; null once the member has chosen another. */
  password_until: AddedColumn<number>;
  /** When the recovery code last set the password. */
  recovered_at: AddedColumn<number>;
  /** From when on a second factor may be set up, where the recovery code has ended the one of before. */
  enrol_from: AddedColumn<number>;
}

/** Who a member is to the provider of an organisation's logins. */
interface IdentityTable {
  issuer: string;
  subject: string;
  member: string;
  created_at: number;
  last_used_at: number;
  /** What the provider calls them, for people; null before the next login. */
  name: AddedColumn<string>;
  /** When the provider last said what this instance asks for; null once it has said something else. */
  confirmed_at: AddedColumn<number>;
}

interface PasskeyTable {
  /** The credential's id, in base64url. */
  id: string;
  member: string;
  name: string;
  /** COSE (RFC 9052). */
  public_key: BytesColumn;
  counter: number;
  /** How the browser reaches it, with commas. */
  transports: string;
  created_at: number;
  last_used_at: number | null;
}

interface SessionTable {
  id: string;
  /** SHA-256 of the cookie's value. */
  hash: BytesColumn;
  member: string;
  created_at: number;
  expires_at: number;
  /** When it was last seen, for the idle limit. */
  last_used_at: number;
  /** 1 when it began with more than a password. */
  is_strong: AddedColumn<number>;
  /** When the member last proved who they are in it; null: when it began. */
  proved_at: AddedColumn<number>;
  /** What the provider calls its own session (OpenID Connect Back-Channel Logout 1.0, `sid`). */
  provider_session: AddedColumn<string>;
  /** With what it began. */
  login: AddedColumn<LoginKind>;
  /** SHA-256 of the cookie's value before the last proof, which still counts for a little while. */
  former_hash: AddedColumn<Uint8Array>;
  /** Until when that is, in unix seconds. */
  former_until: AddedColumn<number>;
  former_rights: AddedColumn<FormerRights>;
}

/** What a session could do before the last proof: change an administrator's password alone, or more, with one factor or two. */
export type FormerRights = "choose_password" | "weak" | "strong";

/** With what somebody logs in: a code of an app or the recovery code come beside the password, or in its place. */
export type LoginKind = "password" | "totp" | "recovery" | "passkey" | "provider";

interface TokenTable {
  id: string;
  /** SHA-256 of the whole token. */
  hash: BytesColumn;
  member: string;
  name: string;
  prefix: string;
  created_at: number;
  /** Null: it never expires. */
  expires_at: number | null;
  last_used_at: number | null;
}

/** In whose words a member's hook is told. */
export type HookForm = "standard" | "ntfy" | "slack" | "teams" | "matrix";

/** Where a member has themselves told what becomes of their own. */
interface HookTable {
  id: string;
  member: string;
  form: HookForm;
  /** Of the URL, for people. */
  host: string;
  /** With commas. */
  events: string;
  /** The URL, and what signs the calls, sealed with the key of the instance. */
  sealed: BytesColumn;
  created_at: number;
  /** Since when its receiver wants nothing more. */
  ended_at: AddedColumn<number>;
}

/** Who is told of what happens: the receiver of webhooks, the audit log, members by hooks of their own. */
export type Sink = "webhook" | "audit" | "hook";

/** Something that one sink has not been told of yet. */
interface OutboxTable {
  /** In the order in which rows were written. */
  position: Generated<number>;
  id: string;
  sink: Generated<Sink>;
  event: string;
  /** The id of what it happened to; null where there is nothing. */
  subject: string | null;
  kind: string | null;
  /** The member whose it is or, for the audit log, who did it. */
  account: string | null;
  /** For the audit log, as the next two: the first characters of the API token that was sent. */
  token: AddedColumn<string>;
  /** With its last part zero. */
  address: AddedColumn<string>;
  login: AddedColumn<LoginKind>;
  happened_at: number;
  /** When it is sent next. */
  next_at: number;
  tries: number;
  /** Which of a member's hooks is told. */
  hook: AddedColumn<string>;
}

/** A call that may be sent again under its idempotency key (docs/formats.md, 9). */
interface IdempotencyKeyTable {
  key_hash: BytesColumn;
  /** Which of several calls runs, or has run, under the key. */
  claim: string;
  /** Null while the call runs, as is the answer. */
  body_hash: OptionalBytesColumn;
  /** The answer, which opens with the key and the body alone. */
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
