import { FastResponse } from "srvx";
import { ByteStream } from "../../../wire/byte-pieces.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { CallError } from "../../../wire/call-error.ts";
import type { RequestContext, WriteResult } from "../adapter.ts";
import { answerParts, contentDisposition, type Answer } from "../answer/answer-parts.ts";
import { hasTag, notModified } from "../answer/negotiation.ts";
import { StreamPart } from "../answer/stream.ts";

/**
 * Writes `{ data, name?, type? }` as a file, or a File, Blob, Response, stream or bytes as they are. For a query whose
 * result has a known length, supports ranges (RFC 9110, 14.2) and conditions (13.1.2).
 */
export const writeFile: WriteResult = async (result, context, { http }) => {
  if (result instanceof Response) return passOn(result, context);
  const { data, name, type } = fileOf(result);
  const headers = new Headers(context.responseHeaders);
  context.adapter.addWarnings(headers, context);
  headers.set("Content-Type", type || (http.type ?? "application/octet-stream"));
  headers.set("Content-Disposition", contentDisposition(name));
  // A file that somebody sent must not run as a page of this origin.
  headers.set("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'");
  const status = http.status ?? 200;
  if (data instanceof ByteStream) return answerParts([data], { context, status, headers });
  if (!["GET", "HEAD"].includes(context.request.method) || status !== 200)
    return answerPart(data, { context, status, headers });
  return answerRange(data, context, headers);
};

function fileOf(result: unknown): { data: Uint8Array | Blob | ByteStream; name: string; type: string } {
  const found = isFileData(result) ? { data: result } : Object(result);
  const { data, name, type }: Record<string, unknown> = found;
  if (!isFileData(data))
    throw new TypeError("The result of a procedure that answers a file has no bytes in data");
  const own = data instanceof Blob ? data.type : "";
  const called = data instanceof File ? data.name : "";
  return {
    data: data instanceof ReadableStream ? new StreamPart(data) : data,
    name: typeof name === "string" ? name : called,
    type: typeof type === "string" ? type : own,
  };
}

/** Whether a value can be the content of a file. */
function isFileData(value: unknown): value is Uint8Array | Blob | ByteStream | ReadableStream<Bytes> {
  return [Uint8Array, Blob, ByteStream, ReadableStream].some((kind) => value instanceof kind);
}

// Headers that the procedure sets replace the usual ones.
function passOn(response: Response, context: RequestContext): Response {
  const headers = new Headers(context.responseHeaders);
  const isDecoded = wasDecoded(response);
  for (const [name, value] of response.headers)
    if (isDecoded && ["content-encoding", "content-length"].includes(name)) continue;
    else if (name === "set-cookie") headers.append(name, value);
    else headers.set(name, value);
  const { status, body } = response;
  if (!body) return new FastResponse(null, { status, headers });
  const length = headers.get("content-length");
  const stream = new StreamPart(body, length === null ? undefined : Number(length));
  return answerParts([stream], { context, status, headers });
}

// What fetch has got is read without its coding, and Node 24 leaves the header there; only such a Response has a URL.
function wasDecoded({ url, headers }: Response): boolean {
  return url !== "" && /^\s*(?:x-)?(?:gzip|deflate|br|zstd)\s*$/i.test(headers.get("content-encoding") ?? "");
}

function answerPart(data: Uint8Array | Blob, answer: Answer): Response {
  const part = data instanceof Blob ? new ByteStream(data.stream(), data.size) : data;
  return answerParts([part], answer);
}

async function answerRange(
  data: Uint8Array | Blob,
  context: RequestContext,
  headers: Headers,
): Promise<Response> {
  const { request } = context;
  const tag = headers.get("ETag") ?? (await tagOf(data));
  const size = data instanceof Blob ? data.size : data.length;
  headers.set("ETag", tag);
  headers.set("Accept-Ranges", "bytes");
  if (hasTag(request, tag)) return notModified(headers);
  const condition = request.headers.get("if-range");
  const range =
    condition === null || condition === tag ? rangeOf(request.headers.get("range"), size) : undefined;
  if (!range) return answerPart(data, { context, status: 200, headers });
  if (range === "beyond") {
    headers.set("Content-Range", `bytes */${size}`);
    context.responseHeaders.set("Content-Range", `bytes */${size}`);
    throw new CallError("range_not_satisfiable", `The file has ${size} bytes`, {
      parameter: "Range",
      in: "header",
    });
  }
  headers.set("Content-Range", `bytes ${range.start}-${range.end - 1}/${size}`);
  const part =
    data instanceof Blob ? data.slice(range.start, range.end) : data.subarray(range.start, range.end);
  return answerPart(part, { context, status: 206, headers });
}

async function tagOf(data: Uint8Array | Blob): Promise<string> {
  const bytes = data instanceof Blob ? await data.arrayBuffer() : new Uint8Array(data);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `"${btoa(String.fromCharCode(...digest.subarray(0, 18)))}"`;
}

// A single range; servers may ignore others (RFC 9110, 14.2), such as several.
function rangeOf(header: string | null, size: number): { start: number; end: number } | "beyond" | undefined {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  if (first === "") {
    const length = Number(last);
    return length === 0 ? "beyond" : { start: Math.max(0, size - length), end: size };
  }
  const [start, end] = [Number(first), last === "" ? size : Math.min(size, Number(last) + 1)];
  if (last !== "" && Number(last) < start) return undefined;
  return start >= size ? "beyond" : { start, end };
}
