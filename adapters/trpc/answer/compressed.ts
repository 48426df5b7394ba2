import { answerParts, answerStream, lengthOf } from "./answer-parts.ts";
import type { AnswerPart } from "./stream.ts";
import type { RequestContext } from "../adapter.ts";
import { encodeBase64Url } from "../../../wire/base64.ts";
import { type Bytes, nextTurn, ownBytes, utf8 } from "../../../wire/bytes.ts";
import { FastResponse } from "srvx";
import { qualityOf, hasTag, notModified } from "./negotiation.ts";
import { CODINGS, type Coding } from "./codings.ts";

/** workerd itself compresses what says Content-Encoding, and would compress again what already is. */
const COMPRESSED: ResponseInit & { encodeBody: string } = { encodeBody: "manual" };

/** Below this size, a coding saves less than its overhead costs. */
const MIN_BYTES = 512;

/** The coding of this answer, where its reader accepts one; the headers say that others may get another. */
export function codingOf({ request }: RequestContext, headers: Headers): Coding | undefined {
  headers.append("Vary", "Accept-Encoding");
  return chooseCoding(request);
}

/** The ETag of compressed content, which is another representation (RFC 9110, 8.8.3.3). */
export function codedTag(tag: string, coding: Coding | undefined): string {
  return coding ? tag.replace(/"$/, `-${coding.name}"`) : tag;
}

/** An answer made of these parts, compressed while it is sent. */
export function answerCompressed(
  parts: readonly AnswerPart[],
  answer: { context: RequestContext; status: number; headers: Headers },
  coding: Coding,
): Response {
  const length = lengthOf(parts);
  if (length !== undefined && length < MIN_BYTES) return answerParts(parts, answer);
  answer.headers.set("Content-Encoding", coding.name);
  return answerStream(coding.packPieces(piecesOf(parts)), answer, COMPRESSED);
}

/** Compressed in one turn of the loop: Deno does it in the thread that answers everybody, 2 ms for so much. */
const SLICE_BYTES = 16 * 1024;

async function* piecesOf(parts: readonly AnswerPart[]): AsyncGenerator<Bytes> {
  for (const part of parts) {
    for await (const piece of part instanceof Uint8Array ? [part] : part.pieces) {
      for (let at = 0; at < piece.length; at += SLICE_BYTES) {
        yield ownBytes(piece.subarray(at, at + SLICE_BYTES));
        await nextTurn();
      }
    }
  }
}

/** A file that is the same for everybody, compressed when it is first requested. */
export interface PackedFile {
  readonly bytes: Bytes;
  readonly packed: (coding: Coding) => Promise<Bytes>;
  /** The digest of its content, in base64url. */
  readonly digest: () => Promise<string>;
}

/** A file of these bytes. */
export function packedFile(read: Uint8Array): PackedFile {
  const bytes = ownBytes(read);
  const made = new Map<Coding, Promise<Bytes>>();
  const packed = (coding: Coding) => {
    const known = made.get(coding) ?? coding.pack(bytes, "best");
    made.set(coding, known);
    return known;
  };
  let digest: Promise<string> | undefined;
  return { bytes, packed, digest: () => (digest ??= digestOf(bytes)) };
}

async function digestOf(bytes: Bytes): Promise<string> {
  return encodeBase64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/** Answers with a text made for this request, compressed fast if its reader accepts that. */
export async function sendPackedText(
  { request }: RequestContext,
  { text, ...init }: { text: string; headers: Headers; status: number },
): Promise<Response> {
  init.headers.append("Vary", "Accept-Encoding");
  const coding = chooseCoding(request);
  if (!coding) return new FastResponse(text, init);
  init.headers.set("Content-Encoding", coding.name);
  return new FastResponse(await coding.pack(utf8(text), "fast"), { ...init, ...COMPRESSED });
}

/** The one that is wanted most (RFC 9110, 12.5.3), of equals the smaller; a request that names no coding gets none. */
function chooseCoding(request: Request): Coding | undefined {
  const accepted = request.headers.get("accept-encoding");
  if (!accepted) return undefined;
  const wanted = ({ name }: Coding) => qualityOf(name, accepted);
  const [best] = CODINGS.toSorted((a, b) => wanted(b) - wanted(a));
  const isWanted = best && wanted(best) > 0 && wanted(best) >= qualityOf("identity", accepted);
  return isWanted ? best : undefined;
}

/** Answers with a file, compressed as its reader accepts; 304 where the reader has it already. */
export async function sendPacked(
  { request }: RequestContext,
  { file, headers }: { file: PackedFile; headers: Headers },
): Promise<Response> {
  headers.set("Vary", "Accept-Encoding");
  const coding = chooseCoding(request);
  const digest = await file.digest();
  const tag = codedTag(`"${digest}"`, coding);
  headers.set("ETag", tag);
  if (hasTag(request, tag)) return notModified(headers);
  if (!coding) return new FastResponse(file.bytes, { headers });
  headers.set("Content-Encoding", coding.name);
  return new FastResponse(await file.packed(coding), { headers, ...COMPRESSED });
}
