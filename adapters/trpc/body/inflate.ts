import { builtinModule } from "../../../wire/runtime/builtin-module.ts";
import { ownBytes, type Bytes } from "../../../wire/bytes.ts";
import { CallError } from "../../../wire/call-error.ts";

// Bun 1.4 returns a 200 MB bomb as one chunk when it is given more at a time.
const INFLATE_STEP = 4096;

/** Decompresses a body as it arrives. @throws CallError unsupported_content_encoding */
export async function* inflateBody(
  chunks: AsyncGenerator<Bytes>,
  format: "gzip" | "deflate",
): AsyncGenerator<Bytes> {
  const inflater = openInflater(format);
  const fed = feed(chunks, inflater);
  fed.catch(() => undefined);
  try {
    for (;;) {
      const { done, value } = await inflater.read().catch((error: unknown) => badEncoding(error, format));
      if (done) break;
      yield ownBytes(value);
    }
    await fed;
  } finally {
    inflater.cancel();
  }
}

interface Inflater {
  readonly write: (chunk: Bytes) => Promise<void>;
  readonly close: () => Promise<void>;
  readonly abort: (error: unknown) => void;
  readonly read: () => Promise<IteratorResult<Uint8Array, void> | ReadableStreamReadResult<Uint8Array>>;
  readonly cancel: () => void;
}

// Several gzip files may follow one another (RFC 1952, 2.2); the DecompressionStream of Node 24 and Deno 2.9 reads only the
// first.
function openInflater(format: "gzip" | "deflate"): Inflater {
  const zlib = format === "gzip" ? builtinModule?.<typeof import("node:zlib")>("node:zlib") : undefined;
  return zlib ? nodeInflater(zlib.createGunzip()) : webInflater(new DecompressionStream(format));
}

// Not through Duplex.toWeb: on Deno 2.9 an early end of its reader causes an error that nothing catches.
function nodeInflater(stream: import("node:zlib").Gunzip): Inflater {
  const pieces: AsyncIterator<Uint8Array, void> = stream[Symbol.asyncIterator]();
  stream.on("error", () => undefined);
  return {
    write: (chunk) =>
      new Promise((resolve, reject) =>
        stream.write(chunk, (error) => void (error ? reject(error) : resolve())),
      ),
    close: () => new Promise((resolve) => stream.end(resolve)),
    // The type of a thrown value is unknown.
    abort: (error) => void stream.destroy(error as Error),
    read: () => pieces.next(),
    cancel: () => void stream.destroy(),
  };
}

function webInflater({ readable, writable }: DecompressionStream): Inflater {
  const reader: ReadableStreamDefaultReader<Uint8Array> = readable.getReader();
  const writer = writable.getWriter();
  return {
    write: (chunk) => writer.write(chunk),
    close: () => writer.close(),
    abort: (error) => void writer.abort(error).catch(() => undefined),
    read: () => reader.read(),
    cancel: () => void reader.cancel().catch(() => undefined),
  };
}

async function feed(chunks: AsyncGenerator<Bytes>, inflater: Inflater): Promise<void> {
  try {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at += INFLATE_STEP) {
        await inflater.write(chunk.subarray(at, at + INFLATE_STEP));
      }
    }
    await inflater.close();
  } catch (error) {
    inflater.abort(error);
    throw error;
  }
}

function badEncoding(error: unknown, format: string): never {
  if (error instanceof CallError) throw error;
  throw new CallError(
    "unsupported_content_encoding",
    `The body is not valid ${format} data, which Content-Encoding says it is`,
  );
}
