import {
  createBLAKE2b,
  createBLAKE3,
  createMD5,
  createSHA1,
  createSHA224,
  createSHA256,
  createSHA3,
  createSHA384,
  createSHA512,
  type IHasher,
} from "hash-wasm";
import type { Hasher } from "../native.ts";
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
  blake3: () => createBLAKE3(),
} as const satisfies Record<HashAlgorithm, () => Promise<IHasher>>;

/** A running digest in WebAssembly, for a page, which has none of its own that takes a file in pieces. */
export async function createWasmHasher(algorithm: HashAlgorithm): Promise<Hasher> {
  const hasher = await MAKERS[algorithm]();
  hasher.init();
  return { update: (bytes) => hasher.update(bytes), digest: () => hasher.digest("binary") };
}
