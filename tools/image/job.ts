import type { Size } from "./pixels.ts";
import { IMAGE_PIXELS } from "../../wire/limits.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import type { ImageHeader } from "./header.ts";
import { planView, readCrop, type Region, type Rotation, type View } from "./region.ts";

export const TARGET_FORMATS = ["webp", "jpeg", "png", "avif"] as const;

export type TargetFormat = (typeof TARGET_FORMATS)[number];

/** A codec's task with everything decided, so that two codecs do the same. */
export interface ImageJob {
  readonly format: TargetFormat;
  /** On the codec's own scale of 1 to 100; null for PNG, where an engine would make a lossy palette of it. */
  readonly quality: number | null;
  /** 0 to 9 for AVIF, 0 to 6 for WebP; null for others. */
  readonly effort: number | null;
  /** Lossless WebP or AVIF, for which `quality` has no meaning. */
  readonly lossless: boolean;
  /** Gray pixels stay gray. */
  readonly isGray: boolean;
  /** Whether 16 is black and 235 is white, unless the decoder has handled that. */
  readonly isLimitedGray: boolean;
  /** A PNG with 16 bits a channel keeps them. */
  readonly bitDepth: 8 | 16;
  /** All frames of an animation, or its first. */
  readonly keepsFrames: boolean;
  /** Whether rows that cannot be decoded stay as they are, white or black. */
  readonly isLenient: boolean;
  readonly maxPixels: number;
  /** Turned clockwise once it is upright, and then cropped. */
  readonly rotate: View["rotate"];
  readonly crop: Region | null;
  /** The picture is scaled down in proportion until it fits; null where any size does. */
  readonly fit: { readonly width: number | undefined; readonly height: number | undefined } | null;
  /** How pixels are averaged for that: with the sharpest edges, or with less noise, which makes a JPEG smaller. */
  readonly kernel: "lanczos3" | "mitchell";
  /** Whether pixels are averaged in linear light, instead of by their stored values. */
  readonly isLinear: boolean;
  /** What transparent pixels become, `#rrggbb`; null where the format has transparency. */
  readonly background: string | null;
}

/** Frames times pixels, where a server allows no more. */
export const MAX_PIXELS = IMAGE_PIXELS.anonymous;
/** An animation of tiny frames costs by the frame; a longer one is reduced to its first. */
const MAX_FRAMES = 2_000;
export const DEFAULT_QUALITY = 82;
/** The longest side that a format, or its encoder, allows. */
const MAX_SIDE: Record<TargetFormat, number> = {
  webp: 16_383,
  jpeg: 65_500,
  avif: 16_384,
  png: 2_147_483_647,
};
/** The range of width and height. */
export const SIDE_LIMITS = { minimum: 1, maximum: 65_535 } as const;
const LOSSLESS_FORMATS = ["webp", "avif"];
export const BACKGROUND = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

/** Additional limits of a server. */
export interface PixelLimit {
  /** Frames times pixels that may be decoded; 50 million where it is absent. */
  readonly maxPixels?: number | undefined;
}

/** The caller's options. */
export interface JobOptions {
  readonly format: TargetFormat;
  /** 1 to 100, without effect on PNG. */
  readonly quality?: number | undefined;
  /** Pixels, 1 to 65,535: the picture is scaled down to fit, in proportion, and never enlarged. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** For WebP and AVIF. */
  readonly lossless?: boolean | undefined;
  /** Degrees clockwise, after the picture was turned upright. */
  readonly rotate?: Rotation | undefined;
  /** `x,y,width,height` in pixels of the upright and turned picture: only this part of it. */
  readonly crop?: string | undefined;
  /** Whether to average pixels in linear light where the picture is scaled down. */
  readonly linear?: boolean | undefined;
  /** The most bytes of the result: the quality is lowered until it fits. */
  readonly bytes?: number | undefined;
  /** `#rgb` or `#rrggbb` behind transparent pixels where the format has none; white otherwise. */
  readonly background?: string | undefined;
}

/** @throws ToolFailure invalid_parameter */
export function checkOptions({ format, lossless, background = "#fff", crop, ...sides }: JobOptions): void {
  if (crop !== undefined) readCrop(crop);
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
  if (!sides.linear || sides.width !== undefined || sides.height !== undefined) return;
  const message = 'Parameter "linear" does nothing without "width" or "height": nothing is made smaller';
  throw new ToolFailure("invalid_parameter", message, { parameter: "linear", allowed: [false] });
}

