import type { AddedColumn, BytesColumn, OptionalBytesColumn } from "../columns.ts";

export interface MemberTable {
  id: string;
  name: string;
  /** PHC string of the password. */
  password: string;
  /** SHA-256 of the recovery code; null once it is used. */
  recovery_hash: OptionalBytesColumn;
  created_at: number;
  /** HMAC of the address at registration, kept for a day; null for members made by an administrator. */
  created_from: OptionalBytesColumn;
  /** The secret shared with an authenticator app (RFC 6238), encrypted with the instance's key; null without one. */
  totp_key: AddedColumn<Uint8Array>;
  /** Since when logins require its codes: set by the first right code. */
  totp_since: AddedColumn<number>;
  /** The time step of the last code, which cannot be used again. */
  totp_step: AddedColumn<number>;
  /** "admin" for administrators of the instance. */
  role: AddedColumn<"admin">;
  /** When an administrator disabled the member. */
  disabled_at: AddedColumn<number>;
  /** Until when a password that an administrator has set is valid; null once the member has chosen another. */
  password_until: AddedColumn<number>;
  /** When the recovery code last set the password. */
  recovered_at: AddedColumn<number>;
  /** The earliest time to set up a second factor again after the recovery code removed it. */
  enrol_from: AddedColumn<number>;
}

/** A member's identity at the provider of an organization's logins. */
export interface IdentityTable {
  issuer: string;
  subject: string;
  member: string;
  created_at: number;
  last_used_at: number;
  /** The name at the provider, to show to people; null before the next login. */
  name: AddedColumn<string>;
  /** When the provider last confirmed what this instance requires; null once it did not. */
  confirmed_at: AddedColumn<number>;
}

export interface PasskeyTable {
  /** The credential id, in base64url. */
  id: string;
  member: string;
  name: string;
  /** A COSE key (RFC 9052). */
  public_key: BytesColumn;
  counter: number;
  /** How the browser can reach the authenticator, separated by commas. */
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
  /** When it was last used, for the idle limit. */
  last_used_at: number;
  /** 1 when it began with more than a password. */
  is_strong: AddedColumn<number>;
  /** When the member last gave a proof of identity in it; null for its beginning. */
  proved_at: AddedColumn<number>;
  /** The provider's id for its own session (OpenID Connect Back-Channel Logout 1.0, `sid`). */
  provider_session: AddedColumn<string>;
  /** How the login was made. */
  login: AddedColumn<LoginKind>;
  /** SHA-256 of the cookie's value before the last proof, which stays valid for a short time. */
  former_hash: AddedColumn<Uint8Array>;
  /** Until when that value is valid, in unix seconds. */
  former_until: AddedColumn<number>;
  former_rights: AddedColumn<FormerRights>;
}

/**
 * The rights of a session before its last proof: only to replace an administrator's password, or full ones with one
 * factor or two.
 */
export type FormerRights = "choose_password" | "weak" | "strong";

/** How somebody logs in; a code of an app or the recovery code comes with the password, or instead of it. */
export type LoginKind = "password" | "totp" | "recovery" | "passkey" | "provider";

export interface TokenTable {
  id: string;
  /** SHA-256 of the whole token. */
  hash: BytesColumn;
  member: string;
  name: string;
  prefix: string;
  created_at: number;
  /** Null for a token that never expires. */
  expires_at: number | null;
  last_used_at: number | null;
}

/** The format in which a member's hook is called. */
export type HookForm = "standard" | "ntfy" | "slack" | "teams" | "matrix";

/** An address of a member's that is told about the member's secrets and requests. */
export interface HookTable {
  id: string;
  member: string;
  form: HookForm;
  /** The host of the URL, to show to people. */
  host: string;
  /** Separated by commas. */
  events: string;
  /** The URL and the signing secret, encrypted with the instance's key. */
  sealed: BytesColumn;
  created_at: number;
  /** When its receiver asked for nothing more. */
  ended_at: AddedColumn<number>;
}
