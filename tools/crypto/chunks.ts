import type { Bytes } from "../../wire/bytes.ts";
import { concatBytes } from "../../wire/bytes.ts";

/** A whole file, or one that is still coming in pieces of any size. */
export type ByteSource = Bytes | AsyncIterable<Bytes>;

export interface Chunk {
  readonly index: number;
  readonly bytes: Bytes;
  readonly isLast: boolean;
  /** Whether the bytes were joined for this chunk, so that nobody else has them. */
  readonly isCopy: boolean;
}

/**
 * Cuts a source into chunks of `sizeBytes` (the first one of `firstBytes`). Exactly one chunk is the last:
 * it has 1 to `sizeBytes` bytes, or none when it is also the first. Holds one chunk and one piece at most.
 */
export async function* cutChunks(source: ByteSource, options: CutOptions): AsyncGenerator<Chunk, void> {
  let wantedBytes = options.firstBytes ?? options.sizeBytes;
  let held: Bytes[] = [];
  let heldBytes = 0;
  let index = 0;
  for await (const piece of source instanceof Uint8Array ? [source] : source) {
    let rest = piece;
    // A full chunk waits until a byte follows it: only then is it known not to be the last.
    while (heldBytes + rest.length > wantedBytes) {
      const missing = wantedBytes - heldBytes;
      const isCopy = held.length > 0;
      yield {
        index: index++,
        bytes: joinPieces([...held, rest.subarray(0, missing)]),
        isLast: false,
        isCopy,
      };
      [held, heldBytes] = [[], 0];
      wantedBytes = options.sizeBytes;
      rest = rest.subarray(missing);
    }
    if (rest.length > 0) held.push(rest);
    heldBytes += rest.length;
  }
  yield { index, bytes: joinPieces(held), isLast: true, isCopy: held.length !== 1 };
}

export interface CutOptions {
  readonly sizeBytes: number;
  readonly firstBytes?: number;
}

/** Works on up to `atOnce` items at a time and gives the results in the order of the items. */
export async function* mapInOrder<In, Out>(
  items: AsyncIterable<In>,
  { atOnce, work }: { atOnce: number; work: (item: In) => Promise<Out> },
): AsyncGenerator<Out, void> {
  const running: Promise<Out>[] = [];
  for await (const item of items) {
    const result = work(item);
    // A failure is thrown when its turn comes; unwatched until then, it would end the process.
    result.catch(() => undefined);
    running.push(result);
    if (running.length >= atOnce) yield await running.shift()!;
  }
  for (const result of running) yield await result;
}

/** Joins pieces, without copying where there is only one: they are read at once and never written. */
function joinPieces(parts: readonly Bytes[]): Bytes {
  return parts.length === 1 ? parts[0]! : concatBytes(...parts);
}
