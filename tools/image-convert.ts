import { bytesOf, type Bytes, utf8 } from "../wire/bytes.ts";
import {
  CALLBACK,
  checkFile,
  COUNT,
  FLAG,
  NUMBER,
  OBJECT,
  oneOf,
  type OptionKinds,
  readOptions,
  required,
  TEXT,
  within,
} from "./file/arguments.ts";
import type { ToolWarning } from "../wire/tool-warning.ts";
import { type ImageFormat, type MetadataKind, shortLatin1, undecodedImage } from "./image/image-info.ts";
import { decodeBmp, decodeIco } from "./image/bmp/bmp.ts";
import { checkBytes, encodeWithin } from "./image/fit-bytes.ts";
import { composeFrames, needsComposing } from "./image/frames.ts";
import { firstFrame, hasFreeScreen } from "./image/gif-frames.ts";
import { dropIdleChunks, embedColorSpace, embedProfile } from "./image/png/color.ts";
import { type Animation, dropChannels, type Pixels, type Size } from "./image/pixels.ts";
import { writePalettePng } from "./image/png/palette.ts";
import { rewriteTiff } from "./image/tiff/rewrite.ts";
import { ROTATIONS } from "./image/region.ts";
import { dropPngChunks } from "./image/readers/png.ts";
import { type ImageHeader, readImageHeader } from "./image/header.ts";
import { markFreeCanvas } from "./image/webp-chunks.ts";
import {
  checkOptions,
  DEFAULT_QUALITY,
  type ImageJob,
  type JobOptions,
  type PixelLimit,
  pixelsToDecode,
  planJob,
  TARGET_FORMATS,
  type TargetFormat,
  withQuality,
} from "./image/job.ts";

export {
  avifEffort,
  avifQuality,
  BACKGROUND,
  DEFAULT_QUALITY,
  MAX_PIXELS,
  SIDE_LIMITS,
} from "./image/job.ts";
export { TARGET_FORMATS, type ImageJob, type TargetFormat } from "./image/job.ts";
export type { Animation, Pixels };

/**
 * Decodes and encodes: turned upright, in sRGB, without metadata. Undefined for an image that it cannot decode to the
 * end.
 */
export interface ImageCodec {
  encode(image: Bytes, job: ImageJob): Promise<Bytes | undefined>;
  /** Whether it heeds neither an AVIF's code points, nor that colors are multiplied by transparency, as libvips. */
  readonly ignoresCodePoints?: boolean;
  /** The two steps separately. A codec without them makes no palettes and no animations of an APNG. */
  readonly steps?: {
    decode(image: Bytes, job: ImageJob): Promise<Pixels | undefined>;
    encode(pixels: Pixels | Animation, job: ImageJob): Promise<Bytes | undefined>;
    /**
     * Makes an image of one or three channels smaller, to exactly this size, by the filter of Mitchell and Netravali. A
     * codec without it leaves that to `compressPdf`, which takes several times as long.
     */
    shrink?(pixels: Pixels, size: Size): Promise<Pixels | undefined>;
  };
}

/** A codec that can do the steps by themselves. */
export type SteppedCodec = ImageCodec & Required<Pick<ImageCodec, "steps">>;

export interface ConvertOptions extends JobOptions, PixelLimit {
  readonly codec: ImageCodec;
  /**
   * Called with the memory, in bytes, that the pixels take, before they are decoded; if it throws, the conversion ends.
   */
  readonly reserve?: ((bytes: number) => void) | undefined;
}

const OPTIONS: OptionKinds<ConvertOptions> = {
  format: required(oneOf(TARGET_FORMATS)),
  codec: required(OBJECT),
  quality: within(1, 100),
  width: NUMBER,
  height: NUMBER,
  lossless: FLAG,
  rotate: oneOf(ROTATIONS),
  crop: TEXT,
  linear: FLAG,
  bytes: COUNT,
  background: TEXT,
  maxPixels: NUMBER,
  reserve: CALLBACK,
};

export interface ConvertedImage {
  readonly bytes: Bytes;
  readonly format: TargetFormat;
  readonly width: number;
  readonly height: number;
  readonly sourceFormat: ImageFormat;
  readonly metadataRemoved: MetadataKind[];
  /** The quality that was found, where `bytes` were given and the format has qualities. */
  readonly quality?: number;
  readonly warnings: readonly ToolWarning[];
}

