import type { Bytes } from "../../../wire/bytes.ts";
import { CallError } from "../../../wire/call-error.ts";

// Bun 1.4 returns a 200 MB bomb as one chunk when it is given more at a time.
const INFLATE_STEP = 4096;

/** Decompresses a body as it arrives. @throws CallError unsupported_content_encoding */
export async function* inflateBody(
  chunks: AsyncGenerator<Bytes>,
  format: "gzip" | "deflate",
): AsyncGenerator<Bytes> {
  const stream = new DecompressionStream(format);
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
