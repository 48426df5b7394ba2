import { readGivenText } from "../../../wire/given-text.ts";
import { CallError } from "../../../wire/call-error.ts";
import { freeBytes, type Bytes } from "../../../wire/bytes.ts";
import { inflateBody } from "./inflate.ts";
import { gatherSmall, loopTurn, Pace, waitAtPace, WINDOW_MS } from "./pace.ts";

const DRAIN_BYTES = 128 * 1024 * 1024;
const DRAIN_MS = 10_000;

/** Requests of Node whose body is sent only when it is first read ("Expect: 100-continue"). */
export const heldBack = new WeakSet<object>();

/** A request with srvx's facts about its connection. Compiling srvx's own type would need the types of Node. */
export interface ServerRequest extends Request {
  /** The socket's address. */
  readonly ip?: string | undefined;
  readonly runtime?: {
    readonly node?: {
      readonly req: AsyncIterable<Bytes, undefined> & {
        readonly readableDidRead: boolean;
        readonly readableLength: number;
        read(): unknown;
      };
      readonly res?: { readonly writableLength: number };
    };
  };
}

export interface ReadOptions {
  /** In bytes, counted after decompression. */
  readonly limit: number;
  readonly tooLarge: (actual?: number) => Error;
}

/**
 * The body of one request: read once, counted while it arrives, decompressed as Content-Encoding says, and drained
 * before the answer leaves, because some clients lose an answer that overtakes their upload.
 */
export class RequestBody {
  /** Bytes of the decoded body, where the client declared them. */
  readonly declaredBytes: number | undefined;
  /** Bytes on the wire, where the client declared them. */
  readonly #announced: number | undefined;
  readonly #encoding: string;
  readonly #request: ServerRequest;
  #source: Source | undefined;
  #done: boolean;
  /** Called with the decoded bytes so far; if it throws, reading ends. */
  onBytes: (bytes: number) => void = () => {};
  #pace: Pace | undefined;
  #taken = 0;
  #decoded = 0;

  constructor(request: ServerRequest) {
    this.#encoding = (request.headers.get("content-encoding") ?? "identity").trim().toLowerCase();
    this.#request = request;
    // Accessing `request.body` here would already open a web stream over Node's own.
    this.#done = request.method === "GET" || request.method === "HEAD";
    this.#announced = this.#done ? 0 : contentLength(request);
    this.declaredBytes = this.#done || this.#isPlain() ? this.#announced : undefined;
  }

  /** Decoded bytes that have arrived so far. */
  get decodedBytes(): number {
    return this.#decoded;
  }

  /** The decoded bytes as they arrive. Content-Length is checked first; no more than `limit` is ever passed on. */
  async *chunks({ limit, tooLarge }: ReadOptions): AsyncGenerator<Bytes> {
    const format = this.#format();
    if (this.declaredBytes !== undefined && this.declaredBytes > limit) throw tooLarge(this.declaredBytes);
    let size = 0;
    for await (const chunk of format ? inflateBody(this.#wire(), format) : this.#wire()) {
      size += chunk.length;
      if (size > limit) throw tooLarge();
      this.#decoded = size;
      this.onBytes(size);
      yield chunk;
    }
  }

  /** The whole decoded body in one array. */
  async bytes(options: ReadOptions): Promise<Bytes> {
    const expected = this.declaredBytes;
    if (expected !== undefined && expected <= options.limit)
      return this.#fill(new Uint8Array(expected), options);
    const parts: Bytes[] = [];
    for await (const chunk of this.chunks(options)) parts.push(chunk);
    return joinInTurns(parts);
  }

  /** Reads and drops what is left, within bounds. */
  async drain(): Promise<void> {
    if (this.#done || this.#isHeldBack()) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Not every source can give up a read that waits for a silent client.
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, DRAIN_MS)));
    await Promise.race([this.#forget(), late]);
    clearTimeout(timer);
    if (!this.#done) this.#cancel();
  }

  // Reading the first byte would ask for the whole body.
  #isHeldBack(): boolean {
    const node = this.#request.runtime?.node?.req;
    return node !== undefined && heldBack.has(node) && node.readableLength === 0;
  }

  async #forget(): Promise<void> {
    try {
      while (!this.#done && this.#taken < DRAIN_BYTES) {
        const chunk = await this.#read();
        await loopTurn(chunk?.length ?? 0);
        freeBytes(chunk);
      }
    } catch {
      // The client is gone, and nobody waits for the answer.
    }
  }

