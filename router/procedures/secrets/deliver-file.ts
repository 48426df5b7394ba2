import type { Database } from "../../../db/open.ts";
import { keepDelivery } from "../../../db/deliveries/files.ts";
import { mapInOrder } from "../../../tools/crypto/chunks.ts";
import type { FileSeal } from "../../../tools/crypto/file-seal.ts";
import { CHUNK_BYTES } from "../../../tools/crypto/locked-file.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import type { Services } from "../../context.ts";
import { CIPHERS_AT_ONCE, openOwned, readSealed } from "./sealed-chunks.ts";
import { sweepTime } from "./ticket.ts";

const readers = new WeakMap<Database, Map<string, AbortController>>();

/**
 * Ends who reads this file in this process; fires when somebody comes who reads it after this one. In another process
 * the older one finds no more chunks, by its number in the row.
 */
export function replaceReader(db: Database, id: string): AbortSignal {
  const known = readers.get(db) ?? new Map<string, AbortController>();
  readers.set(db, known);
  known.get(id)?.abort();
  const replaced = new AbortController();
  known.set(id, replaced);
  return replaced.signal;
}

function forgetReader(db: Database, id: string, signal: AbortSignal): void {
  const known = readers.get(db);
  if (known?.get(id)?.signal === signal) known.delete(id);
}

interface Delivery {
  readonly id: string;
  readonly seal: FileSeal;
  readonly size: number;
  /** Byte of the file with which to begin. */
  readonly offset: number;
  readonly reader: number;
  readonly claimedAt: number;
  readonly signal: AbortSignal;
  readonly services: Pick<Services, "db" | "now">;
}

/** The bytes of a file for one reader; each that is taken keeps its rows for another ten minutes. */
export async function* deliverFile(delivery: Delivery): AsyncGenerator<Bytes, void> {
  const { id, seal, size, offset, reader, signal, services } = delivery;
  const { db } = services;
  const chunks = readSealed(db, { id, from: Math.floor(offset / CHUNK_BYTES), size, reader });
  const pieces = mapInOrder(chunks, { atOnce: CIPHERS_AT_ONCE, work: (chunk) => openOwned(chunk, seal) });
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
