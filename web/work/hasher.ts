import {
  createBLAKE3,
  createMD5,
  createSHA1,
  createSHA256,
  createSHA384,
  createSHA512,
  type IHasher,
} from "hash-wasm";
import type { HashAlgorithm, Hasher } from "../../tools/file-hash.ts";

const MAKERS = {
  md5: createMD5,
  sha1: createSHA1,
  sha256: createSHA256,
  sha384: createSHA384,
  sha512: createSHA512,
  blake3: () => createBLAKE3(),
} as const satisfies Record<HashAlgorithm, () => Promise<IHasher>>;

/** A running digest in WebAssembly: a page has none of its own that takes a file in pieces. */
export async function createWasmHasher(algorithm: HashAlgorithm): Promise<Hasher> {
  const hasher = await MAKERS[algorithm]();
  hasher.init();
  return { update: (bytes) => hasher.update(bytes), digest: () => hasher.digest("binary") };
}
