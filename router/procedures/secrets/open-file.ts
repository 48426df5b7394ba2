import { claimFile, resumeDelivery, type FileDelivery, keepDelivery } from "../../../db/deliveries/files.ts";
import { findSecret, type SecretRecord } from "../../../db/secrets/secrets.ts";
import { randomBase62 } from "../../../tools/crypto/base62.ts";
import { makeFileSeal, openFileMetadata, type FileSeal } from "../../../tools/crypto/file-seal.ts";
import { PREFIX_BYTES, CHUNK_BYTES } from "../../../tools/crypto/locked-file.ts";
import { fileBinding } from "../../../tools/crypto/secret-seal.ts";
import { ByteStream } from "../../../wire/byte-pieces.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import type { CallerContext, Services } from "../../context.ts";
import { ApiError } from "../../errors/errors.ts";
import { TICKET_LENGTH } from "../../schemas.ts";
import { FILE_SECRET_MEMORY } from "../../limits.ts";
import { secretNotFound, gone, unlessGone, wrongKind } from "./find-secret.ts";
import { unlockSecret, type RevealOptions } from "./reveal-secret.ts";
import { isClaimedWith, ticketOf, unlockClaimed, sweepTime } from "./ticket.ts";
import type { Database } from "../../../db/open.ts";
import { mapInOrder } from "../../../tools/crypto/chunks.ts";
import { CIPHERS_AT_ONCE, openOwned, readSealed } from "./sealed-chunks.ts";

interface OpenOptions extends RevealOptions {
  /** Made by the caller, or from an interrupted answer. */
  readonly ticket?: string | undefined;
  /** The first byte to send. */
  readonly offset: number;
}

/**
 * Claims a file before its first byte is sent, or continues a delivery for the holder of its ticket. The rows stay
 * until the holder confirms, or for ten minutes after the last byte was taken.
 * @throws ApiError
 */
export async function openFileSecret(secret: SecretRecord, options: OpenOptions, ctx: CallerContext) {
  const { id, fileSize: size, isEncrypted, expiresAt } = secret;
  const { services, ticket = randomBase62(TICKET_LENGTH) } = options;
  if (size === null) throw wrongKind(secret, "text", services);
  const mayOpen = secret.status === "active" || isClaimedWith(secret, options.ticket);
  if (!mayOpen) throw gone(secret);
  const offset = options.ticket === undefined ? 0 : options.offset;
  checkRange(offset, size, ctx);
  ctx.budget.claimPlace();
  ctx.budget.claimMemory(FILE_SECRET_MEMORY);
  const { fileKey, head, reader, claimedAt } = await open(secret, { ...options, ticket });
  const additionalData = fileBinding({ id, isEncrypted, expirySeconds: expiresAt });
  const seal = makeFileSeal(fileKey, { additionalData, prefix: head.slice(0, PREFIX_BYTES) });
  const { name, type } = await openFileMetadata(head.slice(PREFIX_BYTES), seal);
  const signal = replaceReader(services.db, { id, reader, caller: options.requester.signal });
  const pieces = deliverFile({ id, seal, size, offset, reader, claimedAt, signal, services });
  const data = new ByteStream(pieces, size - offset, signal);
  return { id, name, type, size, isEncrypted, offset, ticket, data };
}

interface OpenFile extends FileDelivery {
  readonly fileKey: Bytes;
  readonly claimedAt: number;
}

type TicketOptions = OpenOptions & { ticket: string };

async function open(secret: SecretRecord, options: TicketOptions): Promise<OpenFile> {
  if (secret.status !== "active") return resume(secret, options);
  const claimed = await unlessGone(() => claim(secret, options));
  if (claimed) return claimed;
  const { db, now } = options.services;
  const current = await findSecret(db, secret.id, now());
  if (!current) throw secretNotFound();
  // The call may have been sent twice, and the other one has claimed it.
  return resume(current, options);
}

