import { type Bytes, joinBytes } from "../../../wire/bytes.ts";
import { viewOf } from "../image-info.ts";
import { readDirectory } from "../readers/exif.ts";
import { decompress } from "./decompress.ts";
import { readLayout, type TiffLayout, unreadableLayout, type Entries } from "./layout.ts";
import { classicTiff, ENTRY_BYTES, writeDirectory } from "./classic.ts";
import { COMPRESSION, PHOTOMETRIC, TAG } from "./tags.ts";
import { joinOldJpeg } from "./old-jpeg.ts";

/**
 * Rewrites a TIFF whose layout libvips cannot read as one uncompressed strip of whole bytes, or as the JPEG in it;
 * returns any other unchanged.
 * @throws ToolFailure damaged_file
 */
export function rewriteTiff(file: Bytes): Bytes {
  const image = classicTiff(file);
  const isLittle = image[0] === 0x49;
  const at = viewOf(image).getUint32(4, isLittle);
  const { entries, next } = readDirectory(image, at);
  const layout = readLayout(entries);
  if (layout.compression === COMPRESSION.oldJpeg) return joinOldJpeg({ file: image, entries, layout });
  if (!unreadableLayout(layout)) return next < image.length ? image : endAfter(image, at, isLittle);
  const bits = rewrittenBits(layout);
  const pixels = new Uint8Array(rewrittenBytes(layout));
  const target = { view: viewOf(pixels), bits, isLittle };
  eachPiece(layout, (piece) => copyPiece(image, { layout, piece, target }));
  return writeTiff({ entries, isLittle, bits, pixels, layout });
}

/** libvips reads the whole list of directories; an offset outside of the file becomes its end. */
function endAfter(image: Bytes, at: number, isLittle: boolean): Bytes {
  const nextAt = at + 2 + ENTRY_BYTES * viewOf(image).getUint16(at, isLittle);
  const ended = new Uint8Array(Math.max(image.length, nextAt + 4));
  ended.set(image);
  ended.fill(0, nextAt, nextAt + 4);
  return ended;
}

/** The length of the rewritten pixels. */
export function rewrittenBytes(layout: TiffLayout): number {
  return (layout.width * layout.height * layout.kept.length * rewrittenBits(layout)) / 8;
}

function rewrittenBits({ bits, photometric }: TiffLayout): 8 | 16 {
  return bits === 8 && photometric !== PHOTOMETRIC.cielab ? 8 : 16;
}

/** A tile or strip; where colors are split, for one of them. */
interface Piece {
  readonly index: number;
  readonly x: number;
  readonly y: number;
  readonly rows: number;
  readonly firstSample: number;
}

function eachPiece(layout: TiffLayout, act: (piece: Piece) => void): void {
  const { across, down, samples, isSplit, isTiled, height, pieceWidth, pieceHeight } = layout;
  let index = 0;
  for (let firstSample = 0; firstSample < (isSplit ? samples : 1); firstSample++) {
    for (let row = 0; row < down; row++) {
      const y = row * pieceHeight;
      // The last strip may be short, a tile is always whole.
      const rows = isTiled ? pieceHeight : Math.min(pieceHeight, height - y);
      for (let column = 0; column < across; column++)
        act({ index: index++, x: column * pieceWidth, y, rows, firstSample });
    }
  }
}

interface PieceCopy {
  readonly layout: TiffLayout;
  readonly piece: Piece;
  readonly target: { readonly view: DataView; readonly bits: 8 | 16; readonly isLittle: boolean };
}

function copyPiece(image: Bytes, { layout, piece, target }: PieceCopy): void {
  const { bits, samples, isSplit, pieceWidth, predictor, compression } = layout;
  const step = isSplit ? 1 : samples;
  const rowBytes = Math.ceil((pieceWidth * step * bits) / 8);
  // A missing piece is empty and has no samples.
  const [offset = 0, length = 0] = [layout.offsets[piece.index], layout.lengths[piece.index]];
  const packed = image.subarray(offset, offset + length);
  const [sizeBytes, mostBytes] = [rowBytes * piece.rows, rowBytes * layout.pieceHeight];
  const data = decompress(packed, { compression, sizeBytes, mostBytes });
  const row = new Uint16Array(pieceWidth * step);
  for (let line = 0; line < Math.min(piece.rows, layout.height - piece.y); line++) {
    readRow(viewOf(data.subarray(line * rowBytes)), { row, bits, isLittle: target.isLittle });
    if (predictor === 2) undoDifferences(row, step, 2 ** bits - 1);
    writeRow(row, { layout, piece: { ...piece, y: piece.y + line }, target });
  }
}

function readRow(
  view: DataView,
  { row, bits, isLittle }: { row: Uint16Array; bits: number; isLittle: boolean },
): void {
  for (let i = 0; i < row.length; i++) {
    if (bits === 8) row[i] = view.getUint8(i);
    else if (bits === 16) row[i] = view.getUint16(2 * i, isLittle);
    else row[i] = readBits(view, i * bits, bits);
  }
}

