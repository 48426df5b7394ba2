import type { Bytes } from "../../wire/bytes.ts";

export const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The most that crypto.getRandomValues fills in one call (Web Crypto, 10.1.1). */
const RANDOM_BYTES_PER_CALL = 65_536;
/** The largest multiple of 62 in a byte; greater bytes would favour the first digits. */
const FAIR_BYTES = 248;

/**
 * Draws `length` base62 digits, each equally likely, by rejection sampling (5.954 bits a digit). `random` fills all
 * bytes of its argument, as crypto.getRandomValues does.
 */
export function randomBase62(length: number, random: (bytes: Bytes) => unknown = systemRandom): string {
  let text = "";
  while (text.length < length) {
    // 62 of 64 bytes are fair: an eighth more than needed is nearly always enough in one round.
    const wanted = Math.ceil((length - text.length) * 1.125);
    const bytes = new Uint8Array(Math.min(wanted, RANDOM_BYTES_PER_CALL));
    random(bytes);
    text += fairDigits(bytes);
  }
  return text.slice(0, length);
}

/** Whether the text is exactly `length` digits of base62. */
export function isBase62(text: string, length: number): boolean {
  return text.length === length && /^[0-9A-Za-z]*$/.test(text);
}

/** Fills any number of bytes from the platform's random source. */
export function systemRandom(bytes: Bytes): Bytes {
  for (let start = 0; start < bytes.length; start += RANDOM_BYTES_PER_CALL) {
    crypto.getRandomValues(bytes.subarray(start, start + RANDOM_BYTES_PER_CALL));
  }
  return bytes;
}

function fairDigits(bytes: Bytes): string {
  let digits = "";
  for (const byte of bytes) if (byte < FAIR_BYTES) digits += BASE62[byte % 62];
  return digits;
}
