import type { Bytes } from "../../../wire/bytes.ts";
import { concatBytes } from "../../../wire/bytes.ts";

/** Collects what comes one by one (Array.fromAsync, which the type library does not know yet). */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export async function collectPieces(pieces: AsyncIterable<Bytes>): Promise<Bytes> {
  return concatBytes(...(await collect(pieces)));
}

/** Gives bytes as an upload does: in pieces that fit nothing. */
export async function* inPieces(bytes: Bytes, sizeBytes: number): AsyncGenerator<Bytes> {
  for (let start = 0; start < bytes.length; start += sizeBytes)
    yield bytes.subarray(start, start + sizeBytes);
}
