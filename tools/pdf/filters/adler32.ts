import { byteAt } from "../../../wire/bytes.ts";
const MODULUS = 65_521;
/** As many bytes as can be added before the sums have to be reduced (RFC 1950, as in zlib). */
const UNREDUCED = 3_800;

/** The checksum at the end of a zlib stream (RFC 1950). */
export function adler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  for (let start = 0; start < bytes.length; start += UNREDUCED) {
    const end = Math.min(bytes.length, start + UNREDUCED);
    for (let at = start; at < end; at++) b += a += byteAt(bytes, at);
    a %= MODULUS;
    b %= MODULUS;
  }
  return b * 65_536 + a;
}
