import type { Bytes } from "../../wire/bytes.ts";
import { concatBytes, utf8 } from "../../wire/bytes.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import type { Chunk } from "./chunks.ts";
import type { GcmOptions } from "./aes-gcm.ts";
import { passwordBytes, PBKDF2_ITERATIONS } from "./key-derivation.ts";

// The container of docs/formats.md, 4: all integers are big-endian. unlock-container.ts reads it.
export const CONTAINER_VERSION = 1;
export const HEADER_BYTES = 40;
export const SALT_BYTES = 16;
export const PREFIX_BYTES = 7;
export const TAG_BYTES = 16;
export const CHUNK_BYTES = 65_536;
export const MAX_NAME_BYTES = 255;
/** The length of header and metadata chunk together, followed by the content. */
export const HEAD_BYTES = HEADER_BYTES + 1 + MAX_NAME_BYTES + TAG_BYTES;

const MAX_PASSWORD_BYTES = 1024;
/** Chunks in work at a time: four keep two cores busy; more only take more memory. */
export const CHUNKS_AT_ONCE = 4;

/** Like PNG's: a transfer as text, or one that strips the eighth bit, damages it visibly. */
export const MAGIC = Uint8Array.of(0x89, 0x53, 0x54, 0x4c, 0x0d, 0x0a, 0x1a, 0x0a);
/** Version, key derivation, cipher, log2 of the chunk size, iterations: the only allowed values. */
export const PARAMETERS = Uint8Array.of(CONTAINER_VERSION, 1, 1, 16, ...bigEndian32(PBKDF2_ITERATIONS));
export const SALT_AT = MAGIC.length + PARAMETERS.length;
export const PREFIX_AT = SALT_AT + SALT_BYTES;

export interface FileNonces {
  readonly salt: Bytes;
  readonly prefix: Bytes;
}

/** Writes the 40 bytes that are not encrypted but authenticated with every chunk. */
export function writeHeader({ salt, prefix }: FileNonces): Bytes {
  return concatBytes(MAGIC, PARAMETERS, salt, prefix, Uint8Array.of(0));
}

/** The nonce of one chunk; the last one differs, so a cut file cannot pass as a complete one (STREAM construction). */
export function chunkNonce(prefix: Bytes, { index, isLast }: { index: number; isLast: boolean }): Bytes {
  return concatBytes(prefix, bigEndian32(index), Uint8Array.of(isLast ? 1 : 0));
}

/** Writes a name of at most 255 bytes so that its length is hidden: length, name, zeros. */
export function writeMetadata(filename: string): Bytes {
  const name = utf8(filename);
  const metadata = new Uint8Array(1 + MAX_NAME_BYTES);
  metadata[0] = name.length;
  metadata.set(name, 1);
  return metadata;
}

/** The keys for all chunks of one file. */
export interface FileCipher {
  /** 32 bytes. */
  readonly key: Bytes;
  readonly header: Bytes;
  readonly prefix: Bytes;
}

/** The parameters that encrypt and decrypt a chunk. */
export function gcmOfChunk(chunk: Chunk, { key, header, prefix }: FileCipher): GcmOptions {
  return { key, iv: chunkNonce(prefix, chunk), additionalData: header };
}

/** @throws ToolFailure missing_parameter, invalid_parameter */
export function checkPassword(password: string | undefined): string {
  const range = { parameter: "password", minimum: 1, maximum: MAX_PASSWORD_BYTES, unit: "bytes" };
  if (!password) {
    const message = '"password" is missing: a file is locked and opened by one';
    throw new ToolFailure("missing_parameter", message, range);
  }
  if (!password.isWellFormed()) {
    const message = '"password" holds half of a surrogate pair and is no text';
    throw new ToolFailure("invalid_parameter", message, range);
  }
  const length = passwordBytes(password).length;
  if (length <= MAX_PASSWORD_BYTES) return password;
  const message = `"password" has ${length} UTF-8 bytes; it may have 1 to ${MAX_PASSWORD_BYTES}`;
  throw new ToolFailure("invalid_parameter", message, range);
}

function bigEndian32(value: number): Bytes {
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
}
