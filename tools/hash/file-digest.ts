import { sha256 } from "@noble/hashes/sha2.js";
import { nativeCrypto, type Hasher } from "../file/native.ts";
import { bytesToHex } from "./checksum-text.ts";

/** The SHA-256 of a file in hexadecimal, computed while its bytes pass. */
export class FileDigest {
  readonly #hasher: Hasher = nativeCrypto?.createHash("sha256") ?? sha256.create();

  update(bytes: Uint8Array): void {
    this.#hasher.update(bytes);
  }

  text(): string {
    return bytesToHex(this.#hasher.digest());
  }
}
