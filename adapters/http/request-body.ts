import { ApiError } from "../../router/errors.ts";
import { freeBytes, joinBytes } from "../../wire/bytes.ts";

const DRAIN_BYTES = 128 * 1024 * 1024;
const DRAIN_MS = 10_000;
const IDLE_MS = 30_000;
const WHOLE_MS = 600_000;
// One runtime hands out a 200 MB bomb as one chunk when it is fed more at a time.
const INFLATE_STEP = 4096;

interface ReadOptions {
  /** Bytes, counted after decompression. */
  readonly limit: number;
  readonly tooLarge: (actual?: number) => Error;
}

/**
 * The body of one request: read once, counted while it streams, decompressed where Content-Encoding says so,
 * and drained before the answer leaves, because some clients lose an answer that overtakes their upload.
 */
export class RequestBody {
  /** Bytes of the decoded body, where the client told them. */
  readonly declaredBytes: number | undefined;
  readonly #encoding: string;
  readonly #request: Request;
  #source: Source | undefined;
  #done: boolean;
  #taken = 0;
  #end: number | undefined;

  constructor(request: Request) {
    this.#encoding = (request.headers.get("content-encoding") ?? "identity").trim().toLowerCase();
    this.#request = request;
    // Asking for `request.body` here would already open a web stream over Node's own.
    this.#done = request.method === "GET" || request.method === "HEAD";
    this.declaredBytes = this.#done ? 0 : this.#isPlain() ? contentLength(request) : undefined;
  }

  /** The decoded bytes as they arrive. Content-Length is checked first; no more than `limit` is ever passed on. */
  async *chunks({ limit, tooLarge }: ReadOptions): AsyncGenerator<Uint8Array> {
    const format = this.#format();
    if (this.declaredBytes !== undefined && this.declaredBytes > limit) throw tooLarge(this.declaredBytes);
    let size = 0;
    for await (const chunk of format ? inflate(this.#wire(), format) : this.#wire()) {
      size += chunk.length;
      if (size > limit) throw tooLarge();
      yield chunk;
    }
  }

  /** The whole decoded body in one array. */
  async bytes(options: ReadOptions): Promise<Uint8Array<ArrayBuffer>> {
    const expected = this.declaredBytes;
    if (expected !== undefined && expected <= options.limit)
      return this.#fill(new Uint8Array(expected), options);
    const parts: Uint8Array[] = [];
    for await (const chunk of this.chunks(options)) parts.push(chunk);
    return joinBytes(parts);
  }

  /** Reads and forgets what is left, within bounds. */
  async drain(): Promise<void> {
    if (this.#done) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Not every source can be told to give up a read that a silent client keeps waiting.
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, DRAIN_MS)));
    await Promise.race([this.#forget(), late]);
    clearTimeout(timer);
    if (!this.#done) this.#cancel();
  }

  async #forget(): Promise<void> {
    try {
      while (!this.#done && this.#taken < DRAIN_BYTES) freeBytes(await this.#read());
    } catch {
      // The client is gone: nobody waits for the answer that this made way for.
    }
  }

  async #fill(whole: Uint8Array<ArrayBuffer>, options: ReadOptions): Promise<Uint8Array<ArrayBuffer>> {
    let offset = 0;
    for await (const chunk of this.chunks(options)) {
      if (offset + chunk.length > whole.length) throw options.tooLarge();
      whole.set(chunk, offset);
      offset += chunk.length;
      freeBytes(chunk);
    }
    return offset === whole.length ? whole : whole.slice(0, offset);
  }

  async *#wire(): AsyncGenerator<Uint8Array> {
    for (let chunk = await this.#readInTime(); chunk; chunk = await this.#readInTime()) yield chunk;
  }

  // Deno has no deadline of its own for a client that stops sending.
  async #readInTime(): Promise<Uint8Array | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // A byte now and then would hold admitted memory for ever.
    this.#end ??= performance.now() + WHOLE_MS;
    const patience = Math.min(IDLE_MS, this.#end - performance.now());
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(stalled()), patience);
    });
    try {
      return await Promise.race([this.#read(), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #read(): Promise<Uint8Array | undefined> {
    if (this.#done) return undefined;
    this.#source ??= openSource(this.#request);
    const { done, value } = await this.#source.read().catch(brokenOff);
    if (done || !value) {
      this.#done = true;
      return undefined;
    }
    this.#taken += value.length;
    return value;
  }

  #cancel(): void {
    this.#done = true;
    // A body that nobody has begun to read is left to the server, which closes the connection.
    this.#source?.cancel();
  }

  #isPlain(): boolean {
    return this.#encoding === "identity" || this.#encoding === "";
  }

  #format(): "gzip" | "deflate" | undefined {
    if (this.#isPlain()) return undefined;
    if (this.#encoding === "gzip" || this.#encoding === "deflate") return this.#encoding;
    throw new ApiError("unsupported_content_encoding", "Content-Encoding must be gzip, deflate or identity", {
      allowed: ["gzip", "deflate", "identity"],
    });
  }
}

function contentLength({ headers }: Request): number | undefined {
  const length = headers.get("content-length");
  return length !== null && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

/** Where the bytes come from. */
interface Source {
  readonly read: () => Promise<{ done?: boolean | undefined; value?: Uint8Array | undefined }>;
  readonly cancel: () => void;
}

function openSource(request: Request): Source {
  // srvx keeps Node's own stream beside the web one that it would make of it.
  const node = (request as { runtime?: { node?: { req?: AsyncIterable<Uint8Array> } } }).runtime?.node?.req;
  if (node) return nodeSource(node);
  const reader = request.body?.getReader();
  return {
    read: async () => reader?.read() ?? { done: true },
    cancel: () => void reader?.cancel().catch(() => undefined),
  };
}

// A server that hashed 100 MB uploads read like this stayed 10 MB above idle; with a web stream opened over Node's
// own as well it went 100 MB above. Ending the iteration early would close the connection before the answer, so
// what is left is left to the server.
function nodeSource(stream: AsyncIterable<Uint8Array>): Source {
  const iterator = stream[Symbol.asyncIterator]();
  return { read: () => iterator.next(), cancel: () => undefined };
}

// The connection ended before the body did. Most often nobody is left to hear it.
function brokenOff(): never {
  throw new ApiError("missing_body", "The body broke off before its end; send it again", { in: "body" });
}

function stalled(): ApiError {
  const error = `The body took too long: no bytes for ${IDLE_MS / 1000} seconds, or over ${WHOLE_MS / 1000} in all`;
  return new ApiError("request_timeout", error);
}

async function* inflate(
  chunks: AsyncGenerator<Uint8Array>,
  format: "gzip" | "deflate",
): AsyncGenerator<Uint8Array> {
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

async function feed(chunks: AsyncGenerator<Uint8Array>, writer: WritableStreamDefaultWriter<BufferSource>) {
  try {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at += INFLATE_STEP) {
        // Sockets hand out views on ordinary buffers, never on shared memory.
        await writer.write(chunk.subarray(at, at + INFLATE_STEP) as Uint8Array<ArrayBuffer>);
      }
    }
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => undefined);
    throw error;
  }
}

function badEncoding(error: unknown, format: string): never {
  if (error instanceof ApiError) throw error;
  throw new ApiError(
    "unsupported_content_encoding",
    `The body is not the ${format} data that Content-Encoding says`,
  );
}
