import { MaxPartsExceededError, MultipartParseError, parseMultipart } from "@remix-run/multipart-parser";
import { ApiError } from "../../router/errors.ts";
import { decodeText } from "../http/content-type.ts";

const MAX_PARTS = 1000;

export interface Part {
  readonly name: string;
  readonly isFile: boolean;
  readonly fileName?: string | undefined;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** True when a Content-Type names a form with parts. */
export function isMultipart(contentType: string | null): boolean {
  return /^\s*multipart\/form-data\s*(;|$)/i.test(contentType ?? "");
}

/** Splits a form of parts (RFC 7578) in the order of the request. @throws ApiError invalid_parameter */
export function readParts(body: Uint8Array, contentType: string): Part[] {
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType);
  if (!boundary) throw malformed("Content-Type names no boundary");
  try {
    const sizes = { maxFileSize: body.length + 1, maxTotalSize: body.length + 1, maxParts: MAX_PARTS };
    const parts = parseMultipart(body, { boundary: boundary[1] ?? boundary[2] ?? "", ...sizes });
    return Array.from(parts, (part) => ({
      name: part.name ?? "",
      isFile: part.isFile,
      fileName: part.filename,
      // Views on the body, which is never shared memory; `bytes` would be a copy.
      bytes: (part.content.length === 1 ? part.content[0]! : part.bytes) as Uint8Array<ArrayBuffer>,
    }));
  } catch (error) {
    if (error instanceof MaxPartsExceededError) throw malformed(`it has more than ${MAX_PARTS} parts`);
    if (error instanceof MultipartParseError) throw malformed("its parts cannot be told apart");
    throw error;
  }
}

/** The text of a part. @throws ApiError invalid_text */
export function partText(part: Part): string {
  return decodeText(part.bytes, `part "${part.name.slice(0, 64)}"`);
}

function malformed(why: string): ApiError {
  return new ApiError("invalid_parameter", `The multipart/form-data body cannot be read: ${why}`, {
    in: "body",
  });
}