  // For a body that is not compressed.
  async #fill(whole: Bytes, { tooLarge }: ReadOptions): Promise<Bytes> {
    let size = 0;
    for (let chunk = await this.#readInTime(); chunk; chunk = await this.#readInTime()) {
      await loopTurn(chunk.length);
      if (size + chunk.length > whole.length) throw tooLarge();
      whole.set(chunk, size);
      size += chunk.length;
      freeBytes(chunk);
      this.#decoded = size;
      this.onBytes(size);
    }
    return size === whole.length ? whole : whole.slice(0, size);
  }

  #wire(): AsyncGenerator<Bytes, void> {
    return gatherSmall(() => this.#readInTime());
  }

  // No runtime ends a body that comes slowly, and an occasional byte would hold memory forever.
  #readInTime(): Promise<Bytes | undefined> | Bytes | undefined {
    if (this.#done) return undefined;
    const there = this.#openSource().readNow();
    if (there) return this.#take(there);
    return waitAtPace((this.#pace ??= new Pace()), this.#read(), () => this.#giveUp());
  }

  // After such a long wait, draining before the answer does not wait again.
  #giveUp(): CallError {
    this.#cancel();
    const error = `The body took too long: less than 16 KiB a second on the average of ${WINDOW_MS / 1000} seconds`;
    return new CallError("request_timeout", error);
  }

  async #read(): Promise<Bytes | undefined> {
    if (this.#done) return undefined;
    const { value } = await this.#openSource().read().catch(cutOff);
    if (value) return this.#take(value);
    this.#done = true;
    return undefined;
  }

  #take(bytes: Bytes): Bytes {
    this.#taken += bytes.length;
    // Waiting for the end as well would cost another turn of the event loop.
    if (this.#taken === this.#announced) this.#done = true;
    return bytes;
  }

  #openSource(): Source {
    return (this.#source ??= openSource(this.#request));
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
    // Runtimes undo the last of several, and hand on what the others have made (RFC 9112, 6.1).
    const transfer = this.#request.headers.get("transfer-encoding") ?? "chunked";
    if (transfer.trim().toLowerCase() !== "chunked")
      throw unsupported("Transfer-Encoding must be chunked", ["chunked"]);
    if (this.#isPlain()) return undefined;
    // RFC 9110, 8.4.1.3.
    if (this.#encoding === "x-gzip") return "gzip";
    if (this.#encoding === "gzip" || this.#encoding === "deflate") return this.#encoding;
    throw unsupported("Content-Encoding must be gzip, deflate or identity", ["gzip", "deflate", "identity"]);
  }
}

// Copying a hundred megabytes at once would keep everybody waiting.
async function joinInTurns(parts: readonly Bytes[]): Promise<Bytes> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
    await loopTurn(part.length);
  }
  return whole;
}

function contentLength({ headers }: Request): number | undefined {
  const length = headers.get("content-length");
  return length !== null && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

/** Refuses text in another encoding than UTF-8. @throws CallError unsupported_charset */
export function checkCharset(contentType: string | null): void {
  const [, charset = "utf-8"] = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType ?? "") ?? [];
  if (["utf-8", "utf8", "us-ascii"].includes(charset.toLowerCase())) return;
  throw new CallError("unsupported_charset", "The charset of Content-Type must be utf-8 or us-ascii", {
    allowed: ["utf-8", "us-ascii"],
  });
}

/** UTF-8 as it is, with its mark. */
export const EXACT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes UTF-8 exactly, its mark too, or UTF-16 by its mark, with which no UTF-8 begins. @throws CallError invalid_text */
export function decodeText(bytes: Bytes, what: string): string {
  return decodeUtf8(bytes, what, readGivenText);
}

/** Decodes UTF-8 exactly, and other bytes as `otherwise` does. @throws CallError invalid_text */
export function decodeUtf8(
  bytes: Bytes,
  what: string,
  otherwise: (bytes: Bytes) => string | undefined = () => undefined,
): string {
  try {
    return EXACT.decode(bytes);
  } catch {
    const text = otherwise(bytes);
    if (text !== undefined) return text;
    throw new CallError("invalid_text", `The ${what} is not UTF-8`, { in: "body" });
  }
}

/** The source of a body's bytes. */
interface Source {
  /** Returns what has come already, where that is possible without waiting. */
  readonly readNow: () => Bytes | undefined;
  readonly read: () => Promise<{ done?: boolean | undefined; value?: Bytes | undefined }>;
  readonly cancel: () => void;
}

function openSource(request: ServerRequest): Source {
  // srvx keeps Node's own stream in addition to the web stream.
  const node = request.runtime?.node?.req;
  if (node?.readableDidRead || (!node && (request.bodyUsed || request.body?.locked))) throw readBefore();
  if (node) return nodeSource(node);
  const reader = request.body?.getReader();
  return {
    readNow: () => undefined,
    read: async () => reader?.read() ?? { done: true },
    cancel: () => void reader?.cancel().catch(() => undefined),
  };
}

// A server that hashed 100 MB uploads read in this way stayed 10 MB above idle; with a web stream over Node's own it
// went 100 MB above. Ending the iteration early would close the connection before the answer, so the rest is left to
// the server.
function nodeSource(stream: AsyncIterable<Bytes, undefined> & { read: () => unknown }): Source {
  let iterator: AsyncIterator<Bytes, undefined> | undefined;
  return {
    // The stream belongs to the iterator once there is one. Nobody has set an encoding, so it yields bytes.
    readNow: () => (iterator ? undefined : ((stream.read() ?? undefined) as Bytes | undefined)),
    read: () => (iterator ??= stream[Symbol.asyncIterator]()).next(),
    cancel: () => undefined,
  };
}

// The connection ended before the body did, and usually nobody is left to read the answer. Or a host with a limit of
// its own, as SvelteKit has, ended the stream.
function cutOff(error: unknown): never {
  const tooLarge =
    "The body exceeds the limit of the server around this one, such as SvelteKit's BODY_SIZE_LIMIT";
  if (Reflect.get(Object(error), "status") === 413) throw new CallError("total_too_large", tooLarge);
  throw new CallError("missing_body", "The body was cut off before its end; send it again", { in: "body" });
}

// An embedding program that parses all bodies has read it.
function readBefore(): CallError {
  const error =
    "The body was read before this service got the request; mount it in front of what parses bodies, " +
    "such as express.json()";
  return new CallError("missing_body", error, { in: "body" });
}

function unsupported(error: string, allowed: readonly string[]): CallError {
  return new CallError("unsupported_content_encoding", error, { allowed });
}
