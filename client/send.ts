import { ByteStream, readAll } from "../wire/byte-stream.ts";
import type { Bytes } from "../wire/bytes.ts";
import type { Listeners, Progress } from "./progress.ts";

/** A request, and who wants to hear how far it is. */
export interface HttpRequest extends Listeners {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Without one it is sent with GET. */
  readonly body: Bytes | Blob | ByteStream | undefined;
  readonly signal: AbortSignal;
  readonly fetch: typeof fetch | undefined;
  readonly credentials: RequestCredentials | undefined;
  /** Whether the answer has to be there while it arrives. */
  readonly isStreamed: boolean;
}

export interface HttpAnswer {
  readonly status: number;
  readonly type: string | null;
  readonly pieces: AsyncIterable<Bytes>;
}

const PIECE_BYTES = 64 * 1024;

/** Sends a request and opens its answer. */
export async function send(request: HttpRequest): Promise<HttpAnswer> {
  // Browsers stream no body over HTTP/1.1: only their older interface tells how much has been sent.
  const { body } = request;
  const canXhr = hasXhr() && !request.fetch && !request.isStreamed && !(body instanceof ByteStream);
  return request.upload && canXhr && body ? sendByXhr(request) : sendByFetch(request);
}

function hasXhr(): boolean {
  return typeof XMLHttpRequest !== "undefined";
}

async function sendByFetch({ url, headers, signal, credentials, ...rest }: HttpRequest): Promise<HttpAnswer> {
  const { fetch = globalThis.fetch, upload, download, body } = rest;
  const response = await fetch(url, {
    headers: { ...headers },
    ...(body && { method: "POST", ...fetchBody(body, upload) }),
    signal,
    ...(credentials && { credentials }),
  });
  const { status, headers: answered } = response;
  const total = Number(answered.get("content-length")) || undefined;
  const pieces = response.body ? readAll(response.body) : nothing();
  return {
    status,
    type: answered.get("content-type"),
    pieces: counted(pieces, { total, onProgress: download }),
  };
}

/** What fetch is given; a file on the disk is read by the platform, where nobody counts. */
function fetchBody(body: NonNullable<HttpRequest["body"]>, onProgress: Listeners["upload"]): RequestInit {
  const total = body instanceof Blob ? body.size : body.length;
  if (!(body instanceof ByteStream) && (!onProgress || hasXhr())) return { body };
  const pieces = counted(piecesOf(body), { total, onProgress });
  // TypeScript's DOM library does not know it, and fetch refuses a stream without it.
  const duplex = { duplex: "half" };
  return { body: new ByteStream(pieces).stream(), ...duplex };
}

async function* piecesOf(body: NonNullable<HttpRequest["body"]>): AsyncGenerator<Bytes, void> {
  if (body instanceof ByteStream) return yield* body.pieces;
  if (body instanceof Blob) return yield* readAll(body.stream());
  for (let start = 0; start < body.length; start += PIECE_BYTES) yield body.slice(start, start + PIECE_BYTES);
}

/** Tells of each piece when the next one is asked for, or the end. */
async function* counted(
  pieces: AsyncIterable<Bytes>,
  {
    total,
    onProgress,
  }: { total: number | undefined; onProgress: ((progress: Progress) => void) | undefined },
): AsyncGenerator<Bytes, void> {
  let loaded = 0;
  for await (const piece of pieces) {
    loaded += piece.length;
    yield piece;
    onProgress?.({ loaded, ...(total !== undefined && { total }) });
  }
}

async function* nothing(): AsyncGenerator<Bytes, void> {}

async function* once(bytes: Bytes): AsyncGenerator<Bytes, void> {
  yield bytes;
}

function sendByXhr({
  url,
  headers,
  body,
  signal,
  credentials,
  upload,
  download,
}: HttpRequest): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open("POST", url);
    xhr.responseType = "arraybuffer";
    xhr.withCredentials = credentials === "include";
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.upload.addEventListener("progress", report(upload));
    xhr.addEventListener("progress", report(download));
    xhr.addEventListener("load", () => resolve(answerOf(xhr)));
    xhr.addEventListener("error", () => reject(new TypeError("The server cannot be reached")));
    xhr.addEventListener("abort", () => reject(signal.reason));
    signal.addEventListener("abort", () => xhr.abort());
    if (signal.aborted) return reject(signal.reason);
    // A stream was sent by fetch.
    xhr.send(body as Bytes | Blob);
  });
}

function report(listener: Listeners["upload"]) {
  return ({ loaded, total, lengthComputable }: ProgressEvent) =>
    listener?.({ loaded, ...(lengthComputable && { total }) });
}

function answerOf(xhr: XMLHttpRequest): HttpAnswer {
  // As `responseType` asks; null stands for an empty body.
  const response = xhr.response as ArrayBuffer | null;
  const body = new Uint8Array(response ?? new ArrayBuffer());
  return { status: xhr.status, type: xhr.getResponseHeader("content-type"), pieces: once(body) };
}
