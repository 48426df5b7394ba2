import { TRPCClientError } from "@trpc/client";
import type { AnyTRPCRouter } from "@trpc/server";
import { ByteStream, readAll } from "../wire/byte-pieces.ts";
import type { Bytes } from "../wire/bytes.ts";
import { askFollowing } from "./answers/follow.ts";
import { cutAnswer, explainError, notHushkitOf, type ReceivedAnswer } from "./answers/not-hushkit.ts";
import { bodyPieces, isWhole, lengthOf, wholeBody, type BodyParts } from "./file-body.ts";
import type { ProgressContext } from "./call-context.ts";

interface HttpRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent with GET where it is undefined. */
  readonly body: BodyParts | undefined;
  readonly signal: AbortSignal;
  readonly fetch: typeof fetch | undefined;
  readonly credentials: RequestCredentials | undefined;
  /** Whether the answer is to be read while it arrives. */
  readonly isStreamed: boolean;
  readonly onUpload: ProgressListener;
  readonly onDownload: ProgressListener;
  /** Called when the answer has been read, also where nobody reads all of it. */
  readonly onEnd: () => void;
}

type ProgressListener = ProgressContext["onUploadProgress"];

interface HttpAnswer extends ReceivedAnswer {
  /** The length of the body, where it is known. */
  readonly length: number | undefined;
  readonly pieces: AsyncIterable<Bytes>;
  readonly response?: Response;
}

/** From this size on, a body is sent piece by piece where possible: Node would hold five copies of it. */
const LARGE_BYTES = 1024 * 1024;

/** Sends a request and opens its answer. */
export async function send(request: HttpRequest): Promise<HttpAnswer> {
  // Browsers cannot stream a body over HTTP/1.1, and only XMLHttpRequest reports how much was sent.
  const { body, onUpload } = request;
  const whole = onUpload && body && hasXhr() && !request.fetch && !request.isStreamed && wholeBody(body);
  return whole ? sendByXhr(request, whole) : sendByFetch(request);
}

function hasXhr(): boolean {
  return typeof XMLHttpRequest !== "undefined";
}

async function sendByFetch(request: HttpRequest): Promise<HttpAnswer> {
  const { body, onUpload, onDownload, onEnd, signal } = request;
  // Fetch tells of a stream that breaks as it tells of the network.
  let unread: TRPCClientError<AnyTRPCRouter> | undefined;
  const onFailure = (error: unknown) => (unread = unreadFile(error));
  const streamed = body && isSentInPieces(body, onUpload) ? streamOf(request, body, onFailure) : undefined;
  const init = streamed ?? (body && { body: wholeBody(body) ?? null });
  const response = await fetchBy(request, init).catch((error: unknown) => {
    throw unread ?? blobFailure(error) ?? error;
  });
  const { status, url, headers } = response;
  const total = Number(headers.get("content-length")) || undefined;
  const explain = (error: unknown) => unread ?? (signal.aborted ? error : cutAnswer(error, request.url));
  return {
    status,
    url,
    headers,
    response,
    // A compressed body has another length.
    length: headers.has("content-encoding") ? undefined : total,
    pieces: counted(piecesOf(response, explain, onEnd), total, onDownload),
  };
}

/** The error of a call with a file that broke while it was read; the error of its stream is the cause. */
function unreadFile(error: unknown): TRPCClientError<AnyTRPCRouter> {
  const cause = error instanceof Error ? error : new Error(String(error));
  return new TRPCClientError(`The given file or stream failed while it was read: ${cause.message}`, {
    cause,
  });
}

/** Node's fetch reads a small Blob by itself, and names why it could not as the cause of its error. */
function blobFailure(error: unknown): TRPCClientError<AnyTRPCRouter> | undefined {
  const { cause } = Object(notHushkitOf(error)?.cause) as { cause?: unknown };
  return cause instanceof Error && cause.name === "NotReadableError" ? unreadFile(cause) : undefined;
}

function fetchBy(
  { fetch = globalThis.fetch, url, headers, signal, credentials, body }: HttpRequest,
  init: RequestInit = {},
) {
  return askFollowing(
    fetch,
    url,
    {
      ...("body" in init && { method: "POST" }),
      ...init,
      headers: { ...headers, ...init.headers },
      signal,
      ...(credentials && { credentials }),
    },
    () => wholeBody(body ?? []),
  );
}

