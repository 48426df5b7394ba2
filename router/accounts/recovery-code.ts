import { systemRandom } from "../../tools/crypto/base62.ts";
import { digestText } from "../../tools/crypto/key-derivation.ts";
import type { Bytes } from "../../wire/bytes.ts";

/** So long after one has replaced the password the next one replaces nothing else, and ways in stay as they are. */
export const RECOVERY_WAIT_SECONDS = 86_400;

const LENGTH = 26;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A recovery code, 130 random bits in base32 (RFC 4648), and the hash that is stored. Those of before have 24 digits. */
export function makeRecoveryCode(): { code: string; hash: Bytes } {
  const random = systemRandom(new Uint8Array(LENGTH));
  const code = Array.from(random, (byte) => BASE32[byte & 31]).join("");
  return { code, hash: digestText(code) };
}

/** The hash of a recovery code as a person types it: letters of either case, perhaps in groups. */
export function hashRecoveryCode(typed: string): Bytes {
  return digestText(typed.replace(/[\s-]/g, "").toUpperCase());
}
