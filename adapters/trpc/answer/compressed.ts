import { pipeline, Readable } from "node:stream";
import type { RequestContext } from "../adapter.ts";
import { answerParts, answerStream, lengthOf } from "./answer-parts.ts";
import { chooseCoding, createPacker, type Coding } from "./packed-file.ts";
import type { AnswerPart } from "./stream.ts";

/** Below this a coding saves less than its frame and its time cost. */
const MIN_BYTES = 512;

interface Answer {
  readonly context: RequestContext;
  readonly status: number;
  readonly headers: Headers;
}

/** Which coding this answer gets, where its reader takes one; the headers say that another one may get another. */
export function codingOf({ request }: RequestContext, headers: Headers): Coding | undefined {
  headers.append("Vary", "Accept-Encoding");
  return chooseCoding(request);
}

/** The tag of what is compressed, which is another representation (RFC 9110, 8.8.3.3). */
export function codedTag(tag: string, coding: Coding | undefined): string {
  return coding ? tag.replace(/"$/, `-${coding}"`) : tag;
}

/** An answer of these parts, compressed while it is sent. */
export function answerCompressed(parts: readonly AnswerPart[], answer: Answer, coding: Coding): Response {
  const length = lengthOf(parts);
  if (length !== undefined && length < MIN_BYTES) return answerParts(parts, answer);
  answer.headers.set("Content-Encoding", coding);
  return answerStream(compress(parts, coding), answer);
}

async function* compress(parts: readonly AnswerPart[], coding: Coding): AsyncGenerator<Uint8Array> {
  const packer = createPacker(coding);
  // What goes wrong with the parts ends the packer, and tells who reads.
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
