import { z } from "zod";
import { findMember, insertMember, type Member } from "../../db/members.ts";
import { randomBase62, systemRandom } from "../../tools/crypto/base62.ts";
import type { Bytes } from "../../wire/bytes.ts";
import { digestText } from "../../tools/crypto/key-derivation.ts";
import type { MemberCaller, Services } from "../context.ts";
import { countLogin } from "./count.ts";
import { ApiError } from "../errors.ts";
import { HANDLE_LENGTH } from "../ids.ts";

const MIN_PASSWORD = 10;
const MAX_PASSWORD = 256;
const RECOVERY_LENGTH = 24;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

const NAME = /^[a-z0-9][a-z0-9._-]{2,31}$/;

/** Whether a member can have this name at all; asked before any other text reaches the database. */
export function isName(text: string): boolean {
  return NAME.test(text);
}

export const newName = z
  .string()
  .regex(
    NAME,
    "must be 3 to 32 of the letters a to z, digits, dots, hyphens and underscores, with a letter or digit first",
  )
  .describe("Login name: 3 to 32 of a-z, 0-9, dot, hyphen and underscore, with a letter or digit first");

/** A password that somebody chooses; one that is only checked may be any text. */
export function newPassword(description: string) {
  return z
    .string()
    .refine(isPassword)
    .meta({ description, format: "password", minLength: MIN_PASSWORD, maxLength: MAX_PASSWORD });
}

/** Whether a text is long and short enough, counted as it is hashed: in code points, composed (NFC). */
export function isPassword(text: string): boolean {
  // Nothing four times as long can be short enough, and normalizing much text costs time.
  if (!text.isWellFormed() || text.length > 4 * MAX_PASSWORD) return false;
  const { length } = [...text.normalize("NFC")];
  return length >= MIN_PASSWORD && length <= MAX_PASSWORD;
}

export interface NewAccount {
  readonly id: string;
  readonly name: string;
  /** Unix seconds. */
  readonly created: number;
  /** Shown once; sets a new password, once. */
  readonly recoveryCode: string;
}

/** Makes a member, or nothing where the name is taken. */
export async function makeMember(
  { name, password }: { name: string; password: string },
  { db, now, passwords }: Pick<Services, "db" | "now" | "passwords">,
): Promise<NewAccount | undefined> {
  const { code: recoveryCode, hash: recoveryHash } = await makeRecoveryCode();
  const [id, created] = [randomBase62(HANDLE_LENGTH), now()];
  const row = { id, name, password: await passwords.hash(password), recoveryHash, createdAt: created };
  return (await insertMember(db, row)) ? { id, name, created, recoveryCode } : undefined;
}

/** A recovery code, 120 random bits in base32 (RFC 4648), and what of it is stored. */
export async function makeRecoveryCode(): Promise<{ code: string; hash: Bytes }> {
  const random = systemRandom(new Uint8Array(RECOVERY_LENGTH));
  const code = Array.from(random, (byte) => BASE32[byte & 31]).join("");
  return { code, hash: digestText(code) };
}

/** What is stored of a recovery code as somebody typed it: letters of either case, perhaps in groups. */
export function hashRecoveryCode(typed: string): Bytes {
  return digestText(typed.replace(/[\s-]/g, "").toUpperCase());
}

/**
 * The member who calls, after the password was asked again: a browser left open is not enough for what ends an
 * account or takes it over.
 * @throws ApiError password_wrong, rate_limited, login_required when the member was deleted meanwhile
 */
export async function confirmMember(
  { memberId, memberName }: MemberCaller,
  { password, services }: { password: string; services: Services },
): Promise<Member> {
  await countLogin(memberName, services);
  const member = await findMember(services.db, { id: memberId });
  const { isRight } = await services.passwords.check(password, member?.password);
  if (!member) throw memberGone();
  if (!isRight) throw passwordWrong();
  return member;
}

/** Says that the password that was asked again is not the account's. */
export function passwordWrong(): ApiError {
  return new ApiError("password_wrong", 'Parameter "password" must be the password of this account', {
    parameter: "password",
  });
}

/** Says that the account does not exist any more. */
export function memberGone(): ApiError {
  return new ApiError("login_required", "This account has been deleted");
}
