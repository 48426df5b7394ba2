import { hkdf } from "@noble/hashes/hkdf.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { Bytes } from "../../wire/bytes.ts";
import { utf8 } from "../../wire/bytes.ts";

/** What every guess at a passphrase or password costs; also part of the formats, so it can never be a setting. */
export const PBKDF2_ROUNDS = 600_000;

/** Runs slow work when there is room for it, so that a server can bound how many derivations run at a time. */
export type SlowGate = <T>(work: () => Promise<T>) => Promise<T>;

/** A passphrase or password as bytes: the same whether an accent was typed as one sign or two, never trimmed. */
export function passwordBytes(password: string): Bytes {
  return utf8(password.normalize("NFC"));
}

/** Derives `length` bytes by HKDF-SHA-256 (RFC 5869) from a secret that is random already. */
export function deriveFast(secret: Bytes, { salt, info, length }: FastDerivation): Bytes {
  // Not Web Crypto: its detour over another thread takes eight times as long as this sum on Node.
  return new Uint8Array(hkdf(sha256, secret, utf8(salt), utf8(info), length));
}

/** HMAC-SHA-256 (RFC 2104) of a short text, 32 bytes: stands for it where the text itself may not be stored. */
export function keyedDigest(text: string, { key }: { key: Bytes }): Bytes {
  return new Uint8Array(hmac(sha256, key, utf8(text)));
}

/** SHA-256 (FIPS 180-4) of a short text, 32 bytes; for the reason above not by Web Crypto. */
export function digestText(text: string): Bytes {
  return new Uint8Array(sha256(utf8(text)));
}

export interface FastDerivation {
  readonly salt: string;
  readonly info: string;
  readonly length: number;
}

/** Derives 32 bytes by PBKDF2 with HMAC-SHA-256 (RFC 8018, 5.2) over 600,000 rounds: a third of a second. */
export function deriveSlow(password: string, { salt, slow = atOnce }: SlowDerivation): Promise<Bytes> {
  return slow(async () => {
    const key = await crypto.subtle.importKey("raw", passwordBytes(password), "PBKDF2", false, [
      "deriveBits",
    ]);
    const algorithm = { name: "PBKDF2", hash: "SHA-256", salt, iterations: PBKDF2_ROUNDS };
    return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, 256));
  });
}

export interface SlowDerivation {
  readonly salt: Bytes;
  readonly slow?: SlowGate | undefined;
}

function atOnce<T>(work: () => Promise<T>): Promise<T> {
  return work();
}
