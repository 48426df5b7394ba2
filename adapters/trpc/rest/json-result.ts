import type { Bytes } from "../../../wire/bytes.ts";
import { JsonText } from "../../../wire/json/json-text.ts";
import { prefers } from "../answer/accept.ts";
import { answerNothing, answerParts, answerText, hasNoBody } from "../answer/answer-parts.ts";
import { answerCompressed, codedTag, codingOf } from "../answer/compressed.ts";
import { hasTag, notModified } from "../answer/etag.ts";
import { base64Within, spliceParts } from "../answer/json-text.ts";
import type { AnswerPart } from "../answer/stream.ts";
import type { RequestContext, WriteResult } from "../adapter.ts";
import { TEXT_PATH } from "../endpoints.ts";
import type { HttpMeta } from "../meta.ts";
import { jsonOf } from "../schema/write-value.ts";

export const JSON_TYPE = "application/json; charset=utf-8";
const TEXT_TYPE = "text/plain; charset=utf-8";

/** Writes a result as JSON, or one field of it as bare text. */
export const writeJson: WriteResult = (result, context, { http, isPlainResult }) => {
  const text = plainText(result, { context, http });
  // Nothing is thrown from here on, so these need no copy.
  const { responseHeaders: headers, jsonParts, request } = context;
  if (context.warnings.length > 0) context.adapter.addWarnings(headers, context);
  const coding = http.compressed && codingOf(context, headers);
  // A procedure may know whether what it tells has changed.
  const tag = headers.get("ETag");
  if (tag !== null) {
    headers.set("ETag", codedTag(tag, coding));
    if (hasTag(request, codedTag(tag, coding))) return notModified(headers);
  }
  headers.set("Content-Type", text === undefined ? JSON_TYPE : TEXT_TYPE);
  const answer = { context, status: http.status ?? 200, headers };
  if (hasNoBody(answer.status)) return answerNothing(answer);
  if (text instanceof Uint8Array) return write([text]);
  const written =
    text ?? (isPlainResult ? JSON.stringify(result ?? null) : jsonOf(result, base64Within(jsonParts)));
  if (text === undefined && jsonParts.length > 0) return write(spliceParts(written, jsonParts));
  return coding ? write([Buffer.from(written)]) : answerText(written, answer);

  function write(parts: readonly AnswerPart[]): Response {
    return coding ? answerCompressed(parts, answer, coding) : answerParts(parts, answer);
  }
};

function plainText(
  result: unknown,
  { context, http }: { context: RequestContext; http: HttpMeta },
): string | Bytes | undefined {
  if (!http.text) return undefined;
  const { field, by } = http.text;
  const value: unknown = Reflect.get(Object(result), field);
  if (by === "raw") {
    if (!wantsRaw(context.url)) return undefined;
    // A link ends with a newline; a revealed content is exactly what was handed over.
    return field === "url" ? `${String(value)}\n` : String(value);
  }
  if (!wantsLines(context)) return undefined;
  if (value instanceof JsonText) return value.lines;
  return Array.isArray(value) ? value.map((line) => `${String(line)}\n`).join("") : undefined;
}

function isTextPath({ pathname }: URL): boolean {
  return pathname.endsWith(TEXT_PATH);
}

/** Whether a call wants the bare text where there is one. */
export function wantsRaw(url: URL): boolean {
  return isTextPath(url) || ["true", "1", ""].includes(url.searchParams.get("raw") ?? "false");
}

function wantsLines({ request, url }: RequestContext): boolean {
  const accept = request.headers.get("accept");
  return isTextPath(url) || (accept !== null && prefers("text/plain", { over: "application/json", accept }));
}
