import { createHmac, hkdfSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { hkdfSha256, keyedDigest } from "../../../tools/crypto/key-derivation.ts";

describe("a key or a salt", () => {
  // The block of SHA-256 has 64 bytes; a longer key is hashed first (RFC 2104, section 2).
  test.each([1, 32, 63, 64, 65, 200])("of %i bytes digests texts as OpenSSL does", (length) => {
    const key = new Uint8Array(length).map((_, i) => 7 * i);
    const digest = keyedDigest(key);
    for (const text of ["", "192.0.2.1", "é".repeat(100)])
      expect(Buffer.from(digest(text))).toStrictEqual(createHmac("sha256", key).update(text).digest());
  });

  test.each([0, 16, 64, 65])("of %i characters derives what OpenSSL derives", (length) => {
    const [secret, salt] = [new Uint8Array(43).fill(5), "s".repeat(length)];
    const expected = new Uint8Array(hkdfSync("sha256", secret, salt, "verifier", 32));
    expect(hkdfSha256(secret, { salt, info: "verifier", length: 32 })).toStrictEqual(expected);
  });
});
