import type { Bytes } from "../../wire/bytes.ts";
import { detectFileType } from "../file/file-type.ts";
import { readBmp, readIco } from "./bmp/bmp.ts";
import { readHeif } from "./readers/heif.ts";
import { damagedImage, isImageFormat, type ImageFormat, type ImageInfo, wrongImage } from "./image-info.ts";
import { readGif } from "./readers/gif.ts";
import { readJpeg } from "./readers/jpeg.ts";
import { readPng } from "./readers/png.ts";
import { readTiff } from "./readers/tiff.ts";
import { readWebp } from "./readers/webp.ts";

export interface ImageHeader extends ImageInfo {
  readonly format: ImageFormat;
}

const READERS: Record<ImageFormat, (bytes: Bytes) => ImageInfo> = {
  jpeg: readJpeg,
  png: readPng,
  webp: readWebp,
  gif: readGif,
  avif: readHeif,
  heic: readHeif,
  tiff: readTiff,
  bmp: readBmp,
  ico: readIco,
};

/**
 * Reads type, size and metadata kinds of an image from its headers, and checks that it is complete. Nothing is decoded.
 * @throws ToolFailure wrong_file_type, damaged_file, unsupported_feature
 */
export function readImageHeader(bytes: Bytes): ImageHeader {
  const type = detectFileType(bytes);
  if (!isImageFormat(type)) throw wrongImage(type);
  try {
    return { format: type, ...READERS[type](bytes) };
  } catch (error) {
    // The readers rely on the bounds of DataView: what it cannot read is missing.
    if (error instanceof RangeError) throw damagedImage("it is cut");
    throw error;
  }
}
