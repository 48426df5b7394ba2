import { type Bytes, byteAt, joinBytes } from "../../../wire/bytes.ts";
import { isPadding } from "../../image/jpeg-metadata.ts";
import { latin1 } from "../syntax/lexer.ts";

/**
 * Boxes of JPEG 2000 that a decoder needs (ISO/IEC 15444-1, annex I, and 15444-2, annex M): signature, kinds, headers
 * and codestream. Others are descriptions, such as XML and UUID boxes, and labels.
 */
const NEEDED = ["jP  ", "ftyp", "rreq", "jp2h", "jpch", "jplh", "jp2c", "ftbl", "mdat"];
/** Boxes inside the headers. */
const NEEDED_IN_HEADERS = ["ihdr", "bpcc", "colr", "pclr", "cmap", "cdef", "res ", "cgrp", "opct", "creg"];
const HEADERS = ["jp2h", "jpch", "jplh"];
const CODESTREAM = "jp2c";
const SIGNATURE = "jP  ";
const BOX_HEAD = 8;
/** With a length of 64 bits. */
const LONG_BOX_HEAD = 16;

/** A JPEG 2000 file without its describing boxes and comments; the same bytes where it has none, or cannot be read. */
export function withoutJpxMetadata(image: Bytes): Bytes {
  if (image[0] === 0xff) return withoutComments(image);
  if (image.length < 12 || latin1(image, { from: 4, to: 8 }) !== SIGNATURE) return image;
  return keepBoxes(image, NEEDED);
}

function keepBoxes(bytes: Bytes, needed: readonly string[]): Bytes {
  const kept: Uint8Array[] = [];
  let hasChanged = false;
  for (const { type, at, head, end } of boxesOf(bytes)) {
    const isKept = needed.includes(type);
    const box = bytes.subarray(at, end);
    const changed = isKept ? changeBox(box, type, head) : undefined;
    if (changed !== box) hasChanged = true;
    if (changed) kept.push(changed);
  }
  return hasChanged ? joinBytes(kept) : bytes;
}

function changeBox(box: Bytes, type: string, head: number): Bytes {
  const content = box.subarray(head);
  const changed =
    type === CODESTREAM
      ? withoutComments(content)
      : HEADERS.includes(type)
        ? keepBoxes(content, NEEDED_IN_HEADERS)
        : content;
  if (changed === content) return box;
  const whole = joinBytes([box.subarray(0, head), changed]);
  // A box that extends to the end has no length, or one of 64 bits.
  if (head === BOX_HEAD && whole.some((code, i) => i < 4 && code !== 0))
    new DataView(whole.buffer).setUint32(0, whole.length);
  if (head === LONG_BOX_HEAD) new DataView(whole.buffer).setBigUint64(BOX_HEAD, BigInt(whole.length));
  return whole;
}

interface Box {
  readonly type: string;
  readonly at: number;
  /** The length of what stands before its content. */
  readonly head: number;
  readonly end: number;
}

/** The boxes one after the other; an incomplete one ends with the bytes, as in decoders. */
function* boxesOf(bytes: Uint8Array): Generator<Box, void> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at + BOX_HEAD <= bytes.length;) {
    const short = view.getUint32(at);
    const isLong = short === 1 && at + LONG_BOX_HEAD <= bytes.length;
    const head = isLong ? LONG_BOX_HEAD : BOX_HEAD;
    const length = isLong ? Number(view.getBigUint64(at + BOX_HEAD)) : short;
    const end = length < head ? bytes.length : Math.min(bytes.length, at + length);
    yield { type: latin1(bytes, { from: at + 4, to: at + BOX_HEAD }), at, head, end };
    at = end;
  }
}

const [START_OF_TILE, START_OF_DATA, COMMENT, END] = [0x90, 0x93, 0x64, 0xd9];
/** Segments that decoders need (A.2, and annex A of 15444-2 and 15444-15); others are skipped by them, as comments are. */
const CODING = [
  ...[0x50, 0x51, 0x52, 0x53, 0x55, 0x57, 0x58, 0x59, 0x5a, 0x5b, 0x5c, 0x5d, 0x5e, 0x5f, 0x60, 0x61, 0x63],
  ...[0x70, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, START_OF_TILE],
];

