import { type Bytes, joinBytes, utf8 } from "../../../wire/bytes.ts";
import { damagedImage, viewOf } from "../image-info.ts";
import type { Entries, TiffLayout } from "./layout.ts";
import { TAG } from "./tags.ts";

const SOF0 = 0xc0;
const DHT = 0xc4;
const RST0 = 0xd0;
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const DQT = 0xdb;
const DRI = 0xdd;
const APP1 = 0xe1;
const COM = 0xfe;
const RESTARTS = 8;
/** A longer head is refused, because each segment takes memory. */
const MAX_SEGMENTS = 256;
const BLOCK = 8;

interface OldJpeg {
  readonly file: Uint8Array;
  readonly entries: Entries;
  readonly layout: TiffLayout;
}

/**
 * Builds the JPEG in an old-style TIFF (TIFF 6.0, section 22). Scanners wrote a whole JPEG, its head with the pixels in
 * strips, or only tables beside strips. As in libtiff, every strip starts anew, as after a restart marker.
 * @throws ToolFailure damaged_file when strips overlap; RangeError when it is incomplete
 */
export function joinOldJpeg(jpeg: OldJpeg): Bytes {
  const { file, entries, layout } = jpeg;
  const start = entries.get(TAG.jpegStart)?.values[0] ?? layout.offsets[0] ?? 0;
  const hasHead = file[start] === 0xff && file[start + 1] === SOI;
  const head = hasHead ? readHead(file, start) : writeHead(jpeg);
  const frame = head.find(({ marker }) => isFrame(marker))?.data ?? new Uint8Array(0);
  const scan = head.find(({ marker }) => marker === SOS);
  const end = start + (entries.get(TAG.jpegLength)?.values[0] ?? 0);
  const [first = new Uint8Array(0), ...strips] = stripsOf(jpeg, scan && { ...scan, wholeEnd: end });
  const begun = scan ? { scan: scan.data, data: first } : readScan(first, frame);
  const parts = [segment(SOS, begun.scan), begun.data];
  for (const [i, strip] of strips.entries()) parts.push(Uint8Array.of(0xff, RST0 + (i % RESTARTS)), strip);
  return joinBytes([
    Uint8Array.of(0xff, SOI),
    ...orientation(entries),
    ...head.filter(({ marker }) => marker !== SOS).map(({ marker, data }) => segment(marker, data)),
    ...(strips.length > 0 ? [segment(DRI, shorts([blocksInStrip(layout, frame)]))] : []),
    ...parts,
    Uint8Array.of(0xff, EOI),
  ]);
}

interface Segment {
  readonly marker: number;
  /** The data after its length. */
  readonly data: Uint8Array;
  readonly end: number;
}

/** The segments up to the pixels, or to the first invalid one: some programs fill the space with zeros. */
function readHead(file: Uint8Array, start: number): Segment[] {
  const view = viewOf(file);
  const segments: Segment[] = [];
  for (let at = start + 2; file[at] === 0xff && file[at + 1] !== EOI && segments.length < MAX_SEGMENTS;) {
    const marker = view.getUint8(at + 1);
    const end = at + 2 + view.getUint16(at + 2);
    segments.push({ marker, data: file.subarray(at + 4, end), end });
    if (marker === SOS) break;
    at = end;
  }
  // Notes and places of the JPEG are not those of the TIFF.
  return segments.filter(({ marker }) => marker !== COM && marker !== APP1);
}

/** The tables and frame that the tags describe. */
function writeHead({ file, entries, layout }: OldJpeg): Segment[] {
  const places = (tag: number) => (entries.get(tag)?.values ?? []).slice(0, layout.samples);
  const huffman = (kind: number) => (at: number, i: number) => {
    const codes = file.subarray(at, at + 16).reduce((sum, count) => sum + count, 0);
    return { marker: DHT, data: joinBytes([Uint8Array.of(kind + i), file.subarray(at, at + 16 + codes)]) };
  };
  const [across = 2, down = 2] = places(TAG.subsampling);
  const components = Array.from({ length: layout.samples }, (_, i) => {
    const sides = i === 0 && layout.samples > 1 ? across * 16 + down : 0x11;
    return [i + 1, sides, i];
  });
  const size = [8, ...shorts([layout.height, layout.width]), layout.samples];
  return [
    ...places(TAG.quantization).map((at, i) => ({
      marker: DQT,
      data: joinBytes([Uint8Array.of(i), file.subarray(at, at + BLOCK * BLOCK)]),
    })),
    { marker: SOF0, data: Uint8Array.from([...size, ...components.flat()]) },
    ...places(TAG.dcTables).map(huffman(0)),
    ...places(TAG.acTables).map(huffman(0x10)),
  ].map((made) => ({ ...made, end: 0 }));
}

/**
 * The compressed pixels. One strip may contain its JPEG's head too, after which they begin; a single one of a whole JPEG
 * goes on to the end of that, whatever its own tags say.
 */
function stripsOf(
  { file, layout }: OldJpeg,
  scan: (Segment & { readonly wholeEnd: number }) | undefined,
): Uint8Array[] {
  const { offsets, lengths } = layout;
  // Without a bound a small file would unfold into a large one.
  const total = offsets.reduce((sum, _, i) => sum + (lengths[i] ?? 0), 0);
  if (total > file.length) throw damagedImage("its strips overlap");
  return offsets.map((offset, i) => {
    const end = offset + (lengths[i] ?? 0);
    const isInside = i === 0 && scan !== undefined && scan.end >= offset;
    if (isInside && offsets.length === 1) return file.subarray(scan.end, Math.max(scan.wholeEnd, end));
    return file.subarray(isInside ? Math.min(scan.end, end) : offset, end);
  });
}

/** The head of a scan is in the first strip, or follows from its frame. */
function readScan(strip: Uint8Array, frame: Uint8Array): { scan: Uint8Array; data: Uint8Array } {
  if (strip[0] === 0xff && strip[1] === SOS) {
    const end = 2 + viewOf(strip).getUint16(2);
    return { scan: strip.subarray(4, end), data: strip.subarray(end) };
  }
  const count = frame[5] ?? 1;
  const components = Array.from({ length: count }, (_, i) => [frame[6 + 3 * i] ?? 0, i * 0x11]);
  return { scan: Uint8Array.from([count, ...components.flat(), 0, BLOCK * BLOCK - 1, 0]), data: strip };
}

function blocksInStrip({ width, pieceHeight }: TiffLayout, frame: Uint8Array): number {
  const sides = frame[5] === 1 ? 0x11 : (frame[7] ?? 0x11);
  return Math.ceil(width / (BLOCK * (sides >> 4))) * Math.ceil(pieceHeight / (BLOCK * (sides & 15)));
}

function isFrame(marker: number): boolean {
  return marker >= SOF0 && marker <= 0xc3;
}

/** The TIFF's orientation as an Exif block. */
function orientation(entries: Entries): Bytes[] {
  const value = entries.get(TAG.orientation)?.values[0] ?? 1;
  const block = [0x4d4d, 42, 0, 8, 1, TAG.orientation, 3, 0, 1, value, 0, 0, 0];
  return value > 1 ? [segment(APP1, joinBytes([utf8("Exif\0\0"), shorts(block)]))] : [];
}

function segment(marker: number, data: Uint8Array): Bytes {
  return joinBytes([Uint8Array.of(0xff, marker), shorts([data.length + 2]), data]);
}

function shorts(values: readonly number[]): Bytes {
  return Uint8Array.from(values.flatMap((value) => [value >> 8, value & 255]));
}
