// slow
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { blake3 } from "@noble/hashes/blake3.js";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { testWith } from "../../machine/skips.ts";
import { concatBytes, utf8 } from "../../../wire/bytes.ts";
import { bytesToHex } from "../../../tools/hash/checksum-text.ts";
import { createBlake3 } from "../../../tools/hash/blake3.ts";
import { createHasher } from "../../../tools/hash/hashers.ts";
import { type HashAlgorithm, HASH_ALGORITHMS, hashFile } from "../../../tools/file-hash.ts";

const ABC = {
  md5: "900150983cd24fb0d6963f7d28e17f72",
  sha1: "a9993e364706816aba3e25717850c26c9cd0d89d",
  sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
};
const ABC_MORE = {
  sha384: "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
  sha512:
    "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
  sha224: "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7",
  "sha3-256": "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532",
  "sha3-384":
    "ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b298d88cea927ac7f539f1edf228376d25",
  "sha3-512":
    "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0",
  blake2b:
    "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923",
  blake3: "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85",
};
const ALL_ABC = { ...ABC, ...ABC_MORE };
/** The program of coreutils, which has neither SHA-3 nor BLAKE3. */
const sumOf = (algorithm: HashAlgorithm) =>
  algorithm === "blake2b" ? "b2sum" : /^(sha3-|blake3)/.test(algorithm) ? undefined : `${algorithm}sum`;
const CLASSIC = ["md5", "sha1", "sha256"] as const;
const ABC_BASE64 = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=";

