import { expect, test } from "vitest";
import { deriveAnswerSeal, digestIdempotencyKey } from "../../../tools/crypto/answer-seal.ts";

// Computed by Python's cryptography: HKDF(SHA256, 32, salt, info), AESGCM, json.dumps(…, sort_keys=True).
const KEY = "8e03978e-40d5-43dd-bc93-6894a57f9324";
const CALLER = "address 203.0.113.7";
const FIELDS = { isEncrypted: false, content: "pässwörd 🔑\n", passphrase: undefined, expires: 3600 };
const ANSWER = { id: "q7Zk2PfW0LxT8nBy", status: "active" };
const iv = Uint8Array.from({ length: 12 }, (_, i) => i);
const BLOB =
  "01000102030405060708090a0bff5f371a302a9e7892cba8f7341b0431ef9078fc46453269a11d1002c5ab5059a576d8faefdaf32b7d440cec56dfb0d6eca3451dba0e871fdd07f5";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const seal = deriveAnswerSeal(KEY, { caller: CALLER, fields: FIELDS });

test("seals an answer as another program does, and opens it", async () => {
  expect(hex(digestIdempotencyKey(KEY, { caller: CALLER, procedure: "secrets.create" }))).toBe(
    "b125168eea676d4a56ead06d6546b4f2febb560015e4ce76416d1a6c9cdf8dcd",
  );
  expect(hex(seal.bodyHash)).toBe("37785181294e6f695b7c6606a9055c719f82245b23edb1708d358a5315f1f41b");
  expect(hex(await seal.seal(ANSWER, { iv }))).toBe(BLOB);
  expect(await seal.open(new Uint8Array(Buffer.from(BLOB, "hex")))).toEqual(ANSWER);
});

test.each([
  ["another key", deriveAnswerSeal(KEY.replace("8", "9"), { caller: CALLER, fields: FIELDS })],
  ["another caller", deriveAnswerSeal(KEY, { caller: "address 203.0.113.8", fields: FIELDS })],
  ["other fields", deriveAnswerSeal(KEY, { caller: CALLER, fields: { ...FIELDS, content: "x" } })],
])("opens nothing with %s", async (_, other) => {
  expect(other.bodyHash).not.toEqual(seal.bodyHash);
  await expect(other.open(await seal.seal(ANSWER))).rejects.toThrow();
});

test("seals an answer differently each time, and opens nothing that was changed", async () => {
  const blob = await seal.seal(ANSWER);
  expect(await seal.seal(ANSWER)).not.toEqual(blob);
  const changed = blob.map((byte, i) => (i === blob.length - 1 ? byte ^ 1 : byte));
  await expect(seal.open(changed)).rejects.toThrow();
  await expect(seal.open(Uint8Array.of(2, ...blob.subarray(1)))).rejects.toThrow();
});
