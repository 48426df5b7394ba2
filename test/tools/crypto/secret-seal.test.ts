import { describe, expect, test } from "vitest";
import type { Bytes } from "../../../wire/bytes.ts";
import { utf8 } from "../../../wire/bytes.ts";
import { deriveAtRest, deriveVerifier, openContent, sealContent } from "../../../tools/crypto/secret-seal.ts";

const id = "q7Zk2PfW0LxT8nBy";
const key = "3mJrV9aQeXcT5uWzHs0KdL";
const binding = { id, isEncrypted: false, expirySeconds: 1_800_000_000 };
const iv = Uint8Array.from({ length: 12 }, (_, i) => i);
const content = "pässwörd 🔑\n";

function hex(bytes: Uint8Array | null) {
  return bytes && Buffer.from(bytes).toString("hex");
}

/** Published vectors, computed alike by Python's cryptography package (docs/formats.md). */
const V1 = {
  verifier: "15ca18e67e8d549ca605131dd0116c36a76ed5f07f886f5c7c01a231851b9474",
  storageKey: "bce024e912ecc4cf8a0267d3674659781ebc8aa1e59a5a6956b2471bcca013e3",
  blob: "01000102030405060708090a0be07d47f2d8e2e7dde84f3b6e9a03c50fd8afe094ee430e1ac1d6d20d83ab0943",
};
const V2 = {
  passVerifier: "4bcd02223898b69f353344f6c155832bf1b06eedc147b925e015370d75703574",
  storageKey: "0b8efe001602dcca88bf531fdcadade392274e0d6b1c02773b5fca96e0f89bf2",
  blob: "01000102030405060708090a0b590edfaa22cb696ac48b1a4a18b9eadb2f69b01fa88ce40a1f18230b147fc5aa",
};

describe("the published vectors", () => {
  test("V1: without a passphrase", async () => {
    const derived = await deriveAtRest(key, { id });
    expect(hex(derived.verifier)).toBe(V1.verifier);
    expect(derived.passVerifier).toBeNull();
    expect(hex(derived.storageKey)).toBe(V1.storageKey);
    expect(hex(await sealContent(content, { ...binding, storageKey: derived.storageKey, iv }))).toBe(V1.blob);
  });

  test("V2: with a passphrase", async () => {
    const derived = await deriveAtRest(key, { id, passphrase: "open sesame" });
    expect(hex(derived.verifier)).toBe(V1.verifier);
    expect(hex(derived.passVerifier)).toBe(V2.passVerifier);
    expect(hex(derived.storageKey)).toBe(V2.storageKey);
    expect(hex(await sealContent(content, { ...binding, storageKey: derived.storageKey, iv }))).toBe(V2.blob);
  });

  test("the quick check of a key gives the stored verifier", () => {
    expect(hex(deriveVerifier(key, id))).toBe(V1.verifier);
  });
});

describe("deriving", () => {
  test("does slow work only for a passphrase, and all of it through the gate", async () => {
    let calls = 0;
    function limiter<T>(work: () => Promise<T>) {
      calls++;
      return work();
    }
    await deriveAtRest(key, { id, limiter });
    await deriveAtRest(key, { id, limiter, passphrase: "" });
    expect(calls).toBe(0);
    const derived = await deriveAtRest(key, { id, limiter, passphrase: "open sesame" });
    expect(calls).toBe(1);
    expect(hex(derived.passVerifier)).toBe(V2.passVerifier);
  });

  test("takes an accent written as one sign or as two for the same, and trims nothing", async () => {
    const composed = await deriveAtRest(key, { id, passphrase: "caf\u00e9" });
    const combined = await deriveAtRest(key, { id, passphrase: "cafe\u0301" });
    const trailing = await deriveAtRest(key, { id, passphrase: "caf\u00e9 " });
    expect(hex(combined.passVerifier)).toBe(hex(composed.passVerifier));
    expect(hex(trailing.passVerifier)).not.toBe(hex(composed.passVerifier));
  });

  test("gives other bytes for another id or another key", () => {
    expect(hex(deriveVerifier(key, "q7Zk2PfW0LxT8nBz"))).not.toBe(V1.verifier);
    expect(hex(deriveVerifier(key.slice(0, -1), id))).not.toBe(V1.verifier);
  });
});

describe("opening", () => {
  const storageKey = Buffer.from(V1.storageKey, "hex");
  const right = { ...binding, storageKey: new Uint8Array(storageKey) };

  test.each(["", "a", content, "\u0000", "\ufeffBOM kept", "𝕏".repeat(40_000)])(
    "gives back case %#",
    async (text) => {
      const blob = await sealContent(text, right);
      expect(await openContent(blob, right)).toBe(text);
    },
  );

  test("gives back the vector", async () => {
    expect(await openContent(fromHex(V1.blob), right)).toBe(content);
  });

  test.each([
    ["another id", { ...right, id: "q7Zk2PfW0LxT8nBz" }],
    ["the flag flipped", { ...right, isEncrypted: true }],
    ["a later expiry", { ...right, expirySeconds: 1_800_000_001 }],
    ["another key", { ...right, storageKey: new Uint8Array(32) }],
  ])("fails with %s", async (_, options) => {
    await expect(openContent(fromHex(V1.blob), options)).rejects.toThrow();
  });

  test("fails with any bit changed, and cut anywhere", async () => {
    const blob = fromHex(V1.blob);
    for (let i = 0; i < blob.length; i++) {
      const changed = blob.slice();
      changed[i]! ^= 1 << (i % 8);
      await expect(openContent(changed, right)).rejects.toThrow();
      await expect(openContent(blob.slice(0, i), right)).rejects.toThrow();
    }
  });

  test("a new iv is drawn for every sealing", async () => {
    const [one, two] = await Promise.all([sealContent("same", right), sealContent("same", right)]);
    expect(hex(one)).not.toBe(hex(two));
    expect(one.length).toBe(1 + 12 + utf8("same").length + 16);
  });
});

function fromHex(text: string): Bytes {
  return new Uint8Array(Buffer.from(text, "hex"));
}
