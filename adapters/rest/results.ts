import { FastResponse } from "srvx";
import { errorBody, type ApiError } from "../../router/errors.ts";
import type { HttpMeta } from "../../router/meta.ts";
import { prefers, qualityOf } from "../http/accept.ts";
import { contentDisposition } from "../http/disposition.ts";
import { envelopeStream, type FileAnswer } from "./envelope.ts";
import type { RequestContext } from "../http/request-context.ts";
import { answerParts, spliceTexts } from "../http/send.ts";

const JSON_TYPE = "application/json; charset=utf-8";
const TEXT_TYPE = "text/plain; charset=utf-8";

/** The headers that every answer carries, with the context's own. */
export function baseHeaders({ requestId, trpcContext }: RequestContext): Headers {
  const headers = new Headers(trpcContext.responseHeaders);
  headers.set("Request-Id", requestId);
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("Referrer-Policy", "no-referrer");
  headers.set("Cache-Control", "no-store");
  return headers;
}

/** Writes the result of a procedure as the REST http documents it. */
export function writeResult(
  result: unknown,
  { context, http }: { context: RequestContext; http: HttpMeta },
): Response {
  // Which of the two a procedure answers is what its meta says; the output schema has checked the shape.
  if (http.result === "file") return writeFile(result as FileAnswer, context);
  const record = result as Record<string, unknown>;
  const text = plainText(record, { context, http });
  const headers = baseHeaders(context);
  addWarnings(headers, context.warnings);
  headers.set("Content-Type", text === undefined ? JSON_TYPE : TEXT_TYPE);
  const status = http.status ?? 200;
  const { jsonTexts: written } = context.trpcContext;
  if (written.length > 0)
    return answerParts(spliceTexts(JSON.stringify(record), written), { status, headers });
  return new FastResponse(text ?? JSON.stringify(record), { status, headers });
}

function plainText(
  result: Record<string, unknown>,
  of: { context: RequestContext; http: HttpMeta },
): string | undefined {
  const { context, http } = of;
  const value = http.text && result[http.text.field];
  if (http.text?.by === "raw") {
    if (!wantsRaw(context)) return undefined;
    // A link ends its line; a revealed content is given exactly as it was handed over.
    return http.text.field === "url" ? `${String(value)}\n` : String(value);
  }
  const accept = context.request.headers.get("accept");
  if (!Array.isArray(value) || !prefers("text/plain", { over: "application/json", accept })) return undefined;
  return value.map((line) => `${String(line)}\n`).join("");
}

function wantsRaw({ url }: RequestContext): boolean {
  return ["true", "1", ""].includes(url.searchParams.get("raw") ?? "false");
}

function writeFile(file: FileAnswer, context: RequestContext): Response {
  const accept = context.request.headers.get("accept");
  const warnings = [...file.warnings, ...context.warnings];
  if (prefers("application/json", { over: file.type, accept })) {
    return writeEnvelope({ ...file, warnings }, context);
  }
  const headers = fileHeaders(file, context);
  addWarnings(headers, warnings);
  return new FastResponse(file.data, { headers });
}

function writeEnvelope(file: FileAnswer, context: RequestContext): Response {
  const headers = baseHeaders(context);
  const { stream, length } = envelopeStream(file, { requestId: context.requestId });
  headers.set("Content-Type", JSON_TYPE);
  headers.set("Content-Length", String(length));
  headers.set("Vary", "Accept, Authorization");
  return new FastResponse(stream, { headers });
}

function fileHeaders(file: FileAnswer, context: RequestContext): Headers {
  const headers = baseHeaders(context);
  headers.set("Content-Type", file.type);
  headers.set("Content-Length", String(file.size));
  headers.set("Content-Disposition", contentDisposition(file.name));
  headers.set("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'");
  headers.set("Repr-Digest", `sha-256=:${Buffer.from(file.sha256, "hex").toString("base64")}:`);
  headers.set("Vary", "Accept, Authorization");
  for (const [key, header] of EXTRA_HEADERS) {
    const value = Reflect.get(file, key) as unknown;
    if (value !== undefined) headers.set(header, String(value));
  }
  return headers;
}

/** What a native answer says in headers of what the envelope says in keys. */
const EXTRA_HEADERS = [
  ["passwordNeeded", "Tool-Password-Needed"],
  ["pages", "Tool-Pages"],
  ["width", "Tool-Width"],
  ["height", "Tool-Height"],
  ["metadataRemoved", "Tool-Metadata-Removed"],
] as const;

/** Headers that a page of another origin may read. */
export const EXPOSED_HEADERS = [
  "Request-Id",
  "Location",
  "Content-Disposition",
  "Repr-Digest",
  "Retry-After",
  "RateLimit",
  "RateLimit-Policy",
  "Tool-Warning",
  ...EXTRA_HEADERS.map(([, header]) => header),
].join(", ");

// Header values are ASCII (RFC 9110, 5.5); a warning may quote a name in any script.
function addWarnings(headers: Headers, warnings: readonly string[]): void {
  for (const warning of warnings) headers.append("Tool-Warning", warning.replace(/[^\x20-\x7e]/g, "?"));
}

/** What an error says in headers too, over REST and RPC. */
export function errorHeaders({ status, details }: ApiError): Headers {
  const headers = new Headers();
  if (status === 401) headers.set("WWW-Authenticate", "Bearer");
  if (details.retryAfter !== undefined) headers.set("Retry-After", String(details.retryAfter));
  if (status === 405 && details.allowed) headers.set("Allow", details.allowed.join(", "));
  return headers;
}

/** Writes an error; with `Accept: application/problem+json` it has the RFC 9457 members too. */
export function writeError(error: ApiError, context: RequestContext): Response {
  const { status, code, message } = error;
  const headers = baseHeaders(context);
  const accept = context.request.headers.get("accept") ?? "";
  const asProblem =
    /application\/problem\+json/i.test(accept) && qualityOf("application/problem+json", accept) > 0;
  for (const [name, value] of errorHeaders(error)) headers.set(name, value);
  headers.set("Content-Type", asProblem ? "application/problem+json; charset=utf-8" : JSON_TYPE);
  const body = errorBody(error, context.requestId);
  const members = { type: `/docs#${code}`, title: TITLES[status] ?? "Error", detail: message };
  const instance = `urn:request:${context.requestId}`;
  return new FastResponse(JSON.stringify(asProblem ? { ...body, ...members, instance } : body), {
    status,
    headers,
  });
}

const TITLES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  413: "Content Too Large",
  414: "URI Too Long",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
};
