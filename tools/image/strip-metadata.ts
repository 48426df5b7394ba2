import { ownBytes, joinBytes, type Bytes } from "../../wire/bytes.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { BYTES, checkValue, required } from "../file/arguments.ts";
import type { ToolWarning } from "../../wire/tool-warning.ts";
import { readImageHeader, type ImageHeader } from "./header.ts";
import { damagedImage, type MetadataKind } from "./image-info.ts";
import { shownPixels, unnamedProfile } from "./png/needed-parts.ts";
import { pngChunk, SIGNATURE } from "./png/write.ts";
import { withoutMetadata } from "./jpeg-metadata.ts";
import { exifOfJpeg, jpegParts } from "./readers/jpeg.ts";
import { readOrientation } from "./readers/exif.ts";
import { harmlessPart, pngChunks } from "./readers/png.ts";
import { exifOfWebp, PICTURE_CHUNKS } from "./readers/webp.ts";
import { filterWebpChunks, webpChunk } from "./webp-chunks.ts";

const STRIPPED_FORMATS = ["jpeg", "png", "webp"] as const;

type StrippedFormat = (typeof STRIPPED_FORMATS)[number];

/** An image with the same pixels, without its metadata. */
export interface StrippedImage {
  readonly bytes: Bytes;
  readonly format: StrippedFormat;
  /** In pixels, as it is shown. */
  readonly width: number;
  readonly height: number;
  readonly sourceFormat: StrippedFormat;
  readonly metadataRemoved: MetadataKind[];
  readonly warnings: readonly ToolWarning[];
}

const WRITERS: Record<StrippedFormat, (image: Bytes) => Bytes> = {
  jpeg: stripJpeg,
  png: stripPng,
  webp: stripWebp,
};

/**
 * Removes the metadata from a JPEG, PNG or WebP without decoding it. Keeps what is needed to show the pixels right: the
 * color profile, transparency, frames, and the orientation as the only field of an Exif block. Removes further pictures
 * and what follows the end.
 * @throws ToolFailure wrong_file_type, damaged_file, too_complex
 */
export function stripMetadata(file: Uint8Array): StrippedImage {
  checkValue(file, "file", required(BYTES));
  const image = ownBytes(file);
  const source = readImageHeader(image);
  const format = checkStrippable(source);
  const bytes = WRITERS[format](image);
  const left = readImageHeader(bytes);
  const [width, height] = left.isSideways ? [left.height, left.width] : [left.width, left.height];
  const stays = new Set<MetadataKind>(["icc", "resolution"]);
  const metadataRemoved = [...source.metadata].filter((kind) => !stays.has(kind));
  const warnings = listWarnings(source);
  return { bytes, format, width, height, sourceFormat: format, metadataRemoved, warnings };
}

/** The format of an image whose metadata can be removed. @throws ToolFailure wrong_file_type, damaged_file */
export function checkStrippable({ format, hasBadEnd }: ImageHeader): StrippedFormat {
  if (!isStrippable(format)) {
    const message = `The image is ${format.toUpperCase()}; metadata is taken out of JPEG, PNG and WebP without encoding them anew.`;
    throw new ToolFailure("wrong_file_type", message, { expected: STRIPPED_FORMATS, detected: format });
  }
  // In a damaged image it is unclear where its parts end, and what is between them.
  if (hasBadEnd) throw damagedImage("what follows the picture cannot be read; converting it helps");
  return format;
}

function isStrippable(format: ImageHeader["format"]): format is StrippedFormat {
  return STRIPPED_FORMATS.some((each) => each === format);
}

function listWarnings({ hasMorePictures, hasGainMap }: ImageHeader): ToolWarning[] {
  const warnings: ToolWarning[] = hasMorePictures ? [{ code: "first_picture_only" }] : [];
  return hasGainMap ? [...warnings, { code: "gain_map_left_out" }] : warnings;
}

/** Where the header of a PNG says whether there is a palette (W3C PNG, 11.2.1). */
const COLOR_TYPE = 25;

/** An Exif block with only the orientation; undefined where the picture is not turned (Exif 3.0, 4.6.5.1). */
function orientationOnly(exif: Uint8Array | undefined): Bytes | undefined {
  const orientation = exif ? readOrientation(exif) : 1;
  if (orientation < 2 || orientation > 8) return undefined;
  const header = [0x49, 0x49, 42, 0, 8, 0, 0, 0];
  // One field: tag 0x0112, type 3 (SHORT), one value.
  const entry = [0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0];
  return Uint8Array.from([...header, 1, 0, ...entry, 0, 0, 0, 0]);
}

function stripJpeg(image: Bytes): Bytes {
  const parts = [...jpegParts(image)];
  return withoutMetadata(parts, orientationOnly(exifOfJpeg(parts)));
}

function stripPng(image: Bytes): Bytes {
  const kept: Uint8Array[] = [SIGNATURE];
  const chunks = [...pngChunks(image)];
  const pixels = shownPixels(chunks);
  const hasPalette = image[COLOR_TYPE] === 3;
  for (const [i, { type, start, end, data }] of chunks.entries()) {
    // For displays of few colors, with up to 768 bytes that nothing looks at.
    if (type === "PLTE" && !hasPalette) continue;
    const part = pixels.get(i) ?? neededPart(type, data);
    if (part === data) kept.push(image.subarray(start, end));
    else if (part) kept.push(pngChunk(type, part));
  }
  return joinBytes(kept);
}

function neededPart(type: string, data: Uint8Array): Uint8Array | undefined {
  if (type === "eXIf") return orientationOnly(data);
  return type === "iCCP" ? unnamedProfile(data) : harmlessPart(type, data);
}

function stripWebp(image: Bytes): Bytes {
  const exif = orientationOnly(exifOfWebp(image));
  const keeps = (name: string) => name === "ICCP" || PICTURE_CHUNKS.includes(name);
  return filterWebpChunks(image, keeps, exif ? [webpChunk("EXIF", exif)] : []);
}
