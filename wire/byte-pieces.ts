import { joinBytes, type Bytes, concatBytes } from "./bytes.ts";

/** A file as a procedure gets it: in memory, on a disk, or while it arrives. */
export type FileSource = Bytes | Blob | ByteStream | AsyncIterable<Bytes>;

/** A file as a client may send it: bytes of any buffer, a Blob or File, or anything that makes bytes. */
export type FileInput =
  Uint8Array | Blob | ByteStream | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

/** A file that is not still arriving, as the typed client sends it. */
export type HeldInput = Uint8Array | ArrayBuffer | ArrayBufferView | Blob;

/**
 * Bytes that are read once, piece by piece, so that nobody has to hold all of them; as a Blob has them. It is no
 * AsyncIterable itself: tRPC 11.25 refuses one in an answer (http/resolveResponse.ts, isDataStream).
 */
export class ByteStream {
  /** The length of all pieces; undefined where it is known only at the end. */
  readonly length: number | undefined;
  readonly pieces: AsyncIterable<Bytes>;
  /** Aborts when nobody reads on. */
  readonly signal: AbortSignal | undefined;
  #mark: string | undefined;

  constructor(pieces: AsyncIterable<Bytes>, length?: number, signal?: AbortSignal) {
    this.pieces = pieces;
    this.length = length;
    this.signal = signal;
  }

  /** Stands for it in a server's JSON until it is sent; no caller can guess it. */
  get mark(): string {
    return (this.#mark ??= crypto.randomUUID());
  }

  /** For functions that take a platform stream, such as `new Response(…)` or `pipeTo`. */
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

  /** All of it in memory; allocated once where the length is known. */
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

/** A file of the platform, which the platform itself can send. */
export class BlobStream extends ByteStream {
  readonly blob: Blob;

  constructor(blob: Blob) {
    super(piecesOf(blob), blob.size);
    this.blob = blob;
  }
}

/**
 * A Blob as a stream. Bun 1.4 leaves out a file of the disk (`Bun.file`, `openAsBlob`) where a Blob is made of several
 * parts, as a body is: that is sent piece by piece.
 */
export function blobStream(blob: Blob): ByteStream {
  const isJoinable = new Blob([blob, "-"]).size === blob.size + 1;
  return isJoinable ? new BlobStream(blob) : new ByteStream(wholePieces(blob, blob.size), blob.size);
}

/** Bun 1.4 reads a file of the disk as it is by then; with fewer bytes than its length a body would never end. */
async function* wholePieces(blob: Blob, size: number): AsyncGenerator<Bytes, void> {
  let read = 0;
  for await (const piece of piecesOf(blob)) {
    read += piece.length;
    if (read > size) break;
    yield piece;
  }
  if (read !== size) throw new DOMException("The file has changed since it was chosen", "NotReadableError");
}

/** A file piece by piece, from any source. */
export function piecesOf(source: FileSource): AsyncGenerator<Bytes, void>;
export function piecesOf(source: FileInput): AsyncGenerator<Uint8Array, void>;
export async function* piecesOf(source: FileInput): AsyncGenerator<Uint8Array, void> {
  if (source instanceof Uint8Array) yield source;
  else if (source instanceof Blob) yield* readAll(source.stream());
  else if ("getReader" in source) yield* readAll(source);
  else yield* source instanceof ByteStream ? source.pieces : source;
}

/** The chunks of a stream, which Safari cannot iterate. */
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

/** Bytes in several arrays, in order: a result that is only sent on need not be copied into one. */
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

/** The same result with its bytes in one array; other results stay as they are. */
export type WithBytes<Result> = Result extends { readonly bytes: ByteParts }
  ? Omit<Result, "bytes"> & { readonly bytes: Bytes }
  : Result;

/** Joins the parts in an array with its own buffer; returns a single part that already is one. */
export function joinParts({ parts }: ByteParts): Uint8Array {
  const [only] = parts;
  return only && parts.length === 1 && only.length === only.buffer.byteLength ? only : joinBytes(parts);
}

/** The same result with its bytes in one array. */
export function withBytes<Result extends { readonly bytes: ByteParts }>(result: Result): WithBytes<Result> {
  // Parts are views on ordinary buffers; all other fields are unchanged.
  return { ...result, bytes: joinParts(result.bytes) } as unknown as WithBytes<Result>;
}

/** Reads a stream of pieces by lengths. */
export interface ByteReader {
  /** Up to `length` bytes, without consuming them. */
  readonly peek: (length: number) => Promise<Bytes>;
  /** Consumes up to `length` bytes; fewer only at the end. */
  readonly take: (length: number) => Promise<Bytes>;
  /** Consumes the next piece, up to `limit` bytes of it; empty only at the end. */
  readonly next: (limit: number) => Promise<Bytes>;
  /** The remaining pieces. */
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
