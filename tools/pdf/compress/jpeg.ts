import { byteAt, joinBytes } from "../../../wire/bytes.ts";
import { isFrameHeader, jpegParts } from "../../image/readers/jpeg.ts";

const SOI = 0xd8;
const END = Uint8Array.of(0xff, 0xd9);
const SOS = 0xda;
const DQT = 0xdb;
const APP0 = 0xe0;
const APP14 = 0xee;
const APP15 = 0xef;
const COMMENT = 0xfe;
/** Baseline, extended and progressive frames with Huffman coding (ITU-T T.81, B.1.1.3). */
const FRAMES: readonly number[] = [0xc0, 0xc1, 0xc2];
/** The sum of the table for brightness in T.81, K.1, which stands for quality 50. */
const TABLE_SUM = 3688;

/** A JPEG of which every decoder makes the same samples. */
interface PlainJpeg {
  /** Without metadata: a profile or an orientation in it is nothing to readers of PDFs. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
  readonly components: 1 | 3;
  /** The quality at which it was made, 1 to 100, as far as its tables tell. */
  readonly quality: number;
}

interface Head {
  readonly kept: Uint8Array[];
  frame: Uint8Array | undefined;
  hasJfif: boolean;
  /** Of Adobe's segment. */
  transform: number | undefined;
  tableSum: number;
}

/** Reads a JPEG; undefined for one with another number of bits or colors, or whose colors decoders disagree about. */
export function readPlainJpeg(jpeg: Uint8Array): PlainJpeg | undefined {
  if (jpeg[0] !== 0xff || jpeg[1] !== SOI) return undefined;
  const head = readHead(jpeg);
  const { frame, tableSum } = head ?? {};
  const components = frame?.[5];
  if (!head || !frame || frame[0] !== 8 || (components !== 1 && components !== 3)) return undefined;
  if (components === 3 && !hasKnownColors(head)) return undefined;
  const height = byteAt(frame, 1) * 256 + byteAt(frame, 2);
  const width = byteAt(frame, 3) * 256 + byteAt(frame, 4);
  return { bytes: joinBytes(head.kept), width, height, components, quality: qualityOf(tableSum ?? 0) };
}

function readHead(jpeg: Uint8Array): Head | undefined {
  const head: Head = { kept: [], frame: undefined, hasJfif: false, transform: undefined, tableSum: 0 };
  head.kept.push(jpeg.subarray(0, 2));
  let hasScan = false;
  let end = 2;
  for (const { marker, bytes } of jpegParts(jpeg, { isWhole: false })) {
    if (marker === SOS) head.kept.push(bytes);
    else if (!noteSegment(head, marker, bytes)) return undefined;
    hasScan ||= marker === SOS;
    end = bytes.byteOffset - jpeg.byteOffset + bytes.length;
  }
  // Of one that is cut nobody can tell whether its pixels are all there.
  if (isEnd(jpeg, end)) head.kept.push(END);
  return hasScan ? head : undefined;
}

/** Whether the image ends here, perhaps after fill bytes (ISO/IEC 10918-1, B.1.1.2). */
function isEnd(jpeg: Uint8Array, start: number): boolean {
  let at = start;
  while (jpeg[at] === 0xff && jpeg[at + 1] === 0xff) at++;
  return jpeg[at] === 0xff && jpeg[at + 1] === END[1];
}

/** Keeps what a decoder needs; false for a frame of a kind that is left alone. */
function noteSegment(head: Head, marker: number, segment: Uint8Array): boolean {
  const body = segment.subarray(4);
  const isFrame = isFrameHeader(marker);
  if (isFrame && (!FRAMES.includes(marker) || head.frame || body.length < 6)) return false;
  if (isFrame) head.frame = body;
  if (marker === DQT) noteTables(head, body);
  const isJfif = marker === APP0 && startsWith(body, "JFIF\0");
  const isAdobe = marker === APP14 && startsWith(body, "Adobe");
  head.hasJfif ||= isJfif;
  if (isAdobe) head.transform = body[11];
  const isMetadata = (marker >= APP0 && marker <= APP15) || marker === COMMENT;
  if (!isMetadata || isJfif || isAdobe) head.kept.push(segment);
  return true;
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return Array.from(text).every((character, i) => bytes[i] === character.charCodeAt(0));
}

function noteTables(head: Head, body: Uint8Array): void {
  for (let at = 0; at < body.length;) {
    const about = byteAt(body, at++);
    const size = about >> 4 ? 2 : 1;
    const table = body.subarray(at, at + 64 * size);
    if ((about & 15) === 0) head.tableSum = sumOf(table, size);
    at += 64 * size;
  }
}

function sumOf(table: Uint8Array, size: number): number {
  let sum = 0;
  for (let at = 0; at < table.length; at += size)
    sum += size === 1 ? byteAt(table, at) : byteAt(table, at) * 256 + (table[at + 1] ?? 0);
  return sum;
}

/** The inverse of how libjpeg scales its tables. */
function qualityOf(tableSum: number): number {
  const percent = (100 * tableSum) / TABLE_SUM;
  const quality = percent <= 100 ? 100 - percent / 2 : 5000 / percent;
  return Math.max(1, Math.min(100, Math.round(quality)));
}

/**
 * Whether three components are YCbCr or RGB for everybody. JFIF says the first; Adobe's segment says which; without
 * either, libjpeg looks at the names of the components and other decoders do not.
 */
function hasKnownColors({ frame, hasJfif, transform }: Head): boolean {
  if (hasJfif) return transform === undefined || transform === 1;
  if (transform !== undefined) return transform === 0 || transform === 1;
  return [1, 2, 3].every((id, i) => frame?.[6 + 3 * i] === id);
}
