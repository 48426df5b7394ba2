import { systemRandom } from "./crypto/base62.ts";
import type { Bytes } from "../wire/bytes.ts";
import { concatBytes, freeBytes, utf8 } from "../wire/bytes.ts";
import type { ByteSource, Chunk } from "./crypto/chunks.ts";
import { collectBytes, cutChunks, mapInOrder } from "./crypto/chunks.ts";
import { ToolFailure } from "../wire/tool-failure.ts";
import { cleanFileName } from "./file-name.ts";
import type { Limiter } from "./crypto/key-derivation.ts";
import { pbkdf2Sha256, passwordBytes, PBKDF2_ITERATIONS } from "./crypto/key-derivation.ts";
import {
  CHUNK_BYTES,
  chunkNonce,
  CONTAINER_VERSION,
  damagedFile,
  HEAD_BYTES,
  HEADER_BYTES,
  MAX_NAME_BYTES,
  PREFIX_BYTES,
  readHeader,
  readMetadata,
  SALT_BYTES,
  TAG_BYTES,
  writeHeader,
  writeMetadata,
} from "./crypto/locked-file.ts";

const MAX_PASSWORD_BYTES = 1024;
/** Chunks in work at a time: with four, two cores are busy; more only hold more memory. */
const AT_ONCE = 4;

export interface LockOptions {
  readonly password: string | undefined;
  /** The name kept inside and given back on unlocking; none is the empty name. */
  readonly filename?: string | undefined;
  /** 16 bytes, never used twice; drawn at random when absent. */
  readonly salt?: Bytes;
  /** 7 bytes; drawn at random when absent. */
  readonly prefix?: Bytes;
  readonly limiter?: Limiter | undefined;
}

export interface Unlocked {
  readonly bytes: Bytes;
  readonly filename: string;
  readonly iterations: number;
  readonly containerVersion: number;
}

/**
 * Locks a file under a password (docs/formats.md, 3) and gives the container piece by piece, in the memory
 * of a few chunks whatever the size. A bad password or name is thrown at once, before the first piece.
 * @throws ToolFailure missing_parameter, invalid_parameter
 */
export function lockFile(source: ByteSource, options: LockOptions): AsyncGenerator<Bytes, void> {
  const password = checkPassword(options.password);
  const metadata = writeMetadata(storedName(options.filename ?? ""));
  const salt = options.salt ?? systemRandom(new Uint8Array(SALT_BYTES));
  const prefix = options.prefix ?? systemRandom(new Uint8Array(PREFIX_BYTES));
  return sealPieces(source, { password, metadata, salt, prefix, limiter: options.limiter });
}

/** The length of the container for a content of so many bytes. */
export function lockedSize(contentBytes: number): number {
  return HEAD_BYTES + contentBytes + TAG_BYTES * Math.max(1, Math.ceil(contentBytes / CHUNK_BYTES));
}

function openedSize(lockedBytes: number): number {
  const sealedBytes = lockedBytes - HEAD_BYTES;
  return Math.max(0, sealedBytes - TAG_BYTES * Math.ceil(sealedBytes / (CHUNK_BYTES + TAG_BYTES)));
}

/** The name a locked file is offered under: the whole name it had, and `.locked`. */
export function lockedFileName(filename: string | undefined): string {
  return cleanFileName(`${cleanFileName(filename ?? "")}.locked`);
}

/**
 * Opens a locked file. Gives nothing before the last chunk has verified, and derives no key for a file that
 * is none, since a header must never set the cost.
 * @throws ToolFailure missing_parameter, invalid_parameter, not_a_container, unsupported_feature,
 * password_wrong, damaged_file
 */
export async function unlockFile(source: ByteSource, options: UnlockOptions): Promise<Unlocked> {
  const password = checkPassword(options.password);
  const chunks = cutChunks(source, {
    firstBytes: HEAD_BYTES,
    sizeBytes: CHUNK_BYTES + TAG_BYTES,
    isOwned: !(source instanceof Uint8Array),
  });
  try {
    const head = await readHead(chunks);
    const { salt, prefix } = readHeader(head);
    const key = await deriveKey(password, { salt, limiter: options.limiter });
    const file = { key, header: head.slice(0, HEADER_BYTES), prefix };
    const name = await openName(head.subarray(HEADER_BYTES), file);
    const lockedBytes = source instanceof Uint8Array ? source.length : options.sizeBytes;
    const opened = mapInOrder(chunks, { atOnce: AT_ONCE, work: (chunk) => openChunk(chunk, file) });
    const bytes = await collectBytes(opened, lockedBytes === undefined ? undefined : openedSize(lockedBytes));
    const filename = cleanFileName(name, { fallback: "unlocked.bin" });
    return { bytes, filename, iterations: PBKDF2_ITERATIONS, containerVersion: CONTAINER_VERSION };
  } finally {
    await chunks.return();
  }
}

