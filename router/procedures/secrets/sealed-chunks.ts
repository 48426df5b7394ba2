import { readChunks, storeChunks, type Chunks } from "../../../db/secret-chunks.ts";
import { growFile } from "../../../db/secret-files.ts";
import { cutChunks, mapInOrder, type Chunk } from "../../../tools/crypto/chunks.ts";
import {
  makeFileSeal,
  openFileChunk,
  sealFileChunk,
  type FileSeal,
} from "../../../tools/crypto/file-seal.ts";
import { CHUNK_BYTES } from "../../../tools/crypto/locked-file.ts";
import { deriveAtRest, fileBinding, type AtRest } from "../../../tools/crypto/secret-seal.ts";
import { freeBytes, type Bytes } from "../../../wire/bytes.ts";
import type { CallerContext } from "../../context.ts";
import { ApiError } from "../../errors/errors.ts";
import { UPLOAD_SECONDS } from "../../limits.ts";
import { requesterOf } from "../../policy/count.ts";
import { claimStorage } from "../../policy/quotas.ts";
import { malformedText, storageFull } from "./create-secret.ts";

/** Chunks that are written in one statement, and such statements at one time: less than a megabyte. */
const CHUNKS_PER_WRITE = 6;
const WRITES_AT_ONCE = 2;
/** Where Web Crypto's threads seal, more of them at a time are faster. */
const SEALED_AT_ONCE = 4;

/** What a sender chooses, and may say only behind the file. */
export interface FileOptions {
  readonly filename?: string | undefined;
  readonly expires: number;
  readonly isEncrypted: boolean;
  readonly passphrase?: string | undefined;
  readonly label?: string | undefined;
}

/** A file on its way into the database. */
export interface Upload {
  readonly id: string;
  readonly key: string;
  readonly createdAt: number;
  readonly signal: AbortSignal | undefined;
  readonly ctx: CallerContext;
  /** Bytes of its rows so far. */
  readonly stored: { bytes: number };
}

/** What a file is sealed with, and what follows from the options for its secret. */
export interface UploadSeal extends Pick<AtRest, "verifier" | "passVerifier"> {
  readonly seal: FileSeal;
  readonly expiresAt: number;
}

/** Makes a seal that nothing else was sealed with. @throws ApiError invalid_text */
export async function makeUploadSeal(options: FileOptions, upload: Upload): Promise<UploadSeal> {
  const { id, key, createdAt, signal, ctx } = upload;
  const { isEncrypted, passphrase } = options;
  if (passphrase && !passphrase.isWellFormed()) throw malformedText("passphrase");
  const { verifier, passVerifier, fileKey } = await deriveAtRest(key, {
    id,
    passphrase: passphrase || undefined,
    limiter: (work) => ctx.services.lanes.passwords.run(requesterOf(ctx, signal), work),
  });
  const expiresAt = createdAt + options.expires;
  const additionalData = fileBinding({ id, isEncrypted, expirySeconds: expiresAt });
  return { verifier, passVerifier, seal: makeFileSeal(fileKey, { additionalData }), expiresAt };
}

interface Sealing {
  readonly upload: Upload;
  readonly seal: FileSeal;
}

/** Seals and stores all chunks while they arrive; the number of bytes that there were. */
export async function storeSealed(file: AsyncIterable<Bytes>, { upload, seal }: Sealing): Promise<number> {
  let [size, from] = [0, 1];
  const writes: Promise<void>[] = [];
  try {
    for await (const { chunks, bytes } of sealAll(file, seal)) {
      await claim(upload, chunks);
      if (writes.length === WRITES_AT_ONCE) await writes.shift();
      writes.push(write(upload, { from, chunks }));
      [size, from] = [size + bytes, from + chunks.length];
    }
    await Promise.all(writes);
    return size;
  } finally {
    // Whoever deletes it now has nothing coming behind.
    await Promise.allSettled(writes);
  }
}

/** Sealed chunks in as many as are written at once, and the bytes of the file in them. */
async function* sealAll(file: AsyncIterable<Bytes>, seal: FileSeal) {
  const all = mapInOrder(cutChunks(file, { sizeBytes: CHUNK_BYTES, isOwned: true }), {
    atOnce: SEALED_AT_ONCE,
    work: (chunk) => sealOwned(chunk, seal),
  });
  let [chunks, bytes]: [Bytes[], number] = [[], 0];
  for await (const { sealed, length } of all) {
    bytes += length;
    chunks.push(sealed);
    if (chunks.length < CHUNKS_PER_WRITE) continue;
    yield { chunks, bytes };
    [chunks, bytes] = [[], 0];
  }
  if (chunks.length > 0) yield { chunks, bytes };
}

async function sealOwned(chunk: Chunk, seal: FileSeal): Promise<{ sealed: Bytes; length: number }> {
  const { length } = chunk.bytes;
  const sealed = await sealFileChunk(chunk, seal);
  if (chunk.isCopy) freeBytes(chunk.bytes);
  return { sealed, length };
}

async function claim({ id, ctx, stored }: Upload, chunks: Bytes[]): Promise<void> {
  const { db, now, hasRoom } = ctx.services;
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
  if (!(await hasRoom(bytes, ctx.caller.tier))) throw storageFull();
  const step = await claimStorage(ctx, bytes, { before: stored.bytes });
  stored.bytes += bytes;
  if (!(await growFile(db, { id, bytes, sweepAt: now() + UPLOAD_SECONDS }, step))) throw tooSlow();
}

function write({ id, ctx }: Upload, { from, chunks }: Omit<Chunks, "id">): Promise<void> {
  const written = storeChunks(ctx.services.db, { id, from, chunks }).then(() => chunks.forEach(freeBytes));
  // A failure is thrown when its turn comes; unwatched until then, it would end the process.
  written.catch(() => undefined);
  return written;
}

/** Seals stored chunks anew, a few at a time. */
export async function resealChunks(upload: Upload, { from: old, to }: { from: FileSeal; to: FileSeal }) {
  const { id, ctx } = upload;
  const { db, now } = ctx.services;
  for (let next = await readSome(upload, 0), index = 0; next.length > 0;) {
    const sealed = next;
    next = await readSome(upload, index + sealed.length);
    const isEnd = next.length === 0;
    const reseal = async (bytes: Bytes, i: number) => {
      const place = { index: index + i, isLast: isEnd && i === sealed.length - 1 };
      const opened = await openFileChunk({ ...place, bytes }, old);
      freeBytes(bytes);
      const anew = await sealFileChunk({ ...place, bytes: opened }, to);
      freeBytes(opened);
      return anew;
    };
    const chunks = await Promise.all(sealed.map(reseal));
    if (!(await growFile(db, { id, bytes: 0, sweepAt: now() + UPLOAD_SECONDS }))) throw tooSlow();
    await storeChunks(db, { id, from: index + 1, chunks });
    chunks.forEach(freeBytes);
    index += sealed.length;
  }
}

function readSome({ id, ctx }: Upload, index: number): Promise<Bytes[]> {
  return readChunks(ctx.services.db, { id, from: index + 1, count: CHUNKS_PER_WRITE });
}

/** The sweep has come to what was stored. */
export function tooSlow(): ApiError {
  return new ApiError("overloaded", "The file was not stored in time; send it again", { retryAfter: 1 });
}
