import type { AddedColumn, BytesColumn, OptionalBytesColumn } from "../columns.ts";

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
export interface IdentityTable {
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

export interface PasskeyTable {
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

export interface SessionTable {
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

export interface TokenTable {
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
export interface HookTable {
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
