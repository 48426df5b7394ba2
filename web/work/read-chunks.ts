import type { Bytes } from "../../wire/bytes.ts";

/** A file that existed when it was chosen, and cannot be read now. */
export class UnreadableFile extends Error {
  readonly fileName: string;

  constructor(fileName: string, options?: ErrorOptions) {
    super("The file cannot be read", options);
    this.fileName = fileName;
  }
}

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
