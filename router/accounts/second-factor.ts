import { Secret, TOTP } from "otpauth";
import { findMember, type Member } from "../../db/accounts/members.ts";
import { listPasskeys } from "../../db/accounts/passkeys.ts";
import { useRecoveryCode, useTotpStep } from "../../db/accounts/totp.ts";
import { systemRandom } from "../../tools/crypto/base62.ts";
import type { Bytes } from "../../wire/bytes.ts";
import type { MemberCaller, Services } from "../context.ts";
import { ApiError } from "../errors/errors.ts";
import { hashRecoveryCode, makeRecoveryCode } from "./recovery-code.ts";

/** What every authenticator app can do (RFC 6238): SHA-1, six digits, half a minute. */
const PERIOD_SECONDS = 30;
const DIGITS = 6;
/** A clock may be so many steps of time off. */
const STEPS = 1;
/** As long as the digest, as RFC 4226 has it. */
const KEY_BYTES = 20;

/** A key for an authenticator app. */
export function makeTotpKey(): Bytes {
  return systemRandom(new Uint8Array(KEY_BYTES));
}

/** The key as a person types it, and as an app reads it from a picture. */
export function describeTotp(
  key: Bytes,
  { name, services }: { name: string; services: Services },
): { secret: string; uri: string } {
  const totp = totpOf(key, { issuer: services.instance.name, label: name });
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** Whether a text is the code of this moment, and none that was used. It is used up by that. */
export async function useCode(
  code: string,
  { member, services }: { member: Pick<Member, "id" | "totpKey">; services: Services },
): Promise<boolean> {
  const { id, totpKey: key } = member;
  const digits = code.replace(/[\s-]/g, "");
  if (!key || !/^\d{6}$/.test(digits)) return false;
  const now = services.now();
  const delta = totpOf(key).validate({ token: digits, timestamp: now * 1000, window: STEPS });
  if (delta === null) return false;
  return useTotpStep(services.db, { id, key, now, step: Math.floor(now / PERIOD_SECONDS) + delta });
}

/**
 * Asks for the second factor of a member who has given the right password. The recovery code stands for it; the next one,
 * which is shown once, takes its place.
 * @throws ApiError second_factor_required
 */
export async function checkSecondFactor(
  code: string | undefined,
  { member, services }: { member: Member; services: Services },
): Promise<{ isStrong: boolean; recoveryCode?: string }> {
  if (!member.hasTotp) return { isStrong: false };
  if (code === undefined) throw codeRequired();
  if (await useCode(code, { member, services })) return { isStrong: true };
  const next = makeRecoveryCode();
  const used = { id: member.id, hash: hashRecoveryCode(code), next: next.hash };
  if (await useRecoveryCode(services.db, used)) return { isStrong: true, recoveryCode: next.code };
  throw codeWrong();
}

/** This instance may want members to have more than a password. @throws ApiError second_factor_required */
export function checkStrong(caller: MemberCaller, services: Pick<Services, "login">): void {
  if (isStrongEnough(caller, services)) return;
  throw new ApiError(
    "second_factor_required",
    "This instance asks members for a second factor; set one up in the account first",
  );
}

/**
 * Who has logged in with a password alone, where this instance wants more, may set up a first second factor. Where the
 * account has one, whoever knows the password would only replace it.
 * @throws ApiError second_factor_required
 */
export async function checkMayEnrol(caller: MemberCaller, services: Services): Promise<void> {
  if (isStrongEnough(caller, services)) return;
  const { memberId } = caller;
  const member = await findMember(services.db, { id: memberId });
  const passkeys = await listPasskeys(services.db, { member: memberId });
  if (!member?.hasTotp && passkeys.length === 0) return;
  throw new ApiError("second_factor_required", "This account has a second factor; log in with it first");
}

function isStrongEnough({ via, isStrong }: MemberCaller, { login }: Pick<Services, "login">): boolean {
  return !login.needsSecondFactor || via === "token" || isStrong === true;
}

function totpOf(key: Bytes, { issuer = "", label = "" } = {}): TOTP {
  const secret = new Secret({ buffer: key.buffer });
  return new TOTP({ issuer, label, secret, algorithm: "SHA1", digits: DIGITS, period: PERIOD_SECONDS });
}

function codeRequired(): ApiError {
  return new ApiError(
    "second_factor_required",
    'Send the code of your authenticator app as "code" beside name and password, or the recovery code in its place',
    { parameter: "code", in: "body" },
  );
}

/** The code is wrong, too old, or was used before. */
export function codeWrong(): ApiError {
  return new ApiError(
    "second_factor_wrong",
    'Parameter "code" must be the current code of your authenticator app, which is good once',
    { parameter: "code", in: "body" },
  );
}
