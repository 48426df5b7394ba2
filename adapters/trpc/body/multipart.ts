import type { RequestContext } from "../adapter.ts";
import { MultipartParseError, MultipartPart } from "@remix-run/multipart-parser";
import { isSameData, utf8, type Bytes } from "../../../wire/bytes.ts";
import { createSearch } from "./byte-search.ts";
import { CallError } from "../../../wire/call-error.ts";
import { decodeText } from "./request-body.ts";
import { loopTurn } from "./pace.ts";

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

/** Bytes before a form's first delimiter, and of the head of a part. */
const [MAX_PREAMBLE, MAX_HEAD] = [64 * 1024, 8 * 1024];
const DASH = 0x2d;
const findHeadEnd = createSearch(utf8("\r\n\r\n"));

/** Of all parts together: reading names and values of heads takes far longer than passing over bytes. */
const MAX_HEADS = 512 * 1024;

/** Refuses a form whose heads are longer together than those of any form. @throws CallError invalid_parameter */
export function checkHeads(bytes: number): void {
  if (bytes > MAX_HEADS) throw malformed("the heads of its parts are too long");
}

/** Splits a multipart form (RFC 7578) in the order of the request. @throws CallError invalid_parameter */
export async function splitForm(body: Bytes, context: RequestContext): Promise<Part[]> {
  const delimiter = utf8(`\r\n--${boundaryOf(context)}`);
  const parts: Part[] = [];
  let heads = 0;
  for (let at = endOfPreamble(body, delimiter); ;) {
    if (body[at] === DASH && body[at + 1] === DASH) return parts;
    if (parts.length >= MAX_FORM_PARTS) throw malformed(`it has more than ${MAX_FORM_PARTS} parts`);
    const head = findHeadEnd(body.subarray(at, at + MAX_HEAD));
    if (!head.isWhole) throw malformed("the head of a part has no end, or is too long");
    checkHeads((heads += head.start));
    const start = at + head.start + 4;
    const end = await findInTurns(body, { wanted: delimiter, start });
    if (end === undefined) throw malformed("it ends within a part");
    parts.push({ ...readPartHead(body.subarray(at, at + head.start)), bytes: body.subarray(start, end) });
    at = end + delimiter.length;
  }
}

const TURN_BYTES = 2 ** 20;

/** Where bytes begin in others; everybody else has a turn for each megabyte. */
async function findInTurns(
  bytes: Bytes,
  { wanted, start }: { wanted: Bytes; start: number },
): Promise<number | undefined> {
  const find = createSearch(wanted);
  for (let from = start; from < bytes.length; from += TURN_BYTES) {
    const found = find(bytes.subarray(from, from + TURN_BYTES + wanted.length - 1));
    if (found.isWhole) return from + found.start;
    await loopTurn(TURN_BYTES);
  }
  return undefined;
}

/**
 * Behind the first delimiter. Text before it is skipped, an empty line too (RFC 2046, 5.1.1); a single line feed ends it
 * as well: otherwise the part after it would be taken for preamble and lost.
 */
function endOfPreamble(body: Bytes, delimiter: Bytes): number {
  const own = delimiter.subarray(2);
  if (isSameData(body.subarray(0, own.length), own)) return own.length;
  const { start, isWhole } = createSearch(delimiter.subarray(1))(body.subarray(0, MAX_PREAMBLE));
  if (!isWhole) throw malformed("its parts cannot be separated");
  return start + delimiter.length - 1;
}

/** Reads the head of a part. @throws CallError invalid_parameter */
export function readPartHead(head: Uint8Array): PartHead {
  return asForm(() => headOf(new MultipartPart(head, [])));
}

function headOf(part: MultipartPart): PartHead {
  const { name = "", isFile, filename: fileName, mediaType: type } = readable(part);
  return { name, isFile, fileName, type };
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

/** The text of a part. @throws CallError invalid_text */
export function partText(part: Part): string {
  return decodeText(part.bytes, `part "${part.name.slice(0, 64)}"`);
}

/** An unreadable form. */
export function malformed(why: string): CallError {
  return new CallError("invalid_parameter", `The multipart/form-data body cannot be read: ${why}`, {
    in: "body",
  });
}
