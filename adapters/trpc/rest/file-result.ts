import { ByteStream } from "../../../wire/byte-stream.ts";
import type { WriteResult } from "../adapter.ts";
import { answerParts } from "../answer/answer-parts.ts";
import { contentDisposition } from "../answer/disposition.ts";
import { baseHeaders } from "../request-context.ts";

/** Writes `{ data, name?, type? }` as the file itself; `data` is bytes, or a `ByteStream` that is still being made. */
export const writeFile: WriteResult = (result, context, { http }) => {
  const { data, name, type }: Record<string, unknown> = Object(result);
  if (!(data instanceof Uint8Array || data instanceof ByteStream))
    throw new TypeError("The result of a procedure that answers a file has no bytes in data");
  const headers = baseHeaders(context);
  headers.set("Content-Type", typeof type === "string" ? type : "application/octet-stream");
  headers.set("Content-Disposition", contentDisposition(typeof name === "string" ? name : ""));
  // A file that somebody has sent must not run as a page of this origin.
  headers.set("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'");
  return answerParts([data], { context, status: http.status ?? 200, headers });
};
