import { ToolFailure } from "../wire/tool-failure.ts";
import { type Hasher, nativeCrypto } from "./native.ts";

/** The digests on offer. */
export const HASH_ALGORITHMS = ["md5", "sha1", "sha256"] as const;

export type HashAlgorithm = (typeof HASH_ALGORITHMS)[number];

const DIGEST_DIGITS = { md5: 32, sha1: 40, sha256: 64 } as const satisfies Record<HashAlgorithm, number>;

export type { Hasher };

export interface HashFileOptions {
  algorithms: readonly HashAlgorithm[];
  /** A checksum to compare with: hex, `sha256:hex`, `sha256-base64`, or one line of sha256sum or BSD output. */
  expected?: string | undefined;
  /** Where the runtime brings no `node:crypto`, as in a page: makes a running digest. */
  createHasher?: ((algorithm: HashAlgorithm) => Hasher | Promise<Hasher>) | undefined;
}

/** Lower-case hex per algorithm; the last three are there only when `expected` was given, itself as lower-case hex. */
export interface FileHash {
  size: number;
  digests: Partial<Record<HashAlgorithm, string>>;
  expected?: string;
  matches?: boolean;
  matchedAlgorithm?: HashAlgorithm | null;
}

/**
 * Digests a file in one pass, holding one chunk at a time. The algorithm that `expected` calls for is computed
 * and listed too when it was not asked for.
 * @throws ToolFailure invalid_parameter when `expected` is none of its forms, before anything is read
 */
export async function hashFile(
  source: AsyncIterable<Uint8Array> | Uint8Array,
  options: HashFileOptions,
): Promise<FileHash> {
  const expected = options.expected === undefined ? undefined : readExpectedDigest(options.expected);
  const asked = new Set(options.algorithms);
  if (expected) asked.add(expected.algorithm);
  const hashers = await startHashers(asked, options.createHasher ?? createNativeHasher);
  let size = 0;
  for await (const chunk of source instanceof Uint8Array ? [source] : source) {
    size += chunk.length;
    for (const hasher of hashers.values()) hasher.update(chunk);
  }
  const digests: FileHash["digests"] = {};
  for (const [algorithm, hasher] of hashers) digests[algorithm] = toHex(hasher.digest());
  return expected ? { size, digests, ...compare(digests, expected) } : { size, digests };
}

async function startHashers(
  algorithms: Iterable<HashAlgorithm>,
  createHasher: NonNullable<HashFileOptions["createHasher"]>,
): Promise<Map<HashAlgorithm, Hasher>> {
  const hashers = new Map<HashAlgorithm, Hasher>();
  for (const algorithm of algorithms) hashers.set(algorithm, await createHasher(algorithm));
  return hashers;
}

function createNativeHasher(algorithm: HashAlgorithm): Hasher {
  if (!nativeCrypto) throw new Error("No node:crypto here: pass createHasher");
  return nativeCrypto.createHash(algorithm);
}

function compare(digests: FileHash["digests"], { algorithm, hex }: ExpectedDigest) {
  const matches = digests[algorithm] === hex;
  return { expected: hex, matches, matchedAlgorithm: matches ? algorithm : null };
}

interface ExpectedDigest {
  algorithm: HashAlgorithm;
  hex: string;
}

// GNU puts a backslash before the digest of a file whose name it had to escape. OpenSSL says "SHA2-256(name)= ".
const HEX_OR_SUM_LINE = /^\\?([0-9a-f]+)(?:[ \t].*)?$/i;
const NAMED_HEX = /^(md5|sha1|sha256):[ \t]*([0-9a-f]+)$/i;
const BSD_LINE = /^\\?(md5|sha1|sha256|sha2-256)[ \t]*\(.*\)[ \t]*=[ \t]*([0-9a-f]+)$/i;
const NAMED_BASE64 = /^(md5|sha1|sha256)-((?:[\w+/ -]{4})*[\w+/ -]{2,3})={0,2}$/i;

function readExpectedDigest(expected: string): ExpectedDigest {
  const text = expected.trim();
  const bare = HEX_OR_SUM_LINE.exec(text)?.[1];
  if (bare !== undefined) return checkLength(undefined, bare);
  const [, name, hex] = NAMED_HEX.exec(text) ?? BSD_LINE.exec(text) ?? [];
  if (name !== undefined && hex !== undefined) return checkLength(name, hex);
  const [, prefix, base64] = NAMED_BASE64.exec(text) ?? [];
  if (prefix !== undefined && base64 !== undefined) return checkLength(prefix, base64ToHex(base64));
  throw refuseExpected("is not a checksum");
}

function checkLength(name: string | undefined, hex: string): ExpectedDigest {
  const named = name?.toLowerCase().replace("sha2-", "sha");
  for (const algorithm of HASH_ALGORITHMS) {
    const isNamed = (named ?? algorithm) === algorithm;
    if (isNamed && hex.length === DIGEST_DIGITS[algorithm]) return { algorithm, hex: hex.toLowerCase() };
  }
  throw refuseExpected(`has ${hex.length} hexadecimal digits${named ? ` for ${named}` : ""}`);
}

function refuseExpected(fault: string): ToolFailure {
  return new ToolFailure(
    "invalid_parameter",
    `Parameter "expected" ${fault}; it takes one md5 (32 hexadecimal digits), sha1 (40) or sha256 (64) as ` +
      "hex, sha256:hex, sha256-base64, a line of sha256sum, or SHA256 (name) = hex",
    { parameter: "expected", allowed: HASH_ALGORITHMS },
  );
}

function base64ToHex(base64: string): string {
  // A plus that was not escaped in a query arrives as a blank.
  const standard = base64.replace(/[ -]/g, "+").replaceAll("_", "/");
  return toHex(Uint8Array.from(atob(standard), (character) => character.charCodeAt(0)));
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
