// slow
import { describe, expect, test } from "vitest";
import type { Bytes } from "../../wire/bytes.ts";
import { concatBytes, utf8 } from "../../wire/bytes.ts";
import { lockFile } from "../../tools/file-encrypt.ts";
import { collectPieces, inPieces } from "../tools/support/pieces.ts";
import { chunkNonce, writeHeader, writeMetadata } from "../../tools/crypto/locked-file.ts";
import { readHeader } from "../../tools/crypto/unlock-container.ts";
import { unlockFile } from "../../tools/crypto/unlock-file.ts";

const password = "pässwörd";
const SEALED = 65_552;
const salt = new Uint8Array(16).fill(1);
const prefix = new Uint8Array(7).fill(2);

let remembered: Promise<unknown> | undefined;
/** Derives once: all containers here have one password, and a changed salt is tried apart. */
function rememberedKey<T>(work: () => Promise<T>): Promise<T> {
  remembered ??= work();
  // Every derivation here has the same result, so the type is that of the first.
  return remembered as Promise<T>;
}

const content = Uint8Array.from({ length: 2 * 65_536 + 10 }, (_, i) => i);
const container = await collectPieces(
  lockFile(content, { password, filename: "a.txt", salt, prefix, limiter: rememberedKey }),
);
const head = container.subarray(0, 312);
const [one, two, three] = [0, 1, 2].map((i) =>
  container.subarray(312 + i * SEALED, 312 + (i + 1) * SEALED),
) as [Bytes, Bytes, Bytes];

async function codeOf(bytes: Bytes): Promise<string> {
  const answers = [bytes, inPieces(bytes, 10_000)].map((source) =>
    unlockFile(source, { password, limiter: rememberedKey }).then(
      () => "opened",
      (error: { code?: string }) => error.code ?? String(error),
    ),
  );
  const [whole, streamed] = await Promise.all(answers);
  expect(streamed).toBe(whole);
  return whole!;
}

function withBit(at: number): Bytes {
  const changed = container.slice();
  changed[at]! ^= 1 << (at % 8);
  return changed;
}

test("the container that all others here are made from opens", async () => {
  expect(await codeOf(container)).toBe("opened");
});

describe("one bit changed", () => {
  test.each([
    ["the first byte of the magic", 0, "not_a_container"],
    ["the last byte of the magic", 7, "not_a_container"],
    ["the version", 8, "unsupported_feature"],
    ["the key derivation", 9, "unsupported_feature"],
    ["the cipher", 10, "unsupported_feature"],
    ["the chunk size", 11, "unsupported_feature"],
    ["the first byte of the rounds", 12, "unsupported_feature"],
    ["the last byte of the rounds", 15, "unsupported_feature"],
    ["the prefix", 32, "password_wrong"],
    ["the end of the prefix", 38, "password_wrong"],
    ["the reserved byte", 39, "unsupported_feature"],
    ["the length of the name", 40, "password_wrong"],
    ["the name", 41, "password_wrong"],
    ["the padding of the name", 295, "password_wrong"],
    ["the tag of the name", 311, "password_wrong"],
    ["the first byte of the content", 312, "damaged_file"],
    ["the tag of the first chunk", 312 + SEALED - 1, "damaged_file"],
    ["the second chunk", 312 + SEALED + 5, "damaged_file"],
    ["the last chunk", 312 + 2 * SEALED, "damaged_file"],
    ["the last byte of all", container.length - 1, "damaged_file"],
  ])("in %s (byte %i) is %s", async (_, at, code) => {
    expect(await codeOf(withBit(at))).toBe(code);
  });

  test("in the salt is password_wrong, for it gives another key", async () => {
    await expect(unlockFile(withBit(16), { password })).rejects.toMatchObject({ code: "password_wrong" });
    await expect(unlockFile(withBit(31), { password })).rejects.toMatchObject({ code: "password_wrong" });
  });
});

describe("a container cut", () => {
  test.each([
    [0, "not_a_container"],
    [1, "not_a_container"],
    [7, "not_a_container"],
    [8, "damaged_file"],
    [15, "damaged_file"],
    [39, "damaged_file"],
    [40, "damaged_file"],
    [311, "damaged_file"],
    [312, "damaged_file"],
    [313, "damaged_file"],
    [327, "damaged_file"],
    [328, "damaged_file"],
    [312 + SEALED - 1, "damaged_file"],
    [312 + SEALED, "damaged_file"],
    [312 + SEALED + 1, "damaged_file"],
    [312 + SEALED + 15, "damaged_file"],
    [312 + SEALED + 16, "damaged_file"],
    [312 + 2 * SEALED, "damaged_file"],
    [312 + 2 * SEALED + 16, "damaged_file"],
    [container.length - 1, "damaged_file"],
  ])("after %i bytes is %s", async (length, code) => {
    expect(await codeOf(container.slice(0, length))).toBe(code);
  });
});

