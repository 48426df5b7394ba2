import { joinBytes, type Bytes, concatBytes } from "./bytes.ts";

/** A file as a procedure gets it: in memory, on a disk, or while it arrives. */
export type FileSource = Bytes | Blob | ByteStream | AsyncIterable<Bytes>;

/** The same as a client may send it: bytes of any buffer, a Blob or File, or anything that makes bytes. */
export type FileInput =
  Uint8Array | Blob | ByteStream | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

/**
 * Bytes that are read once, piece by piece, so that nobody has to hold all of them; as a Blob has them. It is no
 * AsyncIterable itself: tRPC 11.25 refuses one in an answer (http/resolveResponse.ts, isDataStream).
 */
export class ByteStream {
  /** Of all pieces together; undefined where only the end tells. */
  readonly length: number | undefined;
  readonly pieces: AsyncIterable<Bytes>;
  /** Fires when nobody is to read on. */
  readonly signal: AbortSignal | undefined;
  #mark: string | undefined;

  constructor(pieces: AsyncIterable<Bytes>, length?: number, signal?: AbortSignal) {
    this.pieces = pieces;
    this.length = length;
    this.signal = signal;
  }

  /** What stands for it in the JSON of a server, until that is sent; no caller can guess it. */
  get mark(): string {
    return (this.#mark ??= crypto.randomUUID());
  }

  /** For what takes a stream of the platform, such as `new Response(…)`, and for `pipeTo`. */
  stream(): ReadableStream<Bytes> {
    const pieces = this.pieces[Symbol.asyncIterator]();
    return new ReadableStream<Bytes>(
      {
        async pull(controller) {
          const { done, value } = await pieces.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: async () => void (await pieces.return?.()),
      },
      { highWaterMark: 0 },
    );
  }

  /** All of it in memory, once where its length is known. */
  async bytes(): Promise<Bytes> {
    const { length = 0 } = this;
    let whole: Bytes = new Uint8Array(0);
    let filled = 0;
    const others: Bytes[] = [];
    for await (const piece of this.pieces) {
      const isInside = others.length === 0 && piece.length < length && filled + piece.length <= length;
      if (!isInside) {
        others.push(piece);
        continue;
      }
      if (filled === 0) whole = new Uint8Array(length);
      whole.set(piece, filled);
      filled += piece.length;
    }
    const [only] = others;
    if (only && others.length === 1 && filled === 0) return only;
    return others.length === 0
      ? whole.subarray(0, filled)
      : joinBytes([whole.subarray(0, filled), ...others]);
  }
}

/** A file piece by piece, however it came. */
export function piecesOf(source: FileSource): AsyncGenerator<Bytes, void>;
export function piecesOf(source: FileInput): AsyncGenerator<Uint8Array, void>;
export async function* piecesOf(source: FileInput): AsyncGenerator<Uint8Array, void> {
  if (source instanceof Uint8Array) yield source;
  else if (source instanceof Blob) yield* readAll(source.stream());
  else if ("getReader" in source) yield* readAll(source);
  else yield* source instanceof ByteStream ? source.pieces : source;
}

/** The chunks of a stream; Safari has no iteration over one. */
export async function* readAll<Piece extends Uint8Array>(
  stream: ReadableStream<Piece>,
): AsyncGenerator<Piece, void> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

/** Bytes that stand in several arrays, in order: a result that is only sent on need not be copied together first. */
export class ByteParts {
  readonly parts: readonly Uint8Array[];
  readonly length: number;

  constructor(parts: readonly Uint8Array[]) {
    this.parts = parts;
    this.length = parts.reduce((sum, part) => sum + part.length, 0);
  }
}

/** A result whose bytes are still in parts. */
export type WithByteParts<Result> = Result extends { readonly bytes: Bytes }
  ? Omit<Result, "bytes"> & { readonly bytes: ByteParts }
  : never;

/** The same once its bytes are one array; any other result is what it was. */
export type WithBytes<Result> = Result extends { readonly bytes: ByteParts }
  ? Omit<Result, "bytes"> & { readonly bytes: Bytes }
  : Result;

/** The parts as one array with a buffer of its own; the part itself, where it is alone and has one. */
export function joinParts({ parts }: ByteParts): Uint8Array {
  const [only] = parts;
  return only && parts.length === 1 && only.length === only.buffer.byteLength ? only : joinBytes(parts);
}

/** The same result with its bytes in one array. */
export function withBytes<Result extends { readonly bytes: ByteParts }>(result: Result): WithBytes<Result> {
  // Parts are views on ordinary buffers, and all other fields are the result's own.
  return { ...result, bytes: joinParts(result.bytes) } as unknown as WithBytes<Result>;
}

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
