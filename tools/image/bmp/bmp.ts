import type { Bytes } from "../../../wire/bytes.ts";
import { type ImageInfo, viewOf, damagedImage, makePartCounter } from "../image-info.ts";
import { readPng } from "../readers/png.ts";
import { type BitmapHeader, readBitmapHeader, rowLength } from "./header.ts";
import { BMP_BYTES_PER_PIXEL, readBitmap, wrapRows, eachPixel, someAlpha } from "./pixels.ts";

/** The header of the file, before that of the bitmap; and where it says where the pixels begin. */
const [FILE_HEADER_BYTES, PIXELS_AT] = [14, 10];

/** Reads the header of a BMP. @throws ToolFailure damaged_file, unsupported_feature; RangeError when it is cut */
export function readBmp(file: Bytes): ImageInfo {
  return infoOf(readBitmapHeader(viewOf(file), FILE_HEADER_BYTES));
}

/** Reads the header of the largest picture of an ICO or CUR. @throws as readBmp */
export function readIco(file: Bytes): ImageInfo {
  const { data, isPng } = largestPicture(file);
  return isPng ? readPng(data) : infoOf(readIconHeader(data));
}

function infoOf({ width, height }: BitmapHeader): ImageInfo {
  const pixels = width * height;
  const preparedBytes = BMP_BYTES_PER_PIXEL * pixels;
  return {
    width,
    height,
    frames: 1,
    decodedPixels: pixels,
    preparedBytes,
    hasMorePictures: false,
    metadata: new Set(),
  };
}

/** A BMP as a PNG, even where a part of its runs makes no sense. @throws ToolFailure damaged_file */
export function decodeBmp(file: Bytes): { png: Bytes; isDamaged: boolean } {
  const view = viewOf(file);
  const header = readBitmapHeader(view, FILE_HEADER_BYTES);
  // Some programs write zero.
  const pixelsAt = view.getUint32(PIXELS_AT, true) || header.endsAt;
  const { rows, isDamaged } = readBitmap(file, header, pixelsAt);
  return { png: wrapRows(rows, header), isDamaged };
}

/** The largest picture of an ICO or CUR as a PNG. @throws ToolFailure damaged_file */
export function decodeIco(file: Bytes): Bytes {
  const { data, isPng } = largestPicture(file);
  return isPng ? data.slice() : decodeIcon(data);
}

const [HEAD_BYTES, ENTRY_BYTES] = [6, 16];
const PNG_BEGINS = [0x89, 0x50, 0x4e, 0x47];

/** The largest picture of an icon or a pointer, and its place. */
interface Picture {
  readonly isPng: boolean;
  readonly data: Bytes;
}

/**
 * Finds the largest picture of an ICO or CUR (Win32 "Icons"), and of those the one with most bits.
 * @throws ToolFailure damaged_file, too_complex; RangeError when it is cut
 */
function largestPicture(file: Bytes): Picture {
  const view = viewOf(file);
  const length = view.getUint16(4, true);
  makePartCounter("pictures")(length);
  let [best, most] = [-1, -1];
  for (let i = 0; i < length; i++) {
    const at = HEAD_BYTES + ENTRY_BYTES * i;
    // Zero stands for 256. In a pointer the bits are a position.
    const [width, height] = [view.getUint8(at) || 256, view.getUint8(at + 1) || 256];
    const bits = Math.min(32, view.getUint16(at + 6, true));
    const rank = width * height * 64 + bits;
    if (rank > most) [best, most] = [at, rank];
  }
  if (best < 0) throw damagedImage("it holds no picture");
  const [size, start] = [view.getUint32(best + 8, true), view.getUint32(best + 12, true)];
  if (start + size > file.length) throw damagedImage("its picture is cut");
  const data = file.subarray(start, start + size);
  return { data, isPng: PNG_BEGINS.every((byte, i) => data[i] === byte) };
}

/** The header of a picture that is not a PNG: as high as both of its parts, colors and mask. */
function readIconHeader(data: Bytes): BitmapHeader {
  const header = readBitmapHeader(viewOf(data), 0);
  return { ...header, height: Math.floor(header.height / 2) };
}

/** Converts the picture of an icon to PNG: with its own transparency, or with that of the mask. */
function decodeIcon(data: Bytes): Bytes {
  const header = readIconHeader(data);
  // Only here the fourth byte of a pixel is transparency without being declared.
  const [red, green, blue] = header.masks;
  const masks =
    header.bits === 32 && red && green && blue ? [red, green, blue, { shift: 24, bits: 8 }] : header.masks;
  const withAlpha = { ...header, masks };
  const { rows, hasAlpha } = readBitmap(data, withAlpha, header.endsAt);
  if (!hasAlpha || !someAlpha(rows, header)) applyMask(data, header, rows);
  return wrapRows(rows, header);
}

function applyMask(data: Bytes, header: BitmapHeader, rows: Bytes): void {
  const { height, bits, endsAt } = header;
  const maskAt = endsAt + rowLength(header, bits) * height;
  const maskBytes = rowLength(header, 1);
  // Some programs omit it.
  if (maskAt + maskBytes * height > data.length) return;
  eachPixel(header, (at, x, y) => {
    const byte = data[maskAt + (height - 1 - y) * maskBytes + (x >> 3)] ?? 0;
    if ((byte >> (7 - (x & 7))) & 1) rows[at + 3] = 0;
  });
}
