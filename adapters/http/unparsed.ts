import { ApiError, errorBody } from "../../router/errors/errors.ts";

/** Statuses of what Node's parser refuses in another way than as a bad request, as its own answers have them. */
const STATUSES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

const ALLOWED = ["GET", "HEAD", "POST", "DELETE", "OPTIONS"];

/**
 * What to answer beside `base`, which every answer says, as bytes of HTTP/1.1, where Node's parser has made no request.
 * There is nothing in it that a page of another origin may not read. The parser takes some thirty methods and no others;
 * Deno 2.9 hands those over, and a path refuses them, while Bun 1.4 hangs up.
 */
export function refuseUnparsed(code: string | undefined, base: Headers): string {
  const said = [...base, ["Access-Control-Allow-Origin", "*"]].map(([name, value]) => `${name}: ${value}`);
  if (code !== "HPE_INVALID_METHOD") return bare(STATUSES[code ?? ""] ?? "400 Bad Request", said);
  const requestId = crypto.randomUUID();
  const message = `The service takes ${ALLOWED.join(", ")} and no other method`;
  const error = new ApiError("method_not_allowed", message, { allowed: ALLOWED });
  const text = JSON.stringify(errorBody(error, requestId));
  const headers = [
    `Allow: ${ALLOWED.join(", ")}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${text.length}`,
    `Request-Id: ${requestId}`,
    ...said,
  ];
  return bare("405 Method Not Allowed", headers) + text;
}

function bare(status: string, headers: readonly string[]): string {
  return [`HTTP/1.1 ${status}`, ...headers, "Connection: close", "", ""].join("\r\n");
}
