import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  makeFileSeal,
  openFile,
  sealedFileSize,
  sealFile,
  sealFileChunk,
  sealFileMetadata,
} from "../../../tools/crypto/file-seal.ts";
import { cutChunks } from "../../../tools/crypto/chunks.ts";
import { deriveAtRest, fileBinding } from "../../../tools/crypto/secret-seal.ts";
import { deriveEndToEnd } from "../../../tools/crypto/text-seal.ts";
import { concatBytes } from "../../../wire/bytes.ts";
import { collectPieces, inPieces } from "../support/pieces.ts";
import { decrypt, encrypt, hkdf } from "./support/second-opinion.ts";

const CHUNK = 65_536;
const inner = "Zz9Yy8Xx7Ww6Vv5Uu4Tt3Ss2Rr1Qq0Pp9Oo8Nn7Mm6L";
const [id, key] = ["q7Zk2PfW0LxT8nBy", "3mJrV9aQeXcT5uWzHs0KdL"];
const prefix = Uint8Array.from({ length: 7 }, (_, i) => 0xa0 + i);
const content = (length: number) => Uint8Array.from({ length }, (_, i) => (7 * i) % 256);
const metadataOf = (size: number) => ({ name: "naïve name.txt", type: "text/plain", size });
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const { fileKey } = await deriveEndToEnd(inner);

