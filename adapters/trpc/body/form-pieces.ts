import type { RequestContext } from "../adapter.ts";
import { concatBytes, isSameData, utf8, type Bytes } from "../../../wire/bytes.ts";
import { createSearch } from "./byte-search.ts";
import {
  boundaryOf,
  checkHeads,
  malformed,
  MAX_FORM_PARTS,
  readPartHead,
  type PartHead,
} from "./multipart.ts";

const MAX_HEAD_BYTES = 8 * 1024;
const END_OF_HEAD = utf8("\r\n\r\n");
const CLOSING = utf8("--");
const END = "--\r\n";

/** A part of a form while it arrives. */
export interface PartPieces extends PartHead {
  /** How many bytes it has if it is the last, where the length of the form is known. */
  readonly lastLength: number | undefined;
  /** Must be read to the end before the next part. */
  readonly pieces: AsyncGenerator<Bytes, void>;
}

/** The parts of a form in the order of the request; none has to be in memory. @throws CallError */
export async function* formPieces(
  source: AsyncIterable<Bytes>,
  context: RequestContext,
): AsyncGenerator<PartPieces, void> {
  const delimiter = utf8(`\r\n--${boundaryOf(context)}`);
  const reader = createReader(source);
  // Skips a preamble (RFC 2046, 5.1.1); a single line feed ends it too, so that no part is mistaken for a piece of it.
  for await (const _ of reader.until(delimiter.subarray(1)));
  let heads = 0;
  for (let count = 0; ; count++) {
    if (isSameData(await reader.take(2), CLOSING)) return;
    if (count >= MAX_FORM_PARTS) throw malformed(`it has more than ${MAX_FORM_PARTS} parts`);
    const bytes = await readHead(reader);
    checkHeads((heads += bytes.length));
    const head = readPartHead(bytes);
    const left = (context.body.declaredBytes ?? NaN) - reader.passed() - delimiter.length - END.length;
    yield { ...head, lastLength: left >= 0 ? left : undefined, pieces: reader.until(delimiter) };
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
  readonly until: (wanted: Bytes) => AsyncGenerator<Bytes, void>;
  readonly take: (length: number) => Promise<Bytes>;
  /** How many bytes of the source were returned or skipped. */
  readonly passed: () => number;
}

function createReader(source: AsyncIterable<Bytes>): Reader {
  const pieces = source[Symbol.asyncIterator]();
  // The first delimiter has no line break before it.
  let held = utf8("\r\n");
  let read = 0;
  return { until, take, passed: () => read - held.length };

  async function* until(wanted: Bytes): AsyncGenerator<Bytes, void> {
    const search = createSearch(wanted);
    for (;;) {
      // Bytes that may begin what is wanted wait for what follows.
      const { start, isWhole } = search(held);
      const before = held.subarray(0, start);
      held = held.subarray(isWhole ? start + wanted.length : start);
      if (before.length > 0) yield before;
      if (isWhole) return;
      await readOn();
    }
  }

  async function take(length: number): Promise<Bytes> {
    while (held.length < length) await readOn();
    const taken = held.subarray(0, length);
    held = held.subarray(length);
    return taken;
  }

  async function readOn(): Promise<void> {
    const { done, value } = await pieces.next();
    if (done) throw malformed("it ends within a part");
    read += value.length;
    held = held.length === 0 ? value : concatBytes(held, value);
  }
}