async function* piecesOf(
  response: Response,
  explain: (error: unknown) => unknown,
  onEnd: () => void,
): AsyncGenerator<Bytes, void> {
  try {
    if (response.body) yield* readAll(response.body);
    // React Native has no `body`.
    else yield new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    throw explain(error);
  } finally {
    onEnd();
  }
}

/** Whether fetch gets a stream. Where XMLHttpRequest exists, fetch might not take one. */
function isSentInPieces(body: BodyParts, onProgress: ProgressListener): boolean {
  if (!isWhole(body)) return true;
  if (hasXhr() || !hasProcess()) return false;
  return onProgress !== undefined || !((lengthOf(body) ?? Infinity) < LARGE_BYTES);
}

// True in Node, Deno and Bun. Service workers have neither.
function hasProcess(): boolean {
  return "process" in globalThis;
}

function streamOf(
  { onUpload, signal }: HttpRequest,
  body: BodyParts,
  onFailure: (error: unknown) => void,
): RequestInit {
  const total = lengthOf(body);
  const pieces = counted(bodyPieces(body, onFailure), total, onUpload);
  // Node 24 reads no more of a call that has ended, and never tells the stream, which may hold a file open.
  signal.addEventListener("abort", () => void endAll(body).catch(() => {}));
  // Missing in TypeScript's DOM library; fetch refuses a stream without it.
  const duplex = { duplex: "half" };
  return {
    body: new ByteStream(pieces).stream(),
    // Node and Bun send it, so that the server knows the size; Deno 2.9 ignores it.
    ...(total !== undefined && { headers: { "content-length": String(total) } }),
    ...duplex,
  };
}

/** Ends what is read for a body, also where nobody has begun to: a generator that is only ended then never runs. */
async function endAll(body: BodyParts): Promise<void> {
  for (const part of body) if (part instanceof ByteStream) for await (const _ of part.pieces) break;
}

/**
 * Reports each piece when the next one is asked for, and the last one at once, because nothing is asked for after it.
 */
async function* counted(
  pieces: AsyncIterable<Bytes>,
  total: number | undefined,
  onProgress: ProgressListener,
): AsyncGenerator<Bytes, void> {
  let loaded = 0;
  for await (const piece of pieces) {
    loaded += piece.length;
    const tell = () => onProgress?.({ loaded, ...(total !== undefined && { total }) });
    if (loaded === total) tell();
    yield piece;
    if (loaded !== total) tell();
  }
}

async function* once(bytes: Bytes): AsyncGenerator<Bytes, void> {
  yield bytes;
}

function sendByXhr(
  { url, headers, signal, credentials, onUpload, onDownload, onEnd }: HttpRequest,
  body: Bytes | Blob,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open("POST", url);
    xhr.responseType = "arraybuffer";
    xhr.withCredentials = credentials === "include";
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.upload.addEventListener("progress", report(onUpload));
    xhr.addEventListener("progress", report(onDownload));
    xhr.addEventListener("load", () => resolve(answerOf(xhr)));
    xhr.addEventListener("error", () => {
      void explainError(new TypeError("The network failed"), { url }).then(reject);
    });
    xhr.addEventListener("abort", () => reject(signal.reason));
    xhr.addEventListener("loadend", onEnd);
    signal.addEventListener("abort", () => xhr.abort());
    if (signal.aborted) return reject(signal.reason);
    xhr.send(body);
  });
}

function report(listener: ProgressListener) {
  return ({ loaded, total, lengthComputable }: ProgressEvent) =>
    listener?.({ loaded, ...(lengthComputable && { total }) });
}

function answerOf(xhr: XMLHttpRequest): HttpAnswer {
  // As `responseType` asks; null stands for an empty body.
  const response = xhr.response as ArrayBuffer | null;
  const body = new Uint8Array(response ?? new ArrayBuffer());
  const headers = { get: (name: string) => xhr.getResponseHeader(name) };
  return { status: xhr.status, url: xhr.responseURL, headers, length: body.length, pieces: once(body) };
}
