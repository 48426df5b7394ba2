import { type Bytes, concatBytes, utf8 } from "../../wire/bytes.ts";
import { createByteReader, type ByteReader, piecesOf } from "../../wire/byte-pieces.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { openGcm, sealGcm, type GcmOptions } from "./aes-gcm.ts";
import { systemRandom } from "./base62.ts";
import { type ByteSource, type Chunk as CutChunk, cutChunks, mapInOrder } from "./chunks.ts";
import { CHUNK_BYTES, chunkNonce, PREFIX_BYTES, TAG_BYTES } from "./locked-file.ts";

/** "s2" and the version. */
const MAGIC = Uint8Array.of(0x73, 0x32, 0x01);
const HEADER_BYTES = MAGIC.length + PREFIX_BYTES;
const END_TO_END = "service-e2e/v1 file";
const METADATA_STEP = 256;
const MAX_METADATA_BYTES = 2048;
const AT_ONCE = 4;

/** A chunk by its index in the file. */
export type FileChunk = Pick<CutChunk, "index" | "bytes" | "isLast">;

/** The name and size of a file, encrypted with its content. */
interface FileMetadata {
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

/** The keys for the chunks of one file (docs/formats.md, 6); no prefix may be used twice with one key. */
export interface FileSeal {
  /** 32 bytes. */
  readonly key: Bytes;
  readonly prefix: Bytes;
  readonly additionalData: Bytes;
}

/** Makes the keys of a file; draws a new prefix where none is given. */
export function makeFileSeal(
  key: Bytes,
  options: { additionalData: Bytes; prefix?: Bytes | undefined },
): FileSeal {
  const { additionalData, prefix = systemRandom(new Uint8Array(PREFIX_BYTES)) } = options;
  return { key, prefix, additionalData };
}

/** Encrypts chunk `index` of the content, from 0 on; exactly one is the last. */
export function sealFileChunk(chunk: FileChunk, seal: FileSeal): Promise<Bytes> {
  return sealGcm(chunk.bytes, gcmOf({ ...chunk, index: chunk.index + 1 }, seal));
}

/** Decrypts chunk `index` of the content, from 0 on. @throws ToolFailure damaged_file */
export async function openFileChunk(chunk: FileChunk, seal: FileSeal): Promise<Bytes> {
  const isStray = chunk.isLast && chunk.index > 0 && chunk.bytes.length === TAG_BYTES;
  const opened = isStray ? undefined : await decrypt({ ...chunk, index: chunk.index + 1 }, seal);
  if (!opened) throw damaged("a part of it was changed, cut or added to");
  return opened;
}

/** Encrypts name, type and size. @throws ToolFailure invalid_parameter when they take over 2,048 bytes */
export function sealFileMetadata({ name, type, size }: FileMetadata, seal: FileSeal): Promise<Bytes> {
  const json = utf8(JSON.stringify({ name, type, size }));
  const length = Math.ceil((2 + json.length) / METADATA_STEP) * METADATA_STEP;
  if (length > MAX_METADATA_BYTES) {
    const message = '"filename" is too long to be sealed with the file';
    throw new ToolFailure("invalid_parameter", message, { parameter: "filename" });
  }
  const bytes = new Uint8Array(length);
  new DataView(bytes.buffer).setUint16(0, json.length);
  bytes.set(json, 2);
  return sealGcm(bytes, gcmOf({ index: 0, bytes, isLast: false }, seal));
}

/** Decrypts what sealFileMetadata returned. @throws ToolFailure password_wrong, damaged_file */
export async function openFileMetadata(sealed: Bytes, seal: FileSeal): Promise<FileMetadata> {
  const bytes = await decrypt({ index: 0, bytes: sealed, isLast: false }, seal);
  if (bytes) return readMetadata(bytes);
  const message =
    "The file does not open: the link or the passphrase is not the right one, or the file was changed";
  throw new ToolFailure("password_wrong", message);
}

/** The most bytes of a file once it is encrypted end to end. */
export function sealedFileSize(contentBytes: number): number {
  const chunks = Math.max(1, Math.ceil(contentBytes / CHUNK_BYTES));
  return HEADER_BYTES + MAX_METADATA_BYTES + TAG_BYTES + contentBytes + TAG_BYTES * chunks;
}

/**
 * Encrypts a file end to end and yields the upload piece by piece, in the memory of a few chunks. `fileKey` is that of
 * deriveEndToEnd; `prefix` has 7 bytes, is never used twice, and is drawn at random when absent.
 */
export async function* sealFile(
  source: ByteSource,
  options: { fileKey: Bytes; metadata: FileMetadata; prefix?: Bytes | undefined },
): AsyncGenerator<Bytes, void> {
  const seal = endToEnd(options.fileKey, options.prefix);
  yield concatBytes(MAGIC, seal.prefix, await sealFileMetadata(options.metadata, seal));
  yield* mapInOrder(cutChunks(source, { sizeBytes: CHUNK_BYTES }), AT_ONCE, (chunk) =>
    sealFileChunk(chunk, seal),
  );
}

/**
 * Decrypts what sealFile made. Each piece is verified; the last one arrives only when the file is complete.
 * @throws ToolFailure not_a_container, password_wrong; damaged_file, also while the pieces are read
 */
export async function openFile(
  source: ByteSource,
  fileKey: Bytes,
): Promise<{ metadata: FileMetadata; pieces: AsyncGenerator<Bytes, void> }> {
  const reader = createByteReader(piecesOf(source));
  const header = await reader.take(HEADER_BYTES);
  if (!MAGIC.every((byte, i) => header[i] === byte) || header.length < HEADER_BYTES) {
    throw new ToolFailure("not_a_container", "The file was not sealed here: it does not begin as one");
  }
  const seal = endToEnd(fileKey, header.slice(MAGIC.length));
  const metadata = await findMetadata(reader, seal);
  return { metadata, pieces: openPieces(reader.rest(), seal, metadata.size) };
}

async function* openPieces(
  source: AsyncIterable<Bytes>,
  seal: FileSeal,
  size: number,
): AsyncGenerator<Bytes, void> {
  let length = 0;
  const chunks = cutChunks(source, { sizeBytes: CHUNK_BYTES + TAG_BYTES });
  const opened = mapInOrder(chunks, AT_ONCE, (chunk) => openFileChunk(chunk, seal));
  for await (const bytes of opened) {
    length += bytes.length;
    if (length > size) throw damaged("it is longer than it says");
    yield bytes;
  }
  if (length !== size) throw damaged("it is shorter than it says");
}

// Only the tag tells how long the metadata is: few lengths are possible.
async function findMetadata(reader: ByteReader, seal: FileSeal): Promise<FileMetadata> {
  for (let length = METADATA_STEP; length < MAX_METADATA_BYTES; length += METADATA_STEP) {
    const sealed = await reader.peek(length + TAG_BYTES);
    if (sealed.length < length + TAG_BYTES) break;
    const bytes = await decrypt({ index: 0, bytes: sealed, isLast: false }, seal);
    if (!bytes) continue;
    await reader.take(sealed.length);
    return readMetadata(bytes);
  }
  const sealed = await reader.take(MAX_METADATA_BYTES + TAG_BYTES);
  return openFileMetadata(sealed, seal);
}

function readMetadata(bytes: Bytes): FileMetadata {
  const end = 2 + new DataView(bytes.buffer, bytes.byteOffset).getUint16(0);
  const isPadded = end <= bytes.length && bytes.subarray(end).every((byte) => byte === 0);
  const value = isPadded ? parse(bytes.subarray(2, end)) : undefined;
  if (typeof value === "object" && value !== null && "name" in value && "type" in value && "size" in value) {
    const { name, type, size } = value;
    if (typeof name === "string" && typeof type === "string" && Number.isSafeInteger(size))
      return { name, type, size: Number(size) };
  }
  throw damaged("its name, type and size cannot be read");
}

function parse(bytes: Bytes): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function endToEnd(fileKey: Bytes, prefix: Bytes | undefined): FileSeal {
  return makeFileSeal(fileKey, { additionalData: utf8(END_TO_END), prefix });
}

function decrypt(chunk: FileChunk, seal: FileSeal): Promise<Bytes | undefined> {
  return openGcm(chunk.bytes, gcmOf(chunk, seal));
}

function gcmOf(chunk: FileChunk, { key, prefix, additionalData }: FileSeal): GcmOptions {
  return { key, iv: chunkNonce(prefix, chunk), additionalData };
}

function damaged(why: string): ToolFailure {
  return new ToolFailure("damaged_file", `The sealed file is damaged: ${why}`);
}
