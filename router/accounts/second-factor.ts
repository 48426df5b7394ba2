import { Secret, TOTP } from "otpauth";
import type { Member } from "../../db/accounts/members.ts";
import { useRecoveryCode, useTotpStep } from "../../db/accounts/totp.ts";
import type { Services } from "../context.ts";
import { ApiError, wrongParameter } from "../errors/errors.ts";
import { openFor, SEED_BYTES } from "../instance-key.ts";
import { countCode } from "./login-tries.ts";
import { systemRandom } from "../../tools/crypto/base62.ts";
import { digestText } from "../../tools/crypto/key-derivation.ts";
import type { Bytes } from "../../wire/bytes.ts";

/** Supported by every authenticator app (RFC 6238): SHA-1, six digits, half a minute. */
const PERIOD_SECONDS = 30;
const DIGITS = 6;
/** A code is valid in its own time step and one to either side, because clocks differ and people type slowly. */
const STEPS_ASIDE = 1;

/** A new key for an authenticator app. */
export function makeTotpKey(): Bytes {
  return systemRandom(new Uint8Array(SEED_BYTES));
}

/** The key as people type it, and as an app reads it from a QR code. */
export function describeTotp(key: Bytes, name: string, services: Services): { secret: string; uri: string } {
  const totp = totpOf(key, { issuer: services.instance.name, label: name });
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/**
 * Uses up the code of this time step or one beside it; a code can be used once, and none older than it later.
 * @throws ApiError second_factor_wrong, rate_limited after too many wrong ones in a day, by anybody
 */
export async function useCode(
  code: string,
  { member, services }: { member: Pick<Member, "id" | "totpKey">; services: Services },
): Promise<void> {
  const succeed = await countCode(member, services);
  if (!(await isCode(code, { member, services }))) throw codeWrong();
  await succeed();
}

/**
 * Requires the second factor of a member who has given the right password. The recovery code can replace it, unless it
 * has just set the password; a new recovery code, shown once, then takes its place.
 * @throws ApiError second_factor_required, second_factor_wrong, rate_limited
 */
export async function checkSecondFactor(
  code: string | undefined,
  member: Member,
  services: Services,
): Promise<{ factor?: "totp" | "recovery"; recoveryCode?: string }> {
  if (!member.hasTotp) return {};
  if (code === undefined) {
    throw codeRequired(
      'Send the code of your authenticator app as "code" beside name and password, or the recovery code in its place',
    );
  }
  const succeed = await countCode(member, services);
  if (await isCode(code, { member, services })) {
    await succeed();
    return { factor: "totp" };
  }
  const next = makeRecoveryCode();
  const used = { id: member.id, hash: hashRecoveryCode(code), next: next.hash };
  const recoveredBefore = services.now() - RECOVERY_WAIT_SECONDS;
  if (!(await useRecoveryCode(services.db, { ...used, recoveredBefore }))) throw codeWrong();
  await succeed();
  return { factor: "recovery", recoveryCode: next.code };
}

async function isCode(
  code: string,
  { member: { id, totpKey: key }, services }: { member: Pick<Member, "id" | "totpKey">; services: Services },
): Promise<boolean> {
  const digits = code.replace(/[\s-]/g, "");
  if (!key || !/^\d{6}$/.test(digits)) return false;
  const seed = await openFor(key, services.keys.seeds, id);
  if (!seed) return false;
  const now = services.now();
  const delta = totpOf(seed).validate({ token: digits, timestamp: now * 1000, window: STEPS_ASIDE });
  if (delta === null) return false;
  return useTotpStep(services.db, { id, key, now, step: Math.floor(now / PERIOD_SECONDS) + delta });
}

function totpOf(key: Bytes, { issuer = "", label = "" } = {}): TOTP {
  const secret = new Secret({ buffer: key.buffer });
  return new TOTP({ issuer, label, secret, algorithm: "SHA1", digits: DIGITS, period: PERIOD_SECONDS });
}

/** A code is required too. */
export function codeRequired(message: string): ApiError {
  return new ApiError("second_factor_required", message, { parameter: "code", in: "body" });
}

function codeWrong(): ApiError {
  const rule = "must be the current code of your authenticator app, which is good once";
  return wrongParameter("second_factor_wrong", "code", rule);
}

/**
 * For how long after a recovery code has replaced the password the next one may replace nothing else, and no way in may
 * change.
 */
export const RECOVERY_WAIT_SECONDS = 86_400;

const LENGTH = 26;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A new recovery code, 130 random bits in base32 (RFC 4648), and the hash to store. Older ones have 24 digits. */
export function makeRecoveryCode(): { code: string; hash: Bytes } {
  const random = systemRandom(new Uint8Array(LENGTH));
  const code = Array.from(random, (byte) => BASE32[byte & 31]).join("");
  return { code, hash: digestText(code) };
}

/** The hash of a recovery code as people type it: in upper or lower case, perhaps in groups. */
export function hashRecoveryCode(typed: string): Bytes {
  return digestText(typed.replace(/[\s-]/g, "").toUpperCase());
}
