import type { RequestContext } from "../adapter.ts";
import { concatBytes, type Bytes } from "../../../wire/bytes.ts";
import { boundaryOf, malformed, MAX_FORM_PARTS, readPartHead, type PartHead } from "./multipart.ts";

const MAX_HEAD_BYTES = 8 * 1024;
const LINE_BREAK = Buffer.from("\r\n");
const END_OF_HEAD = Buffer.from("\r\n\r\n");

/** A part of a form while it arrives. */
export interface PartPieces extends PartHead {
  /** Must be read to the end before the next part. */
  readonly pieces: AsyncGenerator<Bytes, void>;
}

/** The parts of a form in the order of the request; none has to be in memory. @throws CallError */
export async function* formPieces(
  source: AsyncIterable<Bytes>,
  context: RequestContext,
): AsyncGenerator<PartPieces, void> {
  const delimiter = Buffer.from(`\r\n--${boundaryOf(context)}`);
  const reader = createReader(source);
  // Skips a preamble (RFC 2046, 5.1.1); a single line feed ends it too, so that no part is mistaken for a piece of it.
  for await (const _ of reader.until(delimiter.subarray(1)));
  for (let count = 0; ; count++) {
    if (String(await reader.take(2)) === "--") return;
    if (count >= MAX_FORM_PARTS) throw malformed(`it has more than ${MAX_FORM_PARTS} parts`);
    const head = await readHead(reader);
    yield { ...readPartHead(head), pieces: reader.until(delimiter) };
  }
}

async function readHead(reader: Reader): Promise<Bytes> {
  let head: Bytes = new Uint8Array(0);
  for await (const piece of reader.until(END_OF_HEAD)) {
    head = concatBytes(head, piece);
    if (head.length > MAX_HEAD_BYTES) throw malformed("the head of a part is too long");
  }
  return head;
}

interface Reader {
  /** What comes before the next occurrence of these bytes, which are skipped. */
  readonly until: (needle: Buffer) => AsyncGenerator<Bytes, void>;
  readonly take: (length: number) => Promise<Buffer>;
}

function createReader(source: AsyncIterable<Bytes>): Reader {
  const pieces = source[Symbol.asyncIterator]();
  // The first delimiter has no line break before it.
  let held: Buffer<ArrayBuffer> = Buffer.from(LINE_BREAK);
  return { until, take };

  async function* until(needle: Buffer): AsyncGenerator<Bytes, void> {
    for (let at = held.indexOf(needle); ; at = held.indexOf(needle)) {
      // Bytes that may begin the needle wait for what follows.
      const end = at >= 0 ? at : endBefore(needle, held);
      const before = held.subarray(0, end);
      held = held.subarray(at >= 0 ? at + needle.length : end);
      if (before.length > 0) yield before;
      if (at >= 0) return;
      await readOn();
    }
  }

  async function take(length: number): Promise<Buffer> {
    while (held.length < length) await readOn();
    const taken = held.subarray(0, length);
    held = held.subarray(length);
    return taken;
  }

  async function readOn(): Promise<void> {
    const { done, value } = await pieces.next();
    if (done) throw malformed("it ends within a part");
    held =
      held.length === 0
        ? Buffer.from(value.buffer, value.byteOffset, value.length)
        : Buffer.concat([held, value]);
  }
}

/** Where the last bytes may begin a needle that they do not contain; most often at their very end. */
function endBefore(needle: Buffer, bytes: Buffer): number {
  const first = needle[0]!;
  let at = bytes.indexOf(first, Math.max(0, bytes.length - needle.length + 1));
  while (at >= 0 && !needle.subarray(0, bytes.length - at).equals(bytes.subarray(at))) {
    at = bytes.indexOf(first, at + 1);
  }
  return at >= 0 ? at : bytes.length;
}
