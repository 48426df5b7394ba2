import { joinBytes, type Bytes } from "./bytes.ts";

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
