import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  deriveRequestGate,
  makeAskerKeys,
  openAnswer,
  openNote,
  readLinkKey,
  sealAnswer,
  sealNote,
  writeLinkKey,
} from "../../../tools/crypto/request-seal.ts";
import { decrypt, encrypt, hkdf, openHpke, sealHpke } from "./support/second-opinion.ts";

const fromHex = (text: string) => new Uint8Array(Buffer.from(text, "hex"));
const LABEL = "service-request/v1";

/** Private keys are the bytes 0 to 31 and 32 to 63; Python's cryptography gives these public keys. */
const asker = {
  privateKey: Uint8Array.from({ length: 32 }, (_, i) => i),
  publicKey: fromHex("8f40c5adb68f25624ae5b214ea767a6ec94d829d3d7b5e1ad1ba6f3e2138285f"),
};
const ephemeral = {
  privateKey: Uint8Array.from({ length: 32 }, (_, i) => 32 + i),
  publicKey: fromHex("358072d6365880d1aeea329adf9121383851ed21a28e3b75e965d0d2cd166254"),
};
const iv = fromHex("000102030405060708090a0b");
const requestId = "q7Zk2PfW0LxT8nBy";
const TEXT = "pässwörd 🔑\n";
const { publicKey, privateKey } = asker;

const vectors = new Map(
  [
    ...readFileSync(new URL("../../../docs/formats.md", import.meta.url), "utf8").matchAll(
      /^\| (R\d) [^|]*\| `([^`]*)` *\|$/gm,
    ),
  ].map(([, name, value]) => [name, value]),
);

/** As docs/formats.md has it: length, text, zeros. */
function padded(text: string): Buffer {
  const bytes = Buffer.from(text);
  const whole = Buffer.alloc(Math.ceil((4 + bytes.length) / 256) * 256);
  whole.writeUInt32BE(bytes.length);
  bytes.copy(whole, 4);
  return whole;
}

const fromSeal = (text: string) => Buffer.from(text.slice(3), "base64url");

test("the gate is the documented one, also to another implementation", () => {
  const gate = hkdf(publicKey, { salt: "", info: `${LABEL} gate` }).toString("base64url");
  expect([deriveRequestGate(publicKey), gate]).toEqual([vectors.get("R1"), vectors.get("R1")]);
});

test("a note is the documented one, also to another implementation", async () => {
  const key = hkdf(publicKey, { salt: "", info: `${LABEL} note` });
  const gcm = { key, iv, aad: Buffer.from(`${LABEL} note`) };
  const note = `n1.${Buffer.concat([iv, encrypt(Buffer.from(TEXT), gcm)]).toString("base64url")}`;
  expect([await sealNote(TEXT, publicKey, iv), note]).toEqual([vectors.get("R2"), vectors.get("R2")]);
  const fresh = fromSeal(await sealNote(TEXT, publicKey));
  expect(decrypt(fresh.subarray(12), { ...gcm, iv: fresh.subarray(0, 12) }).toString()).toBe(TEXT);
  expect(await openNote(note, publicKey)).toBe(TEXT);
});

test("an answer is the documented one, also to another implementation", async () => {
  const bound = { info: LABEL, aad: requestId };
  const foreign = sealHpke(padded(TEXT), { publicKey, ephemeral, ...bound });
  const own = await sealAnswer(TEXT, { publicKey, requestId, ephemeral });
  expect(own).toBe(`r1.${foreign.toString("base64url")}`);
  expect(createHash("sha256").update(own).digest("hex")).toBe(vectors.get("R3"));
  expect(await openAnswer(own, { privateKey, requestId })).toBe(TEXT);
  const fresh = fromSeal(await sealAnswer(TEXT, { publicKey, requestId }));
  expect(openHpke(fresh, { recipient: asker, ...bound })).toEqual(padded(TEXT));
});

test.each([0, 1, 251, 252, 253, 508, 509, 4_000_000])(
  "an answer of %i bytes comes back, its length hidden in steps of 256",
  async (length) => {
    const text = "x".repeat(length);
    const sealed = await sealAnswer(text, { publicKey, requestId });
    expect(fromSeal(sealed)).toHaveLength(32 + Math.ceil((length + 4) / 256) * 256 + 16);
    expect((await openAnswer(sealed, { privateKey, requestId })) === text).toBe(true);
  },
);

test("a drawn key pair opens what was sealed for it, and its keys travel in links", async () => {
  const keys = await makeAskerKeys();
  const link = { publicKey: writeLinkKey(keys.publicKey), privateKey: writeLinkKey(keys.privateKey) };
  expect([link.publicKey, link.privateKey]).toEqual([
    expect.stringMatching(/^[\w-]{43}$/),
    expect.stringMatching(/^[\w-]{43}$/),
  ]);
  const sealed = await sealAnswer(TEXT, { publicKey: readLinkKey(link.publicKey), requestId });
  expect(await openAnswer(sealed, { privateKey: readLinkKey(link.privateKey), requestId })).toBe(TEXT);
});

test.each(["", "x", "x".repeat(42), "x".repeat(44), `${"A".repeat(42)}B`, `${"A".repeat(42)}=`])(
  "refuses %j as the key of a link",
  (text) => expect(() => readLinkKey(text)).toThrow(expect.objectContaining({ code: "damaged_file" })),
);

test("an answer does not open for another key, for another request, or when it was changed", async () => {
  const sealed = await sealAnswer(TEXT, { publicKey, requestId });
  const other = await makeAskerKeys();
  const flipped = (at: number) => {
    const bytes = fromSeal(sealed);
    bytes[at]! ^= 1;
    return `r1.${bytes.toString("base64url")}`;
  };
  const tries: [string, { privateKey: Uint8Array<ArrayBuffer>; requestId: string }][] = [
    [sealed, { privateKey: other.privateKey, requestId }],
    [sealed, { privateKey, requestId: "0123456789abcdef" }],
    [flipped(0), { privateKey, requestId }],
    [flipped(32), { privateKey, requestId }],
    [flipped(303), { privateKey, requestId }],
  ];
  for (const [text, options] of tries)
    await expect(openAnswer(text, options)).rejects.toMatchObject({ code: "password_wrong" });
  const options = { privateKey, requestId };
  await expect(openAnswer(sealed.slice(0, -2), options)).rejects.toMatchObject({ code: "damaged_file" });
  await expect(openAnswer("s1.AAAA", options)).rejects.toMatchObject({ code: "not_a_container" });
});

test("padding that is not zero, or too long, is damage", async () => {
  const bound = { info: LABEL, aad: requestId };
  const dirty = padded("x");
  dirty[255] = 1;
  for (const plain of [dirty, Buffer.concat([padded("x"), Buffer.alloc(256)])]) {
    const sealed = `r1.${sealHpke(plain, { publicKey, ephemeral, ...bound }).toString("base64url")}`;
    await expect(openAnswer(sealed, { privateKey, requestId })).rejects.toMatchObject({
      code: "damaged_file",
    });
  }
});

test("a note does not open with another link, and half a surrogate pair is no text", async () => {
  const note = await sealNote(TEXT, publicKey);
  const { publicKey: other } = await makeAskerKeys();
  await expect(openNote(note, other)).rejects.toMatchObject({ code: "password_wrong" });
  await expect(sealNote("\ud800", publicKey)).rejects.toMatchObject({ code: "invalid_parameter" });
  await expect(sealAnswer("\ud800", { publicKey, requestId })).rejects.toMatchObject({
    code: "invalid_parameter",
  });
});
