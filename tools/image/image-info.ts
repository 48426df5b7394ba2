import { ToolFailure } from "../../wire/tool-failure.ts";

/** The readable formats. */
export const IMAGE_FORMATS = ["jpeg", "png", "webp", "gif", "avif", "heic", "tiff", "bmp", "ico"] as const;

export type ImageFormat = (typeof IMAGE_FORMATS)[number];

export function isImageFormat(type: string): type is ImageFormat {
  return IMAGE_FORMATS.some((format) => format === type);
}

/** Kinds of metadata in a file. `other` is private data of a program. */
export const METADATA_KINDS = [
  ...(["exif", "gps", "makernote", "xmp", "iptc"] as const),
  ...(["icc", "comment", "resolution", "other"] as const),
] as const;

export type MetadataKind = (typeof METADATA_KINDS)[number];

/** What the headers of an image say; an orientation is not applied. */
export interface ImageInfo {
  readonly width: number;
  readonly height: number;
  /** Whether it is shown turned by a quarter, with width and height swapped. */
  readonly isSideways?: boolean;
  /** Frames of an animation; 1 for a still image. */
  readonly frames: number;
  /** Pixels that a decoder allocates, in all frames together. */
  readonly decodedPixels: number;
  /** Pixels of the still image that an animation has besides its frames. */
  readonly stillPixels?: number;
  /** Memory for the rewritten file, where the engine cannot read the original. */
  readonly preparedBytes?: number;
  /** Whether there are more images, such as further pages, that are not frames of an animation. */
  readonly hasMorePictures: boolean;
  /** Where the first picture ends, if that is known; others may follow it. */
  readonly endsAt?: number;
  /** Whether what follows the pictures is damaged. */
  readonly hasBadEnd?: boolean;
  readonly metadata: ReadonlySet<MetadataKind>;
  /** Whether there is a second image that brightens this one on an HDR screen. */
  readonly hasGainMap?: boolean;
  /** Whether it is packed as faxes are, where noise on the line spoils single rows. */
  readonly isFax?: boolean;
  /** Whether the pixels have no color. */
  readonly isGray?: boolean;
  /** Whether it is brightness in video range, 16 to 235, which libheif leaves unchanged. */
  readonly isLimitedGray?: boolean;
  /** Whether it has the four colors of print. */
  readonly isCmyk?: boolean;
  /** Bits of a channel. */
  readonly bitDepth?: number;
  /** What it is made of, if few decoders read that. */
  readonly rareCoding?: string;
}

/** The failure for an image that is incomplete or contradicts itself. */
export function damagedImage(why: string): ToolFailure {
  return new ToolFailure("damaged_file", `The image is damaged: ${why}.`);
}

/** The failure for an image of which a codec has made nothing. */
export function undecodedImage({ rareCoding }: Pick<ImageInfo, "rareCoding">): ToolFailure {
  if (rareCoding === undefined) return damagedImage("it cannot be decoded to its end");
  return new ToolFailure("unsupported_feature", `An image of ${rareCoding} cannot be converted.`);
}

/** The failure for a file that is not an image in these formats. */
export function wrongImage(detected: string): ToolFailure {
  const what = { unknown: "of no known type", empty: "empty" }[detected] ?? `of the type "${detected}"`;
  const message = `The file is ${what}; JPEG, PNG, WebP, GIF, AVIF, HEIC, TIFF, BMP and ICO can be converted.`;
  return new ToolFailure("wrong_file_type", message, { expected: IMAGE_FORMATS, detected });
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const LEAST_PROFILE = 128;

/** How long a color profile says that it is, in its first four bytes (ICC.1:2022, 7.2.2); all of it where that is wrong. */
export function profileLength(profile: Uint8Array): number {
  const length = profile.length < LEAST_PROFILE ? 0 : viewOf(profile).getUint32(0);
  return length < LEAST_PROFILE ? Infinity : length;
}

/** The bytes as Latin-1 text, one character each. */
export function shortLatin1(bytes: Uint8Array, { start = 0, end }: { start?: number; end: number }): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}

/** The most parts of one kind that a file may have. Real files have a few hundred. */
export const MAX_PARTS = 10_000;

/** Counts parts of a file. @throws ToolFailure too_complex past 10,000 */
export type PartCounter = (count?: number) => void;

/**
 * Makes a counter for one kind of parts, named by its plural. A file of a few megabytes can contain millions of empty
 * ones, each of which takes time and memory to read.
 */
export function makePartCounter(unit: string): PartCounter {
  let total = 0;
  return (count = 1) => {
    total += count;
    if (total <= MAX_PARTS) return;
    const message = `The file has more than ${MAX_PARTS} ${unit}.`;
    throw new ToolFailure("too_complex", message, { limit: unit, value: MAX_PARTS, unit });
  };
}
