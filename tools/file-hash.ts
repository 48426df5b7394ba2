import { piecesOf, type FileInput } from "../wire/byte-pieces.ts";
import {
  algorithmsOfLength,
  HASH_ALGORITHMS,
  bytesToHex,
  type Checksum,
  type HashAlgorithm,
  readChecksums,
} from "./hash/checksum-text.ts";
import { CALLBACK, checkSource, type OptionKinds, readOptions, someOf, TEXT } from "./file/arguments.ts";
import { type Hasher, nativeCrypto } from "./file/native.ts";
import { ToolFailure } from "../wire/tool-failure.ts";
import { partsOf, type ByteSource } from "./crypto/chunks.ts";
import { normalized } from "../wire/nfc.ts";

export { HASH_ALGORITHMS, type HashAlgorithm } from "./hash/checksum-text.ts";
export type { Hasher };

export interface HashFileOptions {
  /** SHA-256 when absent. */
  algorithms?: readonly HashAlgorithm[] | undefined;
  /** A checksum to compare with, in any common form, or a text with several of them. */
  expected?: string | undefined;
  /** The file's name: among several checksums in `expected`, one with this name decides alone. */
  filename?: string | undefined;
  /** Replaces the runtime's own hashers, or the one in WebAssembly where it has none, as in a page. */
  createHasher?: ((algorithm: HashAlgorithm) => Hasher | Promise<Hasher>) | undefined;
}

const OPTIONS: OptionKinds<HashFileOptions> = {
  algorithms: someOf(HASH_ALGORITHMS),
  expected: TEXT,
  filename: TEXT,
  createHasher: CALLBACK,
};

type HashRequest = HashFileOptions & { readonly algorithms: readonly HashAlgorithm[] };

/** Lower-case hex by algorithm; the last three are there only when `expected` was given, itself as lower-case hex. */
export interface FileHash {
  size: number;
  digests: Partial<Record<HashAlgorithm, string>>;
  expected?: string;
  matches?: boolean;
  matchedAlgorithm?: HashAlgorithm | null;
}

/** A checksum, and the algorithms that may have made it. */
type Candidate = { readonly hex: string; readonly algorithms: readonly HashAlgorithm[] };

/**
 * Hashes a file in one pass, with one chunk in memory. An algorithm that `expected` needs is computed and listed even
 * when it was not asked for. With several checksums, one match is enough.
 * @throws ToolFailure invalid_parameter when `expected` has none of its forms, before anything is read
 */
export async function hashFile(file: FileInput, given?: HashFileOptions): Promise<FileHash> {
  checkSource(file);
  const { algorithms = ["sha256"], ...others } = readOptions(given, OPTIONS);
  const options = { ...others, algorithms };
  const candidates = options.expected === undefined ? [] : listCandidates(options.expected, options);
  const asked = new Set([...options.algorithms, ...candidates.flatMap(({ algorithms }) => algorithms)]);
  const create = options.createHasher ?? createHasher;
  const hashers = new Map<HashAlgorithm, Hasher>();
  for (const algorithm of asked) hashers.set(algorithm, await create(algorithm));
  let size = 0;
  for await (const chunk of piecesOf(file)) {
    size += chunk.length;
    for (const hasher of hashers.values()) hasher.update(chunk);
  }
  const digests: FileHash["digests"] = {};
  for (const [algorithm, hasher] of hashers) digests[algorithm] = bytesToHex(hasher.digest());
  const comparison = compare(digests, candidates);
  return { size, digests: selectDigests(digests, candidates, { algorithms, ...comparison }), ...comparison };
}

/** The algorithms that were asked for and the one that matched; others of its length were only tried. */
function selectDigests(
  digests: FileHash["digests"],
  candidates: readonly Candidate[],
  {
    algorithms: wanted,
    matchedAlgorithm,
  }: Pick<HashRequest, "algorithms"> & Pick<FileHash, "matchedAlgorithm">,
): FileHash["digests"] {
  const asked = new Set<string>(wanted);
  const usual = candidates.flatMap(({ algorithms }) =>
    algorithms.some((one) => asked.has(one)) ? [] : algorithms.slice(0, 1),
  );
  const shown = new Set<string>([...asked, ...(matchedAlgorithm ? [matchedAlgorithm] : usual)]);
  return Object.fromEntries(Object.entries(digests).filter(([algorithm]) => shown.has(algorithm)));
}

function listCandidates(expected: string, { filename, algorithms }: HashRequest): Candidate[] {
  const checksums = readChecksums(expected);
  const own = filename && baseName(filename);
  const named = own ? checksums.filter(({ name }) => name && baseName(name) === own) : [];
  return (named.length > 0 ? named : checksums).map((one) => toCandidate(one, algorithms));
}

/** A digest without a name can be of any algorithm with its length; those that were asked for come first. */
function toCandidate({ hex, algorithm }: Checksum, asked: readonly HashAlgorithm[]): Candidate {
  if (algorithm) return { hex, algorithms: [algorithm] };
  const possible = algorithmsOfLength(hex, asked);
  return {
    hex,
    algorithms: possible.toSorted((a, b) => Number(asked.includes(b)) - Number(asked.includes(a))),
  };
}

function baseName(name: string): string {
  return normalized(name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1));
}

/** The runtime's own where it has one; others are loaded on first use, BLAKE3 everywhere. */
export async function createHasher(algorithm: HashAlgorithm): Promise<Hasher> {
  try {
    const own = nativeCrypto?.createHash(algorithm === "blake2b" ? "blake2b512" : algorithm);
    if (own) return own;
  } catch {
    // Not every runtime has all of them.
  }
  return (await import("./hash/hashers.ts")).createHasher(algorithm);
}

function compare(
  digests: FileHash["digests"],
  candidates: readonly Candidate[],
): Pick<FileHash, "expected" | "matches" | "matchedAlgorithm"> {
  const [first] = candidates;
  if (!first) return {};
  for (const { hex, algorithms } of candidates) {
    const matchedAlgorithm = algorithms.find((algorithm) => digests[algorithm] === hex);
    if (matchedAlgorithm) return { expected: hex, matches: true, matchedAlgorithm };
  }
  return { expected: first.hex, matches: false, matchedAlgorithm: null };
}

/**
 * The password that a key file stands for (docs/formats.md, 4): its SHA-256 in hexadecimal, after a password where
 * there is one too. So everything that takes a password takes key files.
 * @throws ToolFailure invalid_parameter for an empty file, which would protect nothing
 */
export async function keyFilePassword(
  keyFile: ByteSource,
  { password = "" }: { password?: string } = {},
): Promise<string> {
  const { size, digests } = await hashFile(partsOf(keyFile), { algorithms: ["sha256"] });
  if (size > 0 && digests.sha256) return password + digests.sha256;
  throw new ToolFailure("invalid_parameter", "The key file is empty", { parameter: "keyFile" });
}
