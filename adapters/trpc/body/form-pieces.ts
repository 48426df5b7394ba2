import type { RequestContext } from "../adapter.ts";
import { type Bytes, concatBytes, isSameData, nextTurn, utf8 } from "../../../wire/bytes.ts";
import {
  boundaryOf,
  malformed,
  MAX_FORM_PARTS,
  readPartHead,
  type Part,
  type PartHead,
} from "./multipart.ts";

/** Bytes before a form's first delimiter, and of the head of a part. */
const [MAX_PREAMBLE, MAX_HEAD] = [64 * 1024, 8 * 1024];
/** Of all parts together: reading names and values of heads takes far longer than passing over bytes. */
const MAX_HEADS = 512 * 1024;
/** How many are read before everybody else has a turn: a kilobyte may take half a millisecond. */
const HEADS_PER_TURN = 16 * 1024;
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

/**
 * The parts of a form (RFC 7578) in the order of the request; none has to be in memory.
 *
 * @throws CallError invalid_parameter
 */
export async function* formPieces(
  source: AsyncIterable<Bytes>,
  context: RequestContext,
): AsyncGenerator<PartPieces, void> {
  const delimiter = utf8(`\r\n--${boundaryOf(context)}`);
  const reader = createReader(source);
  await skipPreamble(reader, delimiter);
  let heads = 0;
  for (let count = 0; ; count++) {
    if (await reader.skips(CLOSING)) return;
    if (count >= MAX_FORM_PARTS) throw malformed(`it has more than ${MAX_FORM_PARTS} parts`);
    const bytes = await readHead(reader);
    heads += bytes.length;
    if (heads > MAX_HEADS) throw malformed("the heads of its parts are too long");
    if (heads % HEADS_PER_TURN < bytes.length) await nextTurn();
    const left = (context.body.declaredBytes ?? NaN) - reader.passed() - delimiter.length - END.length;
    yield {
      ...readPartHead(bytes),
      lastLength: left >= 0 ? left : undefined,
      pieces: reader.until(delimiter),
    };
  }
}

/** The parts of a form that is in memory, without copies. @throws CallError invalid_parameter */
export async function splitForm(body: Bytes, context: RequestContext): Promise<Part[]> {
  const parts: Part[] = [];
  for await (const { pieces, lastLength: _, ...head } of formPieces(onePiece(body), context)) {
    let [start, length] = [body.byteOffset, 0];
    // The pieces of a part follow each other in the body.
    for await (const { byteOffset, length: more } of pieces) {
      if (length === 0) start = byteOffset;
      length += more;
    }
    parts.push({ ...head, bytes: new Uint8Array(body.buffer, start, length) });
  }
  return parts;
}

async function* onePiece(bytes: Bytes): AsyncGenerator<Bytes, void> {
  yield bytes;
}

/**
 * Skips the first delimiter and the text before it, an empty line too (RFC 2046, 5.1.1); a single line feed ends it as
 * well: otherwise the part after it would be taken for preamble and lost.
 */
async function skipPreamble(reader: Reader, delimiter: Bytes): Promise<void> {
  const why = "its parts cannot be separated";
  if (await reader.skips(delimiter.subarray(2), why)) return;
  let length = 0;
  for await (const piece of reader.until(delimiter.subarray(1), why))
    if ((length += piece.length) > MAX_PREAMBLE) throw malformed(why);
}

async function readHead(reader: Reader): Promise<Bytes> {
  let head: Bytes = new Uint8Array(0);
  const why = "the head of a part has no end, or is too long";
  for await (const piece of reader.until(END_OF_HEAD, why)) {
    head = concatBytes(head, piece);
    if (head.length > MAX_HEAD) throw malformed(why);
  }
  return head;
}

/** Passes over the bytes of a form; `why` says what is wrong with one that ends before. */
interface Reader {
  /** What comes before the next occurrence of these bytes, which are skipped. */
  readonly until: (wanted: Bytes, why?: string) => AsyncGenerator<Bytes, void>;
  /** Whether these bytes come next; then they are skipped. */
  readonly skips: (wanted: Bytes, why?: string) => Promise<boolean>;
  /** How many bytes of the source were returned or skipped. */
  readonly passed: () => number;
}

/** How much is searched before everybody else has a turn. */
const TURN_BYTES = 2 ** 20;

