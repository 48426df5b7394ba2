import type { Bytes } from "../../../wire/bytes.ts";
import { CallError } from "../../../wire/call-error.ts";

// Bun 1.4 returns a 200 MB bomb as one chunk when it is given more at a time.
const INFLATE_STEP = 4096;

/** Decompresses a body as it arrives. @throws CallError unsupported_content_encoding */
export async function* inflateBody(
  chunks: AsyncGenerator<Bytes>,
  format: "gzip" | "deflate",
): AsyncGenerator<Bytes> {
  const stream = openInflater(format);
  const reader = stream.readable.getReader();
  const fed = feed(chunks, stream.writable.getWriter());
  fed.catch(() => undefined);
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => badEncoding(error, format));
      if (done) break;
      yield value;
    }
    await fed;
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

interface Inflater {
  readonly readable: ReadableStream<Bytes>;
  readonly writable: WritableStream<Bytes>;
}

/** The parts of Node's modules that are used; Deno and Bun have them, workers do not. */
interface Builtins {
  getBuiltinModule?(name: "node:zlib"): { createGunzip(): object };
  getBuiltinModule?(name: "node:stream"): { Duplex: { toWeb(stream: object): Inflater } };
}

// Files of gzip may stand one behind the other (RFC 1952, 2.2); the DecompressionStream of Node 24 and Deno 2.9 takes the
// first only.
function openInflater(format: "gzip" | "deflate"): Inflater {
  const { process } = globalThis as { process?: Builtins };
  if (format !== "gzip" || !process?.getBuiltinModule) return new DecompressionStream(format);
  const { Duplex } = process.getBuiltinModule("node:stream");
  return Duplex.toWeb(process.getBuiltinModule("node:zlib").createGunzip());
}

async function feed(chunks: AsyncGenerator<Bytes>, writer: WritableStreamDefaultWriter<Bytes>) {
  try {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at += INFLATE_STEP) {
        await writer.write(chunk.subarray(at, at + INFLATE_STEP));
      }
    }
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => undefined);
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
