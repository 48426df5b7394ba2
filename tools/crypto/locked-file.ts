import type { Bytes } from "../../wire/bytes.ts";
import { concatBytes, equalBytes, utf8 } from "../../wire/bytes.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { PBKDF2_ITERATIONS } from "./key-derivation.ts";

// The container of docs/formats.md, 3: all integers are big-endian.
export const CONTAINER_VERSION = 1;
export const HEADER_BYTES = 40;
export const SALT_BYTES = 16;
export const PREFIX_BYTES = 7;
export const TAG_BYTES = 16;
export const CHUNK_BYTES = 65_536;
export const MAX_NAME_BYTES = 255;
/** Length of the header and the metadata chunk together: after it comes the content. */
export const HEAD_BYTES = HEADER_BYTES + 1 + MAX_NAME_BYTES + TAG_BYTES;

/** Like PNG's: a transfer as text, or one that strips the eighth bit, damages it visibly. */
const MAGIC = Uint8Array.of(0x89, 0x53, 0x54, 0x4c, 0x0d, 0x0a, 0x1a, 0x0a);
/** Version, key derivation, cipher, log2 of the chunk size, iterations: the only values there are. */
const PARAMETERS = Uint8Array.of(CONTAINER_VERSION, 1, 1, 16, ...bigEndian32(PBKDF2_ITERATIONS));
const SALT_AT = MAGIC.length + PARAMETERS.length;
const PREFIX_AT = SALT_AT + SALT_BYTES;

export interface FileNonces {
  readonly salt: Bytes;
  readonly prefix: Bytes;
}

/** Writes the 40 bytes that are not encrypted but authenticated with every chunk. */
export function writeHeader({ salt, prefix }: FileNonces): Bytes {
  return concatBytes(MAGIC, PARAMETERS, salt, prefix, Uint8Array.of(0));
}

/**
 * Reads the salt and prefix of a header. Every other field must have its one known value, so that no file
 * can set what opening it costs.
 * @throws ToolFailure not_a_container without the magic, unsupported_feature, damaged_file when cut
 */
export function readHeader(head: Bytes): FileNonces {
  if (!equalBytes(head.subarray(0, MAGIC.length), MAGIC)) {
    throw new ToolFailure("not_a_container", "The file is not a locked file: it does not begin as one");
  }
  const parameters = head.subarray(MAGIC.length, SALT_AT);
  const reserved = head[HEADER_BYTES - 1] ?? 0;
  if (!equalBytes(parameters, PARAMETERS.subarray(0, parameters.length)) || reserved !== 0) {
    const message = `The locked file has parameters other than those of version ${CONTAINER_VERSION}, the only one known`;
    throw new ToolFailure("unsupported_feature", message, { supported: [CONTAINER_VERSION] });
  }
  if (head.length < HEAD_BYTES) throw damagedFile("it is cut within its first bytes");
  return { salt: head.subarray(SALT_AT, PREFIX_AT), prefix: head.subarray(PREFIX_AT, HEADER_BYTES - 1) };
}

/** The nonce of one chunk; the last one differs, so a cut file cannot pass as a whole one (STREAM construction). */
export function chunkNonce(prefix: Bytes, { index, isLast }: { index: number; isLast: boolean }): Bytes {
  return concatBytes(prefix, bigEndian32(index), Uint8Array.of(isLast ? 1 : 0));
}

/** Writes a name of at most 255 bytes so that its length does not show: length, name, zeros. */
export function writeMetadata(filename: string): Bytes {
  const name = utf8(filename);
  const metadata = new Uint8Array(1 + MAX_NAME_BYTES);
  metadata[0] = name.length;
  metadata.set(name, 1);
  return metadata;
}

/**
 * Reads the name back.
 * @throws ToolFailure damaged_file when the padding is not zero or the name is not UTF-8
 */
export function readMetadata(metadata: Uint8Array): string {
  const end = 1 + metadata[0]!;
  if (metadata.subarray(end).some((byte) => byte !== 0))
    throw damagedFile("bytes follow the name that must be zero");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(metadata.subarray(1, end));
  } catch {
    throw damagedFile("its name is not UTF-8");
  }
}

/** The failure for a file that is not, or not completely, what was locked. */
export function damagedFile(why: string): ToolFailure {
  return new ToolFailure("damaged_file", `The locked file is damaged: ${why}`);
}

function bigEndian32(value: number): Bytes {
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
}