/** Memory per decoded pixel, including what the encoder holds, as measured. */
const BYTES_PER_PIXEL: Record<TargetFormat, number> = { avif: 40, webp: 10, jpeg: 8, png: 8 };
/** Memory per pixel where a PNG stands between decoder and encoder, as for every HEIC: planes, RGBA and that PNG. */
const DECODED_BYTES_PER_PIXEL = 14;

/**
 * Converts an image without carrying over metadata. Type and size are decided from the headers, before anything is
 * decoded.
 * @throws ToolFailure missing_parameter, invalid_parameter, wrong_file_type, damaged_file, unsupported_feature, too_many_pixels,
 * too_complex
 */
export async function convertImage(file: Uint8Array | Blob, given: ConvertOptions): Promise<ConvertedImage> {
  checkFile(file);
  const options = readOptions(given, OPTIONS);
  const image = await bytesOf(file);
  const { format, codec, reserve } = options;
  checkOptions(options);
  const source = readImageHeader(image);
  const job = planJob(source, options);
  const colors = await unheeded(image, { source, codec });
  reserve?.(weighPixels(source, format, source.format === "heic" || colors !== undefined));
  const how = { source, job, codec, options, colors };
  const { encoded, pictures, hasLoss, quality } = await encode(image, how);
  if (!encoded) throw undecodedImage(source);
  const bytes = format === "png" ? dropPngChunks(encoded, "pHYs") : markFreeCanvas(encoded);
  checkBytes(bytes, options.bytes);
  const { width, height } = checkResult(bytes, format);
  const hasMorePictures = source.hasMorePictures || pictures > 1;
  const warnings = listWarnings({ ...source, hasMorePictures, hasBadEnd: source.hasBadEnd || hasLoss }, job);
  return {
    bytes,
    format,
    width,
    height,
    sourceFormat: source.format,
    metadataRemoved: [...source.metadata],
    ...(quality !== undefined && { quality }),
    warnings,
  };
}

/** What an AVIF says of its colors that the codec does not heed. */
async function unheeded(image: Bytes, { source, codec }: Pick<Source, "source" | "codec">) {
  if (source.format !== "avif" || !codec.ignoresCodePoints) return undefined;
  return (await import("./image/heic-decode.ts")).unheededColors(image);
}

/** A PNG that says it in the way of PNG. */
async function heeded(image: Bytes, { codec, job, colors }: Source): Promise<Bytes | undefined> {
  const asItIs = { ...job, ...AS_IT_IS };
  if (colors?.isMultiplied) {
    const pixels = await codec.steps?.decode(image, { ...asItIs, bitDepth: 8 });
    if (pixels?.channels === 4)
      return (await import("./image/heic-decode.ts")).dividedPng(pixels, colors.profile);
  }
  const png = await codec.encode(image, asItIs);
  return png && colors?.profile ? embedProfile(png, colors.profile) : png;
}

function weighPixels(source: ImageHeader, format: TargetFormat, hasPng: boolean): number {
  const decoding = hasPng ? DECODED_BYTES_PER_PIXEL : 0;
  const bytes = pixelsToDecode(source, format) * (decoding + BYTES_PER_PIXEL[format]);
  return bytes + (source.preparedBytes ?? 0);
}

interface Source {
  readonly source: ImageHeader;
  readonly job: ImageJob;
  readonly codec: ImageCodec;
  readonly options: JobOptions;
  readonly colors: Awaited<ReturnType<typeof unheeded>>;
}

/** Formats that the engines of pages and server read differently are converted to PNG first. */
async function encode(image: Bytes, { source, ...how }: Source) {
  if (source.format === "heic") {
    const { decodeHeic } = await import("./image/heic-decode.ts");
    const { png, pictures } = await decodeHeic(image);
    return { ...(await encodeInSize(png, { source, ...how })), pictures, hasLoss: false };
  }
  if (source.format === "bmp") {
    const { png, isDamaged } = decodeBmp(image);
    return { ...(await encodeInSize(png, { source, ...how })), pictures: 1, hasLoss: isDamaged };
  }
  if (how.colors) {
    const png = await heeded(asStill(image), { source, ...how });
    const made = png ? await encodeInSize(png, { source, ...how }) : { encoded: undefined };
    return { ...made, pictures: 1, hasLoss: false };
  }
  const prepared = prepare(image, source, how.job);
  const made = await encodeInSize(prepared, { source, ...how });
  if (made.encoded || !source.isFax) return { ...made, pictures: 1, hasLoss: false };
  const job = { ...how.job, isLenient: true };
  return { ...(await encodeInSize(prepared, { source, ...how, job })), pictures: 1, hasLoss: true };
}

