import { concatBytes, type Bytes } from "./bytes.ts";

/** Takes a stream of pieces apart from its beginning. */
export interface ByteReader {
  /** Up to so many bytes, which stay. */
  readonly peek: (length: number) => Promise<Bytes>;
  /** Up to so many bytes; fewer only at the end. */
  readonly take: (length: number) => Promise<Bytes>;
  /** What comes next in one piece, up to so many bytes; none only at the end. */
  readonly next: (limit: number) => Promise<Bytes>;
  /** What is left, piece by piece. */
  readonly rest: () => AsyncGenerator<Bytes, void>;
}

/** Reads pieces of any size. */
export function createByteReader(source: AsyncIterable<Bytes>): ByteReader {
  const pieces = source[Symbol.asyncIterator]();
  let held: Bytes = new Uint8Array(0);
  const peek = async (length: number) => {
    while (held.length < length) {
      const { done, value } = await pieces.next();
      if (done) break;
      held = held.length === 0 ? value : concatBytes(held, value);
    }
    // A copy at the beginning of a buffer of its own: of Node's Buffer, `slice` would be a view.
    return new Uint8Array(held.subarray(0, length));
  };
  const take = async (length: number) => {
    const bytes = await peek(length);
    held = held.subarray(bytes.length);
    return bytes;
  };
  const next = async (limit: number) => {
    if (held.length === 0) await peek(1);
    const bytes = held.subarray(0, limit);
    held = held.subarray(bytes.length);
    return bytes;
  };
  return { peek, take, next, rest };

  async function* rest(): AsyncGenerator<Bytes, void> {
    try {
      if (held.length > 0) yield held;
      for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
    } finally {
      await pieces.return?.();
    }
  }
}
