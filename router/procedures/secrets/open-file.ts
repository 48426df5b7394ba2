import { claimFile, deleteGivenUp, findDelivery, giveUpFile } from "../../../db/secret-files.ts";
import { findSecret, type SecretRecord } from "../../../db/secrets.ts";
import { randomBase62 } from "../../../tools/crypto/base62.ts";
import { mapInOrder } from "../../../tools/crypto/chunks.ts";
import { makeFileSeal, openFileMetadata, type FileSeal } from "../../../tools/crypto/file-seal.ts";
import { digestText } from "../../../tools/crypto/key-derivation.ts";
import { CHUNK_BYTES, PREFIX_BYTES } from "../../../tools/crypto/locked-file.ts";
import { deriveAtRest, fileBinding, type AtRest } from "../../../tools/crypto/secret-seal.ts";
import { ByteStream } from "../../../wire/byte-stream.ts";
import { equalBytes, type Bytes } from "../../../wire/bytes.ts";
import type { CallerContext } from "../../context.ts";
import { ApiError } from "../../errors/errors.ts";
import { TICKET_LENGTH } from "../../ids.ts";
import { DELIVERY_SECONDS, FILE_SECRET_MEMORY } from "../../limits.ts";
import { secretNotFound } from "./find-secret.ts";
import { CIPHERS_AT_ONCE, openOwned, readSealed } from "./sealed-chunks.ts";
import { gone, passphraseRequired, unlockSecret, wrongKind, type RevealOptions } from "./reveal-secret.ts";

/** The rows of a larger file take longer than the end of its answer should. */
const DELETED_AT_ONCE = 1_048_576;

interface OpenOptions extends RevealOptions {
  readonly ticket?: string | undefined;
  /** Byte of the file from which a delivery goes on. */
  readonly offset: number;
}

/**
 * Claims a file before its first byte, or goes on with a delivery for whoever has its ticket. The rows are deleted
 * when all of it was taken, or by the sweep after ten minutes.
 * @throws ApiError
 */
export async function openFileSecret(secret: SecretRecord, options: OpenOptions, ctx: CallerContext) {
  const { services } = options;
  const { id, fileSize: size, isEncrypted, expiresAt } = secret;
  if (size === null) throw wrongKind(secret, { kind: "text", services });
  if (options.offset > 0 && options.offset >= size) throw wrongOffset(size);
  ctx.reserveMemory(FILE_SECRET_MEMORY);
  const { fileKey, head, ticket } = options.ticket
    ? await goOn(secret, { ...options, ticket: options.ticket })
    : await claim(secret, options);
  const additionalData = fileBinding({ id, isEncrypted, expirySeconds: expiresAt });
  const seal = makeFileSeal(fileKey, { additionalData, prefix: head.slice(0, PREFIX_BYTES) });
  const { name, type } = await openFileMetadata(head.slice(PREFIX_BYTES), seal);
  const offset = options.ticket ? options.offset : 0;
  const data = new ByteStream(deliver({ id, seal, size, offset, db: services.db }), size - offset);
  return { id, name, type, size, isEncrypted, offset, ticket, data };
}

interface Opened {
  readonly fileKey: Bytes;
  readonly head: Bytes;
  readonly ticket: string;
}

async function claim(secret: SecretRecord, options: OpenOptions): Promise<Opened> {
  const { db, now } = options.services;
  const { signal } = options.requester;
  const { id, verifier } = secret;
  const { passVerifier, fileKey } = await unlockSecret(secret, options);
  signal?.throwIfAborted();
  const ticket = randomBase62(TICKET_LENGTH);
  const delivery = { ticketHash: digestText(ticket), sweepAt: now() + DELIVERY_SECONDS };
  const head = await claimFile(db, { id, verifier, passVerifier, now: now(), signal, ...delivery });
  if (head) return { fileKey, head, ticket };
  const closed = await findSecret(db, { id, now: now() });
  throw closed ? gone(closed) : secretNotFound();
}

// The ticket has 190 bits, so nobody tries passphrases with one that is not theirs.
async function goOn(secret: SecretRecord, options: OpenOptions & { ticket: string }): Promise<Opened> {
  const { services, ticket } = options;
  const { id } = secret;
  const ticketHash = digestText(ticket);
  const head = await findDelivery(services.db, { id, ticketHash, now: services.now() });
  if (!head) throw secret.status === "active" ? wrongTicket() : gone(secret);
  const { passVerifier, fileKey } = await deriveAgain(secret, options);
  const isRight =
    secret.passVerifier === null || equalBytes(passVerifier ?? new Uint8Array(0), secret.passVerifier);
  if (!isRight) throw passphraseRequired();
  return { fileKey, head, ticket };
}

async function deriveAgain({ id, passVerifier }: SecretRecord, options: OpenOptions): Promise<AtRest> {
  const { services, key, passphrase, requester } = options;
  if (passVerifier === null) return deriveAtRest(key, { id });
  if (!passphrase) throw passphraseRequired();
  return services.lanes.passwords.run(requester, () => deriveAtRest(key, { id, passphrase }));
}

interface Delivery {
  readonly id: string;
  readonly seal: FileSeal;
  readonly size: number;
  readonly offset: number;
  readonly db: CallerContext["services"]["db"];
}

async function* deliver({ id, seal, size, offset, db }: Delivery): AsyncGenerator<Bytes, void> {
  const chunks = readSealed(db, { id, from: Math.floor(offset / CHUNK_BYTES), size });
  const pieces = mapInOrder(chunks, { atOnce: CIPHERS_AT_ONCE, work: (chunk) => openOwned(chunk, seal) });
  let skip = offset % CHUNK_BYTES;
  for await (const opened of pieces) {
    yield opened.subarray(skip);
    skip = 0;
  }
  // Asked for more than all: the last byte was taken. What is not deleted here is for the sweep.
  await giveUpFile(db, { id });
  const deleted = deleteGivenUp(db, { id }).catch(() => undefined);
  if (size <= DELETED_AT_ONCE) await deleted;
}

function wrongOffset(size: number): ApiError {
  return new ApiError("invalid_parameter", `The range must begin within the ${size} bytes of the file`, {
    parameter: "offset",
    minimum: 0,
    maximum: size - 1,
  });
}

function wrongTicket(): ApiError {
  const error = "No delivery of this secret has this ticket; without one it is read from its beginning";
  return new ApiError("invalid_parameter", error, { parameter: "ticket" });
}
