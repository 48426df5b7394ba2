import {
  createBLAKE2b,
  createMD5,
  createSHA1,
  createSHA224,
  createSHA256,
  createSHA3,
  createSHA384,
  createSHA512,
  type IHasher,
} from "hash-wasm";
import type { Hasher } from "../file/native.ts";
import { createBlake3 } from "./blake3.ts";
import type { HashAlgorithm } from "./checksum-text.ts";

const MAKERS = {
  md5: createMD5,
  sha1: createSHA1,
  sha224: createSHA224,
  sha256: createSHA256,
  sha384: createSHA384,
  sha512: createSHA512,
  "sha3-256": () => createSHA3(256),
  "sha3-384": () => createSHA3(384),
  "sha3-512": () => createSHA3(512),
  blake2b: () => createBLAKE2b(512),
} as const satisfies Partial<Record<HashAlgorithm, () => Promise<IHasher>>>;

/**
 * A running hasher for runtimes without one that takes a file in pieces: in WebAssembly, or in JavaScript where
 * WebAssembly must not be compiled, as on workerd or under a Content-Security-Policy without `wasm-unsafe-eval`.
 */
export async function createHasher(algorithm: HashAlgorithm): Promise<Hasher> {
  try {
    if (algorithm === "blake3") return await createBlake3();
    const hasher = await MAKERS[algorithm]();
    hasher.init();
    return { update: (bytes) => hasher.update(bytes), digest: () => hasher.digest("binary") };
  } catch {
    return (await NOBLE[algorithm]()).create();
  }
}

const NOBLE = {
  md5: async () => (await import("@noble/hashes/legacy.js")).md5,
  sha1: async () => (await import("@noble/hashes/legacy.js")).sha1,
  sha224: async () => (await import("@noble/hashes/sha2.js")).sha224,
  sha256: async () => (await import("@noble/hashes/sha2.js")).sha256,
  sha384: async () => (await import("@noble/hashes/sha2.js")).sha384,
  sha512: async () => (await import("@noble/hashes/sha2.js")).sha512,
  "sha3-256": async () => (await import("@noble/hashes/sha3.js")).sha3_256,
  "sha3-384": async () => (await import("@noble/hashes/sha3.js")).sha3_384,
  "sha3-512": async () => (await import("@noble/hashes/sha3.js")).sha3_512,
  blake2b: async () => (await import("@noble/hashes/blake2.js")).blake2b,
  blake3: async () => (await import("@noble/hashes/blake3.js")).blake3,
} as const satisfies Record<HashAlgorithm, () => Promise<{ create: () => Hasher }>>;
