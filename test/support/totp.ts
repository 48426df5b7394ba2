import { createHmac } from "node:crypto";

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A code of RFC 6238, by hand: HMAC-SHA-1 of the step of time, truncated as RFC 4226, 5.3 has it. */
export function codeAt(base32: string, seconds: number): string {
  const bits = [...base32].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(seconds / 30)));
  const digest = createHmac("sha1", key).update(counter).digest();
  const value = digest.readUInt32BE(digest[19]! & 15) & 0x7fffffff;
  return String(value % 1_000_000).padStart(6, "0");
}
