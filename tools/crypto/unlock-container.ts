import type { Bytes } from "../../wire/bytes.ts";
import { isSameData, freeBytes } from "../../wire/bytes.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { cleanFileName } from "../file/file-name.ts";
import { openGcm } from "./aes-gcm.ts";
import type { ByteSource, Chunk } from "./chunks.ts";
import { cutChunks, mapInOrder } from "./chunks.ts";
import { PBKDF2_ITERATIONS, pbkdf2Sha256, type Limiter } from "./key-derivation.ts";
import {
  CHUNK_BYTES,
  CONTAINER_VERSION,
  HEAD_BYTES,
  HEADER_BYTES,
  MAGIC,
  PARAMETERS,
  PREFIX_AT,
  SALT_AT,
  TAG_BYTES,
  type FileNonces,
  checkPassword,
  gcmOfChunk,
  CHUNKS_AT_ONCE,
  type FileCipher,
} from "./locked-file.ts";

/** The facts in a container, and its content piece by piece. */
export interface OpenedContainer {
  readonly filename: string;
  readonly iterations: number;
  readonly containerVersion: number;
  readonly pieces: AsyncGenerator<Bytes, void>;
}

/**
 * Opens a locked file. Derives no key for any other file, because a header must never set the cost. The source is freed
 * with `pieces`; each is genuine, but a file that was cut shows that only at its end.
 * @throws ToolFailure missing_parameter, invalid_parameter, not_a_container, unsupported_feature, password_wrong,
 * damaged_file
 */
export async function unlockContainer(
  source: ByteSource,
  options: {
    readonly password?: string | undefined;
    readonly limiter?: Limiter | undefined;
    /** Whether nobody else uses the pieces of a stream. */
    readonly isOwned?: boolean | undefined;
  },
): Promise<OpenedContainer> {
  const password = checkPassword(options.password);
  const chunks = cutChunks(source, {
    firstBytes: HEAD_BYTES,
    sizeBytes: CHUNK_BYTES + TAG_BYTES,
    isOwned: options.isOwned ?? !(source instanceof Uint8Array),
  });
  try {
    const head = await readHead(chunks);
    const { salt, prefix } = readHeader(head);
    const key = await pbkdf2Sha256(password, { salt, limiter: options.limiter });
    const file: FileCipher = { key, header: head.slice(0, HEADER_BYTES), prefix };
    const name = await openName(head.subarray(HEADER_BYTES), file);
    const filename = cleanFileName(name, { fallback: "unlocked.bin", keepsDot: true });
    const pieces = mapInOrder(chunks, CHUNKS_AT_ONCE, (chunk) => openChunk(chunk, file));
    return { pieces, filename, iterations: PBKDF2_ITERATIONS, containerVersion: CONTAINER_VERSION };
  } catch (error) {
    await chunks.return();
    throw error;
  }
}

/** The length of the content, in bytes, in a container of `lockedBytes`. */
export function openedSize(lockedBytes: number): number {
  const sealedBytes = lockedBytes - HEAD_BYTES;
  return Math.max(0, sealedBytes - TAG_BYTES * Math.ceil(sealedBytes / (CHUNK_BYTES + TAG_BYTES)));
}

/** Reads header and metadata chunk together; a file that ends with them has no content, not even an empty one. */
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

function decrypt(chunk: Chunk, file: FileCipher): Promise<Bytes | undefined> {
  return openGcm(chunk.bytes, gcmOfChunk(chunk, file));
}

/**
 * Reads the salt and prefix of a header. Every other field must have its only known value, so that no file can set the
 * cost of opening it.
 * @throws ToolFailure not_a_container without the magic, unsupported_feature, damaged_file when incomplete
 */
export function readHeader(head: Bytes): FileNonces {
  if (!isSameData(head.subarray(0, MAGIC.length), MAGIC)) {
    throw new ToolFailure("not_a_container", "The file is not a locked file: it does not begin as one");
  }
  const parameters = head.subarray(MAGIC.length, SALT_AT);
  const reserved = head[HEADER_BYTES - 1] ?? 0;
  if (!isSameData(parameters, PARAMETERS.subarray(0, parameters.length)) || reserved !== 0) {
    const message = `The locked file has parameters other than those of version ${CONTAINER_VERSION}, the only one known`;
    throw new ToolFailure("unsupported_feature", message, { supported: [CONTAINER_VERSION] });
  }
  if (head.length < HEAD_BYTES) throw damagedFile("it is cut within its first bytes");
  return { salt: head.slice(SALT_AT, PREFIX_AT), prefix: head.slice(PREFIX_AT, HEADER_BYTES - 1) };
}

/** Reads the name. @throws ToolFailure damaged_file when the padding is not zero or the name is not UTF-8 */
function readMetadata(metadata: Uint8Array): string {
  const [nameBytes = 0] = metadata;
  const end = 1 + nameBytes;
  if (metadata.subarray(end).some((byte) => byte !== 0))
    throw damagedFile("bytes follow the name that must be zero");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(metadata.subarray(1, end));
  } catch {
    throw damagedFile("its name is not UTF-8");
  }
}

/** The failure for a file that is not, or not completely, what was locked. */
function damagedFile(why: string): ToolFailure {
  return new ToolFailure("damaged_file", `The locked file is damaged: ${why}`);
}
