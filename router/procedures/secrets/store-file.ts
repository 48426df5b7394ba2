import { activateFile, beginFile, deleteFile } from "../../../db/secrets/secret-files.ts";
import { LEAST_SECRET_BYTES } from "../../../db/stored-bytes.ts";
import { forgetClaimedRoom, keepUpload } from "../../../db/uploads/claimed-room.ts";
import { randomBase62 } from "../../../tools/crypto/base62.ts";
import { FileDigest } from "../../../tools/hash/file-digest.ts";
import { sealedFileSize, sealFileMetadata } from "../../../tools/crypto/file-seal.ts";
import { digestText } from "../../../tools/crypto/key-derivation.ts";
import { cleanFileName } from "../../../tools/file/file-name.ts";
import { ByteStream, piecesOf, type FileSource } from "../../../wire/byte-pieces.ts";
import { concatBytes, type Bytes } from "../../../wire/bytes.ts";
import type { Caller, CallerContext } from "../../context.ts";
import { ApiError, fileTooLarge } from "../../errors/errors.ts";
import { toApiError } from "../../errors/to-api-error.ts";
import { REVOKE_TOKEN_LENGTH, SECRET_ID_LENGTH, SECRET_KEY_LENGTH } from "../../schemas.ts";
import { ARRIVING_SECONDS, FILE_SECRET_MEMORY, ARRIVING_SIGN_SECONDS, UPLOAD_SECONDS } from "../../limits.ts";
import { checkBrokenUploads, countBrokenUpload } from "../../policy/broken-uploads.ts";
import type { FirstCall, AnswerKeeper } from "../../policy/once.ts";
import { claimStorage, returnStorage } from "../../policy/count.ts";
import { toTime } from "../../clock.ts";
import {
  claimAhead,
  makeUploadSeal,
  resealChunks,
  storeSealed,
  tooSlow,
  type FileOptions,
  type Upload,
  type UploadSeal,
} from "./sealed-chunks.ts";

/** The type of a file that the server has encrypted; a type that somebody sent is never repeated. */
const TYPE = "application/octet-stream";

interface FileInput {
  readonly file: FileSource;
  readonly options: FileOptions;
  /** The options with the fields that came after the file. */
  readonly withLater: (fields: Readonly<Record<string, unknown>>) => FileOptions;
  readonly signal: AbortSignal | undefined;
  /** For a call with an idempotency key; the answer is stored with the file's digest. */
  readonly first?:
    | (Pick<FirstCall, "extend"> & {
        readonly keep: (answer: object, digest: string) => ReturnType<AnswerKeeper>;
      })
    | undefined;
}

/**
 * Encrypts a file chunk by chunk as it arrives, with a new key, and stores it. It becomes a secret only when it is
 * complete; an incomplete one is deleted, here or by the sweep.
 * @throws ApiError file_too_large, missing_body, rate_limited, storage_full, storage_quota
 */
export async function storeFile(input: FileInput, ctx: CallerContext) {
  const { file, signal, first } = input;
  const { db, now } = ctx.services;
  await checkBrokenUploads(ctx);
  if (!(file instanceof Uint8Array)) ctx.budget.claimBody(0);
  ctx.budget.claimMemory(FILE_SECRET_MEMORY);
  const names = { id: randomBase62(SECRET_ID_LENGTH), key: randomBase62(SECRET_KEY_LENGTH) };
  const claim = randomBase62(SECRET_ID_LENGTH);
  const upload: Upload = { ...names, claim, signal, ctx, stored: { bytes: 0, ahead: 0, at: now() } };
  const sealed = await makeUploadSeal(input.options, upload);
  await beginFile(db, { id: upload.id, owner: ownerOf(ctx.caller), sweepAt: now() + ARRIVING_SECONDS });
  const stopKeeping = keepAlive(upload, first?.extend);
  const digest = first && new FileDigest();
  const keep = first && digest && ((answer: object) => first.keep(answer, digest.text()));
  try {
    return await finish(await receive(input, { upload, sealed, digest }), upload, keep);
  } catch (error) {
    // If these fail too, the sweep deletes it and gives back its claims.
    await deleteFile(db, { id: upload.id }).catch(() => undefined);
    await returnClaims(upload, error).catch(() => undefined);
    throw error;
  } finally {
    stopKeeping();
  }
}

interface ReceivedFile {
  readonly size: number;
  readonly options: FileOptions;
  readonly sealed: UploadSeal;
}

async function receive(
  { file, options, withLater }: FileInput,
  { upload, sealed, digest }: { upload: Upload; sealed: UploadSeal; digest: FileDigest | undefined },
): Promise<ReceivedFile> {
  const { ctx } = upload;
  const most = mostOf(file, ctx, options);
  const declared = file instanceof Uint8Array || file instanceof ByteStream ? file.length : undefined;
  if (declared !== undefined && declared > most) throw tooLargeFor(ctx, declared);
  if (declared !== undefined) await claimAhead(upload, declared);
  const size = await storeSealed(limitedTo(file, { most, ctx, digest }), upload, sealed.seal);
  if (size === 0) {
    const error =
      "The file is empty; send it as the raw body, or as the first file part of multipart/form-data";
    throw new ApiError("missing_body", error, { parameter: "file", in: "body" });
  }
  const last = file instanceof FormFile ? withLater(file.laterFields) : options;
  if (size > largest(ctx, last.isEncrypted)) throw tooLargeFor(ctx, size);
  // A slow upload does not shorten the lifetime.
  const isLate = upload.ctx.services.now() - sealed.createdAt > last.expires / 2;
  const isSame = (["expires", "isEncrypted", "passphrase"] as const).every(
    (each) => options[each] === last[each],
  );
  if (!isLate && isSame) return { size, options: last, sealed };
  const again = await makeUploadSeal(last, upload);
  await resealChunks(upload, { size, from: sealed.seal, to: again.seal });
  return { size, options: last, sealed: again };
}

