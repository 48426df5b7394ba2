import { ToolFailure } from "../../wire/tool-failure.ts";
import type { Bytes } from "../../wire/bytes.ts";
import { escapeName, unescapeName } from "../../wire/escaped-name.ts";
import { encodingOfMark, linesOf, readGivenText } from "../../wire/given-text.ts";

/** The available digests. */
export const HASH_ALGORITHMS = [
  ...(["md5", "sha1", "sha224", "sha256", "sha384", "sha512"] as const),
  ...(["sha3-256", "sha3-384", "sha3-512", "blake2b", "blake3"] as const),
] as const;

export type HashAlgorithm = (typeof HASH_ALGORITHMS)[number];

const DIGEST_BYTES: Record<HashAlgorithm, number> = {
  md5: 16,
  sha1: 20,
  sha224: 28,
  sha256: 32,
  sha384: 48,
  sha512: 64,
  "sha3-256": 32,
  "sha3-384": 48,
  "sha3-512": 64,
  blake2b: 64,
  blake3: 32,
};

/** Always named in lists; trying them for each digest of their length would double the time. */
const ALWAYS_NAMED: readonly HashAlgorithm[] = ["sha3-256", "sha3-384", "sha3-512"];

/** One checksum in a text: lower-case hex, and the algorithm and file name if the text has them. */
export interface Checksum {
  readonly hex: string;
  readonly algorithm: HashAlgorithm | undefined;
  readonly name: string | undefined;
}

/** The content of a line: an algorithm as written, a digest in hex or base64, a file name. */
interface ChecksumLine {
  readonly algorithm?: string | undefined;
  readonly digest: string;
  readonly name?: string | undefined;
}

const ALGORITHM = String.raw`[a-z][a-z0-9]*(?:[-/][a-z0-9]+){0,2}`;
const HEX = "[0-9a-f]+";
const SPACED_HEX = "[0-9a-f]{2}(?::[0-9a-f]{2})+|[0-9a-f]{2,8}(?: [0-9a-f]{2,8})+";

// GNU and b3sum, with a backslash before a digest whose file name is escaped, or only the digest. After one space and
// the mode, which may be a space too, every further space belongs to the name.
const GNU_LINE = new RegExp(
  String.raw`^[ \t]*\\?(?<digest>${HEX})(?:(?:[ \t][ *^U?]|[ \t]+)(?<name>.*))?$`,
  "is",
);

/** The forms of a line with one checksum; the first match counts. */
const LINE_FORMS = [
  // Bytes separated, as certutil and fingerprints write them.
  lineForm(String.raw`^(?<digest>${SPACED_HEX})$`),
  GNU_LINE,
  // BSD, --tag, and OpenSSL's "SHA2-256(name)= ".
  lineForm(
    String.raw`^[ \t]*\\?(?<algorithm>${ALGORITHM})[ \t]*\((?<name>.*)\)[ \t]*=[ \t]*(?<digest>[\w+/=]+)$`,
  ),
  // PowerShell's Get-FileHash as a list.
  lineForm(String.raw`^Hash[ \t]*:[ \t]*(?<digest>${HEX})$`),
  // "sha256:hex", and OpenSSL's fingerprints.
  lineForm(
    String.raw`^(?<algorithm>${ALGORITHM})(?: Fingerprint)?[ \t]*[:=][ \t]*(?<digest>${HEX}|${SPACED_HEX})$`,
  ),
  // PowerShell's Get-FileHash.
  lineForm(String.raw`^(?<algorithm>${ALGORITHM})[ \t]+(?<digest>[0-9a-f]{32,})(?:[ \t]+(?<name>.*))?$`),
];

// A dot matches any character: names can contain U+2028 and carriage returns.
function lineForm(pattern: string): RegExp {
  return new RegExp(pattern, "is");
}

