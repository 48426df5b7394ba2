import { UnreadableFile } from "../api/failure.ts";
import type { Bytes } from "../../wire/bytes.ts";

/** @throws UnreadableFile for a file; DOMException for a part of one */
export async function bytesOf(blob: Blob): Promise<Bytes> {
  try {
    return new Uint8Array(await blob.arrayBuffer());
  } catch (error) {
    throw blob instanceof File ? new UnreadableFile(blob.name, { cause: error }) : error;
  }
}

/** The pieces of a stream; not every browser can iterate streams itself. */
export async function* chunksOfStream(
  stream: ReadableStream<Bytes>,
  signal?: AbortSignal,
): AsyncGenerator<Bytes, void> {
  const reader = stream.getReader();
  const stop = () => void reader.cancel(signal?.reason).catch(() => undefined);
  signal?.addEventListener("abort", stop);
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
    signal?.throwIfAborted();
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}
