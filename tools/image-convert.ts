import type { Bytes } from "../wire/bytes.ts";
import { ToolFailure } from "../wire/tool-failure.ts";
import type { ImageFormat, MetadataKind } from "./image/image-info.ts";
import { damagedImage } from "./image/image-info.ts";
import { dropPngChunks } from "./image/png.ts";
import type { ImageHeader } from "./image/header.ts";
import { readImageHeader } from "./image/header.ts";

export const TARGET_FORMATS = ["webp", "jpeg", "png", "avif"] as const;

export type TargetFormat = (typeof TARGET_FORMATS)[number];

/** What a codec is to do; everything is decided, so that two codecs do the same. */
export interface ImageJob {
  readonly format: TargetFormat;
  /** On the codec's own scale of 1 to 100; null for PNG, where an engine would make a lossy palette of it. */
  readonly quality: number | null;
  /** 0 to 9 for AVIF, 0 to 6 for WebP; null where there is none. */
  readonly effort: number | null;
  /** All frames of an animation, or its first. */
  readonly keepsFrames: boolean;
  readonly maxPixels: number;
}

/**
 * Decodes and encodes: turned upright, in sRGB, on white for JPEG, without metadata. Gives undefined for an
 * image that it cannot decode to its end.
 */
export interface ImageCodec {
  encode(image: Bytes, job: ImageJob): Promise<Bytes | undefined>;
}

export interface ConvertOptions {
  readonly format: TargetFormat;
  /** 1 to 100, without effect on PNG. */
  readonly quality?: number;
  readonly codec: ImageCodec;
}

export interface ConvertedImage {
  readonly bytes: Bytes;
  readonly format: TargetFormat;
  readonly width: number;
  readonly height: number;
  readonly sourceFormat: ImageFormat;
  readonly metadataRemoved: readonly MetadataKind[];
  readonly warnings: readonly string[];
}

/** Frames times pixels; the largest phone cameras stay below. */
export const MAX_PIXELS = 50_000_000;
/** An animation of tiny frames costs by the frame. */
const MAX_FRAMES = 2_000;
export const DEFAULT_QUALITY = 82;
/** The longest side that a format, or its encoder, takes. */
const MAX_SIDE: Record<TargetFormat, number> = {
  webp: 16_383,
  jpeg: 65_535,
  avif: 16_384,
  png: 2_147_483_647,
};
/** Memory for a decoded pixel with all that the encoder holds beside it, measured. */
const BYTES_PER_PIXEL: Record<TargetFormat, number> = { avif: 40, webp: 10, jpeg: 8, png: 8 };

/**
 * Converts an image and carries no metadata over. Type and size are decided from the headers, before anything
 * is decoded.
 * @throws ToolFailure wrong_file_type, damaged_file, unsupported_feature, too_many_pixels, too_complex
 */
export async function convertImage(image: Bytes, options: ConvertOptions): Promise<ConvertedImage> {
  const { format, codec } = options;
  const source = readImageHeader(image);
  const job = planJob(source, options);
  const encoded = await codec.encode(image, job);
  if (!encoded) throw damagedImage("it cannot be decoded to its end");
  const bytes = format === "png" ? dropPngChunks(encoded, "pHYs") : encoded;
  const { width, height } = checkResult(bytes, format);
  const warnings = listWarnings(source, job);
  return {
    bytes,
    format,
    width,
    height,
    sourceFormat: source.format,
    metadataRemoved: [...source.metadata],
    warnings,
  };
}

/** The memory, in bytes, that converting an image takes; for an image that is refused anyway it is none. */
export function weighConversion(image: Bytes, { format }: { format: TargetFormat }): number {
  try {
    return Math.min(readImageHeader(image).decodedPixels, MAX_PIXELS) * BYTES_PER_PIXEL[format];
  } catch (error) {
    if (error instanceof ToolFailure) return 0;
    throw error;
  }
}

/** The encoder's quality that looks as a JPEG or WebP of the asked quality does; 82 gives 66. */
export function avifQuality(quality: number): number {
  if (quality <= DEFAULT_QUALITY) return Math.round(1 + ((quality - 1) * 65) / 81);
  return Math.round(66 + ((quality - DEFAULT_QUALITY) * 34) / 18);
}

/** Less effort for more pixels, so that no image takes much longer than five seconds on one core. */
export function avifEffort(pixels: number): number {
  if (pixels <= 4_000_000) return 2;
  return pixels <= 16_000_000 ? 1 : 0;
}

function planJob(source: ImageHeader, { format, quality = DEFAULT_QUALITY }: ConvertOptions): ImageJob {
  if (source.decodedPixels > MAX_PIXELS) throw tooManyPixels(source);
  if (source.frames > MAX_FRAMES)
    throw tooComplex(source.frames, { limit: "frames", value: MAX_FRAMES, unit: "frames" });
  const side = Math.max(source.width, source.height);
  if (side > MAX_SIDE[format])
    throw tooComplex(side, { limit: "side", value: MAX_SIDE[format], unit: "pixels" });
  const keepsFrames = format === "webp" && source.frames > 1;
  const common = { format, keepsFrames, maxPixels: MAX_PIXELS };
  if (format === "png") return { ...common, quality: null, effort: null };
  if (format !== "avif") return { ...common, quality, effort: format === "webp" ? 4 : null };
  return { ...common, quality: avifQuality(quality), effort: avifEffort(source.width * source.height) };
}

function tooManyPixels({ decodedPixels: pixels, frames, width, height }: ImageHeader): ToolFailure {
  const size = `${frames > 1 ? `${frames} frames of ` : ""}${width} x ${height} pixels`;
  const message = `The image has ${size}, ${pixels} to decode; up to ${MAX_PIXELS} can be converted.`;
  const fields = { limit: "pixels", value: MAX_PIXELS, unit: "pixels", actual: pixels };
  return new ToolFailure("too_many_pixels", message, fields);
}

function tooComplex(
  actual: number,
  bound: { limit: "frames" | "side"; value: number; unit: string },
): ToolFailure {
  const what = bound.limit === "side" ? "The longer side of the image" : "The animation";
  const message = `${what} has ${actual} ${bound.unit}; the result may have up to ${bound.value}.`;
  return new ToolFailure("too_complex", message, { ...bound, actual });
}

/** The promise about metadata is kept by looking, whatever a codec does. */
function checkResult(bytes: Bytes, format: TargetFormat): ImageHeader {
  const result = readImageHeader(bytes);
  if (result.format === format && result.metadata.size === 0) return result;
  throw new Error(
    `The codec gave ${result.format} with ${result.metadata.size} kinds of metadata for ${format}`,
  );
}

function listWarnings(source: ImageHeader, { keepsFrames }: ImageJob): string[] {
  if (source.frames > 1 && !keepsFrames) {
    return [`Only the first of ${source.frames} frames is in the result; "webp" keeps all of them.`];
  }
  return source.hasMorePictures ? ["Only the first picture of the file is in the result."] : [];
}
