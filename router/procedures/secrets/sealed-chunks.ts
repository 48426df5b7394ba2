import { readChunks, type Chunks } from "../../../db/secrets/secret-chunks.ts";
import type { Database } from "../../../db/open.ts";
import { replaceChunks, storeChunks } from "../../../db/secrets/secret-files.ts";
import { noteClaimedRoom } from "../../../db/uploads/claimed-room.ts";
import { cutChunks, mapInOrder } from "../../../tools/crypto/chunks.ts";
import {
  makeFileSeal,
  openFileChunk,
  sealFileChunk,
  type FileChunk,
  type FileSeal,
} from "../../../tools/crypto/file-seal.ts";
import { CHUNK_BYTES, TAG_BYTES } from "../../../tools/crypto/locked-file.ts";
import { deriveAtRest, fileBinding, type AtRestKeys } from "../../../tools/crypto/secret-seal.ts";
import { freeBytes, type Bytes } from "../../../wire/bytes.ts";
import type { CallerContext } from "../../context.ts";
import { ApiError } from "../../errors/errors.ts";
import { ARRIVING_SECONDS } from "../../limits.ts";
import { requesterOf, claimStorage, quotaWindows } from "../../policy/count.ts";
import { endStep } from "../../policy/running-call.ts";
import { malformedText, storageFull } from "./create-secret.ts";

// At most a megabyte of a file is in memory at a time: what is read, in the ciphers, waiting for the next statement,
// and being written.
const CHUNKS_PER_WRITE = 6;
const CHUNKS_PER_READ = 4;
/** Where Web Crypto's threads encrypt and decrypt, two chunks at a time are faster. */
export const CIPHERS_AT_ONCE = 2;

/** Options of the sender, which may come after the file. */
export interface FileOptions {
  readonly filename?: string | undefined;
  readonly expires: number;
  readonly isEncrypted: boolean;
  readonly passphrase?: string | undefined;
  readonly label?: string | undefined;
  /** Whether the owner's hooks are told of it. */
  readonly notify: boolean;
}

/** A file that is being uploaded into the database. */
export interface Upload {
  readonly id: string;
  readonly key: string;
  readonly signal: AbortSignal | undefined;
  readonly ctx: CallerContext;
  /** The bytes of its rows so far, those claimed before they came, and when its last row was stored. */
  readonly stored: { bytes: number; ahead: number; at: number };
  /** The name under which its claims are recorded. */
  readonly claim: string;
}