export interface UnlockOptions {
  readonly password: string | undefined;
  /** The length of the container in bytes, where it is known before its last piece: memory is taken only once then. */
  readonly sizeBytes?: number | undefined;
  readonly limiter?: Limiter | undefined;
}

/** What every chunk of one file is sealed with. */
interface FileCipher {
  readonly key: CryptoKey;
  readonly header: Bytes;
  readonly prefix: Bytes;
}

interface SealJob {
  readonly password: string;
  readonly metadata: Bytes;
  readonly salt: Bytes;
  readonly prefix: Bytes;
  readonly limiter: Limiter | undefined;
}

async function* sealPieces(source: ByteSource, job: SealJob): AsyncGenerator<Bytes, void> {
  const header = writeHeader(job);
  const file = { key: await deriveKey(job.password, job), header, prefix: job.prefix };
  yield concatBytes(
    header,
    await sealChunk({ index: 0, bytes: job.metadata, isLast: false, isCopy: false }, file),
  );
  yield* mapInOrder(cutChunks(source, { sizeBytes: CHUNK_BYTES }), {
    atOnce: AT_ONCE,
    work: (chunk) => sealChunk({ ...chunk, index: chunk.index + 1 }, file),
  });
}

/** Takes header and metadata chunk together; a file that ends with them has no content, not even an empty one. */
async function readHead(chunks: AsyncIterator<Chunk, void>): Promise<Bytes> {
  const { value: first } = await chunks.next();
  const head = first ? first.bytes : new Uint8Array(0);
  if (!first?.isLast) return head;
  readHeader(head);
  throw damagedFile("it ends before its content");
}

async function openName(sealed: Bytes, file: FileCipher): Promise<string> {
  const metadata = await decrypt({ index: 0, bytes: sealed, isLast: false, isCopy: false }, file);
  if (metadata) return readMetadata(metadata);
  throw new ToolFailure("password_wrong", "The password does not open this locked file", {
    passwordNeeded: true,
  });
}

async function openChunk(chunk: Chunk, file: FileCipher): Promise<Bytes> {
  const isStray = chunk.isLast && chunk.index > 1 && chunk.bytes.length === TAG_BYTES;
  const bytes = isStray ? undefined : await decrypt(chunk, file);
  if (chunk.isCopy) freeBytes(chunk.bytes);
  if (bytes) return bytes;
  throw damagedFile("the password is right, but a part of the content was changed, cut or added to");
}

async function sealChunk(chunk: Chunk, file: FileCipher): Promise<Bytes> {
  const sealed = new Uint8Array(await crypto.subtle.encrypt(gcmOf(chunk, file), file.key, chunk.bytes));
  if (chunk.isCopy) freeBytes(chunk.bytes);
  return sealed;
}

/** Gives undefined when the tag does not verify, which is all that Web Crypto tells. */
async function decrypt(chunk: Chunk, file: FileCipher): Promise<Bytes | undefined> {
  if (chunk.bytes.length < TAG_BYTES) return undefined;
  const opened = crypto.subtle.decrypt(gcmOf(chunk, file), file.key, chunk.bytes);
  return opened.then(
    (bytes) => new Uint8Array(bytes),
    () => undefined,
  );
}

function gcmOf(chunk: Chunk, { header, prefix }: FileCipher) {
  return { name: "AES-GCM", iv: chunkNonce(prefix, chunk), additionalData: header };
}

async function deriveKey(password: string, options: { salt: Bytes; limiter: Limiter | undefined }) {
  const bytes = await pbkdf2Sha256(password, options);
  return crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}

function checkPassword(password: string | undefined): string {
  const range = { parameter: "password", minimum: 1, maximum: MAX_PASSWORD_BYTES, unit: "bytes" };
  if (!password) {
    throw new ToolFailure(
      "missing_parameter",
      '"password" is missing: a file is locked and opened by one',
      range,
    );
  }
  if (!password.isWellFormed()) {
    throw new ToolFailure(
      "invalid_parameter",
      '"password" holds half of a surrogate pair and is no text',
      range,
    );
  }
  const length = passwordBytes(password).length;
  if (length <= MAX_PASSWORD_BYTES) return password;
  const message = `"password" has ${length} UTF-8 bytes; it may have 1 to ${MAX_PASSWORD_BYTES}`;
  throw new ToolFailure("invalid_parameter", message, range);
}

function storedName(filename: string): string {
  const length = utf8(filename.normalize("NFC")).length;
  if (length <= MAX_NAME_BYTES) return cleanFileName(filename, { fallback: "" });
  const message = `"filename" has ${length} UTF-8 bytes; it may have up to ${MAX_NAME_BYTES}`;
  const fields = { parameter: "filename", minimum: 0, maximum: MAX_NAME_BYTES, unit: "bytes" };
  throw new ToolFailure("invalid_parameter", message, fields);
}