/** 9 to 15 bits from the highest on, whatever the byte order of the file (TIFF 6.0, BitsPerSample). */
function readBits(view: DataView, start: number, bits: number): number {
  const at = start >> 3;
  const third = at + 2 < view.byteLength ? view.getUint8(at + 2) : 0;
  const held = (view.getUint16(at) << 8) | third;
  return (held >> (24 - (start & 7) - bits)) & (2 ** bits - 1);
}

/** Each sample was stored as the difference from the previous pixel's (TIFF 6.0, section 14). */
function undoDifferences(row: Uint16Array, step: number, mask: number): void {
  for (let i = step; i < row.length; i++) row[i] = ((row[i] ?? 0) + (row[i - step] ?? 0)) & mask;
}

function writeRow(row: Uint16Array, { layout, piece, target }: PieceCopy): void {
  const { samples, kept, isSplit, width, pieceWidth, bits } = layout;
  const step = isSplit ? 1 : samples;
  const places = Array.from({ length: step }, (_, sample) => kept.indexOf(piece.firstSample + sample));
  const isLab = layout.photometric === PHOTOMETRIC.cielab;
  for (let x = 0; x < Math.min(pieceWidth, width - piece.x); x++) {
    const pixel = (piece.y * width + piece.x + x) * kept.length;
    for (let sample = 0; sample < step; sample++) {
      const place = places[sample] ?? -1;
      if (place < 0) continue;
      const to = pixel + place;
      const value = row[x * step + sample] ?? 0;
      const isSigned = isLab && piece.firstSample + sample > 0;
      if (target.bits === 8) target.view.setUint8(to, value);
      else target.view.setUint16(2 * to, widen(value, bits, isSigned), target.isLittle);
    }
  }
}

/** The value scaled to 16 bits. */
function widen(value: number, bits: number, isSigned: boolean): number {
  if (bits === 16) return value;
  const high = value << (16 - bits);
  // The highest bits are repeated below, so that white stays white; a and b of Lab are whole numbers on both scales.
  return isSigned ? high : high | (value >> (2 * bits - 16));
}

/** Tags that say how samples are interpreted, and are the same in any layout. */
const KEPT: readonly number[] = [
  TAG.photometric,
  TAG.orientation,
  TAG.colorMap,
  TAG.sampleFormat,
  TAG.profile,
];
const SHORT = 3;
const LONG = 4;
const HEAD_BYTES = 8;

interface Parts {
  /** The entries of the rewritten file, in the same byte order. */
  readonly entries: Entries;
  readonly isLittle: boolean;
  readonly layout: TiffLayout;
  readonly bits: 8 | 16;
  readonly pixels: Bytes;
}

/** Writes a TIFF with one uncompressed strip (TIFF 6.0, section 2). */
function writeTiff({ entries, isLittle, layout, bits, pixels }: Parts): Bytes {
  const { width, height, kept: samples, alpha } = layout;
  const field = (tag: number, type: number, values: readonly number[]) => {
    const view = new DataView(new ArrayBuffer(values.length * (type === SHORT ? 2 : 4)));
    values.forEach((value, i) =>
      type === SHORT ? view.setUint16(2 * i, value, isLittle) : view.setUint32(4 * i, value, isLittle),
    );
    return { tag, type, count: values.length, data: new Uint8Array(view.buffer) };
  };
  const kept = KEPT.flatMap((tag) => {
    const entry = entries.get(tag);
    return entry ? [{ tag, type: entry.type, count: entry.count, data: entry.data }] : [];
  });
  const made = [
    field(TAG.width, LONG, [width]),
    field(TAG.height, LONG, [height]),
    field(TAG.bits, SHORT, new Array<number>(samples.length).fill(bits)),
    field(TAG.compression, SHORT, [COMPRESSION.none]),
    field(TAG.stripOffsets, LONG, [HEAD_BYTES]),
    field(TAG.samples, SHORT, [samples.length]),
    field(TAG.rowsPerStrip, LONG, [height]),
    field(TAG.stripLengths, LONG, [pixels.length]),
    ...(alpha === undefined ? [] : [field(TAG.extraSamples, SHORT, [alpha])]),
  ];
  const fields = [...made, ...kept].sort((a, b) => a.tag - b.tag);
  const directoryAt = HEAD_BYTES + pixels.length + (pixels.length % 2);
  const head = new DataView(new ArrayBuffer(HEAD_BYTES));
  head.setUint16(0, isLittle ? 0x4949 : 0x4d4d);
  head.setUint16(2, 42, isLittle);
  head.setUint32(4, directoryAt, isLittle);
  const padding = new Uint8Array(pixels.length % 2);
  return joinBytes([
    new Uint8Array(head.buffer),
    pixels,
    padding,
    writeDirectory(fields, directoryAt, isLittle),
  ]);
}
