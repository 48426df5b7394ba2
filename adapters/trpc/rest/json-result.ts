import { prefers } from "../answer/accept.ts";
import { answerParts, answerText } from "../answer/answer-parts.ts";
import { spliceParts } from "../answer/json-text.ts";
import type { WriteResult } from "../adapter.ts";
import type { HttpMeta } from "../meta.ts";
import type { RequestContext } from "../request-context.ts";

export const JSON_TYPE = "application/json; charset=utf-8";
const TEXT_TYPE = "text/plain; charset=utf-8";

/** Writes a result as JSON, or one field of it as bare text. */
export const writeJson: WriteResult = (result, { adapter, context, http }) => {
  const text = plainText(result, { context, http });
  // Nothing is thrown from here on, so these need no copy.
  const { responseHeaders: headers, jsonParts } = context;
  adapter.addWarnings(headers, context);
  headers.set("Content-Type", text === undefined ? JSON_TYPE : TEXT_TYPE);
  const status = http.status ?? 200;
  if (jsonParts.length > 0)
    return answerParts(spliceParts(JSON.stringify(result), jsonParts), { context, status, headers });
  return answerText(text ?? JSON.stringify(result ?? null), { context, status, headers });
};

function plainText(
  result: unknown,
  { context, http }: { context: RequestContext; http: HttpMeta },
): string | undefined {
  if (!http.text) return undefined;
  const { field, by } = http.text;
  const value: unknown = Reflect.get(Object(result), field);
  if (by === "raw") {
    if (!wantsRaw(context)) return undefined;
    // A link ends with a newline; a revealed content is exactly what was handed over.
    return field === "url" ? `${String(value)}\n` : String(value);
  }
  const accept = context.request.headers.get("accept");
  if (accept === null || !Array.isArray(value)) return undefined;
  if (!prefers("text/plain", { over: "application/json", accept })) return undefined;
  return value.map((line) => `${String(line)}\n`).join("");
}

function wantsRaw({ url }: RequestContext): boolean {
  return ["true", "1", ""].includes(url.searchParams.get("raw") ?? "false");
}