/** "sha256-base64", also with the pluses of base64 as blanks, as they arrive from a query that did not escape them. */
const INTEGRITY = new RegExp(
  String.raw`^(?<algorithm>[a-z]{1,16}\d{0,4}[a-z]{0,4})-(?<digest>[\w+/ -]+={0,2})(?:\?\S*)?$`,
  "i",
);
/** RFC 9530's `sha-256=:base64:`, and RFC 3230's `SHA-256=base64`. */
const DIGEST_FIELD = new RegExp(
  String.raw`^(?<algorithm>${ALGORITHM})=(?<colon>:?)(?<digest>[\w+/]+={0,2})\k<colon>$`,
  "i",
);
const FIELD_NAME = /^(?:(?:repr|content)-)?digest:[ \t]*/i;
const CERTUTIL_TITLE = new RegExp(
  String.raw`^(?<algorithm>${ALGORITHM}) hash of (?:file )?(?<name>.*):$`,
  "i",
);
const ARMOR = /^-----BEGIN PGP SIGNATURE-----[^]*?(?:^-----END|(?![^]))/m;

/**
 * Reads the checksums in a text: one in any form, several SRI values, a `Repr-Digest`, certutil's output, or a whole
 * `SHA256SUMS` file. In a text of many lines, others are skipped.
 * @throws ToolFailure invalid_parameter when there is none that can be computed here
 */
export function readChecksums(text: string): Checksum[] {
  const found = findChecksums(text);
  const checksums = found.flatMap((one) => toChecksum(one) ?? []);
  if (checksums.length > 0) return checksums;
  throw refuseChecksum(found[0]);
}

/**
 * Decodes a file with a list. A name that is not UTF-8 does not keep the others from being read. Where NUL ends the
 * lines, as `sha256sum --zero` has it, names are as they are, and become those of other lists here. Undefined for what
 * is no text.
 */
export function decodeChecksums(bytes: Bytes): string | undefined {
  if (encodingOfMark(bytes) !== "UTF-8") return readGivenText(bytes);
  const text = new TextDecoder().decode(bytes);
  const [first = "", ...others] = text.split("\0");
  if (others.length === 0) return text;
  // UTF-16 without a mark begins with a NUL, or has one after its first character.
  return first.length < 2 ? undefined : [first, ...others].map(escapeLine).join("\n");
}

function escapeLine(line: string): string {
  const escaped = escapeName(line);
  return escaped === line ? line : `\\${escaped}`;
}

/** How many lines contain no checksum, of those that are neither empty nor a comment with "#". */
export function countImproperLines(text: string): number {
  const lines = linesOf(text.replace(ARMOR, ""));
  return lines.filter((line) => line.trim() !== "" && !line.startsWith("#") && !isProper(line)).length;
}

function isProper(line: string): boolean {
  const found = matchLine(line) ?? match(CERTUTIL_TITLE, line.trimEnd());
  return found !== undefined && (found.digest === "" || toChecksum(found) !== undefined);
}

function findChecksums(text: string): ChecksumLine[] {
  const trimmed = text.trim();
  const [line = ""] = text.trimStart().split(/\r?\n/, 1);
  const single = trimmed.includes("\n") ? undefined : matchLine(line);
  if (single) return [single];
  const integrity = match(INTEGRITY, trimmed);
  if (integrity && toChecksum(integrity)) return [integrity];
  const values = trimmed.replace(FIELD_NAME, "").split(/[\s,]+/);
  const tokens = values.map((value) => match(INTEGRITY, value) ?? match(DIGEST_FIELD, value));
  if (tokens.every((token) => token !== undefined)) return tokens;
  return readLines(text.replace(ARMOR, ""));
}

function readLines(text: string): ChecksumLine[] {
  const found: ChecksumLine[] = [];
  let title: ChecksumLine | undefined;
  for (const line of linesOf(text)) {
    const one = matchLine(line);
    if (one) found.push({ ...title, ...one });
    title = match(CERTUTIL_TITLE, line.trimEnd());
  }
  return found;
}

/** A name of 4,096 characters, escaped, and a digest. */
const MOST_LINE = 10_000;

// Only in GNU's form is the name at the end and unchanged, with trailing spaces.
function matchLine(line: string): ChecksumLine | undefined {
  if (line.length > MOST_LINE) return undefined;
  const trimmed = line.trimEnd();
  for (const form of LINE_FORMS) {
    const found = match(form, form === GNU_LINE ? line : trimmed);
    if (found) return found;
  }
  return undefined;
}

function match(form: RegExp, text: string): ChecksumLine | undefined {
  const { algorithm, digest = "", name } = form.exec(text)?.groups ?? {};
  const plain = name && /^[ \t]*\\/.test(text) ? unescapeName(name) : name;
  if (name && plain === undefined) return undefined;
  const groups = { ...(algorithm && { algorithm }), ...(plain && { name: plain }) };
  return digest || groups.algorithm ? { ...groups, digest } : undefined;
}

