import { expand, extract } from "@noble/hashes/hkdf.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { Bytes } from "../../wire/bytes.ts";
import { concatBytes, utf8 } from "../../wire/bytes.ts";
import { nativeCrypto } from "../file/native.ts";
import { normalized } from "../../wire/nfc.ts";

const HASH_BYTES = 32;
const BLOCK_BYTES = 64;
const [INNER, OUTER] = [0x36, 0x5c];
/** The number of the block that is derived (RFC 5869, 2.3). */
const FIRST_BLOCK = Uint8Array.of(1);

/** The cost of every guess at a passphrase or password. Part of the file formats, so it can never be a setting. */
export const PBKDF2_ITERATIONS = 600_000;

/** Runs work when it is its turn, so that a server can limit how many key derivations run at a time. */
export type Limiter = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * A passphrase or password as bytes: the same whether an accented letter was typed as one code point or two, never
 * trimmed.
 */
export function passwordBytes(password: string): Bytes {
  return utf8(normalized(password));
}

/** Derives `length` bytes by HKDF-SHA-256 (RFC 5869) from a secret that is already random. */
export function hkdfSha256(secret: Bytes, { salt, info, length }: HkdfOptions): Bytes {
  return hkdfFrom(secret, salt)(info, length);
}

/** Derives several keys from one secret and salt by HKDF-SHA-256; their common part is computed once. */
export function hkdfFrom(secret: Bytes, salt: string): (info: string, length: number) => Bytes {
  // Not Web Crypto: on Node its way to another thread takes eight times as long as this.
  if (!nativeCrypto) {
    const common = extract(sha256, secret, utf8(salt));
    return (info, length) => new Uint8Array(expand(sha256, common, utf8(info), length));
  }
  const derive = hmacSha256(hmacSha256(utf8(salt))(secret));
  return (info, length) => {
    if (length > HASH_BYTES) throw new RangeError("One block of HKDF is as long as its hash");
    return derive(concatBytes(utf8(info), FIRST_BLOCK)).slice(0, length);
  };
}

/** HKDF-SHA-256 without salt, by Web Crypto, so that a page that opens a link loads no other. */
export async function hkdfByWebCrypto(
  secret: Bytes,
  { info, length }: Pick<HkdfOptions, "info" | "length">,
): Promise<Bytes> {
  const key = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
  const algorithm = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(0), info: utf8(info) };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, length * 8));
}

/** HMAC-SHA-256 (RFC 2104) of short texts, 32 bytes, for texts that must not be stored. */
export function keyedDigest(key: Bytes): (text: string) => Bytes {
  const digest = hmacSha256(key);
  return (text) => digest(utf8(text));
}

function hmacSha256(key: Bytes): (message: Bytes) => Bytes {
  const hash = nativeCrypto?.hash;
  if (!hash) return (message) => new Uint8Array(hmac(sha256, key, message));
  return hmacOf((bytes) => hash("sha256", bytes, "buffer"), key);
}

// RFC 2104, section 2. Two digests in one call each take less than one HMAC object of the runtime and leave no garbage;
// the pads are kept for the next message.
function hmacOf(hash: (bytes: Bytes) => Bytes, key: Bytes): (message: Bytes) => Bytes {
  const block = key.length > BLOCK_BYTES ? hash(key) : key;
  const [inner, outer] = [new Uint8Array(BLOCK_BYTES).fill(INNER), new Uint8Array(BLOCK_BYTES).fill(OUTER)];
  for (const [i, byte] of block.entries()) {
    inner[i] = byte ^ INNER;
    outer[i] = byte ^ OUTER;
  }
  return (message) => new Uint8Array(hash(concatBytes(outer, hash(concatBytes(inner, message)))));
}

/** SHA-256 (FIPS 180-4) of a short text, 32 bytes; not by Web Crypto, for the reason above. */
export function digestText(text: string): Bytes {
  return new Uint8Array(sha256(utf8(text)));
}

interface HkdfOptions {
  readonly salt: string;
  readonly info: string;
  readonly length: number;
}

/** Derives 32 bytes by PBKDF2 with HMAC-SHA-256 (RFC 8018, 5.2) with 600,000 iterations: a third of a second. */
export function pbkdf2Sha256(
  password: string,
  { salt, limiter = atOnce }: { salt: Bytes; limiter?: Limiter | undefined },
): Promise<Bytes> {
  return limiter(async () => {
    const key = await crypto.subtle.importKey("raw", passwordBytes(password), "PBKDF2", false, [
      "deriveBits",
    ]);
    const algorithm = { name: "PBKDF2", hash: "SHA-256", salt, iterations: PBKDF2_ITERATIONS };
    return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, 256));
  });
}

function atOnce<T>(work: () => Promise<T>): Promise<T> {
  return work();
}