/** A PNG of all that is seen, which another job goes on from. */
const AS_IT_IS = {
  format: "png",
  quality: null,
  effort: null,
  lossless: false,
  isLinear: false,
  fit: null,
  rotate: 0,
  crop: null,
  background: null,
} as const;

/** Encodes once, or as often as it takes to stay below a size. */
async function encodeInSize(
  image: Bytes,
  how: Source,
): Promise<{ encoded: Bytes | undefined; quality?: number | undefined }> {
  const { job, options } = how;
  if (options.bytes === undefined || job.quality === null || job.lossless)
    return { encoded: await encodePrepared(image, how) };
  const { bytes: maxBytes, quality = DEFAULT_QUALITY } = options;
  const made = await encodeWithin({ maxBytes, quality }, (tried) =>
    encodePrepared(image, { ...how, job: withQuality(job, tried) }),
  );
  return { encoded: made?.bytes, quality: made?.quality };
}

async function encodePrepared(image: Bytes, how: Source): Promise<Bytes | undefined> {
  const { source, job, codec } = how;
  const { steps } = codec;
  if (source.format === "heic") return codec.encode(image, job);
  if (steps && job.keepsFrames && needsComposing(image, source)) {
    const animation = await composeFrames(image, source, (part, which) =>
      steps.decode(part, { ...job, ...which, fit: null }),
    );
    return animation && steps.encode(animation, { ...job, isGray: false });
  }
  if (steps && job.format === "png" && job.bitDepth === 8) return encodePng(image, how, steps);
  return codec.encode(image, job);
}

type Steps = NonNullable<ImageCodec["steps"]>;

/** The pixels determine the smallest exact PNG: with a palette, gray, or without transparency. */
async function encodePng(image: Bytes, { source, job }: Source, steps: Steps): Promise<Bytes | undefined> {
  const decoded = await steps.decode(image, job);
  if (!decoded) return undefined;
  const pixels = dropChannels(decoded);
  // 8-bit gray is as small without a palette.
  const staysGray = source.isGray === true && (source.bitDepth ?? 8) >= 8;
  const palette = staysGray ? undefined : writePalettePng(pixels);
  return palette ?? steps.encode(pixels, { ...job, fit: null, isGray: pixels.channels < 3 });
}

function prepare(image: Bytes, { format }: Pick<ImageHeader, "format">, { keepsFrames }: ImageJob): Bytes {
  if (format === "tiff") return rewriteTiff(image);
  if (format === "gif") return keepsFrames || !hasFreeScreen(image) ? image : firstFrame(image);
  if (format === "ico") return embedColorSpace(dropIdleChunks(decodeIco(image)));
  return format === "png" ? embedColorSpace(dropIdleChunks(image)) : asStill(image);
}

/** Engines use only the still picture of an animated AVIF if its brand says that it is one. */
function asStill(image: Bytes): Bytes {
  if (shortLatin1(image, { start: 4, end: 12 }) !== "ftypavis") return image;
  const still = image.slice();
  still.set(utf8("avif"), 8);
  return still;
}

/** The promise about metadata is kept by looking, whatever a codec does. */
function checkResult(bytes: Bytes, format: TargetFormat): ImageHeader {
  const result = readImageHeader(bytes);
  if (result.format === format && result.metadata.size === 0) return result;
  throw new Error(
    `The codec gave ${result.format} with ${result.metadata.size} kinds of metadata for ${format}`,
  );
}

function listWarnings(source: ImageHeader, { keepsFrames, bitDepth }: ImageJob): ToolWarning[] {
  const { frames } = source;
  const warnings: ToolWarning[] = source.hasBadEnd ? [{ code: "image_damaged" }] : [];
  if (frames > 1 && !keepsFrames) return [{ code: "first_frame_only", frames }, ...warnings];
  if (source.hasMorePictures) warnings.push({ code: "first_picture_only" });
  if (source.bitDepth === 16 && bitDepth === 8) warnings.push({ code: "depth_reduced" });
  if (source.hasGainMap) warnings.push({ code: "gain_map_left_out" });
  return warnings;
}
