import { systemRandom } from "./crypto/base62.ts";
import { type Bytes, concatBytes, freeBytes, utf8 } from "../wire/bytes.ts";
import { encryptGcm } from "./crypto/aes-gcm.ts";
import { cutChunks, mapInOrder, sourceOf, type ByteSource, type Chunk } from "./crypto/chunks.ts";
import {
  BYTES,
  CALLBACK,
  checkSource,
  checkValue,
  FLAG,
  type OptionKinds,
  readOptions,
  TEXT,
} from "./file/arguments.ts";
import type { FileInput } from "../wire/byte-pieces.ts";
import { ToolFailure } from "../wire/tool-failure.ts";
import { cleanFileName } from "./file/file-name.ts";
import { pbkdf2Sha256, type Limiter } from "./crypto/key-derivation.ts";
import {
  CHUNK_BYTES,
  HEAD_BYTES,
  MAX_NAME_BYTES,
  PREFIX_BYTES,
  SALT_BYTES,
  TAG_BYTES,
  writeHeader,
  writeMetadata,
  checkPassword,
  CHUNKS_AT_ONCE,
  gcmOfChunk,
  type FileCipher,
} from "./crypto/locked-file.ts";
import { normalized } from "../wire/nfc.ts";

export interface LockOptions {
  readonly password: string | undefined;
  /** The name stored inside and restored when unlocking; empty for none. */
  readonly filename?: string | undefined;
  /** 16 bytes, never used twice; drawn at random when absent. */
  readonly salt?: Bytes | undefined;
  /** 7 bytes; drawn at random when absent. */
  readonly prefix?: Bytes | undefined;
  /**
   * Whether nobody else uses the pieces of the source: then each is freed at once, instead of waiting for a garbage
   * collector.
   */
  readonly isOwned?: boolean | undefined;
  readonly limiter?: Limiter | undefined;
}

const OPTIONS: OptionKinds<LockOptions> = {
  password: TEXT,
  filename: TEXT,
  salt: BYTES,
  prefix: BYTES,
  isOwned: FLAG,
  limiter: CALLBACK,
};

/**
 * Locks a file with a password (docs/formats.md, 4) and yields the container piece by piece, in the memory of a few
 * chunks whatever the size. A bad password or name throws at once, before the first piece.
 * @throws ToolFailure missing_parameter, invalid_parameter
 */
export function lockFile(file: FileInput, given: LockOptions): AsyncGenerator<Bytes, void> {
  checkSource(file);
  const options = readOptions(given, OPTIONS);
  const source = sourceOf(file);
  const password = checkPassword(options.password);
  const metadata = writeMetadata(storedName(options.filename ?? ""));
  const salt = options.salt ?? systemRandom(new Uint8Array(SALT_BYTES));
  const prefix = options.prefix ?? systemRandom(new Uint8Array(PREFIX_BYTES));
  const { limiter, isOwned = false } = options;
  return sealPieces(source, { password, metadata, salt, prefix, limiter, isOwned });
}

/** The length of the container, in bytes, for a content of `contentBytes`. */
export function lockedSize(contentBytes: number): number {
  return HEAD_BYTES + contentBytes + TAG_BYTES * Math.max(1, Math.ceil(contentBytes / CHUNK_BYTES));
}

/** The name for a locked file: the whole original name, and `.locked`. @throws ToolFailure invalid_parameter */
export function lockedFileName(filename: string | undefined): string {
  checkValue(filename, "filename", TEXT);
  const name = cleanFileName(filename ?? "", { keepsDot: true });
  return cleanFileName(`${name}.locked`, { keepsDot: true });
}

async function* sealPieces(
  source: ByteSource,
  job: {
    password: string;
    metadata: Bytes;
    salt: Bytes;
    prefix: Bytes;
    limiter: Limiter | undefined;
    isOwned: boolean;
  },
): AsyncGenerator<Bytes, void> {
  const header = writeHeader(job);
  const file = { key: await pbkdf2Sha256(job.password, job), header, prefix: job.prefix };
  const metadata = { index: 0, bytes: job.metadata, isLast: false, isCopy: false };
  yield concatBytes(header, ...(await sealChunk(metadata, file)));
  const sealed = mapInOrder(
    cutChunks(source, { sizeBytes: CHUNK_BYTES, isOwned: job.isOwned }),
    CHUNKS_AT_ONCE,
    (chunk) => sealChunk({ ...chunk, index: chunk.index + 1 }, file),
  );
  for await (const parts of sealed) yield* parts;
}

/** New pieces, which need not be copied into one. */
async function sealChunk(chunk: Chunk, file: FileCipher): Promise<Bytes[]> {
  const parts = await encryptGcm(chunk.bytes, gcmOfChunk(chunk, file));
  if (chunk.isCopy) freeBytes(chunk.bytes);
  return parts.filter(({ length }) => length > 0);
}

function storedName(filename: string): string {
  const length = utf8(normalized(filename)).length;
  if (length <= MAX_NAME_BYTES) return cleanFileName(filename, { fallback: "", keepsDot: true });
  const message = `"filename" has ${length} UTF-8 bytes; it may have up to ${MAX_NAME_BYTES}`;
  const fields = { parameter: "filename", minimum: 0, maximum: MAX_NAME_BYTES, unit: "bytes" };
  throw new ToolFailure("invalid_parameter", message, fields);
}
