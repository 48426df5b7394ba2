import { answerParts, answerStream, lengthOf, type Answer } from "./answer-parts.ts";
import type { AnswerPart } from "./stream.ts";
import type { RequestContext } from "../adapter.ts";
import { encodeBase64Url } from "../../../wire/base64.ts";
import { type Bytes, nextTurn, ownBytes, utf8 } from "../../../wire/bytes.ts";
import { FastResponse } from "srvx";
import { qualityOf, hasTag, notModified } from "./negotiation.ts";
import { CODINGS, type Coding } from "./codings.ts";

/** workerd compresses each body that has a Content-Encoding; "manual" says that this one is compressed already. */
const COMPRESSED: ResponseInit & { encodeBody: string } = { encodeBody: "manual" };

/** Below this size, a coding saves less than its overhead costs. */
const MIN_BYTES = 512;

/** The coding of this answer, where its reader accepts one. Adds `Vary`, since other readers may get another coding. */
export function codingOf({ request }: RequestContext, headers: Headers): Coding | undefined {
  headers.append("Vary", "Accept-Encoding");
  return chooseCoding(request);
}

/** The ETag of compressed content, which is another representation (RFC 9110, 8.8.3.3). */
export function codedTag(tag: string, coding: Coding | undefined): string {
  return coding ? tag.replace(/"$/, `-${coding.name}"`) : tag;
}

/** An answer made of these parts, compressed while it is sent. */
export function answerCompressed(parts: readonly AnswerPart[], answer: Answer, coding: Coding): Response {
  const length = lengthOf(parts);
  if (length !== undefined && length < MIN_BYTES) return answerParts(parts, answer);
  answer.headers.set("Content-Encoding", coding.name);
  return answerStream(coding.packPieces(piecesOf(parts)), answer, COMPRESSED);
}

/** Bytes compressed in one turn of the event loop: Deno 2.9 compresses in the same thread, 2 ms for this size. */
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
  readonly read: () => Promise<Bytes>;
  readonly packed: (coding: Coding) => Promise<Bytes>;
  /** The digest of its content, in base64url. */
  readonly digest: () => Promise<string>;
}

/** A file that stays in memory. */
export function packedFile(bytes: Uint8Array): PackedFile {
  const own = ownBytes(bytes);
  return makePacked(async () => own);
}

/**
 * A file whose bytes are read when they are needed, and released when no answer uses them any more; compressed bytes
 * are kept. `onChanged` throws; it is called where the content differs from the first read, whose digest is the ETag.
 */
export function packedFileOf(read: () => Promise<Uint8Array>, onChanged: () => never): PackedFile {
  let first: string | undefined;
  let reading: Promise<Bytes> | undefined;
  let held: WeakRef<Bytes> | undefined;
  const readAgain = async () => {
    const bytes = ownBytes(await read());
    const digest = await digestOf(bytes);
    if (digest !== (first ??= digest)) onChanged();
    held = new WeakRef(bytes);
    return bytes;
  };
  // Many readers at a time share one copy.
  const shared = async () => held?.deref() ?? (reading ??= readAgain().finally(() => (reading = undefined)));
  return { ...makePacked(shared), digest: async () => first ?? digestOf(await shared()) };
}

function makePacked(read: () => Promise<Bytes>): PackedFile {
  const made = new Map<Coding, Promise<Bytes>>();
  const packed = (coding: Coding) => {
    const known = made.get(coding) ?? read().then((bytes) => coding.pack(bytes, "best"));
    made.set(coding, known);
    // A later read of the disk may succeed.
    known.catch(() => made.delete(coding));
    return known;
  };
  let digest: Promise<string> | undefined;
  return { read, packed, digest: () => (digest ??= read().then(digestOf)) };
}

async function digestOf(bytes: Bytes): Promise<string> {
  return encodeBase64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/** Answers with a text made for this request, compressed fast if its reader accepts that. */
export async function sendPackedText(
  context: RequestContext,
  { text, ...init }: { text: string; headers: Headers; status: number },
): Promise<Response> {
  const coding = codingOf(context, init.headers);
  if (!coding) return new FastResponse(text, init);
  init.headers.set("Content-Encoding", coding.name);
  return new FastResponse(await coding.pack(utf8(text), "fast"), { ...init, ...COMPRESSED });
}

/** The coding with the highest quality (RFC 9110, 12.5.3), of equals the smaller; none where the request names none. */
function chooseCoding(request: Request): Coding | undefined {
  // Next 16.4 drops the Content-Encoding of route handlers (server/send-response.js), and compresses answers itself.
  if ("nextUrl" in request) return undefined;
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
  file: PackedFile,
  headers: Headers,
): Promise<Response> {
  headers.set("Vary", "Accept-Encoding");
  const coding = chooseCoding(request);
  const digest = await file.digest();
  const tag = codedTag(`"${digest}"`, coding);
  headers.set("ETag", tag);
  if (hasTag(request, tag)) return notModified(headers);
  if (!coding) return new FastResponse(await file.read(), { headers });
  headers.set("Content-Encoding", coding.name);
  return new FastResponse(await file.packed(coding), { headers, ...COMPRESSED });
}