describe("chunks", () => {
  test.each([
    ["swapped", [two, one, three]],
    ["doubled", [one, one, two, three]],
    ["dropped at the start", [two, three]],
    ["dropped in the middle", [one, three]],
    ["dropped at the end", [one, two]],
    ["the last one first", [three, one, two]],
    ["all dropped", []],
    ["one byte appended", [one, two, three, new Uint8Array(1)]],
    ["sixteen bytes appended", [one, two, three, new Uint8Array(16)]],
    ["another whole container appended", [one, two, three, container]],
    ["a line break appended", [one, two, three, utf8("\n")]],
  ])("%s are damage", async (_, chunks) => {
    expect(await codeOf(concatBytes(head, ...chunks))).toBe("damaged_file");
  });

  test("of another file under the same password are damage", async () => {
    const pieces = lockFile(new Uint8Array(10), {
      password,
      salt,
      prefix: new Uint8Array(7),
      limiter: rememberedKey,
    });
    const other = await collectPieces(pieces);
    expect(await codeOf(concatBytes(head, other.subarray(312)))).toBe("damaged_file");
  });
});

describe("an authentic container of another make", () => {
  /** Seals chunks as the format does, but takes any content for any chunk. */
  async function seal(chunks: readonly { bytes: Bytes; isLast: boolean }[]): Promise<Bytes> {
    const raw = await rememberedKey(() => Promise.resolve(new Uint8Array(32)));
    const key = await crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt"]);
    const header = writeHeader({ salt, prefix });
    const sealed = chunks.map(async ({ bytes, isLast }, index) => {
      const iv = chunkNonce(prefix, { index, isLast });
      return new Uint8Array(
        await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData: header }, key, bytes),
      );
    });
    return concatBytes(header, ...(await Promise.all(sealed)));
  }
  const metadata = { bytes: writeMetadata("a.txt"), isLast: false };
  const full = new Uint8Array(65_536);

  test("opens when it keeps to the rules", async () => {
    expect(await codeOf(await seal([metadata, { bytes: new Uint8Array(5), isLast: true }]))).toBe("opened");
    expect(await codeOf(await seal([metadata, { bytes: new Uint8Array(0), isLast: true }]))).toBe("opened");
  });

  test.each([
    [
      "an empty last chunk after a full one",
      [metadata, { bytes: full, isLast: false }, { bytes: new Uint8Array(0), isLast: true }],
    ],
    [
      "two last chunks",
      [metadata, { bytes: full, isLast: true }, { bytes: new Uint8Array(5), isLast: true }],
    ],
    ["no last chunk", [metadata, { bytes: new Uint8Array(5), isLast: false }]],
    [
      "a short chunk in the middle",
      [metadata, { bytes: full.slice(1), isLast: false }, { bytes: full, isLast: true }],
    ],
    [
      "padding that is not zero",
      [
        { bytes: metadata.bytes.map((byte, i) => (i === 255 ? 1 : byte)), isLast: false },
        { bytes: full, isLast: true },
      ],
    ],
    [
      "a name that is not UTF-8",
      [
        { bytes: metadata.bytes.map((byte, i) => (i === 1 ? 0xff : byte)), isLast: false },
        { bytes: full, isLast: true },
      ],
    ],
  ])("with %s is damaged", async (_, chunks) => {
    expect(await codeOf(await seal(chunks))).toBe("damaged_file");
  });

  test("with a dangerous name gives a clean one", async () => {
    const evil = { bytes: writeMetadata("../../.ssh/\u202eauthorized_keys"), isLast: false };
    const opened = await unlockFile(await seal([evil, { bytes: new Uint8Array(5), isLast: true }]), {
      password,
      limiter: rememberedKey,
    });
    expect(opened.filename).toBe("authorized_keys");
  });
});

test("a file that is none, or of other parameters, costs no key derivation", async () => {
  let calls = 0;
  async function counted<T>(work: () => Promise<T>): Promise<T> {
    calls++;
    return work();
  }
  const rounds = container.slice();
  rounds.set([0xff, 0xff, 0xff, 0xff], 12);
  const free = container.slice();
  free.set([0, 0, 0, 1], 12);
  for (const bytes of [
    rounds,
    free,
    withBit(8),
    utf8("%PDF-1.7"),
    container.slice(0, 312),
    new Uint8Array(0),
  ]) {
    await expect(unlockFile(bytes, { password, limiter: counted })).rejects.toThrow();
  }
  expect(calls).toBe(0);
});

test("a wrong password is told before the content has come", async () => {
  async function* endless(): AsyncGenerator<Bytes> {
    yield head;
    while (true) yield one;
  }
  const opening = unlockFile(endless(), { password: "wrong" });
  await expect(opening).rejects.toMatchObject({ code: "password_wrong" });
});

test("the header reader gives back what the writer took", () => {
  expect(readHeader(head)).toEqual({ salt, prefix });
});
