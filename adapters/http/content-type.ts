import { ApiError } from "../../router/errors.ts";

/** Decodes UTF-8 exactly: a byte order mark is content. @throws ApiError invalid_text */
export function decodeText(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ApiError("invalid_text", `The ${what} is not UTF-8`, { in: "body" });
  }
}

/** The media type without its parameters, in lower case; "" when there is none. */
export function mediaType(request: Request): string {
  return (request.headers.get("content-type") ?? "").split(";", 1)[0]!.trim().toLowerCase();
}

/** @throws ApiError unsupported_charset */
export function checkCharset(request: Request): void {
  const match = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(request.headers.get("content-type") ?? "");
  const charset = match?.[1]?.toLowerCase();
  if (charset === undefined || ["utf-8", "utf8", "us-ascii"].includes(charset)) return;
  throw new ApiError("unsupported_charset", "The charset of Content-Type must be utf-8 or us-ascii", {
    allowed: ["utf-8", "us-ascii"],
  });
}

/** Parses a JSON body. @throws ApiError invalid_text, invalid_json (which quotes nothing of the body) */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decodeText(bytes, "body").replace(/^\uFEFF/, "");
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError("invalid_json", "The body is not valid JSON", { in: "body" });
  }
}

/** @throws ApiError invalid_json */
export function asObject(value: unknown): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw new ApiError("invalid_json", "The body must be a JSON object with the parameters as its keys", {
    in: "body",
  });
}