/** Decides everything about a conversion from the headers. @throws ToolFailure too_many_pixels, too_complex */
export function planJob(source: ImageHeader, options: JobOptions & PixelLimit): ImageJob {
  const { format, quality = DEFAULT_QUALITY, lossless = false, maxPixels = MAX_PIXELS } = options;
  const keepsFrames = format === "webp" && source.frames > 1 && source.frames <= MAX_FRAMES;
  checkPixels(source, format, maxPixels);
  const view = planView(source, options);
  if (keepsFrames && (view.rotate > 0 || view.crop)) throw notForAnimations(format);
  const size = fitInside(view, options);
  const side = Math.max(size.width, size.height);
  if (side > MAX_SIDE[format]) throw tooComplex(side, MAX_SIDE[format]);
  const { width, height } = options;
  const fit = width === undefined && height === undefined ? null : { width, height };
  const background = format === "jpeg" ? longColor(options.background ?? "#ffffff") : null;
  const isGray = source.isGray === true && isGrayColor(background ?? "#ffffff");
  const bitDepth = format === "png" && source.bitDepth === 16 ? 16 : 8;
  const isLimitedGray = source.isLimitedGray === true;
  const kept = { isGray, isLimitedGray, bitDepth, keepsFrames, isLenient: false } as const;
  const common = {
    format,
    lossless,
    ...kept,
    maxPixels,
    fit,
    kernel: "lanczos3",
    isLinear: options.linear === true && (size.width < view.width || size.height < view.height),
    rotate: view.rotate,
    crop: view.crop,
    background,
  } as const;
  if (format === "png") return { ...common, quality: null, effort: null };
  if (format !== "avif") return { ...common, quality, effort: format === "webp" ? 4 : null };
  return { ...common, quality: avifQuality(quality), effort: avifEffort(size.width * size.height) };
}

/** The same job with another quality, 1 to 100. */
export function withQuality(job: ImageJob, quality: number): ImageJob {
  return { ...job, quality: job.format === "avif" ? avifQuality(quality) : quality };
}

/** Pixels that a decoder allocates: of all frames, or of the still image where only that is wanted. */
export function pixelsToDecode(source: ImageHeader, format: TargetFormat): number {
  return (format === "webp" ? undefined : source.stillPixels) ?? source.decodedPixels;
}

/** Checks what is known about an image before more than its format is decided. @throws ToolFailure too_many_pixels */
export function checkPixels(source: ImageHeader, format: TargetFormat, maxPixels: number): void {
  if (pixelsToDecode(source, format) > maxPixels) throw tooManyPixels(source, maxPixels);
}

/** The size of the result. */
function fitInside({ width, height }: View, options: JobOptions): Size {
  const scale = Math.min(1, (options.width ?? Infinity) / width, (options.height ?? Infinity) / height);
  return { width: Math.ceil(width * scale), height: Math.ceil(height * scale) };
}

function notForAnimations(format: TargetFormat): ToolFailure {
  const message = `An animation cannot be turned or cropped as ${format}; other formats take its first frame`;
  return new ToolFailure("unsupported_feature", message);
}

function isGrayColor(color: string): boolean {
  return color.slice(1, 3) === color.slice(3, 5) && color.slice(3, 5) === color.slice(5);
}

function longColor(color: string): string {
  return color.length === 7 ? color : `#${Array.from(color.slice(1), (digit) => digit + digit).join("")}`;
}

function tooManyPixels(source: ImageHeader, value: number): ToolFailure {
  const { decodedPixels: pixels, frames, width, height } = source;
  const size = `${frames > 1 ? `${frames} frames of ` : ""}${width} x ${height} pixels`;
  const message = `The image has ${size}, ${pixels} to decode; up to ${value} can be converted.`;
  const fields = { limit: "pixels", value, unit: "pixels", actual: pixels };
  return new ToolFailure("too_many_pixels", message, fields);
}

function tooComplex(actual: number, value: number): ToolFailure {
  const message = `The longer side of the image has ${actual} pixels; the result may have up to ${value}.`;
  return new ToolFailure("too_complex", message, { limit: "side", value, unit: "pixels", actual });
}

/** The encoder's quality that looks like a JPEG or WebP of the given quality; 82 gives 66. */
export function avifQuality(quality: number): number {
  if (quality <= DEFAULT_QUALITY) return Math.round(1 + ((quality - 1) * 65) / 81);
  return Math.round(66 + ((quality - DEFAULT_QUALITY) * 34) / 18);
}

/** Less effort for more pixels, so that no image takes much longer than five seconds on one core. */
export function avifEffort(pixels: number): number {
  if (pixels <= 4_000_000) return 2;
  return pixels <= 16_000_000 ? 1 : 0;
}
