import { sha256 } from "@noble/hashes/sha2.js";
import { nativeCrypto, type Hasher } from "../native.ts";
import { bytesToHex } from "./checksum-text.ts";

/** SHA-256 of a file as hexadecimal digits, from its bytes as they pass. */
export class FileDigest {
  readonly #hasher: Hasher = nativeCrypto?.createHash("sha256") ?? sha256.create();

  update(bytes: Uint8Array): void {
    this.#hasher.update(bytes);
  }

  text(): string {
    return bytesToHex(this.#hasher.digest());
  }
}
