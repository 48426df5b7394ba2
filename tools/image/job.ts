import { ToolFailure } from "../../wire/tool-failure.ts";
import type { ImageHeader } from "./header.ts";

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
  /** PNG: 16 bits a channel stay 16. */
  readonly bitDepth: 8 | 16;
  /** All frames of an animation, or its first. */
  readonly keepsFrames: boolean;
  /** Rows that cannot be decoded are left as they are, white or black. */
  readonly isLenient: boolean;
  readonly maxPixels: number;
  /** The picture is made smaller, in proportion, until it fits; null where any size does. */
  readonly fit: { readonly width: number | undefined; readonly height: number | undefined } | null;
  /** How pixels are averaged for that: with the sharpest edges, or with less noise, of which a JPEG gets smaller. */
  readonly kernel: "lanczos3" | "mitchell";
  /** What transparent pixels become, `#rrggbb`; null where the format has transparency. */
  readonly background: string | null;
}

/** Frames times pixels; the largest phone cameras stay below. */
export const MAX_PIXELS = 50_000_000;
/** An animation of tiny frames costs by the frame; one of more gives its first. */
const MAX_FRAMES = 2_000;
export const DEFAULT_QUALITY = 82;
/** The longest side that a format, or its encoder, takes. */
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

/** What the caller may decide. */
export interface JobOptions {
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
}

/** @throws ToolFailure invalid_parameter */
export function checkOptions({ format, lossless, background = "#fff", ...sides }: JobOptions): void {
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

/**
 * Decides everything about a conversion from the headers.
 * @throws ToolFailure too_many_pixels, too_complex
 */
export function planJob(source: ImageHeader, options: JobOptions): ImageJob {
  const { format, quality = DEFAULT_QUALITY, lossless = false } = options;
  const keepsFrames = format === "webp" && source.frames > 1 && source.frames <= MAX_FRAMES;
  if (pixelsToDecode(source, format) > MAX_PIXELS) throw tooManyPixels(source);
  const size = fitInside(source, options);
  const side = Math.max(size.width, size.height);
  if (side > MAX_SIDE[format]) throw tooComplex(side, MAX_SIDE[format]);
  const { width, height } = options;
  const fit = width === undefined && height === undefined ? null : { width, height };
  const background = format === "jpeg" ? longColor(options.background ?? "#ffffff") : null;
  const isGray = source.isGray === true && isGrayColor(background ?? "#ffffff");
  const bitDepth = format === "png" && source.bitDepth === 16 ? 16 : 8;
  const kept = { isGray, bitDepth, keepsFrames, isLenient: false } as const;
  const common = {
    format,
    lossless,
    ...kept,
    maxPixels: MAX_PIXELS,
    fit,
    kernel: "lanczos3",
    background,
  } as const;
  if (format === "png") return { ...common, quality: null, effort: null };
  if (format !== "avif") return { ...common, quality, effort: format === "webp" ? 4 : null };
  return { ...common, quality: avifQuality(quality), effort: avifEffort(size.width * size.height) };
}

/** Pixels that a decoder makes room for: of all frames, or of the still image where only that is wanted. */
export function pixelsToDecode(source: ImageHeader, format: TargetFormat): number {
  return (format === "webp" ? undefined : source.stillPixels) ?? source.decodedPixels;
}

/** The size of the result. */
function fitInside(source: ImageHeader, options: JobOptions): { width: number; height: number } {
  const [width, height] = source.isSideways ? [source.height, source.width] : [source.width, source.height];
  const scale = Math.min(1, (options.width ?? Infinity) / width, (options.height ?? Infinity) / height);
  return { width: Math.ceil(width * scale), height: Math.ceil(height * scale) };
}

function isGrayColor(color: string): boolean {
  return color.slice(1, 3) === color.slice(3, 5) && color.slice(3, 5) === color.slice(5);
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

function tooComplex(actual: number, value: number): ToolFailure {
  const message = `The longer side of the image has ${actual} pixels; the result may have up to ${value}.`;
  return new ToolFailure("too_complex", message, { limit: "side", value, unit: "pixels", actual });
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
