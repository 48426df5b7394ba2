import { findMember, insertMember, type Member } from "../../db/accounts/members.ts";
import type { TransactionSteps } from "../../db/stored-bytes.ts";
import { randomBase62 } from "../../tools/crypto/base62.ts";
import type { WayInRemoval } from "../../db/accounts/act-on-member.ts";
import type { AccountOrigin, Caller, MemberCaller, Requester, Services } from "../context.ts";
import { ApiError, wrongParameter } from "../errors/errors.ts";
import { HANDLE_LENGTH } from "../schemas.ts";
import { makeRecoveryCode } from "./second-factor.ts";

/** How long a password that an administrator has set is valid. */
export const ADMINISTRATORS_PASSWORD_SECONDS = 86_400;

export interface MemberCredentials {
  readonly id: string;
  readonly name: string;
  /** Unix seconds. */
  readonly created: number;
  /** Shown once; sets a new password once. */
  readonly recoveryCode: string;
}

/** Creates a member; undefined when the name is taken. `keep` adds to the transaction. */
export async function createMember(
  {
    name,
    password,
    createdFrom,
    requester,
    isAdministrators = false,
    keep,
  }: {
    name: string;
    password: string;
    createdFrom?: AccountOrigin;
    requester: Requester;
    /** Whether an administrator has set the password. */
    isAdministrators?: boolean;
    keep?: ((made: MemberCredentials) => Promise<TransactionSteps["keep"]>) | undefined;
  },
  { db, now, passwords }: Pick<Services, "db" | "now" | "passwords">,
): Promise<MemberCredentials | undefined> {
  const { code: recoveryCode, hash: recoveryHash } = makeRecoveryCode();
  const [id, created] = [randomBase62(HANDLE_LENGTH), now()];
  const hash = await passwords.hash(password, requester);
  const made = { id, name, created, recoveryCode };
  const passwordUntil = isAdministrators ? created + ADMINISTRATORS_PASSWORD_SECONDS : undefined;
  const row = { id, name, password: hash, recoveryHash, createdAt: created, createdFrom, passwordUntil };
  return (await insertMember(db, row, { keep: await keep?.(made) })) ? made : undefined;
}

/**
 * Tells a caller whose account was deleted meanwhile from a fault: the database stores nothing for a deleted account.
 * @throws ApiError account_deleted
 */
export async function checkNotDeleted(
  caller: Caller,
  { db, embedded }: Pick<Services, "db" | "embedded">,
): Promise<void> {
  if (caller.tier === "anonymous") return;
  const isGone = await findMember(db, { id: caller.memberId }).then(
    (member) => !member,
    () => false,
  );
  if (!isGone) return;
  embedded?.forget(caller.memberId);
  throw accountDeleted();
}

/** The member of a call, who may be gone since it began. @throws ApiError account_deleted */
export async function existingMember(id: string, { db }: Pick<Services, "db">): Promise<Member> {
  const member = await findMember(db, { id });
  if (!member) throw accountDeleted();
  return member;
}

/** Whether a member has a password; members who came by an organization's login have none until they set one. */
export function hasPassword({ password }: Pick<Member, "password">): boolean {
  return password !== "";
}

/** Refuses where this instance takes no passwords. @throws ApiError passwords_off */
export function checkPasswords({ login: { passwords, oidc } }: Pick<Services, "login">): void {
  if (passwords) return;
  throw new ApiError("passwords_off", `Passwords are off here; log in by ${oidc?.name ?? "another way"}`);
}

/**
 * What an administrator has set, the password and the recovery code, is good for a day: others have seen both.
 * @throws ApiError password_expired
 */
export function checkNotExpired(
  { passwordUntil }: Pick<Member, "passwordUntil">,
  { now }: Pick<Services, "now">,
): void {
  if (passwordUntil === null || passwordUntil > now()) return;
  throw new ApiError(
    "password_expired",
    "The password and the recovery code that an administrator has set were good for a day; ask them for others",
  );
}

/** Whose way in is removed, and what else could open the account on this server. */
export function wayInRemoval({ memberId }: MemberCaller, { login }: Pick<Services, "login">): WayInRemoval {
  return { member: memberId, opensByPassword: login.passwords, opensByIssuer: login.oidc?.issuer };
}

/** The repeated password is not the account's. */
export function passwordWrong(): ApiError {
  return wrongParameter("password_wrong", "password", "must be the password of this account");
}

/** The account was deleted after this request was identified. */
function accountDeleted(): ApiError {
  return new ApiError("account_deleted", "This account has been deleted");
}

/** The error to throw where `createMember` returns undefined. */
export function nameTaken(): ApiError {
  const place = { parameter: "name", in: "body" };
  return new ApiError("name_taken", "This name is taken; choose another one", place);
}

/** An administrator has disabled the member. */
export function accountDisabled(): ApiError {
  return new ApiError(
    "account_disabled",
    "This account has been disabled by an administrator of this server; ask them",
  );
}

// The same error for an unknown name and a wrong password, so that nobody learns which names exist.
export function invalidCredentials(what: "password" | "recovery code"): ApiError {
  return new ApiError("invalid_credentials", `No account has this name and this ${what}`);
}
