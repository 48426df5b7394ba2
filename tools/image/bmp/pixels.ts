import type { Size } from "../pixels.ts";
import { byteAt, type Bytes } from "../../../wire/bytes.ts";
import { damagedImage, viewOf } from "../image-info.ts";
import { COLOR_TYPE, writePng } from "../png/write.ts";
import { type BitmapHeader, rowLength } from "./header.ts";

/** Memory per pixel while a PNG is made of it: samples, and the PNG in which they are stored. */
export const BMP_BYTES_PER_PIXEL = 12;
const CHANNELS = 4;
/**
 * Codes after a zero: the end of a row, of the picture, and a jump. Numbers from three on are followed by that many
 * plain pixels.
 */
const [END_OF_ROW, END, JUMP] = [0, 1, 2];

/** The pixels of a bitmap, from `pixelsAt` on, as rows of RGBA from top to bottom, each after a zero, as in a PNG. */
export function readBitmap(
  file: Bytes,
  header: BitmapHeader,
  pixelsAt: number,
): { rows: Bytes; hasAlpha: boolean; isDamaged: boolean } {
  const { width, height, bits, isTopDown, isRunLength } = header;
  const rowBytes = rowLength(header, bits);
  const packed = file.subarray(pixelsAt);
  const { rows: data, isDamaged } = isRunLength
    ? unpackRuns(packed, header)
    : { rows: packed, isDamaged: false };
  if (data.length < rowBytes * (height - 1) + Math.ceil((width * bits) / 8))
    throw damagedImage("its pixels are cut");
  const rows = new Uint8Array((1 + CHANNELS * width) * height);
  const readPixel = makeReader(file, header, data);
  for (let y = 0; y < height; y++) {
    const from = (isTopDown ? y : height - 1 - y) * rowBytes;
    const to = y * (1 + CHANNELS * width) + 1;
    for (let x = 0; x < width; x++) readPixel({ from, x, rows, to: to + CHANNELS * x });
  }
  const hasAlpha = (header.masks[3]?.bits ?? 0) > 0 && fillAlpha(rows, header);
  return { rows, hasAlpha, isDamaged };
}

/** Wraps rows in a PNG that is stored and not compressed. */
export function wrapRows(rows: Bytes, { width, height }: Size): Bytes {
  return writePng({ width, height, bitDepth: 8, colorType: COLOR_TYPE.rgba }, { rows, level: 0 });
}

/** Programs that know no transparency leave it zero everywhere, and mean opaque. */
function fillAlpha(rows: Bytes, size: Size): boolean {
  if (someAlpha(rows, size)) return true;
  eachPixel(size, (at) => (rows[at + 3] = 255));
  return false;
}

/** Whether a pixel is not transparent. */
export function someAlpha(rows: Bytes, size: Size): boolean {
  let found = false;
  eachPixel(size, (at) => (found ||= byteAt(rows, at + 3) > 0));
  return found;
}

export function eachPixel({ width, height }: Size, act: (at: number, x: number, y: number) => void): void {
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) act(y * (1 + CHANNELS * width) + 1 + CHANNELS * x, x, y);
}

interface PixelRow {
  /** Where the row begins. */
  readonly from: number;
  readonly x: number;
  readonly rows: Bytes;
  readonly to: number;
}

type PixelReader = (place: PixelRow) => void;

function makeReader(file: Bytes, header: BitmapHeader, data: Bytes): PixelReader {
  const { bits } = header;
  if (bits === 24) {
    return ({ from, x, rows, to }) => {
      const at = from + 3 * x;
      rows[to] = byteAt(data, at + 2);
      rows[to + 1] = byteAt(data, at + 1);
      rows[to + 2] = byteAt(data, at);
      rows[to + 3] = 255;
    };
  }
  return bits > 8 ? maskReader(data, header) : paletteReader(file, header, data);
}

function paletteReader(file: Bytes, header: BitmapHeader, data: Bytes): PixelReader {
  const { bits, colors, colorBytes, paletteAt } = header;
  if (paletteAt + colors * colorBytes > file.length) throw damagedImage("its colors are cut");
  const highest = 2 ** bits - 1;
  return ({ from, x, rows, to }) => {
    const bit = x * bits;
    const index = (byteAt(data, from + (bit >> 3)) >> (8 - bits - (bit & 7))) & highest;
    // A missing color is black.
    const at = index < colors ? paletteAt + index * colorBytes : -1;
    for (let channel = 0; channel < 3; channel++)
      rows[to + channel] = at < 0 ? 0 : byteAt(file, at + 2 - channel);
    rows[to + 3] = 255;
  };
}

function maskReader(data: Bytes, { bits, masks }: BitmapHeader): PixelReader {
  const view = viewOf(data);
  const scales = masks.map(({ bits: length }) => (length > 0 ? 255 / (2 ** length - 1) : 0));
  return ({ from, x, rows, to }) => {
    const pixel = bits === 16 ? view.getUint16(from + 2 * x, true) : view.getUint32(from + 4 * x, true);
    for (let channel = 0; channel < CHANNELS; channel++) {
      const { shift = 0, bits: length = 0 } = masks[channel] ?? {};
      const value = length === 32 ? pixel : (pixel >>> shift) & (2 ** length - 1);
      rows[to + channel] =
        length === 0 ? (channel === 3 ? 255 : 0) : Math.round((value >>> 0) * (scales[channel] ?? 0));
    }
  };
}

/**
 * Unpacks runs of 4 or 8 bits (Win32 "Bitmap Compression") to rows, from bottom to top. Skipped pixels have the first
 * color. Pixels beyond a row are dropped, and where the file ends the rest has the first color: both count as damage.
 */
function unpackRuns(
  packed: Bytes,
  { width, height, bits }: BitmapHeader,
): { rows: Bytes; isDamaged: boolean } {
  const rowBytes = rowLength({ width }, bits);
  const rows = new Uint8Array(rowBytes * height);
  let [at, x, y] = [0, 0, 0];
  let isDamaged = false;
  const put = (value: number) => {
    if (x >= width || y >= height) isDamaged = true;
    else if (bits === 8) rows[y * rowBytes + x] = value;
    else rows[y * rowBytes + (x >> 1)]! |= x % 2 === 0 ? value << 4 : value;
    x++;
  };
  const nibble = (byte: number, i: number) => (bits === 8 ? byte : i % 2 === 0 ? byte >> 4 : byte & 15);
  const next = () => packed[at++] ?? 0;
  while (at + 1 < packed.length) {
    const [count, value] = [next(), next()];
    if (count > 0) for (let i = 0; i < count; i++) put(nibble(value, i));
    else if (value === END) return { rows, isDamaged };
    else if (value === END_OF_ROW) [x, y] = [0, y + 1];
    else if (value === JUMP) [x, y] = [x + next(), y + next()];
    else {
      const bytes = bits === 8 ? value : Math.ceil(value / 2);
      const start = at;
      at += bytes + (bytes % 2);
      for (let i = 0; i < value; i++) put(nibble(packed[start + (bits === 8 ? i : i >> 1)] ?? 0, i));
    }
  }
  // The last row may end like the others, with nothing after it.
  return { rows, isDamaged: isDamaged || y < height };
}
