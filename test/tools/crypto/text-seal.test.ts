import { describe, expect, test } from "vitest";
import { deriveEndToEnd, openText, sealText } from "../../../tools/crypto/text-seal.ts";

const inner = "Zz9Yy8Xx7Ww6Vv5Uu4Tt3Ss2Rr1Qq0Pp9Oo8Nn7Mm6L";
const iv = Uint8Array.from({ length: 12 }, (_, i) => i);
const text = "pässwörd 🔑\n";

/** Published vectors, computed alike by Python's cryptography package (docs/formats.md). */
const V3 = {
  contentKey: "415aed7018e20f7ae3c31781c266acf0c21044f8ef987afe3edd209d52a4eaa0",
  content: "s1.AAECAwQFBgcICQoL6TE2dsdimSJ0_SylXv1Ow8USBl9459706FMonEUQjBg",
};
const V4 = {
  contentKey: "cd54ca557450aebd8157c4b5648289d53d92e2d157495d10ff6ce185f946adff",
  gate: "gHdK0i50kx8gBF-CjBh4fPfrP1a3Ptc1_PO9gdgaKwk",
  content: "s1.AAECAwQFBgcICQoLx1lUMsgUdaUxTyi5gTjnTVx0rZjc86hL0l2Npp3ssLI",
};

describe("the published vectors", () => {
  test("V3: without a passphrase there is no gate", async () => {
    const { contentKey, gate } = await deriveEndToEnd(inner);
    expect(Buffer.from(contentKey).toString("hex")).toBe(V3.contentKey);
    expect(gate).toBeNull();
    expect(await sealText(text, contentKey, iv)).toBe(V3.content);
    expect(await openText(V3.content, contentKey)).toBe(text);
  });

  test("V4: with a passphrase", async () => {
    const { contentKey, gate } = await deriveEndToEnd(inner, { passphrase: "open sesame" });
    expect(Buffer.from(contentKey).toString("hex")).toBe(V4.contentKey);
    expect(gate).toBe(V4.gate);
    expect(await sealText(text, contentKey, iv)).toBe(V4.content);
    expect(await openText(V4.content, contentKey)).toBe(text);
  });

  test("V5: an accent as one sign or as two gives the same gate and content", async () => {
    const combined = await deriveEndToEnd(inner, { passphrase: "cafe\u0301" });
    const composed = await deriveEndToEnd(inner, { passphrase: "caf\u00e9" });
    expect(combined).toEqual(composed);
  });
});

test("the slow work goes through the gate it is given", async () => {
  let calls = 0;
  function limiter<T>(work: () => Promise<T>) {
    calls++;
    return work();
  }
  await deriveEndToEnd(inner, { limiter });
  await deriveEndToEnd(inner, { limiter, passphrase: "" });
  expect(calls).toBe(0);
  await deriveEndToEnd(inner, { limiter, passphrase: "open sesame" });
  expect(calls).toBe(1);
});

describe("opening", () => {
  test.each(["", "\ufeffBOM kept", "\u0000", "𝕏".repeat(20_000)])("gives back case %#", async (plain) => {
    const { contentKey } = await deriveEndToEnd(inner);
    expect(await openText(await sealText(plain, contentKey), contentKey)).toBe(plain);
  });

  test("with another link says that link or passphrase are not right", async () => {
    const { contentKey } = await deriveEndToEnd(inner.replace("Z", "Y"));
    await expect(openText(V3.content, contentKey)).rejects.toMatchObject({ code: "password_wrong" });
  });

  test.each(["", "hello", "S1.AAAA", "-----BEGIN PGP MESSAGE-----"])(
    "knows %j as not sealed here",
    async (other) => {
      const { contentKey } = await deriveEndToEnd(inner);
      await expect(openText(other, contentKey)).rejects.toMatchObject({
        code: "not_a_container",
      });
    },
  );

  test.each([
    "s1.",
    "s1.AAAA",
    V3.content.slice(0, 30),
    V3.content.slice(0, -2),
    `${V3.content}=`,
    `${V3.content}\n`,
    V3.content.replace("_", "/"),
  ])("knows %j as not whole", async (cut) => {
    const { contentKey } = await deriveEndToEnd(inner);
    await expect(openText(cut, contentKey)).rejects.toMatchObject({
      code: expect.stringMatching(/^(damaged_file|password_wrong)$/),
    });
  });
});

test("half a surrogate pair is refused instead of silently replaced", async () => {
  const { contentKey } = await deriveEndToEnd(inner);
  await expect(sealText("a\ud83d", contentKey)).rejects.toMatchObject({ code: "invalid_parameter" });
});
