import { ownBytes, concatBytes, joinBytes, type Bytes } from "../../wire/bytes.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import type { ToolWarning } from "../../wire/tool-warning.ts";
import { readImageHeader, type ImageHeader } from "./header.ts";
import { damagedImage, shortLatin1, viewOf, type MetadataKind } from "./image-info.ts";
import { pngChunk, SIGNATURE } from "./png-write.ts";
import { exifOfJpeg, jpegParts, type JpegPart } from "./readers/jpeg.ts";
import { readOrientation } from "./readers/exif.ts";
import { HARMLESS_CHUNKS, pngChunks } from "./readers/png.ts";
import { exifOfWebp, PICTURE_CHUNKS } from "./readers/webp.ts";
import { filterWebpChunks, webpChunk } from "./webp-chunks.ts";

export const STRIPPED_FORMATS = ["jpeg", "png", "webp"] as const;

type StrippedFormat = (typeof STRIPPED_FORMATS)[number];

/** An image as it was, pixel by pixel, without its metadata. */
export interface StrippedImage {
  readonly bytes: Bytes;
  readonly format: StrippedFormat;
  /** Pixels, as it is shown. */
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
 * Takes the metadata out of a JPEG, PNG or WebP without decoding it. What shows the pixels right stays: the color profile,
 * transparency, frames, and the orientation as the one field of an Exif block. Further pictures and what stands behind the
 * end go.
 * @throws ToolFailure wrong_file_type, damaged_file, too_complex
 */
export function stripMetadata(file: Uint8Array): StrippedImage {
  const image = ownBytes(file);
  const source = readImageHeader(image);
  const { format } = source;
  if (!isStripped(format)) {
    const message = `The image is ${format.toUpperCase()}; metadata is taken out of JPEG, PNG and WebP without encoding them anew.`;
    throw new ToolFailure("wrong_file_type", message, { expected: STRIPPED_FORMATS, detected: format });
  }
  // Where its parts end cannot be told of a damaged one, nor what stands among them.
  if (source.hasBadEnd) throw damagedImage("what follows the picture cannot be read; converting it helps");
  const bytes = WRITERS[format](image);
  const left = readImageHeader(bytes);
  const [width, height] = left.isSideways ? [left.height, left.width] : [left.width, left.height];
  const stays = new Set<MetadataKind>(["icc", "resolution"]);
  const metadataRemoved = [...source.metadata].filter((kind) => !stays.has(kind));
  return {
    bytes,
    format,
    width,
    height,
    sourceFormat: format,
    metadataRemoved,
    warnings: listWarnings(source),
  };
}

function isStripped(format: ImageHeader["format"]): format is StrippedFormat {
  return STRIPPED_FORMATS.some((each) => each === format);
}

function listWarnings({ hasMorePictures, hasGainMap }: ImageHeader): ToolWarning[] {
  const warnings: ToolWarning[] = hasMorePictures ? [{ code: "first_picture_only" }] : [];
  return hasGainMap ? [...warnings, { code: "gain_map_left_out" }] : warnings;
}

/** An Exif block that says only how the picture is turned; undefined where it is not (Exif 3.0, 4.6.5.1). */
function orientationOnly(exif: Uint8Array | undefined): Bytes | undefined {
  const orientation = exif ? readOrientation(exif) : 1;
  if (orientation < 2 || orientation > 8) return undefined;
  const [little, entry, short] = [
    [0x49, 0x49, 42, 0, 8, 0, 0, 0],
    [0x12, 0x01],
    [3, 0],
  ];
  return Uint8Array.from([...little, 1, 0, ...entry, ...short, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]);
}

const APP0 = 0xe0;
const EXIF_MARKER = [0xff, 0xe1];
const EXIF_LABEL = [0x45, 0x78, 0x69, 0x66, 0, 0];
/** Of a JFIF segment, up to the size of its thumbnail. */
const JFIF_BYTES = 16;

function stripJpeg(image: Bytes): Bytes {
  const parts = [...jpegParts(image)];
  const exif = orientationOnly(exifOfJpeg(parts));
  const kept = parts
    .filter(isNeeded)
    .map((part) => (part.marker === APP0 ? withoutThumbnail(part.bytes) : part.bytes));
  const at = parts.find(isNeeded)?.marker === APP0 ? 1 : 0;
  return joinBytes([
    Uint8Array.of(0xff, 0xd8),
    ...kept.slice(0, at),
    ...(exif ? [exifSegment(exif)] : []),
    ...kept.slice(at),
    Uint8Array.of(0xff, 0xd9),
  ]);
}

/** Tables, frames and scans; JFIF, Adobe's color transform and the profile, which say how they are to be shown. */
function isNeeded({ marker, bytes }: JpegPart): boolean {
  const [isApplication, isComment] = [marker >= APP0 && marker <= 0xef, marker === 0xfe];
  if (!isApplication) return !isComment;
  const label = shortLatin1(bytes, { start: 4, end: 16 });
  if (marker === APP0) return label.startsWith("JFIF\0");
  if (marker === 0xee) return label.startsWith("Adobe");
  return marker === 0xe2 && label.startsWith("ICC_PROFILE\0");
}

/** A JFIF segment can hold a small copy of the picture. */
function withoutThumbnail(segment: Bytes): Bytes {
  const short = new Uint8Array(JFIF_BYTES + 2);
  short.set(segment.subarray(0, JFIF_BYTES));
  viewOf(short).setUint16(2, JFIF_BYTES);
  return short;
}

function exifSegment(exif: Bytes): Bytes {
  const length = 2 + EXIF_LABEL.length + exif.length;
  return concatBytes(Uint8Array.of(...EXIF_MARKER, length >> 8, length & 0xff, ...EXIF_LABEL), exif);
}

const KEPT_PNG: ReadonlySet<string> = new Set([...HARMLESS_CHUNKS, "iCCP", "pHYs"]);

function stripPng(image: Bytes): Bytes {
  const kept: Uint8Array[] = [SIGNATURE];
  for (const { type, start, end, data } of pngChunks(image)) {
    const exif = type === "eXIf" ? orientationOnly(data) : undefined;
    if (exif) kept.push(pngChunk("eXIf", exif));
    // A capital at the beginning says that nothing is shown right without it (W3C PNG, 5.4).
    else if (KEPT_PNG.has(type) || /^[A-Z]/.test(type)) kept.push(image.subarray(start, end));
  }
  return joinBytes(kept);
}

function stripWebp(image: Bytes): Bytes {
  const exif = orientationOnly(exifOfWebp(image));
  const keeps = (name: string) => name === "ICCP" || PICTURE_CHUNKS.includes(name);
  return filterWebpChunks(image, keeps, exif ? [webpChunk("EXIF", exif)] : []);
}