/**
 * A codestream up to its end, with spaces in place of its comments (A.9.2), because headers of tiles contain their
 * lengths. After each header its data is skipped by that length.
 */
function withoutComments(stream: Bytes): Bytes {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.length);
  let changed = stream;
  let tileEnd = 0;
  for (let at = 2; at + 4 <= stream.length && stream[at] === 0xff;) {
    const marker = byteAt(stream, at + 1);
    if (marker === END) return isPadding(stream.subarray(at + 2)) ? changed : changed.slice(0, at + 2);
    if (marker === START_OF_DATA) {
      if (tileEnd <= at) break;
      at = tileEnd;
      continue;
    }
    const end = Math.min(stream.length, at + 2 + view.getUint16(at + 2));
    // A tile that extends to the end has the length 0.
    if (marker === START_OF_TILE && at + 10 <= stream.length) tileEnd = at + view.getUint32(at + 6);
    const isBlank = marker === COMMENT && stream.subarray(at + 6, end).every((code) => code === 0x20);
    if (!CODING.includes(marker) && !isBlank) {
      if (changed === stream) changed = stream.slice();
      changed[at + 1] = COMMENT;
      changed.fill(0x20, at + 6, end);
    }
    at = end;
  }
  return changed;
}

/** Segments of a JBIG2 that show something (ITU-T T.88, 7.3); others are comments, profiles, or have no meaning. */
const SHOWN = [0, 4, 6, 7, 16, 20, 22, 23, 36, 38, 39, 40, 42, 43, 48, 50, 53];
/** The ends of a page and of a file. */
const ENDS = [49, 51];
/** How long the data of some is: a page, the ends of a stripe, a page and a file. */
const LENGTHS: Readonly<Record<number, number>> = { 48: 19, 49: 0, 50: 4, 51: 0 };
const LEAST_SEGMENT = 11;
/** Only the pixels themselves tell where they end. */
const UNKNOWN_LENGTH = 0xffffffff;

/** A JBIG2 without segments that show nothing, up to the end of its page; the same bytes where there are none. */
export function withoutJbig2Comments(image: Bytes): Bytes {
  const kept: Uint8Array[] = [];
  let [at, length] = [0, 0];
  for (let kind = -1; at + LEAST_SEGMENT <= image.length && !ENDS.includes(kind);) {
    const head = endOfSegmentHead(image, at);
    if (head > image.length) break;
    kind = byteAt(image, at + 4) & 63;
    const own = new DataView(image.buffer, image.byteOffset + head - 4).getUint32(0);
    const end = own === UNKNOWN_LENGTH ? image.length : Math.min(image.length, head + own);
    const segment = image.subarray(at, Math.min(end, head + (LENGTHS[kind] ?? own)));
    const isShorter = segment.length < end - at;
    if (SHOWN.includes(kind) || ENDS.includes(kind))
      kept.push(isShorter ? withDataLength(segment, head - at) : segment);
    at = end;
  }
  for (const each of kept) length += each.length;
  return length === at && isPadding(image.subarray(at)) ? image : joinBytes(kept);
}

/** Behind the number, the flags, what it refers to, the page and the length of a segment (7.2). */
function endOfSegmentHead(image: Bytes, at: number): number {
  const view = new DataView(image.buffer, image.byteOffset + at, image.length - at);
  const [number, flags, count] = [view.getUint32(0), view.getUint8(4), view.getUint8(5) >> 5];
  const references = count === 7 ? view.getUint32(5) & 0x1fffffff : count;
  const retained = count === 7 ? 4 + ((references + 8) >> 3) : 1;
  const size = number <= 256 ? 1 : number <= 65_536 ? 2 : 4;
  return at + 5 + retained + references * size + ((flags & 0x40) !== 0 ? 4 : 1) + 4;
}

function withDataLength(segment: Bytes, head: number): Bytes {
  const shorter = segment.slice();
  new DataView(shorter.buffer).setUint32(head - 4, segment.length - head);
  return shorter;
}
