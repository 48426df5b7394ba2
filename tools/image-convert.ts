import { type Bytes, utf8 } from "../wire/bytes.ts";
import { ToolFailure } from "../wire/tool-failure.ts";
import type { ImageFormat, MetadataKind } from "./image/image-info.ts";
import { damagedImage, latin1 } from "./image/image-info.ts";
import { embedColorSpace } from "./image/png-color.ts";
import { type Pixels, writePalettePng } from "./image/png-palette.ts";
import { dropPngChunks } from "./image/png.ts";
import type { ImageHeader } from "./image/header.ts";
import { readImageHeader } from "./image/header.ts";

export type { Pixels };

export const TARGET_FORMATS = ["webp", "jpeg", "png", "avif"] as const;

export type TargetFormat = (typeof TARGET_FORMATS)[number];

/** What a codec is to do; everything is decided, so that two codecs do the same. */
export interface ImageJob {
  readonly format: TargetFormat;
  /** On the codec's own scale of 1 to 100; null for PNG, where an engine would make a lossy palette of it. */
  readonly quality: number | null;
  /** 0 to 9 for AVIF, 0 to 6 for WebP; null where there is none. */
  readonly effort: number | null;
  /** WebP and AVIF without loss; `quality` has no meaning then. */
  readonly lossless: boolean;
  /** Gray pixels stay gray. */
  readonly isGray: boolean;
  /** PNG: up to 256 colors are written as a palette, exactly. */
  readonly isPalette: boolean;
  /** PNG: 16 bits a channel stay 16. */
  readonly bitDepth: 8 | 16;
  /** All frames of an animation, or its first. */
  readonly keepsFrames: boolean;
  readonly maxPixels: number;
  /** The picture is made smaller, in proportion, until it fits; null where any size does. */
  readonly fit: { readonly width: number | undefined; readonly height: number | undefined } | null;
  /** What transparent pixels become, `#rrggbb`; null where the format has transparency. */
  readonly background: string | null;
}

/**
 * Decodes and encodes: turned upright, in sRGB, without metadata. Gives undefined for an
 * image that it cannot decode to its end.
 */
export interface ImageCodec {
  encode(image: Bytes, job: ImageJob): Promise<Bytes | undefined>;
  /** Does the same but gives pixels; a codec that cannot writes no palettes. */
  decode?(image: Bytes, job: ImageJob): Promise<Pixels | undefined>;
}

export interface ConvertOptions {
  readonly format: TargetFormat;
  /** 1 to 100, without effect on PNG. */
  readonly quality?: number;
  /** Pixels, 1 to 65,535: the picture is made smaller to fit, in proportion, and never larger. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** For WebP and AVIF. */
  readonly lossless?: boolean;
  /** `#rgb` or `#rrggbb` under transparent pixels where the format has none; white otherwise. */
  readonly background?: string;
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
  jpeg: 65_500,
  avif: 16_384,
  png: 2_147_483_647,
};
/** Memory for a decoded pixel with all that the encoder holds beside it, measured. */
const BYTES_PER_PIXEL: Record<TargetFormat, number> = { avif: 40, webp: 10, jpeg: 8, png: 8 };
/** The same for a HEIC before it is converted: planes, RGBA, and a PNG between the two engines. */
const HEIC_BYTES_PER_PIXEL = 14;
/** The range of width and height. */
export const SIDE_LIMITS = { minimum: 1, maximum: 65_535 } as const;
const LOSSLESS_FORMATS = ["webp", "avif"];
export const BACKGROUND = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

/**
 * Converts an image and carries no metadata over. Type and size are decided from the headers, before anything
 * is decoded.
 * @throws ToolFailure invalid_parameter, wrong_file_type, damaged_file, unsupported_feature, too_many_pixels,
 * too_complex
 */
