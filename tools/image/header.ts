import { ToolFailure } from "../../wire/tool-failure.ts";
import { readHeif } from "./readers/heif.ts";
import type { ImageInfo, ImageFormat } from "./image-info.ts";
import { damagedImage, latin1 } from "./image-info.ts";
import { readGif } from "./readers/gif.ts";
import { readJpeg } from "./readers/jpeg.ts";
import { readPng } from "./readers/png.ts";
import { readTiff } from "./readers/tiff.ts";
import { readWebp } from "./readers/webp.ts";

export interface ImageHeader extends ImageInfo {
  readonly format: ImageFormat;
}

const READERS: Record<ImageFormat, (bytes: Uint8Array) => ImageInfo> = {
  jpeg: readJpeg,
  png: readPng,
  webp: readWebp,
  gif: readGif,
  avif: readHeif,
  heic: readHeif,
  tiff: readTiff,
};

/** What a file begins with, by name; the first that fits counts. Those that are no readable format are for the message. */
const SIGNATURES: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["jpeg", /^\xff\xd8\xff/],
  ["png", /^\x89PNG\r\n\x1a\n/],
  ["gif", /^GIF8[79]a/],
  ["webp", /^RIFF....WEBP/s],
  ["tiff", /^(II\x2a\0|MM\0\x2a)/],
  ["heic", /^....ftyp(hei|hev)/s],
  // The major brand or, behind its version, one of the compatible ones.
  ["avif", /^....ftyp(....){0,20}avi[fs]/s],
  ["heic", /^....ftyp(mif1|msf1)/s],
  ["video", /^....ftyp/s],
  ["bigtiff", /^(II\x2b\0|MM\0\x2b)/],
  ["bmp", /^BM....\0\0\0\0/s],
  ["ico", /^\0\0[\x01\x02]\0/],
  ["jxl", /^(\xff\x0a|\0\0\0\x0cJXL )/],
  ["jp2", /^(\0\0\0\x0cjP |\xff\x4f\xff\x51)/],
  ["psd", /^8BPS/],
  ["exr", /^\x76\x2f\x31\x01/],
  ["pdf", /^%PDF-/],
  ["zip", /^PK[\x03\x05]/],
  ["gzip", /^\x1f\x8b/],
  ["svg", /^(\xef\xbb\xbf)?\s*(<\?xml|<!--|<!DOCTYPE svg)?[^]*<svg[\s>]/i],
  ["html", /^(\xef\xbb\xbf)?\s*<(!DOCTYPE html|html)/i],
  ["xml", /^(\xef\xbb\xbf)?\s*<\?xml/],
];

/**
 * Tells by content what a file is: one of the image formats, another name, or "unknown". Reads the first
 * kilobyte only.
 */
export function detectFileType(bytes: Uint8Array): string {
  const head = latin1(bytes, { end: 1024 });
  return SIGNATURES.find(([, pattern]) => pattern.test(head))?.[0] ?? "unknown";
}

/**
 * Reads type, size and metadata kinds of an image from its headers, and checks that it is there to its end.
 * Nothing is decoded.
 * @throws ToolFailure wrong_file_type, damaged_file, unsupported_feature
 */
export function readImageHeader(bytes: Uint8Array): ImageHeader {
  const type = detectFileType(bytes);
  if (!isImageFormat(type)) throw wrongType(type);
  try {
    return { format: type, ...READERS[type](bytes) };
  } catch (error) {
    // The readers count on the bounds of DataView: what it cannot read is not there.
    if (error instanceof RangeError) throw damagedImage("it is cut");
    throw error;
  }
}

function isImageFormat(type: string): type is ImageFormat {
  return Object.hasOwn(READERS, type);
}

function wrongType(detected: string): ToolFailure {
  const what = detected === "unknown" ? "of no known type" : `of the type "${detected}"`;
  const message = `The file is ${what}; JPEG, PNG, WebP, GIF, AVIF, HEIC and TIFF can be converted.`;
  return new ToolFailure("wrong_file_type", message, { expected: Object.keys(READERS), detected });
}