async function claim(secret: SecretRecord, options: TicketOptions): Promise<OpenFile | undefined> {
  const { services, ticket, requester } = options;
  const { signal } = requester;
  const { id, verifier } = secret;
  const { passVerifier, fileKey } = await unlockSecret(secret, options);
  signal?.throwIfAborted();
  const now = services.now();
  const ticketRow = ticketOf({ id, ticket, claimedAt: now, now });
  const claimed = { id, verifier, passVerifier, now, ticket: ticketRow, signal };
  const delivery = await claimFile(services.db, claimed);
  return delivery && { fileKey, ...delivery, claimedAt: now };
}

async function resume(secret: SecretRecord, options: TicketOptions): Promise<OpenFile> {
  const { services, ticket } = options;
  const { id, closedAt: claimedAt } = secret;
  if (claimedAt === null || !isClaimedWith(secret, ticket)) throw gone(secret);
  const { fileKey } = await unlockClaimed(secret, options);
  const now = services.now();
  const ticketRow = ticketOf({ id, ticket, claimedAt, now });
  const delivery = await resumeDelivery(services.db, { id, ticket: ticketRow, now });
  if (!delivery) throw gone(secret);
  return { fileKey, ...delivery, claimedAt };
}

// RFC 9110, 15.5.17. A caller who has the whole file and asks for the rest is told its length.
function checkRange(offset: number, size: number, ctx: CallerContext): void {
  if (offset === 0 || offset < size) return;
  ctx.responseHeaders.set("content-range", `bytes */${size}`);
  const error = `The range must begin within the ${size} bytes of the file`;
  throw new ApiError("range_not_satisfiable", error, { parameter: "offset", length: size });
}

interface Reader {
  /** The later of two has the larger number. */
  readonly number: number;
  readonly replaced: AbortController;
}

const readers = new WeakMap<Database, Map<string, Reader>>();

/**
 * Ends an earlier reader of this file in this process, and aborts when a later one comes. In another process the
 * earlier reader stops by itself: the row then has a later number, so it finds no more chunks.
 */
function replaceReader(
  db: Database,
  { id, reader, caller }: { id: string; reader: number; caller: AbortSignal | undefined },
): AbortSignal {
  const known = readers.get(db) ?? new Map<string, Reader>();
  readers.set(db, known);
  const replaced = new AbortController();
  const { signal } = replaced;
  const other = known.get(id);
  // The earlier of two readers can come here last, because its key derivation took longer.
  if (other && other.number > reader) {
    replaced.abort();
    return signal;
  }
  other?.replaced.abort();
  known.set(id, { number: reader, replaced });
  // A caller who leaves before the first byte is taken never starts the delivery, whose end would forget the reader.
  caller?.addEventListener("abort", () => forgetReader(db, id, signal), { once: true });
  return signal;
}

function forgetReader(db: Database, id: string, signal: AbortSignal): void {
  const known = readers.get(db);
  if (known?.get(id)?.replaced.signal === signal) known.delete(id);
}

interface Delivery {
  readonly id: string;
  readonly seal: FileSeal;
  readonly size: number;
  /** The first byte to send. */
  readonly offset: number;
  readonly reader: number;
  readonly claimedAt: number;
  readonly signal: AbortSignal;
  readonly services: Pick<Services, "db" | "now">;
}

/** The bytes of a file for one reader; each chunk that is taken keeps its rows for another ten minutes. */
async function* deliverFile(delivery: Delivery): AsyncGenerator<Bytes, void> {
  const { id, seal, size, offset, reader, signal, services } = delivery;
  const { db } = services;
  const chunks = readSealed(db, { id, from: Math.floor(offset / CHUNK_BYTES), size, reader });
  const pieces = mapInOrder(chunks, CIPHERS_AT_ONCE, (chunk) => openOwned(chunk, seal));
  let skip = offset % CHUNK_BYTES;
  let keptAt = services.now();
  const keep = async () => {
    const now = services.now();
    if (now === keptAt) return;
    keptAt = now;
    await keepDelivery(db, { id, reader, sweepAt: sweepTime({ ...delivery, now }) });
  };
  try {
    for await (const opened of pieces) {
      yield opened.subarray(skip);
      skip = 0;
      await keep();
    }
  } finally {
    forgetReader(db, id, signal);
  }
}