async function finish(
  { size, options, sealed }: ReceivedFile,
  upload: Upload,
  keep: AnswerKeeper | undefined,
) {
  const { id, key, signal, ctx } = upload;
  const { isEncrypted, filename, label, notify } = options;
  const { verifier, passVerifier, createdAt, expiresAt, seal } = sealed;
  const token = randomBase62(REVOKE_TOKEN_LENGTH);
  const name = cleanFileName(filename ?? "", { fallback: "secret.bin" });
  const head = concatBytes(seal.prefix, await sealFileMetadata({ name, type: TYPE, size }, seal));
  const before = upload.stored.bytes;
  const claim = await claimStorage(ctx, Math.max(head.length, LEAST_SECRET_BYTES - before), { before });
  upload.stored.bytes += head.length;
  const row = {
    id,
    verifier,
    passVerifier,
    revokeHash: digestText(token),
    sealed: head,
    createdAt,
    expiresAt,
  };
  const sizes = { fileSize: size, storedSize: upload.stored.bytes };
  const answer = {
    id,
    url: `${ctx.services.publicUrl}/s/${id}#${key}`,
    key,
    expiry: toTime(expiresAt),
    status: "active" as const,
    isEncrypted,
    hasPassphrase: passVerifier !== null,
    kind: "file" as const,
    size,
    revokeToken: token,
  };
  const keepAnswer = await keep?.(answer);
  // After the last byte: a caller who left before has stored nothing.
  signal?.throwIfAborted();
  const secret = { ...row, ...sizes, isEncrypted, owner: ownerOf(ctx.caller), label, isQuiet: !notify };
  if (!(await activateFile(ctx.services.db, secret, { claim, keep: keepAnswer }))) throw tooSlow();
  // If the record stays, the sweep gives its claim back, which does no harm.
  await settle(upload).catch(() => undefined);
  return answer;
}

/** Reads a file that is stored already, only to tell whether it is the same. @throws ApiError file_too_large */
export async function digestFile({ file, options }: FileInput, ctx: CallerContext): Promise<string> {
  if (!(file instanceof Uint8Array)) ctx.budget.claimBody(0);
  const digest = new FileDigest();
  for await (const _ of limitedTo(file, { most: mostOf(file, ctx, options), ctx, digest }));
  return digest.text();
}

function ownerOf(caller: Caller): string | null {
  return caller.tier === "member" ? caller.memberId : null;
}

async function* limitedTo(
  file: FileSource,
  { most, ctx, digest }: { most: number; ctx: CallerContext; digest?: FileDigest | undefined },
): AsyncGenerator<Bytes> {
  let size = 0;
  for await (const piece of piecesOf(file)) {
    size += piece.length;
    if (size > most) throw tooLargeFor(ctx);
    digest?.update(piece);
    yield piece;
  }
}

// Whether it is already encrypted may be said after it.
function mostOf(file: FileSource, ctx: CallerContext, options: FileOptions): number {
  return largest(ctx, options.isEncrypted || file instanceof FormFile);
}

/** A file that was encrypted before may be longer by its encryption. */
function largest({ caller, services }: CallerContext, isEncrypted: boolean): number {
  const { secretFileSize } = services.limits[caller.tier];
  return isEncrypted ? sealedFileSize(secretFileSize) : secretFileSize;
}

function tooLargeFor({ caller: { tier }, services: { limits } }: CallerContext, actual?: number): ApiError {
  return fileTooLarge(limits, { tier, actual, name: "secretFileSize" });
}

/**
 * Reports every few seconds that this process still receives the upload: if it dies, any instance deletes the rows soon
 * and gives back the claims. An upload that has stopped is not kept forever. Call the returned function at the end.
 */
function keepAlive({ id, claim, stored, ctx }: Upload, extend?: () => Promise<void>): () => void {
  const { db, now } = ctx.services;
  const tell = () => {
    if (now() - stored.at > UPLOAD_SECONDS) return;
    // Where the database cannot be reached, the upload itself fails at its next rows.
    void keepUpload(db, { id, claim, until: now() + ARRIVING_SECONDS }).catch(() => undefined);
    void extend?.().catch(() => undefined);
  };
  const timer = setInterval(tell, ARRIVING_SIGN_SECONDS * 1000);
  return () => clearInterval(timer);
}

/** The upload is a secret now, and its claims stay counted. */
async function settle({ claim, ctx }: Upload): Promise<void> {
  if (ctx.caller.tier === "anonymous") await forgetClaimedRoom(ctx.services.db, claim);
}

/** Gives back the claims. Bytes sent in vain count for the caller, if the caller caused that. */
async function returnClaims({ claim, ctx, stored, signal }: Upload, error: unknown): Promise<void> {
  const { bytes, ahead } = stored;
  ctx.services.returnRoom(bytes);
  if (ctx.caller.tier === "anonymous") await forgetClaimedRoom(ctx.services.db, claim);
  await returnStorage(ctx, bytes + ahead);
  const isCallersDoing = signal?.aborted || toApiError(error).status < 500;
  if (isCallersDoing) await countBrokenUpload(ctx, bytes);
}

/** A file in a form, after which more fields may come; they are known once its last byte was read. */
export class FormFile extends ByteStream {
  readonly laterFields: Readonly<Record<string, unknown>>;

  constructor(pieces: AsyncIterable<Bytes>, laterFields: Readonly<Record<string, unknown>>) {
    super(pieces);
    this.laterFields = laterFields;
  }
}
