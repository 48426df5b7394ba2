import type { HttpMeta } from "../../../router/meta.ts";
import { type DescribedWarning, describeWarnings } from "../../../wire/tool-warning.ts";
import { prefers } from "../answer/accept.ts";
import { contentDisposition } from "../answer/disposition.ts";
import { writeDownload, type Download } from "../../service/answers/download.ts";
import { envelopeParts, type FileAnswer } from "../../service/answers/envelope.ts";
import { answerParts, answerText } from "../answer/answer-parts.ts";
import { spliceParts } from "../answer/json-text.ts";
import { baseHeaders, type RequestContext } from "../../service/request-context.ts";

export const JSON_TYPE = "application/json; charset=utf-8";
const TEXT_TYPE = "text/plain; charset=utf-8";

/** Writes the result of a procedure as REST documents it. */
export function writeResult(
  result: unknown,
  { context, http, isEnvelope }: { context: RequestContext; http: HttpMeta; isEnvelope: boolean },
): Response {
  // Which of the two a procedure answers is what its meta says; the output schema has checked the shape.
  if (http.result === "file") return writeFile(result as FileAnswer, { context, isEnvelope });
  if (http.result === "download") return writeDownload(result as Download, context);
  const record = result as Record<string, unknown>;
  const text = plainText(record, { context, http });
  // Nothing is thrown from here on, so these need no copy.
  const headers = context.trpcContext.responseHeaders;
  addWarnings(headers, describeWarnings(context.warnings));
  headers.set("Content-Type", text === undefined ? JSON_TYPE : TEXT_TYPE);
  const status = http.status ?? 200;
  const { jsonParts } = context.trpcContext;
  if (jsonParts.length > 0)
    return answerParts(spliceParts(JSON.stringify(record), jsonParts), { context, status, headers });
  return answerText(text ?? JSON.stringify(record), { context, status, headers });
}

function plainText(
  result: Record<string, unknown>,
  of: { context: RequestContext; http: HttpMeta },
): string | undefined {
  const { context, http } = of;
  const value = http.text && result[http.text.field];
  if (http.text?.by === "raw") {
    if (!wantsRaw(context)) return undefined;
    // A link ends with a newline; a revealed content is exactly what was handed over.
    return http.text.field === "url" ? `${String(value)}\n` : String(value);
  }
  const accept = context.request.headers.get("accept");
  if (accept === null || !Array.isArray(value)) return undefined;
  if (!prefers("text/plain", { over: "application/json", accept })) return undefined;
  return value.map((line) => `${String(line)}\n`).join("");
}

function wantsRaw({ url }: RequestContext): boolean {
  return ["true", "1", ""].includes(url.searchParams.get("raw") ?? "false");
}

function writeFile(
  file: FileAnswer,
  { context, isEnvelope }: { context: RequestContext; isEnvelope: boolean },
): Response {
  const accept = context.request.headers.get("accept");
  const warnings = [...file.warnings, ...describeWarnings(context.warnings)];
  if (isEnvelope || (accept !== null && prefers("application/json", { over: file.type, accept }))) {
    return writeEnvelope({ ...file, warnings }, context);
  }
  const headers = fileHeaders(file, context);
  addWarnings(headers, warnings);
  return answerParts([file.data], { context, status: 200, headers });
}

function writeEnvelope(file: FileAnswer, context: RequestContext): Response {
  const headers = baseHeaders(context);
  const { parts, length } = envelopeParts(file, { requestId: context.requestId });
  headers.set("Content-Type", JSON_TYPE);
  headers.set("Vary", "Accept, Authorization");
  return answerParts(parts, { context, status: 200, headers, length });
}

function fileHeaders(file: FileAnswer, context: RequestContext): Headers {
  const headers = baseHeaders(context);
  headers.set("Content-Type", file.type);
  headers.set("Content-Disposition", contentDisposition(file.name));
  headers.set("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'");
  headers.set("Repr-Digest", `sha-256=:${Buffer.from(file.sha256, "hex").toString("base64")}:`);
  headers.set("Vary", "Accept, Authorization");
  const extras: Record<string, unknown> = { ...file };
  for (const [key, header] of EXTRA_HEADERS) {
    if (extras[key] !== undefined) headers.set(header, String(extras[key]));
  }
  return headers;
}

/** Keys of the envelope that the file's own answer has as headers. */
export const EXTRA_HEADERS = [
  ["passwordNeeded", "Tool-Password-Needed"],
  ["pages", "Tool-Pages"],
  ["width", "Tool-Width"],
  ["height", "Tool-Height"],
  ["metadataRemoved", "Tool-Metadata-Removed"],
] as const;

/** Names of these headers, which a page of another origin may read too. */
export const TOOL_HEADERS = EXTRA_HEADERS.map(([, header]) => header);

// Header values are ASCII (RFC 9110, 5.5); a warning may quote a name in any script.
/** What was ignored or left out travels in a header, also beside an error. */
export function addWarnings(headers: Headers, warnings: readonly DescribedWarning[]): void {
  for (const { message } of warnings) headers.append("Tool-Warning", message.replace(/[^\x20-\x7e]/g, "?"));
}
