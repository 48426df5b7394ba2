import { joinBytes, type Bytes } from "./bytes.ts";

/** A file as a client may send it: in memory, on its disk, or while it is made. */
export type FileSource = Bytes | Blob | ByteStream | AsyncIterable<Bytes>;

/**
 * Bytes that are read once, piece by piece, so that nobody has to hold all of them; as a Blob has them. It is no
 * AsyncIterable itself: tRPC 11.25 refuses one in an answer (http/resolveResponse.ts, isDataStream).
 */
export class ByteStream {
  /** Of all pieces together; undefined where only the end tells. */
  readonly length: number | undefined;
  /** What stands for it in JSON, until that is sent; no caller can guess it. */
  readonly mark = crypto.randomUUID();
  readonly pieces: AsyncIterable<Bytes>;
  /** Fires when nobody is to read on. */
  readonly signal: AbortSignal | undefined;

  constructor(pieces: AsyncIterable<Bytes>, length?: number, signal?: AbortSignal) {
    this.pieces = pieces;
    this.length = length;
    this.signal = signal;
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

  /** All of it in memory. */
  async bytes(): Promise<Bytes> {
    const pieces: Bytes[] = [];
    for await (const piece of this.pieces) pieces.push(piece);
    return joinBytes(pieces);
  }
}

/** A file piece by piece, however it came. */
export async function* piecesOf(source: FileSource): AsyncGenerator<Bytes, void> {
  if (source instanceof Uint8Array) yield source;
  else if (source instanceof Blob) yield* readAll(source.stream());
  else yield* source instanceof ByteStream ? source.pieces : source;
}

/** The chunks of a stream; Safari has no iteration over one. */
export async function* readAll(stream: ReadableStream<Bytes>): AsyncGenerator<Bytes, void> {
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
