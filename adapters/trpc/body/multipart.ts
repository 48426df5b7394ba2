import type { RequestContext } from "../adapter.ts";
import { MultipartParseError, MultipartPart } from "@remix-run/multipart-parser";
import { utf8, type Bytes } from "../../../wire/bytes.ts";
import { CallError } from "../../../wire/call-error.ts";
import { quoteStart } from "../../../wire/escaped-name.ts";
import { checkCharset, decodeText } from "./request-body.ts";

export const MULTIPART = "multipart/form-data";

export const MAX_FORM_PARTS = 1000;
// RFC 2046, 5.1.1. Searching for it takes its length times that of the body.
const MAX_BOUNDARY_LENGTH = 70;

export interface PartHead {
  readonly name: string;
  readonly isFile: boolean;
  readonly fileName?: string | undefined;
  /** The part's media type, if it has one. */
  readonly type?: string | undefined;
  /** With the charset of its text. */
  readonly contentType?: string | undefined;
}

export interface Part extends PartHead {
  readonly bytes: Bytes;
}

/** The boundary between parts. @throws CallError invalid_parameter */
export function boundaryOf({ request }: RequestContext): string {
  const contentType = request.headers.get("content-type") ?? "";
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) throw malformed("Content-Type names no boundary");
  if (boundary.length <= MAX_BOUNDARY_LENGTH) return boundary;
  throw malformed(`its boundary has more than ${MAX_BOUNDARY_LENGTH} characters`);
}

/** Reads the head of a part. @throws CallError invalid_parameter */
export function readPartHead(head: Uint8Array): PartHead {
  return asForm(() => headOf(new MultipartPart(head, [])));
}

function headOf(part: MultipartPart): PartHead {
  const { name = "", isFile, filename, mediaType: type } = readable(part);
  // A `filename*` has been decoded already.
  const isDecoded = /filename\*/i.test(part.headers["content-disposition"] ?? "");
  const fileName = isDecoded || filename === undefined ? filename : unescapeName(filename);
  const { "content-type": contentType } = part.headers;
  return { name: unescapeName(name), isFile, fileName, type, contentType };
}

/** Browsers and fetch encode what would end a name (WHATWG HTML, 4.10.21.8), and leave a % as it is. */
function unescapeName(name: string): string {
  return name.replace(/%(?:22|0D|0A)/gi, decodeURIComponent);
}

/**
 * A part whose Content-Disposition is as the parser reads it. Browsers and .NET write the backslashes of a Windows path
 * as they are (WHATWG HTML, 4.10.21.8), and it would drop each that escapes nothing. For a `filename*` in a charset that
 * nobody knows it would write the caller's text to the log; UTF-8 is what every sender knows (RFC 8187, 3.2.1).
 */
function readable(part: MultipartPart): MultipartPart {
  const { "content-disposition": disposition = "", "content-type": type } = part.headers;
  if (!/[\\*]/.test(disposition)) return part;
  const known = disposition
    .replace(/\\(["\\])|\\/g, (found, escaped) => (escaped === undefined ? "\\\\" : found))
    .replace(/(;\s*filename\*\s*=\s*"?)([\w-]+)(?=')/gi, (found, start: string, charset: string) =>
      CHARSETS.has(charset.toLowerCase()) ? found : `${start}utf-8`,
    );
  const lines = [`Content-Disposition: ${known}`, ...(type === undefined ? [] : [`Content-Type: ${type}`])];
  return new MultipartPart(utf8(lines.join("\r\n")), part.content);
}

// Looking a name up for each parameter, by a TextDecoder, takes seconds where a head has hundreds.
const CHARSETS: ReadonlySet<string> = new Set(["utf-8", "utf8", "iso-8859-1", "us-ascii", "windows-1252"]);

function asForm<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof MultipartParseError) throw malformed("its parts cannot be separated");
    // Names of fields and files are decoded on access; @remix-run/multipart-parser 0.16 throws this.
    if (error instanceof TypeError) throw malformed("the head of a part is not UTF-8");
    throw error;
  }
}

/** Refuses the fields beside a file where they are longer together than they may be. @throws CallError total_too_large */
export function checkFieldBytes(bytes: number, { adapter: { maxFieldBytes: value } }: RequestContext): void {
  if (value === undefined || bytes <= value) return;
  const error = `The fields beside a file exceed ${value.toLocaleString("en-US")} bytes`;
  throw new CallError("total_too_large", error, { limit: "fields", value, unit: "bytes" });
}

/** The name and text of a part that is not a file. */
export function textEntry(part: Part): [string, string] {
  return [part.name, partText(part)];
}

/**
 * The text of a part. Some clients name ISO-8859-1 beside every text, so another charset is refused only where it would
 * read other characters.
 *
 * @throws CallError invalid_text, unsupported_charset
 */
export function partText(part: Part): string {
  const { contentType = "", bytes } = part;
  if (/charset/i.test(contentType) && bytes.some((byte) => byte === 0 || byte > 0x7f))
    checkCharset(contentType);
  return decodeText(part.bytes, `part "${quoteStart(part.name)}"`);
}

/** An unreadable form. */
export function malformed(why: string): CallError {
  return new CallError("invalid_parameter", `The multipart/form-data body cannot be read: ${why}`, {
    in: "body",
  });
}
