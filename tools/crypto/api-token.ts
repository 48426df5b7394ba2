import { BASE62, isBase62 } from "./base62.ts";
import { crc32 } from "../hash/crc32.ts";
import { utf8 } from "../../wire/bytes.ts";

const PREFIX = "service_token_";
const RANDOM_DIGITS = 32;
const CHECK_DIGITS = 6;

/**
 * Makes an API token: a fixed prefix, 32 random base62 digits, and the CRC-32 of both as 6 base62 digits, so that a
 * mistyped token is recognized without a query.
 * @throws RangeError when `random32` is not 32 base62 digits
 */
export function makeApiToken(random32: string): string {
  if (!isBase62(random32, RANDOM_DIGITS)) throw new RangeError("An API token needs 32 base62 digits");
  const text = PREFIX + random32;
  return text + checkDigits(text);
}

/** Whether a text has the form of an API token with right check digits; says nothing about its validity. */
export function isApiToken(text: string): boolean {
  if (!text.startsWith(PREFIX) || !isBase62(text.slice(PREFIX.length), RANDOM_DIGITS + CHECK_DIGITS))
    return false;
  const body = text.slice(0, -CHECK_DIGITS);
  return text === body + checkDigits(body);
}

function checkDigits(text: string): string {
  let rest = crc32(utf8(text));
  let digits = "";
  while (digits.length < CHECK_DIGITS) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
