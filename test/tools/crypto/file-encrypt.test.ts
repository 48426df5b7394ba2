// slow
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { hasThing, testIf } from "../../machine/skips.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { collect, collectPieces, inPieces } from "../support/pieces.ts";
import type { LockOptions } from "../../../tools/file-encrypt.ts";
import { lockedFileName, lockedSize, lockFile } from "../../../tools/file-encrypt.ts";
import { unlockFile } from "../../../tools/crypto/unlock-file.ts";
import type { ByteSource } from "../../../tools/crypto/chunks.ts";

const password = "pässwörd";
const filename = "naïve name.txt";
const salt = Uint8Array.from({ length: 16 }, (_, i) => i);
const prefix = Uint8Array.from({ length: 7 }, (_, i) => 0xa0 + i);

/** Content length, container length, first digits of its SHA-256: published in docs/formats.md. */
const VECTORS = [
  [0, 328, "c391933fb1d9"],
  [1, 329, "339fead4830a"],
  [65_535, 65_863, "c88c055c231a"],
  [65_536, 65_864, "4b3008153aa9"],
  [65_537, 65_881, "2fa3bdfdac87"],
  [131_072, 131_416, "c6ee84270ee8"],
] as const;

function contentOf(length: number): Bytes {
  return Uint8Array.from({ length }, (_, i) => (7 * i) % 256);
}

async function lock(content: ByteSource, options: Partial<LockOptions> = {}): Promise<Bytes> {
  const pieces = lockFile(content, { password, filename, salt, prefix, limiter: rememberedKey, ...options });
  return collectPieces(pieces);
}

/** Derives the key of the password and salt above once for all the tests that change neither. */
let remembered: Promise<unknown> | undefined;
function rememberedKey<T>(work: () => Promise<T>): Promise<T> {
  remembered ??= work();
  // Every derivation here has the same result, so the type is that of the first.
  return remembered as Promise<T>;
}

function unlockQuickly(container: ByteSource) {
  return unlockFile(container, { password, limiter: rememberedKey });
}

function digest(bytes: Uint8Array) {
  return createHash("sha256").update(bytes).digest("hex");
}

describe("the published vectors", () => {
  test.each(VECTORS)("%i bytes make a container of %i", async (length, lockedLength, sha256) => {
    const container = await lock(contentOf(length));
    expect(container.length).toBe(lockedLength);
    expect(lockedSize(length)).toBe(lockedLength);
    expect(digest(container).slice(0, 12)).toBe(sha256);
    const opened = await unlockQuickly(container);
    expect(digest(opened.bytes)).toBe(digest(contentOf(length)));
    expect(opened).toMatchObject({ filename, iterations: 600_000, containerVersion: 1 });
  });
});

describe("a locked file", () => {
  test.each([0, 1, 65_535, 65_536, 65_537, 131_072, 200_000])(
    "of %i bytes is the same however it came in",
    async (length) => {
      const whole = await lock(contentOf(length));
      for (const size of [1000, 65_536, 65_552, 150_000]) {
        expect(digest(await lock(inPieces(contentOf(length), size)))).toBe(digest(whole));
        expect(digest((await unlockQuickly(inPieces(whole, size))).bytes)).toBe(digest(contentOf(length)));
      }
    },
  );

  test("opens with a password whose accents were typed as two signs", async () => {
    const container = await lock(contentOf(3), { password: password.normalize("NFC"), limiter: undefined });
    const opened = await unlockFile(container, { password: password.normalize("NFD") });
    expect(opened.bytes).toEqual(contentOf(3));
  });

  test("has another salt and prefix each time", async () => {
    const [one, two] = await Promise.all([
      collect(lockFile(contentOf(3), { password })),
      collect(lockFile(contentOf(3), { password })),
    ]);
    expect(one[0]!.subarray(16, 39)).not.toEqual(two[0]!.subarray(16, 39));
    expect(one[0]!.subarray(16, 39).some((byte) => byte !== 0)).toBe(true);
  });

  test("may be locked again", async () => {
    const inner = await lock(contentOf(70_000));
    const outer = await lock(inner, { filename: "inner.locked" });
    const opened = await unlockQuickly(outer);
    expect(opened.filename).toBe("inner.locked");
    expect(digest((await unlockQuickly(opened.bytes)).bytes)).toBe(digest(contentOf(70_000)));
  });

  test("comes out before all of the file went in", async () => {
    let sent = 0;
    async function* endless(): AsyncGenerator<Bytes> {
      for (; ; sent++) yield contentOf(65_536);
    }
    const pieces = lockFile(endless(), { password, salt, limiter: rememberedKey });
    for (let i = 0; i < 10; i++) await pieces.next();
    await pieces.return();
    expect(sent).toBeLessThan(30);
  });

  test("passes a failure of its source on", async () => {
    async function* broken(): AsyncGenerator<Bytes> {
      yield contentOf(100_000);
      throw new Error("the upload ended");
    }
    await expect(lock(broken())).rejects.toThrow("the upload ended");
  });
});