describe("the digests of a file", () => {
  const upTo448 = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  const digits80 = "1234567890".repeat(8);
  // RFC 1321 A.5; FIPS 180-2 appendices A and B; NIST's empty message.
  test.each<[string, string, HashAlgorithm, string]>([
    ["an empty file", "", "md5", "d41d8cd98f00b204e9800998ecf8427e"],
    ["an empty file", "", "sha1", "da39a3ee5e6b4b0d3255bfef95601890afd80709"],
    ["an empty file", "", "sha256", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["abc", "abc", "md5", ABC.md5],
    ["abc", "abc", "sha1", ABC.sha1],
    ["abc", "abc", "sha256", ABC.sha256],
    ["80 digits", digits80, "md5", "57edf4a22be3c955ac49da2e2107b67a"],
    ["448 bits", upTo448, "sha1", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"],
    ["448 bits", upTo448, "sha256", "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"],
    ["a million a", "a".repeat(1e6), "sha1", "34aa973cd4c4daa4f61eeb2bdbad27316534016f"],
    // FIPS 180-2 appendices; the vectors of BLAKE3's reference implementation.
    ["abc", "abc", "sha384", ABC_MORE.sha384],
    ["abc", "abc", "sha512", ABC_MORE.sha512],
    ["abc", "abc", "blake3", ABC_MORE.blake3],
    ["an empty file", "", "blake3", "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"],
    [
      "a million a",
      "a".repeat(1e6),
      "sha256",
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
    ],
  ])("of %s are the published ones: %#", async (_title, text, algorithm, digest) => {
    expect(await hashFile(utf8(text), { algorithms: [algorithm] })).toEqual({
      size: text.length,
      digests: { [algorithm]: digest },
    });
  });

  testWith("sha256sum")("are those of md5sum, sha1sum and sha256sum around every block border", async () => {
    for (const size of [0, 1, 55, 56, 63, 64, 65, 65_535, 65_536, 65_537]) {
      const bytes = Uint8Array.from({ length: size }, (_, i) => (i * 7) % 256);
      const { digests } = await hashFile(bytes, { algorithms: HASH_ALGORITHMS });
      for (const algorithm of HASH_ALGORITHMS) {
        const program = sumOf(algorithm);
        if (!program) continue;
        const line = spawnSync(program, { input: bytes }).stdout.toString();
        expect(line).toBe(`${digests[algorithm]}  -\n`);
      }
    }
  });

  test("come in the order asked, each once", async () => {
    const { digests } = await hashFile(utf8("abc"), { algorithms: ["sha256", "md5", "sha256"] });
    expect(Object.entries(digests)).toEqual([
      ["sha256", ABC.sha256],
      ["md5", ABC.md5],
    ]);
  });

  test("do not depend on how the bytes are cut", async () => {
    const bytes = Uint8Array.from({ length: 3000 }, (_, i) => (i * i) % 251);
    const whole = await hashFile(bytes, { algorithms: HASH_ALGORITHMS });
    for (const step of [1, 63, 64, 65, 1000, 2999]) {
      expect(await hashFile(cut(bytes, step), { algorithms: HASH_ALGORITHMS })).toEqual(whole);
    }
  });

  test("are computed with one chunk at hand: the next is asked for when every digest has taken it", async () => {
    const events: string[] = [];
    async function* source() {
      for (let i = 0; i < 3; i++) {
        events.push("read");
        yield utf8("abc");
      }
    }
    const createHasher = (algorithm: HashAlgorithm) => ({
      update: () => events.push(algorithm),
      digest: () => new Uint8Array(1),
    });
    await hashFile(source(), { algorithms: ["md5", "sha256"], createHasher });
    expect(events).toEqual(["read", "md5", "sha256", "read", "md5", "sha256", "read", "md5", "sha256"]);
  });

  test("are the same where the runtime has none, in WebAssembly and where none may be compiled", async () => {
    const digest = async (algorithm: HashAlgorithm) => {
      const hasher = await createHasher(algorithm);
      for (const piece of ["a", "bc"]) hasher.update(utf8(piece));
      return [algorithm, bytesToHex(hasher.digest())] as const;
    };
    const compiled = await Promise.all(HASH_ALGORITHMS.map(digest));
    expect(Object.fromEntries(compiled)).toEqual(ALL_ABC);
    const refuse = () => Promise.reject(new Error("refused by the policy"));
    vi.stubGlobal("WebAssembly", { compile: refuse, instantiate: refuse });
    onTestFinished(() => void vi.unstubAllGlobals());
    expect(await Promise.all(HASH_ALGORITHMS.map(digest))).toEqual(compiled);
  });

  // A chunk has 1,024 bytes, and the program works on 4 of them at once and on 1,024 in one go.
  const CHUNK = 1024;
  const lengths = [
    64,
    CHUNK,
    2 * CHUNK,
    3 * CHUNK,
    4 * CHUNK,
    5 * CHUNK,
    7 * CHUNK,
    CHUNK ** 2,
    3 * CHUNK ** 2,
  ];
  test.each(lengths)("of BLAKE3 are those of another program around %i bytes", async (length) => {
    const bytes = Uint8Array.from({ length: length + 1 }, (_, i) => (i * 7 + (i >> 8)) % 251);
    for (const end of [length - 1, length, length + 1]) {
      const expected = bytesToHex(blake3(bytes.subarray(0, end)));
      for (const step of [end, 65_535]) {
        const hasher = await createBlake3();
        for (let at = 0; at < end; at += step) hasher.update(bytes.subarray(at, Math.min(end, at + step)));
        expect(bytesToHex(hasher.digest())).toBe(expected);
      }
    }
  });

  test("of many small files compile the program for BLAKE3 at most once", async () => {
    const compiled = [vi.spyOn(WebAssembly, "compile"), vi.spyOn(WebAssembly, "instantiate")] as const;
    onTestFinished(() => compiled.forEach((each) => each.mockRestore()));
    for (let i = 0; i < 3; i++)
      expect((await hashFile(utf8("abc"), { algorithms: ["blake3"] })).digests.blake3).toBe(ABC_MORE.blake3);
    const programs = compiled.flatMap(({ mock }) =>
      mock.calls.filter(([of]) => !(of instanceof WebAssembly.Module)),
    );
    expect(programs.length).toBeLessThan(2);
  });

  test("are made by the hashers handed in, where these are ready later", async () => {
    const createHasher = async (algorithm: HashAlgorithm) => {
      await Promise.resolve();
      return createHash(algorithm);
    };
    expect((await hashFile(cut(utf8("abc"), 1), { algorithms: CLASSIC, createHasher })).digests).toEqual(ABC);
  });

  test("are not given for a source that breaks off", async () => {
    async function* source() {
      yield utf8("abc");
      throw new Error("connection lost");
    }
    await expect(hashFile(source(), { algorithms: ["md5"] })).rejects.toThrow("connection lost");
  });
});

describe("an expected checksum", () => {
  test.each<[string, HashAlgorithm]>([
    [ABC.md5, "md5"],
    [ABC.sha1, "sha1"],
    [ABC.sha256, "sha256"],
    [ABC.sha256.toUpperCase(), "sha256"],
    [` ${ABC.sha256}\n`, "sha256"],
    [`sha256:${ABC.sha256}`, "sha256"],
    [`SHA256:${ABC.sha256.toUpperCase()}`, "sha256"],
    [`md5:${ABC.md5}`, "md5"],
    [`sha256-${ABC_BASE64}`, "sha256"],
    [`sha256-${ABC_BASE64.replace("=", "")}`, "sha256"],
    [`sha256-${ABC_BASE64.replaceAll("+", "-").replaceAll("/", "_")}`, "sha256"],
    [`sha256-${ABC_BASE64.replaceAll("+", " ")}`, "sha256"],
    [`sha1-qZk+NkcGgWq6PiVxeFDCbJzQ2J0=`, "sha1"],
    [`md5-kAFQmDzST7DWlj99KOF/cg==`, "md5"],
    [`${ABC.sha256}  abc.txt`, "sha256"],
    [`${ABC.sha256} *my (1) = abc.txt\n`, "sha256"],
    [`\\${ABC.md5}  a\\nb`, "md5"],
    [`${ABC.sha1}  -`, "sha1"],
    [`SHA256 (abc.txt) = ${ABC.sha256}`, "sha256"],
    [`SHA256 (a) = b).txt) = ${ABC.sha256.toUpperCase()}`, "sha256"],
    [`MD5 (abc.txt) = ${ABC.md5}`, "md5"],
    [`SHA1 (abc.txt) = ${ABC.sha1}`, "sha1"],
    [`SHA2-256(abc.txt)= ${ABC.sha256}`, "sha256"],
    [ABC_MORE.sha384, "sha384"],
    [`sha512:${ABC_MORE.sha512}`, "sha512"],
    [`BLAKE3 (abc.txt) = ${ABC_MORE.blake3}`, "blake3"],
    [`BLAKE2b (abc.txt) = ${ABC_MORE.blake2b}`, "blake2b"],
    [`BLAKE2B-512(abc.txt)= ${ABC_MORE.blake2b}`, "blake2b"],
    [`${ABC_MORE.blake2b}  abc.txt`, "blake2b"],
    [`SHA3-256(abc.txt)= ${ABC_MORE["sha3-256"]}`, "sha3-256"],
    [`SHA2-224(abc.txt)= ${ABC_MORE.sha224}`, "sha224"],
    [`sha3-512:${ABC_MORE["sha3-512"]}`, "sha3-512"],
    [`${ABC_MORE.blake3}  abc.txt`, "blake3"],
    [pairs(ABC.sha256).join(":"), "sha256"],
    [pairs(ABC.sha1).join(":").toUpperCase(), "sha1"],
    [`SHA256 Fingerprint=${pairs(ABC.sha256).join(":").toUpperCase()}`, "sha256"],
    [`sha-256=:${ABC_BASE64}:`, "sha256"],
    [`Repr-Digest: sha-256=:${ABC_BASE64}:, sha-512=:AAAA:`, "sha256"],
    [`Digest: SHA-256=${ABC_BASE64}`, "sha256"],
    [`sha384-AAAA sha256-${ABC_BASE64}?foo`, "sha256"],
    [`sha256-${"A".repeat(43)}= sha256-${ABC_BASE64}`, "sha256"],
    [
      `SHA256 hash of abc.txt:\r\n${ABC.sha256}\r\nCertUtil: -hashfile command completed successfully.\r\n`,
      "sha256",
    ],
    [`SHA1 hash of file C:\\a b.txt:\r\n${pairs(ABC.sha1).join(" ")}\r\nCertUtil: done`, "sha1"],
    [
      `\r\nAlgorithm : SHA256\r\nHash      : ${ABC.sha256.toUpperCase()}\r\nPath      : C:\\abc.txt\r\n`,
      "sha256",
    ],
    [
      `Algorithm  Hash  Path\n---------  ----  ----\nSHA256     ${ABC.sha256.toUpperCase()}   C:\\abc.txt\n`,
      "sha256",
    ],
    [`# sums\n\n${"0".repeat(64)}  other\n${ABC.sha256}  abc.txt\n`, "sha256"],
    [
      `-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n${ABC.md5}  a\n-----BEGIN PGP SIGNATURE-----\n${"0".repeat(32)}\n-----END PGP SIGNATURE-----\n`,
      "md5",
    ],
  ])("is understood as %j", async (expected, algorithm) => {
    expect(await hashFile(utf8("abc"), { algorithms: HASH_ALGORITHMS, expected })).toEqual({
      size: 3,
      digests: ALL_ABC,
      expected: ALL_ABC[algorithm],
      matches: true,
      matchedAlgorithm: algorithm,
    });
  });

  // A pattern that goes back over what it has read would take minutes for a megabyte, and the test would not end in time.
  test.each(["a-", "aa ", "aa:", ") = ", "sha256 (", "-----BEGIN PGP SIGNATURE-----\n", "x\n", "  "])(
    "is read or refused at once, however often %j stands in it",
    async (part) => {
      const expected = part.repeat(2 ** 20 / part.length);
      await expect(hashFile(utf8("abc"), { algorithms: [], expected })).rejects.toMatchObject({
        code: "invalid_parameter",
      });
    },
  );

  test("of several decides the one for the file's name", async () => {
    const expected = `${ABC.sha256}  dir/good.txt\n${"0".repeat(64)} *bad.txt\n\\${ABC.sha256}  new\\nline\n`;
    const matches = async (filename?: string) =>
      (await hashFile(utf8("abc"), { algorithms: [], expected, filename })).matches;
    expect(await matches("good.txt")).toBe(true);
    expect(await matches("C:\\bad.txt")).toBe(false);
    expect(await matches("new\nline")).toBe(true);
    expect(await matches("unknown.txt")).toBe(true);
    expect(await matches()).toBe(true);
  });

  test("in a list keeps the first letter of a name, also where it is a mode of shasum", async () => {
    const expected = `${"0".repeat(64)}  Usage.txt\n${ABC.sha256} UUniversal.txt\n`;
    const matches = async (filename: string) =>
      (await hashFile(utf8("abc"), { algorithms: [], expected, filename })).matches;
    expect(await matches("Usage.txt")).toBe(false);
    expect(await matches("Universal.txt")).toBe(true);
  });

  test("of several that all differ is not matched, and the answer holds no name", async () => {
    const expected = `${"0".repeat(64)}  secret-name\n${"1".repeat(32)}  other-name`;
    const answer = await hashFile(utf8("abc"), { algorithms: ["sha256"], expected });
    expect(answer).toMatchObject({ expected: "0".repeat(64), matches: false, matchedAlgorithm: null });
    expect(JSON.stringify(answer)).not.toContain("name");
  });

  test("that another file has does not match", async () => {
    expect(await hashFile(utf8("abd"), { algorithms: ["md5"], expected: ABC.md5 })).toEqual({
      size: 3,
      digests: { md5: "4911e516e5aa21d327512e0c8b197616" },
      expected: ABC.md5,
      matches: false,
      matchedAlgorithm: null,
    });
  });

  test("of an algorithm that was not asked for is computed and listed after the others", async () => {
    const { digests, matchedAlgorithm } = await hashFile(utf8("abc"), {
      algorithms: ["sha256"],
      expected: ABC.md5,
    });
    expect(Object.keys(digests)).toEqual(["sha256", "md5"]);
    expect(matchedAlgorithm).toBe("md5");
  });

  test("without an algorithm is compared with all of its length, and what matched is listed", async () => {
    const expected = `${ABC_MORE.blake3}  abc.txt`;
    const asked = { algorithms: ["sha256"] as const };
    expect(await hashFile(utf8("abc"), { ...asked, expected })).toMatchObject({
      digests: { sha256: ABC.sha256, blake3: ABC_MORE.blake3 },
      matchedAlgorithm: "blake3",
    });
    const other = await hashFile(utf8("abc"), { ...asked, expected: "0".repeat(64) });
    expect(other).toMatchObject({ digests: { sha256: ABC.sha256 }, matches: false });
    expect(Object.keys(other.digests)).toEqual(["sha256"]);
  });

  test("is tried with SHA-3, whose lists name it, only where that was asked for", async () => {
    const expected = ABC_MORE["sha3-256"];
    expect(await hashFile(utf8("abc"), { algorithms: ["sha256"], expected })).toMatchObject({
      matches: false,
    });
    const asked = await hashFile(utf8("abc"), { algorithms: ["sha3-256"], expected });
    expect(asked).toMatchObject({ matches: true, matchedAlgorithm: "sha3-256" });
  });

  test.each([
    ["  abc.txt ", "abc.txt "],
    ["   abc.txt", " abc.txt"],
    ["  a\u2028b", "a\u2028b"],
  ])("in a list keeps each character of the name in %j", async (rest, filename) => {
    const expected = `${"0".repeat(64)}${rest}\n${ABC.sha256}  other`;
    expect(await hashFile(utf8("abc"), { algorithms: [], expected, filename })).toMatchObject({
      matches: false,
    });
  });

  testWith("sha256sum")("may be any line that the sum programs print", async () => {
    for (const algorithm of HASH_ALGORITHMS) {
      const program = sumOf(algorithm);
      if (!program) continue;
      for (const mode of [[], ["--binary"], ["--tag"]]) {
        const expected = spawnSync(program, mode, { input: "abc" }).stdout.toString();
        expect(await hashFile(utf8("abc"), { algorithms: [], expected })).toMatchObject({ matches: true });
      }
    }
  });

  test.each([
    ["", "is not a checksum"],
    ["   ", "is not a checksum"],
    ["hello", "is not a checksum"],
    ["ab".repeat(15) + "a", "has 31 hexadecimal digits"],
    ["ab".repeat(16) + "a", "has 33 hexadecimal digits"],
    ["ab".repeat(31) + "a", "has 63 hexadecimal digits"],
    ["ab".repeat(32) + "a", "has 65 hexadecimal digits"],
    ["g" + "a".repeat(63), "is not a checksum"],
    ["ab".repeat(27), "has 54 hexadecimal digits"],
    [`sha3-224:${"ab".repeat(28)}`, "names sha3-224, which is not available"],
    [`BLAKE2b-256 (a) = ${ABC.sha256}`, "names blake2b-256, which is not available"],
    [`SHA512/256 (a) = ${ABC.sha256}`, "names sha512/256, which is not available"],
    [`blake2s-${ABC_BASE64}`, "names blake2s, which is not available"],
    [`blake2b-${ABC_BASE64}`, "has 64 hexadecimal digits for blake2b"],
    ["Repr-Digest: crc32c=:AAAAAA==:", "names crc32c, which is not available"],
    [`hunter2:${ABC.sha256}`, "is not a checksum"],
    [`sha256:${ABC.md5}`, "has 32 hexadecimal digits for sha256"],
    [`md5:${ABC.sha256}`, "has 64 hexadecimal digits for md5"],
    [`SHA1 (a) = ${ABC.sha256}`, "has 64 hexadecimal digits for sha1"],
    [`sha256-${ABC_BASE64.slice(0, 40)}`, "has 60 hexadecimal digits for sha256"],
    [`sha256-${ABC_BASE64.slice(0, 42)}`, "has 62 hexadecimal digits for sha256"],
    [`md5-${ABC_BASE64}`, "has 64 hexadecimal digits for md5"],
    ["one line\nand another", "is not a checksum"],
  ])("%j is refused before anything is read", async (expected, fault) => {
    let isRead = false;
    async function* source() {
      isRead = true;
      yield utf8("abc");
    }
    await expect(hashFile(source(), { algorithms: ["sha256"], expected })).rejects.toMatchObject({
      name: "ToolFailure",
      code: "invalid_parameter",
      message: expect.stringContaining(
        `Parameter "expected" ${fault}; it takes hexadecimal digits of md5 (32)`,
      ),
      fields: { parameter: "expected", allowed: HASH_ALGORITHMS },
    });
    expect(isRead).toBe(false);
  });

  test("is not repeated in the refusal", async () => {
    const refusal = hashFile(concatBytes(), { algorithms: [], expected: "correct horse 4711" });
    await expect(refusal).rejects.not.toMatchObject({ message: expect.stringContaining("4711") });
  });
});

async function* cut(bytes: Uint8Array, step: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += step) yield bytes.subarray(start, start + step);
}

function pairs(hex: string): string[] {
  return hex.match(/../g) ?? [];
}
