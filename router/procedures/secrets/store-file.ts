import { activateFile, beginFile, deleteFile, storeChunks } from "../../../db/secret-files.ts";
import { randomBase62 } from "../../../tools/crypto/base62.ts";
import { cutChunks } from "../../../tools/crypto/chunks.ts";
import { cleanFileName } from "../../../tools/file-name.ts";
import {
  makeFileSeal,
  sealedFileSize,
  sealFileChunk,
  sealFileMetadata,
  type FileSeal,
} from "../../../tools/crypto/file-seal.ts";
import { digestText } from "../../../tools/crypto/key-derivation.ts";
import { CHUNK_BYTES } from "../../../tools/crypto/locked-file.ts";
import { deriveAtRest, fileBinding } from "../../../tools/crypto/secret-seal.ts";
import { piecesOf, type FileSource } from "../../../wire/byte-stream.ts";
import { concatBytes, freeBytes, type Bytes } from "../../../wire/bytes.ts";
import type { Caller, CallerContext } from "../../context.ts";
import { ApiError, fileTooLarge } from "../../errors/errors.ts";
import { REVOKE_TOKEN_LENGTH, SECRET_ID_LENGTH, SECRET_KEY_LENGTH } from "../../ids.ts";
import { FILE_SECRET_MEMORY, LIMITS, UPLOAD_SECONDS } from "../../limits.ts";
import { requesterOf } from "../../policy/count.ts";
import { claimStorage } from "../../policy/quotas.ts";
import { toTime } from "../../sql-time.ts";
import { malformedText, storageFull } from "./create-secret.ts";

/** What is offered to whoever opens a file that the server has sealed; a type that somebody sent is never repeated. */
const TYPE = "application/octet-stream";
/** Chunks that are written in one statement: a quarter of a megabyte. */
const CHUNKS_PER_WRITE = 4;

interface FileInput {
  readonly file: FileSource;
  readonly filename?: string | undefined;
  readonly expires: number;
  readonly isEncrypted: boolean;
  readonly passphrase?: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Seals a file chunk by chunk as it arrives, under a new key, and stores it. It is no secret before all of it is
 * stored; what is cut off is deleted, here or by the sweep.
 * @throws ApiError file_too_large, missing_body, storage_full, storage_quota
 */
export async function storeFile(input: FileInput, ctx: CallerContext) {
  const { services, caller } = ctx;
  const { file, isEncrypted, passphrase, signal } = input;
  if (passphrase && !passphrase.isWellFormed()) throw malformedText("passphrase");
  if (!(file instanceof Uint8Array)) ctx.weighBody(0);
  ctx.reserveMemory(FILE_SECRET_MEMORY);
  const { db, now } = services;
  const [id, key, token] = [SECRET_ID_LENGTH, SECRET_KEY_LENGTH, REVOKE_TOKEN_LENGTH].map((length) =>
    randomBase62(length),
  ) as [string, string, string]; // as many as lengths
  const limiter = <T>(work: () => Promise<T>) => services.lanes.passwords.run(requesterOf(ctx, signal), work);
  const { verifier, passVerifier, fileKey } = await deriveAtRest(key, {
    id,
    passphrase: passphrase || undefined,
    limiter,
  });
  const createdAt = now();
  const expiresAt = createdAt + input.expires;
  const additionalData = fileBinding({ id, isEncrypted, expirySeconds: expiresAt });
  const seal = await makeFileSeal(fileKey, { additionalData });
  await beginFile(db, { id, sweepAt: now() + UPLOAD_SECONDS });
  try {
    const size = await storeAll(limitedTo(file, { caller, isEncrypted }), { id, seal, ctx });
    if (size === 0) throw emptyFile();
    const name = cleanFileName(input.filename ?? "", { fallback: "secret.bin" });
    const sealed = concatBytes(seal.prefix, await sealFileMetadata({ name, type: TYPE, size }, seal));
    const row = { id, verifier, passVerifier, revokeHash: digestText(token), sealed, createdAt, expiresAt };
    const owner = caller.tier === "member" ? caller.memberId : null;
    // What the seal adds here is at most what it adds end to end.
    const sizes = { fileSize: size, storedSize: sealedFileSize(size) };
    const claim = await claimStorage(ctx, sizes.storedSize);
    // After the last byte: who left before it has stored nothing.
    signal?.throwIfAborted();
    if (!(await activateFile(db, { ...row, ...sizes, isEncrypted, owner }, claim))) throw tooSlow();
    return {
      ...{ id, url: `${services.publicUrl}/s/${id}#${key}`, key, expiry: toTime(expiresAt) },
      ...{ status: "active" as const, isEncrypted, hasPassphrase: passVerifier !== null },
      ...{ kind: "file" as const, size, revokeToken: token },
    };
  } catch (error) {
    // Should this fail too, the sweep does it.
    await deleteFile(db, { id }).catch(() => undefined);
    throw error;
  }
}

interface Storing {
  readonly id: string;
  readonly seal: FileSeal;
  readonly ctx: CallerContext;
}

/** Seals and stores all chunks; the number of bytes that there were. */
async function storeAll(file: AsyncIterable<Bytes>, storing: Storing): Promise<number> {
  let [size, from] = [0, 1];
  let chunks: Bytes[] = [];
  for await (const chunk of cutChunks(file, { sizeBytes: CHUNK_BYTES })) {
    size += chunk.bytes.length;
    chunks.push(await sealFileChunk(chunk, storing.seal));
    if (chunk.isCopy) freeBytes(chunk.bytes);
    if (chunks.length < CHUNKS_PER_WRITE && !chunk.isLast) continue;
    await store(chunks, from, storing);
    chunks.forEach(freeBytes);
    [from, chunks] = [from + chunks.length, []];
  }
  return size;
}

async function store(
  chunks: Bytes[],
  from: number,
  { id, ctx: { services, caller } }: Storing,
): Promise<void> {
  const { db, now, hasRoom } = services;
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
  if (!(await hasRoom(bytes, caller.tier))) throw storageFull();
  const sweepAt = now() + UPLOAD_SECONDS;
  if (!(await storeChunks(db, { id, from, chunks, sweepAt }))) throw tooSlow();
}

async function* limitedTo(
  file: FileInput["file"],
  { caller, isEncrypted }: { caller: Caller; isEncrypted: boolean },
): AsyncGenerator<Bytes> {
  const most = largest(caller, isEncrypted);
  let size = 0;
  for await (const piece of piecesOf(file)) {
    size += piece.length;
    if (size > most) throw fileTooLarge(caller.tier);
    yield piece;
  }
}

/** A file that was sealed before it was sent may be longer by its seal. */
function largest({ tier }: Caller, isEncrypted: boolean): number {
  const { fileSize } = LIMITS[tier];
  return isEncrypted ? sealedFileSize(fileSize) : fileSize;
}

function emptyFile(): ApiError {
  const error =
    "The file is empty; send it as the raw body, or as the first file part of multipart/form-data";
  return new ApiError("missing_body", error, { parameter: "file", in: "body" });
}

function tooSlow(): ApiError {
  return new ApiError("overloaded", "The file was not stored in time; send it again", { retryAfter: 1 });
}