describe("the name", () => {
  test.each([
    ["report.pdf", "report.pdf"],
    ["résumé.pdf".normalize("NFD"), "résumé.pdf".normalize("NFC")],
    ["../../etc/passwd", "passwd"],
    ["C:\\fakepath\\holiday.jpg", "holiday.jpg"],
    ["con.txt", "_con.txt"],
    ["", "unlocked.bin"],
    [undefined, "unlocked.bin"],
    ["..", "unlocked.bin"],
    ["é".repeat(127) + "x", "é".repeat(127) + "x"],
  ])("%j comes back as %j", async (given, expected) => {
    expect((await unlockQuickly(await lock(contentOf(1), { filename: given }))).filename).toBe(expected);
  });

  test("does not show in the length of the container", async () => {
    for (const given of ["", "a", "a".repeat(255)]) {
      expect(await lock(contentOf(1), { filename: given })).toHaveLength(329);
    }
  });

  test("over 255 bytes is refused at once", () => {
    expect(() => lockFile(contentOf(1), { password, filename: "é".repeat(128) })).toThrow(
      '"filename" has 256 UTF-8 bytes; it may have up to 255',
    );
  });

  test.each([
    ["report.pdf", "report.pdf.locked"],
    ["..\\x.tar.gz", "x.tar.gz.locked"],
    ["", "file.locked"],
    [undefined, "file.locked"],
  ])("%j is offered as %j", (given, expected) => {
    expect(lockedFileName(given)).toBe(expected);
  });
});

describe("the password", () => {
  test.each([
    [undefined, "missing_parameter"],
    ["", "missing_parameter"],
    ["é".repeat(513), "invalid_parameter"],
    ["a".repeat(1025), "invalid_parameter"],
    ["a\ud800", "invalid_parameter"],
  ])("%j is refused with %s by both directions", async (given, code) => {
    expect(() => lockFile(contentOf(1), { password: given })).toThrow(expect.objectContaining({ code }));
    const opening = unlockFile(await lock(contentOf(1)), { password: given });
    await expect(opening).rejects.toMatchObject({ code, fields: { parameter: "password", maximum: 1024 } });
  });

  test("may have 1 to 1,024 bytes, counted in NFC", async () => {
    for (const given of ["a", "a".repeat(1024), "e\u0301".repeat(512)]) {
      expect(await lock(contentOf(1), { password: given })).toHaveLength(329);
    }
  });

  test("other than the right one is password_wrong, however much content there is", async () => {
    const container = await lock(contentOf(70_000));
    for (const wrong of ["pässwörd ", "Pässwörd", "x"]) {
      await expect(unlockFile(container, { password: wrong })).rejects.toMatchObject({
        code: "password_wrong",
        fields: { passwordNeeded: true },
      });
    }
  });
});

describe("an independent decoder in Python", () => {
  const script = fileURLToPath(new URL("support/open-locked-file.py", import.meta.url));
  const hasLibcrypto = hasThing("python3") && spawnSync("python3", [script, "--probe"]).status === 0;

  testIf(hasLibcrypto, "needs python3 with libcrypto").each(VECTORS)(
    "opens the container of %i bytes",
    async (length) => {
      const secret = Buffer.from(password.normalize("NFD")).toString("hex");
      const { stdout, stderr } = spawnSync("python3", [script, secret], {
        input: await lock(contentOf(length)),
      });
      expect(stderr.toString()).toBe("");
      expect(stdout.toString().split(/\s/).slice(0, 2)).toEqual([
        Buffer.from(filename).toString("hex"),
        digest(contentOf(length)),
      ]);
    },
  );
});
