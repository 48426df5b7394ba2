import type { Bytes } from "../../wire/bytes.ts";
import { dropJpegSegments } from "../../tools/image/jpeg-metadata.ts";
import { filterWebpChunks } from "../../tools/image/webp-chunks.ts";
import type { TargetFormat } from "../../tools/image-convert.ts";

/** Removes what a browser's encoder adds: a color profile of sRGB, which is the default without one. */
export function dropProfile(image: Bytes, format: TargetFormat): Bytes {
  if (format === "jpeg") return dropJpegSegments(image, isApplication);
  return format === "webp" ? filterWebpChunks(image, isKept) : image;
}

// APP1 to APP13; JFIF (APP0) and Adobe (APP14) are needed to decode the picture.
const [FIRST_APPLICATION, LAST_APPLICATION] = [0xe1, 0xed];

function isApplication(marker: number): boolean {
  return marker >= FIRST_APPLICATION && marker <= LAST_APPLICATION;
}

const DROPPED: readonly string[] = ["ICCP", "EXIF", "XMP "];

function isKept(name: string): boolean {
  return !DROPPED.includes(name);
}
