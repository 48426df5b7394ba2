import { sha256, sha384, sha512 } from "@noble/hashes/sha2.js";
import { byteAt, concatBytes } from "../../../wire/bytes.ts";
import { equalBytes } from "../../crypto/equal-bytes.ts";
import { nativeCrypto } from "../../file/native.ts";
import { decryptCbc, encryptCbc } from "./aes.ts";
import type { SecurityHandler } from "./security-handler.ts";

const NONE = new Uint8Array(0);

/**
 * The file key of revisions 5 and 6 if `password` is the user's, else if it is the owner's
 * (ISO 32000-2, 7.6.4.3.3, algorithm 2.A); undefined if neither.
 */
export function findAes256Key(handler: SecurityHandler, password: Uint8Array): Uint8Array | undefined {
  const { owner, user, ownerKey, userKey } = handler;
  const context = user.subarray(0, 48);
  return (
    tryKey(handler, { password, proof: user, encrypted: userKey, context: NONE }) ??
    tryKey(handler, { password, proof: owner, encrypted: ownerKey, context })
  );
}

interface Attempt {
  readonly password: Uint8Array;
  /** Digest (32 bytes), validation salt (8), key salt (8). */
  readonly proof: Uint8Array;
  readonly encrypted: Uint8Array;
  readonly context: Uint8Array;
}

function tryKey(
  { revision }: SecurityHandler,
  { password, proof, encrypted, context }: Attempt,
): Uint8Array | undefined {
  if (proof.length < 48 || encrypted.length < 32) return undefined;
  const hash = revision === 5 ? plainHash : strongHash;
  const digest = hash(password, proof.subarray(32, 40), context);
  if (!equalBytes(digest, proof.subarray(0, 32))) return undefined;
  const key = hash(password, proof.subarray(40, 48), context);
  return decryptCbc(key, new Uint8Array(16), encrypted.subarray(0, 32));
}

function plainHash(password: Uint8Array, salt: Uint8Array, context: Uint8Array): Uint8Array {
  return sha256(concatBytes(password, salt, context));
}

const DIGESTS = [digestBy("sha256", sha256), digestBy("sha384", sha384), digestBy("sha512", sha512)];

function digestBy(name: string, otherwise: (data: Uint8Array) => Uint8Array): typeof otherwise {
  if (!nativeCrypto) return otherwise;
  const { createHash } = nativeCrypto;
  return (data) => {
    const hash = createHash(name);
    hash.update(data);
    return hash.digest();
  };
}

/** The hash of revision 6 (algorithm 2.B): at least 64 rounds, until the last byte of a round is small enough. */
export function strongHash(password: Uint8Array, salt: Uint8Array, context: Uint8Array): Uint8Array {
  let key: Uint8Array = plainHash(password, salt, context);
  for (let round = 0, last = 0; round < 64 || last > round - 32; round++) {
    const data = repeat(concatBytes(password, key, context), 64);
    const encrypted = encryptCbc(key.subarray(0, 16), key.subarray(16, 32), data);
    const remainder = encrypted.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    key = DIGESTS[remainder]!(encrypted); // 0, 1 or 2
    last = byteAt(encrypted, encrypted.length - 1);
  }
  return key.subarray(0, 32);
}

function repeat(once: Uint8Array, times: number): Uint8Array {
  const all = new Uint8Array(once.length * times);
  all.set(once);
  // Each copy doubles what is there, up to the end.
  for (let there = once.length; there < all.length; there *= 2) all.copyWithin(there, 0, there);
  return all;
}
