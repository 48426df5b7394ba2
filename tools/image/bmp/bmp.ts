import type { Bytes } from "../../../wire/bytes.ts";
import type { ImageInfo } from "../image-info.ts";
import { viewOf } from "../image-info.ts";
import { readPng } from "../readers/png.ts";
import { type BitmapHeader, readBitmapHeader } from "./header.ts";
import { decodeIcon, largestPicture, readIconHeader } from "./ico.ts";
import { BMP_BYTES_PER_PIXEL, readBitmap, wrapRows } from "./pixels.ts";

/** Of the file, before the header of the bitmap; where it says where the pixels begin. */
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

/** A BMP as a PNG, also where a part of its runs makes no sense. @throws ToolFailure damaged_file */
export function decodeBmp(file: Bytes): { png: Bytes; isDamaged: boolean } {
  const view = viewOf(file);
  const header = readBitmapHeader(view, FILE_HEADER_BYTES);
  // Some programs leave it zero.
  const pixelsAt = view.getUint32(PIXELS_AT, true) || header.endsAt;
  const { rows, isDamaged } = readBitmap(file, { header, pixelsAt });
  return { png: wrapRows(rows, header), isDamaged };
}

/** The largest picture of an ICO or CUR as a PNG. @throws ToolFailure damaged_file */
export function decodeIco(file: Bytes): Bytes {
  const { data, isPng } = largestPicture(file);
  return isPng ? data.slice() : decodeIcon(data);
}