/** The keys of a file, and what follows from the options for its secret. */
export interface UploadSeal extends Pick<AtRestKeys, "verifier" | "passVerifier"> {
  readonly seal: FileSeal;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Makes new keys for a secret whose lifetime begins now. @throws ApiError invalid_text */
export async function makeUploadSeal(options: FileOptions, upload: Upload): Promise<UploadSeal> {
  const { id, key, signal, ctx } = upload;
  const { isEncrypted, passphrase } = options;
  if (passphrase && !passphrase.isWellFormed()) throw malformedText("passphrase");
  const { verifier, passVerifier, fileKey } = await deriveAtRest(key, {
    id,
    passphrase: passphrase || undefined,
    limiter: (work) => ctx.services.lanes.passwords.run(requesterOf(ctx, signal), work),
  });
  const createdAt = ctx.services.now();
  const expiresAt = createdAt + options.expires;
  const additionalData = fileBinding({ id, isEncrypted, expirySeconds: expiresAt });
  return { verifier, passVerifier, seal: makeFileSeal(fileKey, { additionalData }), createdAt, expiresAt };
}

/** Encrypts and stores all chunks while they arrive; returns the number of bytes. */
export async function storeSealed(
  file: AsyncIterable<Bytes>,
  upload: Upload,
  seal: FileSeal,
): Promise<number> {
  let size = 0;
  const sealed = mapInOrder(
    cutChunks(file, { sizeBytes: CHUNK_BYTES, isOwned: true }),
    CIPHERS_AT_ONCE,
    async (chunk) => {
      size += chunk.bytes.length;
      const bytes = await sealFileChunk(chunk, seal);
      if (chunk.isCopy) freeBytes(chunk.bytes);
      return bytes;
    },
  );
  await storeAll(inBatches(sealed, CHUNKS_PER_WRITE), (batch) => store(upload, batch));
  return size;
}

/** Encrypts the stored chunks of a file of `size` bytes again. */
export async function resealChunks(
  upload: Upload,
  { size, from, to }: { size: number; from: FileSeal; to: FileSeal },
): Promise<void> {
  const { id, ctx } = upload;
  const { db, now } = ctx.services;
  const sealed = mapInOrder(readSealed(db, { id, from: 0, size }), CIPHERS_AT_ONCE, async (chunk) => {
    const opened = await openOwned(chunk, from);
    const bytes = await sealFileChunk({ ...chunk, bytes: opened }, to);
    freeBytes(opened);
    return bytes;
  });
  await storeAll(inBatches(sealed, CHUNKS_PER_READ), async (batch) => {
    if (!(await replaceChunks(db, { id, ...batch, sweepAt: now() + ARRIVING_SECONDS }))) throw tooSlow();
  });
}

type Batch = Omit<Chunks, "id">;

/** Stores chunks while the next ones are encrypted. */
async function storeAll(batches: AsyncIterable<Bytes[]>, storeBatch: (batch: Batch) => Promise<void>) {
  let [stored, from] = [Promise.resolve(), 1];
  try {
    for await (const chunks of batches) {
      await stored;
      stored = storeBatch({ from, chunks }).then(() => {
        endStep();
        chunks.forEach(freeBytes);
      });
      // A failure is thrown when the next chunks are encrypted; without a handler until then, it would end the process.
      stored.catch(() => undefined);
      from += chunks.length;
    }
    await stored;
  } finally {
    // Nothing more is written after this, so the file can be deleted.
    await stored.catch(() => undefined);
  }
}

async function* inBatches(sealed: AsyncIterable<Bytes>, count: number): AsyncGenerator<Bytes[], void> {
  let chunks: Bytes[] = [];
  for await (const bytes of sealed) {
    chunks.push(bytes);
    if (chunks.length < count) continue;
    yield chunks;
    chunks = [];
  }
  if (chunks.length > 0) yield chunks;
}

/**
 * Claims what an address may store for a whole file of `size` bytes before it comes: of several that do not fit
 * together, the first ones do. An account claims where rows are stored, because its sum is over rows.
 * @throws ApiError storage_quota
 */
export async function claimAhead(upload: Upload, size: number): Promise<void> {
  const { ctx, stored } = upload;
  if (ctx.caller.tier === "member") return;
  const bytes = size + TAG_BYTES * countChunks(size);
  await claimStorage(ctx, bytes);
  stored.ahead = bytes;
  await noteClaim(upload);
}

/** An account's claim is the sum of its rows, which are deleted with the upload. */
async function noteClaim({ ctx, claim, stored }: Upload): Promise<void> {
  const { db, now } = ctx.services;
  if (ctx.caller.tier === "member") return;
  const windows = quotaWindows(ctx, stored.bytes + stored.ahead);
  await noteClaimedRoom(db, { claim, until: now() + ARRIVING_SECONDS, windows });
}

async function store(upload: Upload, batch: Batch): Promise<void> {
  const { id, ctx, stored } = upload;
  const { db, now, claimRoom } = ctx.services;
  const bytes = batch.chunks.reduce((sum, { length }) => sum + length, 0);
  if (!(await claimRoom(bytes, ctx.caller.tier))) throw storageFull();
  const ahead = Math.min(bytes, stored.ahead);
  const more = bytes - ahead;
  const claim = more > 0 ? await claimStorage(ctx, more, { before: stored.bytes + ahead }) : undefined;
  stored.ahead -= ahead;
  stored.bytes += bytes;
  stored.at = now();
  if (more > 0) await noteClaim(upload);
  if (!(await storeChunks(db, { id, ...batch, sweepAt: now() + ARRIVING_SECONDS }, claim))) throw tooSlow();
}

/** Decrypts a chunk and frees the encrypted bytes. */
export async function openOwned(chunk: FileChunk, seal: FileSeal): Promise<Bytes> {
  const opened = await openFileChunk(chunk, seal);
  freeBytes(chunk.bytes);
  return opened;
}

/** The chunks of a file of `size` bytes from index `from` on. */
export async function* readSealed(
  db: Database,
  { id, from, size, reader }: { id: string; from: number; size: number; reader?: number },
): AsyncGenerator<FileChunk, void> {
  const end = countChunks(size);
  for (let index = from; index < end;) {
    const chunks = await readChunks(db, { id, from: index + 1, count: CHUNKS_PER_READ, reader });
    endStep();
    if (chunks.length === 0) throw new Error("The rest of a file is gone while it is read");
    for (const bytes of chunks) yield { bytes, isLast: index === end - 1, index: index++ };
  }
}

function countChunks(size: number): number {
  return Math.max(1, Math.ceil(size / CHUNK_BYTES));
}

/** The sweep has deleted what was stored. */
export function tooSlow(): ApiError {
  return new ApiError("overloaded", "The file was not stored in time; send it again", { retryAfter: 1 });
}
