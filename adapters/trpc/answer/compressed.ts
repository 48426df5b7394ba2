import { pipeline, Readable, type Transform } from "node:stream";
import { answerParts, answerStream, lengthOf } from "./answer-parts.ts";
import type { AnswerPart } from "./stream.ts";
import type { RequestContext } from "../adapter.ts";
import { promisify } from "node:util";
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from "node:zlib";
import { FastResponse } from "srvx";
import { qualityOf, hasTag, notModified } from "./negotiation.ts";

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
  return coding ? tag.replace(/"$/, `-${coding}"`) : tag;
}

/** An answer made of these parts, compressed while it is sent. */
export function answerCompressed(
  parts: readonly AnswerPart[],
  answer: { context: RequestContext; status: number; headers: Headers },
  coding: Coding,
): Response {
  const length = lengthOf(parts);
  if (length !== undefined && length < MIN_BYTES) return answerParts(parts, answer);
  answer.headers.set("Content-Encoding", coding);
  return answerStream(compress(parts, coding), answer, COMPRESSED);
}

async function* compress(parts: readonly AnswerPart[], coding: Coding): AsyncGenerator<Uint8Array> {
  const packer = createPacker(coding);
  // An error in the parts ends the packer, and tells the reader.
  pipeline(Readable.from(piecesOf(parts)), packer, () => {});
  try {
    for await (const piece of packer) yield piece as Uint8Array;
  } finally {
    packer.destroy();
  }
}

async function* piecesOf(parts: readonly AnswerPart[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Uint8Array) yield part;
    else yield* part.pieces;
  }
}

/** The codings of files, the smaller one first. Browsers accept Brotli over https and on localhost only. */
const CODINGS = ["br", "gzip"] as const;
type Coding = (typeof CODINGS)[number];

/** A file that is the same for everybody, compressed when it is first requested. */
export interface PackedFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly packed: (coding: Coding) => Promise<Uint8Array<ArrayBuffer>>;
  /** The digest of its content, in base64url. */
  readonly digest: () => Promise<string>;
}

const zip = promisify(gzip);
const brotli = promisify(brotliCompress);
/** Brotli's best quality takes a second per half a megabyte, which nobody should wait for with larger files. */
const BEST_BYTES = 200_000;
const [BEST_QUALITY, FAST_QUALITY] = [11, 6];

const PACKERS: Readonly<Record<Coding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  br: (bytes) => {
    const quality = bytes.length > BEST_BYTES ? FAST_QUALITY : BEST_QUALITY;
    return brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
  },
  gzip: (bytes) => zip(bytes, { level: 9 }),
};

const FAST_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: FAST_QUALITY } };

const FAST_PACKERS: Readonly<Record<Coding, (text: string) => Promise<Uint8Array>>> = {
  br: (text) => brotli(text, FAST_BROTLI),
  gzip: (text) => zip(text),
};

/**
 * Compresses an answer while it is sent: at this quality Brotli takes as long as gzip and makes a third of the bytes.
 */
const SENT_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } };

function createPacker(coding: Coding): Transform {
  return coding === "br" ? createBrotliCompress(SENT_BROTLI) : createGzip();
}

/** A file of these bytes. */
export function packedFile(read: Uint8Array): PackedFile {
  const bytes = new Uint8Array(read);
  const made = new Map<Coding, Promise<Uint8Array<ArrayBuffer>>>();
  const packed = (coding: Coding) => {
    const known = made.get(coding) ?? PACKERS[coding](bytes).then((each) => new Uint8Array(each));
    made.set(coding, known);
    return known;
  };
  let digest: Promise<string> | undefined;
  return { bytes, packed, digest: () => (digest ??= digestOf(bytes)) };
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("base64url");
}

/** Answers with a text made for this request, compressed fast if its reader accepts that. */
export async function sendPackedText(
  { request }: RequestContext,
  { text, ...init }: { text: string; headers: Headers; status: number },
): Promise<Response> {
  init.headers.append("Vary", "Accept-Encoding");
  const coding = chooseCoding(request);
  if (!coding) return new FastResponse(text, init);
  init.headers.set("Content-Encoding", coding);
  return new FastResponse(new Uint8Array(await FAST_PACKERS[coding](text)), { ...init, ...COMPRESSED });
}

/** A request that names no coding gets none. */
function chooseCoding(request: Request): Coding | undefined {
  const accepted = request.headers.get("accept-encoding");
  return accepted ? CODINGS.find((each) => qualityOf(each, accepted) > 0) : undefined;
}

/** Answers with a file, compressed as its reader accepts; 304 where the reader has it already. */
export async function sendPacked(
  { request }: RequestContext,
  { file, headers }: { file: PackedFile; headers: Headers },
): Promise<Response> {
  headers.set("Vary", "Accept-Encoding");
  const coding = chooseCoding(request);
  // Another compression is another representation, with its own tag (RFC 9110, 8.8.3.3).
  const digest = await file.digest();
  const tag = coding ? `"${digest}-${coding}"` : `"${digest}"`;
  headers.set("ETag", tag);
  if (hasTag(request, tag)) return notModified(headers);
  if (!coding) return new FastResponse(file.bytes, { headers });
  headers.set("Content-Encoding", coding);
  return new FastResponse(await file.packed(coding), { headers, ...COMPRESSED });
}