/** The checksum, unless its algorithm is unavailable or its length wrong. */
function toChecksum({ algorithm, digest, name }: ChecksumLine): Checksum | undefined {
  const known = algorithm === undefined ? undefined : knownAlgorithm(algorithm);
  if (algorithm !== undefined && !known) return undefined;
  const hex = toHex(digest, known);
  const isFitting = known ? hex.length === DIGEST_BYTES[known] * 2 : algorithmsOfLength(hex).length > 0;
  return isFitting ? { hex, algorithm: known, name } : undefined;
}

/**
 * The algorithms that a digest without a name can be of, by its number of hexadecimal digits; those that are always
 * named only if they are `asked` for.
 */
export function algorithmsOfLength(hex: string, asked: readonly HashAlgorithm[] = []): HashAlgorithm[] {
  return HASH_ALGORITHMS.filter((algorithm) => {
    const isTried = !ALWAYS_NAMED.includes(algorithm) || asked.includes(algorithm);
    return isTried && hex.length === DIGEST_BYTES[algorithm] * 2;
  });
}

function knownAlgorithm(name: string): HashAlgorithm | undefined {
  const plain = name
    .toLowerCase()
    .replace(/^sha-?2?-(?=\d)/, "sha")
    .replace(/^blake2b-512$/, "blake2b");
  return HASH_ALGORITHMS.find((algorithm) => algorithm === plain);
}

function toHex(digest: string, algorithm: HashAlgorithm | undefined): string {
  const hex = digest.replace(/[: ]/g, "").toLowerCase();
  const isHex = /^[0-9a-f]*$/.test(hex) && (!algorithm || hex.length >= DIGEST_BYTES[algorithm] * 2);
  return isHex ? hex : (base64ToHex(digest) ?? hex);
}

function base64ToHex(base64: string): string | undefined {
  // Without padding, a group never has a single character.
  const standard = base64
    .replace(/[ -]/g, "+")
    .replaceAll("_", "/")
    .replace(/={1,2}$/, "");
  if (!/^[\w+/]+$/.test(standard) || standard.length % 4 === 1) return undefined;
  return bytesToHex(Uint8Array.from(atob(standard), (character) => character.charCodeAt(0)));
}

const HEX_BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Writes bytes as lower-case hex. */
export function bytesToHex(bytes: Uint8Array): string {
  let hex = "";
  for (const byte of bytes) hex += HEX_BYTES[byte];
  return hex;
}

function refuseChecksum(found: ChecksumLine | undefined): ToolFailure {
  const sizes = HASH_ALGORITHMS.map((name) => `${name} (${DIGEST_BYTES[name] * 2})`).join(", ");
  return new ToolFailure(
    "invalid_parameter",
    `Parameter "expected" ${faultOf(found)}; it takes hexadecimal digits of ${sizes}, sha256:hex, sha256-base64, ` +
      "SHA256 (name) = hex, a Repr-Digest, or a whole SHA256SUMS file",
    { parameter: "expected", allowed: HASH_ALGORITHMS },
  );
}

function faultOf(found: ChecksumLine | undefined): string {
  if (!found) return "is not a checksum";
  const { algorithm } = found;
  const known = algorithm && knownAlgorithm(algorithm);
  if (algorithm && !known) {
    // Only a name in the list is repeated: anything else could be content.
    const lacking = LACKING.exec(algorithm)?.[0].toLowerCase();
    return lacking ? `names ${lacking}, which is not available` : "is not a checksum";
  }
  const plain = found.digest.replace(/[: ]/g, "");
  const hex = /^[0-9a-f]+$/i.test(plain) ? plain : toHex(found.digest, known || undefined);
  return `has ${hex.length} hexadecimal digits${known ? ` for ${known}` : ""}`;
}

const LACKING =
  /^(?:sha-?(?:2-)?512\/\d{3}|sha3-224|shake\d{3}|blake2(?:s|b-\d{3}|s-\d{3})?|b2|md[24]|sm3|ripemd-?160|rmd160|whirlpool|tiger|crc32c?|adler32|unixc?k?sum|k12-\d+|xxh\w+)$/i;