const vectors = new Map(
  [
    ...readFileSync(new URL("../../../docs/formats.md", import.meta.url), "utf8").matchAll(
      /^\| (F\d) [^|]*\| `([^`]*)` *\|$/gm,
    ),
  ].map(([, name, value]) => [name, value]),
);

interface Foreign {
  readonly key: Uint8Array;
  readonly aad: string;
}

/** The metadata and the chunks, as docs/formats.md has them, by code that shares nothing with tools/. */
function sealForeign(bytes: Uint8Array, { key: with_, aad }: Foreign, type = "text/plain"): Buffer {
  const json = Buffer.from(JSON.stringify({ ...metadataOf(bytes.length), type }));
  const metadata = Buffer.alloc(Math.ceil((2 + json.length) / 256) * 256);
  metadata.writeUInt16BE(json.length);
  json.copy(metadata, 2);
  const seal = (plain: Uint8Array, index: number, isLast: boolean) => {
    const iv = Buffer.alloc(12);
    iv.set(prefix);
    iv.writeUInt32BE(index, 7);
    iv[11] = isLast ? 1 : 0;
    return encrypt(plain, { key: with_, iv, aad: Buffer.from(aad) });
  };
  const parts = [seal(metadata, 0, false)];
  const count = Math.max(1, Math.ceil(bytes.length / CHUNK));
  for (let i = 0; i < count; i++)
    parts.push(seal(bytes.subarray(i * CHUNK, (i + 1) * CHUNK), i + 1, i === count - 1));
  return Buffer.concat(parts);
}

const endToEnd = {
  key: hkdf(Buffer.from(inner), { salt: "", info: "service-e2e/v1 file" }),
  aad: "service-e2e/v1 file",
};
const header = Buffer.concat([Buffer.from("s2\x01"), prefix]);

test.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 300_000])(
  "a file of %i bytes is sealed as another implementation does, and comes back",
  async (length) => {
    const file = content(length);
    const sealed = await collectPieces(sealFile(file, { fileKey, metadata: metadataOf(length), prefix }));
    expect(sha256(sealed)).toBe(sha256(Buffer.concat([header, sealForeign(file, endToEnd)])));
    expect(sealed.length).toBeLessThanOrEqual(sealedFileSize(length));
    const { metadata, pieces } = await openFile(inPieces(sealed, 1000), fileKey);
    expect(metadata).toEqual(metadataOf(length));
    expect(sha256(await collectPieces(pieces))).toBe(sha256(file));
  },
);

test("the published vectors are those of both", async () => {
  const file = content(CHUNK + 1);
  const sealed = await collectPieces(sealFile(file, { fileKey, metadata: metadataOf(file.length), prefix }));
  expect(Buffer.from(fileKey).toString("hex")).toBe(vectors.get("F1"));
  expect(sha256(sealed)).toBe(vectors.get("F2"));
  const { fileKey: atRest } = await deriveAtRest(key, { id });
  expect(Buffer.from(atRest).toString("hex")).toBe(vectors.get("F3"));
  const binding = fileBinding({ id, isEncrypted: false, expirySeconds: 1_800_000_000 });
  const seal = makeFileSeal(atRest, { additionalData: binding, prefix });
  const parts = [
    await sealFileMetadata({ ...metadataOf(file.length), type: "application/octet-stream" }, seal),
  ];
  for await (const chunk of cutChunks(file, { sizeBytes: CHUNK }))
    parts.push(await sealFileChunk(chunk, seal));
  expect(sha256(concatBytes(...parts))).toBe(vectors.get("F4"));
  const foreign = {
    key: hkdf(Buffer.from(key), { salt: id, info: "service-secret/v1 file-storage" }),
    aad: `service-secret/v1 file|${id}|0|1800000000`,
  };
  expect(sha256(sealForeign(file, foreign, "application/octet-stream"))).toBe(vectors.get("F4"));
  expect(decrypt(parts[2]!, { ...foreign, iv: nonce(2, true), aad: Buffer.from(foreign.aad) })).toHaveLength(
    1,
  );
});

function nonce(index: number, isLast: boolean): Buffer {
  return Buffer.from([...prefix, 0, 0, 0, index, isLast ? 1 : 0]);
}

test("a name of any legal length is sealed and found again", async () => {
  for (const length of [1, 150, 255]) {
    for (const letter of ["x", '"', "é", "🔑"]) {
      const name = letter.repeat(length);
      const metadata = { name, type: "application/x-thing", size: 3 };
      const sealed = await collectPieces(sealFile(content(3), { fileKey, metadata }));
      expect((await openFile(sealed, fileKey)).metadata).toEqual(metadata);
    }
  }
});

test("refuses every change, cut and addition", async () => {
  const file = content(2 * CHUNK + 9);
  const sealed = await collectPieces(sealFile(file, { fileKey, metadata: metadataOf(file.length) }));
  const at = 10 + 272;
  const chunk = CHUNK + 16;
  const flip = (index: number) => sealed.map((byte, i) => (i === index ? byte ^ 1 : byte));
  const swapped = concatBytes(
    ...[sealed.subarray(0, at), sealed.subarray(at + chunk, at + 2 * chunk)],
    ...[sealed.subarray(at, at + chunk), sealed.subarray(at + 2 * chunk)],
  );
  const damaged = [
    ...[flip(at), flip(at + chunk), flip(sealed.length - 1), swapped],
    ...[
      sealed.slice(0, -1),
      sealed.slice(0, at + 2 * chunk),
      sealed.slice(0, at + chunk),
      sealed.slice(0, at),
    ],
    concatBytes(sealed, new Uint8Array(1)),
    concatBytes(sealed, sealed.subarray(at + 2 * chunk)),
  ];
  for (const bytes of damaged) {
    const read = async () => collectPieces((await openFile(bytes, fileKey)).pieces);
    await expect(read()).rejects.toMatchObject({ code: "damaged_file" });
  }
  for (const [bytes, code] of [
    ...[3, 9, 10, 100].map((index) => [flip(index), "password_wrong"] as const),
    [flip(0), "not_a_container"] as const,
    [sealed.slice(0, 9), "not_a_container"] as const,
    [sealed.slice(0, 100), "password_wrong"] as const,
  ])
    await expect(openFile(bytes, fileKey)).rejects.toMatchObject({ code });
  const { fileKey: other } = await deriveEndToEnd("another");
  await expect(openFile(sealed, other)).rejects.toMatchObject({ code: "password_wrong" });
});

test("a file that is longer or shorter than it says is damaged", async () => {
  for (const size of [99, 101]) {
    const sealed = await collectPieces(sealFile(content(100), { fileKey, metadata: metadataOf(size) }));
    const { pieces } = await openFile(sealed, fileKey);
    await expect(collectPieces(pieces)).rejects.toMatchObject({ code: "damaged_file" });
  }
});