export async function convertImage(image: Bytes, options: ConvertOptions): Promise<ConvertedImage> {
  const { format, codec } = options;
  checkOptions(options);
  const source = readImageHeader(image);
  const job = planJob(source, options);
  const { encoded, pictures } = await encode(image, { source, job, codec });
  if (!encoded) throw damagedImage("it cannot be decoded to its end");
  const bytes = format === "png" ? dropPngChunks(encoded, "pHYs") : encoded;
  const { width, height } = checkResult(bytes, format);
  const warnings = listWarnings({ ...source, hasMorePictures: source.hasMorePictures || pictures > 1 }, job);
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
    const { format: sourceFormat, decodedPixels } = readImageHeader(image);
    const decoding = sourceFormat === "heic" ? HEIC_BYTES_PER_PIXEL : 0;
    return Math.min(decodedPixels, MAX_PIXELS) * (decoding + BYTES_PER_PIXEL[format]);
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

interface Source {
  readonly source: ImageHeader;
  readonly job: ImageJob;
  readonly codec: ImageCodec;
}

/** What the engines of pages and server do not read alike is made a PNG first. */
async function encode(image: Bytes, { source, job, codec }: Source) {
  if (source.format !== "heic")
    return { encoded: await encodePrepared(prepare(image, source), job, codec), pictures: 1 };
  const { decodeHeic } = await import("./image/heic-decode.ts");
  const { png, pictures } = await decodeHeic(image);
  return { encoded: await codec.encode(png, job), pictures };
}

async function encodePrepared(image: Bytes, job: ImageJob, codec: ImageCodec): Promise<Bytes | undefined> {
  const pixels = job.isPalette ? await codec.decode?.(image, job) : undefined;
  return (pixels && writePalettePng(pixels)) ?? codec.encode(image, job);
}

function prepare(image: Bytes, { format }: ImageHeader): Bytes {
  return format === "png" ? embedColorSpace(image) : asStill(image);
}

/** Engines take an animated AVIF for its still picture only if its brand says that it is one. */
function asStill(image: Bytes): Bytes {
  if (latin1(image, { start: 4, end: 12 }) !== "ftypavis") return image;
  const still = image.slice();
  still.set(utf8("avif"), 8);
  return still;
}

function checkOptions({ format, lossless, background = "#fff", ...sides }: ConvertOptions): void {
  if (lossless && !LOSSLESS_FORMATS.includes(format)) {
    const message = `Parameter "lossless" is for ${LOSSLESS_FORMATS.join(" and ")}; with ${format} it must be false`;
    throw new ToolFailure("invalid_parameter", message, { parameter: "lossless", allowed: [false] });
  }
  if (!BACKGROUND.test(background)) {
    const message = 'Parameter "background" must be a color as #rgb or #rrggbb';
    throw new ToolFailure("invalid_parameter", message, { parameter: "background" });
  }
  const { minimum, maximum } = SIDE_LIMITS;
  for (const parameter of ["width", "height"] as const) {
    const value = sides[parameter] ?? minimum;
    if (Number.isInteger(value) && value >= minimum && value <= maximum) continue;
    const message = `Parameter "${parameter}" must be a whole number from ${minimum} to ${maximum}`;
    throw new ToolFailure("invalid_parameter", message, { parameter, minimum, maximum });
  }
}

function planJob(source: ImageHeader, options: ConvertOptions): ImageJob {
  const { format, quality = DEFAULT_QUALITY, lossless = false } = options;
  if (source.decodedPixels > MAX_PIXELS) throw tooManyPixels(source);
  if (source.frames > MAX_FRAMES)
    throw tooComplex(source.frames, { limit: "frames", value: MAX_FRAMES, unit: "frames" });
  const size = fitInside(source, options);
  const side = Math.max(size.width, size.height);
  if (side > MAX_SIDE[format])
    throw tooComplex(side, { limit: "side", value: MAX_SIDE[format], unit: "pixels" });
  const keepsFrames = format === "webp" && source.frames > 1;
  const { width, height } = options;
  const fit = width === undefined && height === undefined ? null : { width, height };
  const background = format === "jpeg" ? longColor(options.background ?? "#ffffff") : null;
  const isGray = source.isGray === true;
  const isPalette = format === "png" && source.isPalette === true;
  const bitDepth = format === "png" && source.bitDepth === 16 ? 16 : 8;
  const kept = { isGray, isPalette, bitDepth, keepsFrames } as const;
  const common = { format, lossless, ...kept, maxPixels: MAX_PIXELS, fit, background };
  if (format === "png") return { ...common, quality: null, effort: null };
  if (format !== "avif") return { ...common, quality, effort: format === "webp" ? 4 : null };
  return { ...common, quality: avifQuality(quality), effort: avifEffort(size.width * size.height) };
}

/** The size of the result, unless the picture lies on its side: that is not known before it is decoded. */
function fitInside(
  { width, height }: ImageHeader,
  options: ConvertOptions,
): { width: number; height: number } {
  const scale = Math.min(1, (options.width ?? Infinity) / width, (options.height ?? Infinity) / height);
  return { width: Math.ceil(width * scale), height: Math.ceil(height * scale) };
}

function longColor(color: string): string {
  return color.length === 7 ? color : `#${Array.from(color.slice(1), (digit) => digit + digit).join("")}`;
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

const FIRST_ONLY = "Only the first picture of the file is in the result.";

function listWarnings(source: ImageHeader, { keepsFrames, bitDepth }: ImageJob): string[] {
  if (source.frames > 1 && !keepsFrames) {
    return [`Only the first of ${source.frames} frames is in the result; "webp" keeps all of them.`];
  }
  return [
    ...(source.hasMorePictures ? [FIRST_ONLY] : []),
    ...(source.bitDepth === 16 && bitDepth === 8 ? ["The 16 bits of each channel became 8."] : []),
    ...(source.hasGainMap ? ["The gain map for HDR screens is not in the result."] : []),
  ];
}
