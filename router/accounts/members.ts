import { findMember, insertMember, type Member } from "../../db/accounts/members.ts";
import { randomBase62 } from "../../tools/crypto/base62.ts";
import type { AccountOrigin, Caller, MemberCaller, Requester, Services } from "../context.ts";
import { ApiError } from "../errors/errors.ts";
import { HANDLE_LENGTH } from "../ids.ts";
import { countPasswordCheck } from "./login-tries.ts";
import { makeRecoveryCode } from "./recovery-code.ts";

export interface MemberCredentials {
  readonly id: string;
  readonly name: string;
  /** Unix seconds. */
  readonly created: number;
  /** Shown once; sets a new password, once. */
  readonly recoveryCode: string;
}

/** Creates a member; undefined when the name is taken. */
export async function createMember(
  {
    name,
    password,
    createdFrom,
    requester,
  }: { name: string; password: string; createdFrom?: AccountOrigin; requester: Requester },
  { db, now, passwords }: Pick<Services, "db" | "now" | "passwords">,
): Promise<MemberCredentials | undefined> {
  const { code: recoveryCode, hash: recoveryHash } = makeRecoveryCode();
  const [id, created] = [randomBase62(HANDLE_LENGTH), now()];
  const hash = await passwords.hash(password, requester);
  const row = { id, name, password: hash, recoveryHash, createdAt: created, createdFrom };
  return (await insertMember(db, row)) ? { id, name, created, recoveryCode } : undefined;
}

/** So long after a login whoever has no password need not log in again. */
const FRESH_SECONDS = 600;

/**
 * The member who calls, after asking for the password again: a browser left open must not be enough to delete
 * an account or take it over. A member without a password has to have logged in just now.
 * @throws ApiError password_wrong, rate_limited, account_deleted, missing_parameter, login_required
 */
export async function confirmMember(
  caller: MemberCaller,
  {
    password,
    services,
    requester,
  }: { password: string | undefined; services: Services; requester: Requester },
): Promise<Member> {
  await countPasswordCheck(caller, services);
  const member = await findMember(services.db, { id: caller.memberId });
  if (member && !hasPassword(member)) {
    if (isFresh(caller, services)) return member;
    throw new ApiError(
      "login_required",
      "Log out and in again first: this account has no password to ask for",
    );
  }
  if (password === undefined) {
    const missing = 'Parameter "password" is missing: it must be the password of this account';
    throw new ApiError("missing_parameter", missing, { parameter: "password", in: "body" });
  }
  const { isRight } = await services.passwords.check(password, member?.password, requester);
  if (!member) throw accountDeleted();
  if (!isRight) throw passwordWrong();
  return member;
}

/**
 * Tells a caller whose account was deleted meanwhile from a fault: the database keeps nothing for an account that is
 * gone.
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

/**
 * Asks for the password where the login is not just now: what is added to an account opens it for good.
 * @throws ApiError as confirmMember
 */
export async function confirmFresh(
  caller: MemberCaller,
  confirmation: Parameters<typeof confirmMember>[1],
): Promise<void> {
  if (!isFresh(caller, confirmation.services)) await confirmMember(caller, confirmation);
}

function isFresh({ loggedInAt }: MemberCaller, { now }: Pick<Services, "now">): boolean {
  return now() - (loggedInAt ?? 0) <= FRESH_SECONDS;
}

/** Whether a member has a password; who came by an organisation's login has none before they set one. */
export function hasPassword({ password }: Pick<Member, "password">): boolean {
  return password !== "";
}

/** This instance takes no passwords. @throws ApiError passwords_off */
export function checkPasswords({ login: { passwords, oidc } }: Pick<Services, "login">): void {
  if (passwords) return;
  throw new ApiError("passwords_off", `Passwords are off here; log in by ${oidc?.name ?? "another way"}`);
}

/** The password that was asked for again is not the account's. */
export function passwordWrong(): ApiError {
  return new ApiError("password_wrong", 'Parameter "password" must be the password of this account', {
    parameter: "password",
    in: "body",
  });
}

/** The account was deleted after this request had been recognized. */
export function accountDeleted(): ApiError {
  return new ApiError("account_deleted", "This account has been deleted");
}

/** An administrator lets the member do nothing. */
export function accountDisabled(): ApiError {
  return new ApiError(
    "account_disabled",
    "This account has been disabled by an administrator of this instance; ask them",
  );
}