function createReader(source: AsyncIterable<Bytes>): Reader {
  const pieces = source[Symbol.asyncIterator]();
  let held: Bytes = new Uint8Array(0);
  let read = 0;
  return { until, skips, passed: () => read - held.length };

  async function* until(wanted: Bytes, why?: string): AsyncGenerator<Bytes, void> {
    const search = createSearch(wanted);
    for (;;) {
      const isAll = held.length <= TURN_BYTES;
      // Bytes at the end that may begin the wanted ones are held until more have arrived.
      const { start, isWhole } = search(held.subarray(0, TURN_BYTES));
      const before = held.subarray(0, start);
      held = held.subarray(isWhole ? start + wanted.length : start);
      if (before.length > 0) yield before;
      if (isWhole) return;
      if (isAll) await readOn(why);
      else await nextTurn();
    }
  }

  async function skips(wanted: Bytes, why?: string): Promise<boolean> {
    while (held.length < wanted.length) await readOn(why);
    if (!isSameData(held.subarray(0, wanted.length), wanted)) return false;
    held = held.subarray(wanted.length);
    return true;
  }

  async function readOn(why = "it ends within a part"): Promise<void> {
    const { done, value } = await pieces.next();
    if (done) throw malformed(why);
    read += value.length;
    held = held.length === 0 ? value : concatBytes(held, value);
  }
}

/**
 * Looks for bytes, of which there are 1 to 255, in the time of the length searched, whatever that contains (Knuth,
 * Morris, Pratt). `start` is where they are first found, whole or with as much of their beginning as the others end
 * with; it is the length of the others where nothing is found.
 */
function createSearch(wanted: Bytes): (bytes: Uint8Array) => { start: number; isWhole: boolean } {
  const borders = bordersOf(wanted);
  const [first = 0] = wanted;
  return (bytes) => {
    let matched = 0;
    for (let at = 0; at < bytes.length; at++) {
      if (matched === 0) at = bytes.indexOf(first, at);
      if (at < 0) return { start: bytes.length, isWhole: false };
      // A call for each byte takes ten times as long.
      const byte = bytes[at];
      while (matched > 0 && wanted[matched] !== byte) matched = borders[matched - 1] ?? 0;
      if (wanted[matched] === byte) matched++;
      if (matched === wanted.length) return { start: at + 1 - matched, isWhole: true };
    }
    return { start: bytes.length - matched, isWhole: false };
  };
}

/** For each prefix the length of the longest one before it that it ends with. */
function bordersOf(wanted: Bytes): Uint8Array {
  const borders = new Uint8Array(wanted.length);
  for (let at = 1, kept = 0; at < wanted.length; at++) {
    while (kept > 0 && wanted[kept] !== wanted[at]) kept = borders[kept - 1] ?? 0;
    if (wanted[kept] === wanted[at]) kept++;
    borders[at] = kept;
  }
  return borders;
}

/** How much is decoded at a time. */
export const PIECE_BYTES = 2 ** 20;

export interface DecodedBytes {
  /** The first `length` bytes are decoded; those from `at` on are not yet. */
  readonly bytes: Bytes;
  at: number;
  length: number;
}

/** Decodes the next part of percent-encoded bytes in their place, with + as a blank. */
export function decodePiece(decoding: DecodedBytes): void {
  const { bytes } = decoding;
  let { at, length } = decoding;
  for (const end = Math.min(bytes.length, at + PIECE_BYTES); at < end; at++) {
    const byte = bytes[at] ?? 0;
    // A single % is kept: people write 100% in handmade forms.
    const encoded = byte === PERCENT ? (hexDigit(bytes[at + 1]) << 4) | hexDigit(bytes[at + 2]) : -1;
    if (encoded >= 0) at += 2;
    bytes[length++] = encoded >= 0 ? encoded : byte === PLUS ? SPACE : byte;
  }
  decoding.at = at;
  decoding.length = length;
}

const [PERCENT, PLUS, SPACE] = [0x25, 0x2b, 0x20];
const HEX_DIGITS = Int8Array.from({ length: 256 }, (_, code) =>
  "0123456789abcdef".indexOf(String.fromCharCode(code).toLowerCase()),
);

/** -1 for what is no digit, and for the end. */
function hexDigit(code: number | undefined): number {
  return code === undefined ? -1 : (HEX_DIGITS[code] ?? -1);
}
