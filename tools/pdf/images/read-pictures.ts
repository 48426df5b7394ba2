import type { Bytes } from "../../../wire/bytes.ts";
import { ToolFailure } from "../../../wire/tool-failure.ts";
import type { ToolWarning } from "../../../wire/tool-warning.ts";
import { composeFrames, needsComposing } from "../../image/frames.ts";
import { type ImageHeader, readImageHeader } from "../../image/header.ts";
import { damagedImage, type MetadataKind } from "../../image/image-info.ts";
import { type ImageJob, planJob } from "../../image/job.ts";
import type { Pixels } from "../../image/pixels.ts";
import { embedColorSpace } from "../../image/png/color.ts";
import { writePalettePng } from "../../image/png/palette.ts";
import type { Placement } from "../../image/readers/placement.ts";
import { tiffPages } from "../../image/tiff/pages.ts";
import { convertImage, type ImageCodec } from "../../image-convert.ts";
import { jpegPicture, jpegPlacement } from "./jpeg-picture.ts";
import { type Picture, pixelPicture } from "./picture.ts";
import { pngPicture, pngPlacement } from "./png-picture.ts";

/** What reading images needs. */
export interface PictureTools {
  /** For images that PDF cannot contain unchanged; without it they are refused. */
  readonly codec: ImageCodec | undefined;
  /** Called with the memory, in bytes, that an image takes, before it is decoded; if it throws, the work ends. */
  readonly reserve: (bytes: number) => void;
}

/** A picture that becomes a page, and what differs from the image. */
interface ReadPicture {
  readonly picture: Picture;
  readonly warnings: readonly ToolWarning[];
}

/** Kinds of metadata that reveal people and places. */
const PERSONAL_METADATA: readonly MetadataKind[] = ["exif", "gps", "makernote", "xmp", "iptc"];
const UPRIGHT: Placement = { orientation: 1, resolution: undefined };
/** Bytes of memory per decoded pixel: for an animation with its compressed frames, for a HEIC with its planes. */
const BYTES_PER_PIXEL = { animation: 10, heic: 14 } as const;

/**
 * The pictures of an image: all pages of a TIFF, frames of an animation, pictures of a HEIC. A JPEG is kept byte for
 * byte and a PNG is not recompressed; others are decoded, turned upright and compressed without loss, in sRGB.
 * @throws ToolFailure wrong_file_type, damaged_file, unsupported_feature, too_many_pixels, too_complex
 */
export async function* readPictures(image: Bytes, tools: PictureTools): AsyncGenerator<ReadPicture> {
  const header = readImageHeader(image);
  const { format } = header;
  if (format === "tiff") yield* readTiff(image, tools);
  else if (format === "heic") yield* readHeic(image, header, tools);
  else if (header.frames > 1 && tools.codec?.steps && planFrames(header).keepsFrames)
    yield* readFrames(image, header, tools);
  else
    yield (
      readStill(image, header, tools) ?? (await convert(image, tools, upright(placementIn(image, header))))
    );
}

/** Undefined if the image has to be decoded. */
function readStill(image: Bytes, header: ImageHeader, tools: PictureTools): ReadPicture | undefined {
  const { format, frames, metadata } = header;
  const picture =
    format === "jpeg"
      ? jpegPicture(image, header.endsAt)
      : format === "png" && frames === 1
        ? readPng(image, header, tools)
        : undefined;
  if (!picture) return undefined;
  const warnings: ToolWarning[] = header.hasBadEnd ? [{ code: "image_damaged" }] : [];
  if (header.hasMorePictures) warnings.push({ code: "first_picture_only" });
  if (header.hasGainMap) warnings.push({ code: "gain_map_left_out" });
  if (format === "jpeg" && PERSONAL_METADATA.some((kind) => metadata.has(kind)))
    warnings.push({ code: "image_metadata_kept" });
  return { picture, warnings };
}

function readPng(image: Bytes, header: ImageHeader, tools: PictureTools): Picture | undefined {
  checkPixels(header);
  return pngPicture(embedColorSpace(image), tools.reserve);
}

/** @throws ToolFailure too_many_pixels */
function checkPixels(header: ImageHeader): void {
  planJob(header, { format: "png" });
}

async function convert(image: Bytes, tools: PictureTools, placement: Placement): Promise<ReadPicture> {
  const { codec, reserve } = tools;
  if (!codec) {
    const message = "Here only JPEG, PNG and HEIC images can become pages.";
    throw new ToolFailure("unsupported_feature", message, { reason: "no_image_codec" });
  }
  const { bytes, warnings } = await convertImage(image, { format: "png", codec, reserve });
  const picture = pngPicture(bytes, reserve);
  if (!picture) throw new Error("The codec gave an interlaced PNG");
  return { picture: { ...picture, placement }, warnings };
}

async function* readTiff(image: Bytes, tools: PictureTools): AsyncGenerator<ReadPicture> {
  try {
    for (const page of tiffPages(image)) {
      const { picture, warnings } = await convert(page.image, tools, upright(page.placement));
      // All pages of the image are converted here, so nothing is lost.
      yield { picture, warnings: warnings.filter(({ code }) => code !== "first_picture_only") };
    }
  } catch (error) {
    if (error instanceof RangeError) throw damagedImage("it is cut");
    throw error;
  }
}

/** Formats other than these and TIFF have no meaningful resolution. */
function placementIn(image: Bytes, { format }: ImageHeader): Placement {
  if (format === "png") return pngPlacement(image);
  return format === "jpeg" ? jpegPlacement(image) : UPRIGHT;
}

/** The placement of a picture after its orientation was applied. */
function upright({ orientation, resolution }: Placement): Placement {
  const isSideways = orientation >= 5;
  return {
    orientation: 1,
    resolution: resolution && isSideways ? { x: resolution.y, y: resolution.x } : resolution,
  };
}

async function* readHeic(
  image: Bytes,
  header: ImageHeader,
  { reserve }: PictureTools,
): AsyncGenerator<ReadPicture> {
  const { decodeHeicPictures } = await import("../../image/heic-decode.ts");
  const warnings: ToolWarning[] = header.hasGainMap ? [{ code: "gain_map_left_out" }] : [];
  const onPicture = (pixels: number) => {
    checkPixels({ ...header, decodedPixels: pixels });
    reserve(pixels * BYTES_PER_PIXEL.heic);
  };
  for await (const png of decodeHeicPictures(image, onPicture)) {
    const picture = pngPicture(png, reserve);
    if (picture) yield { picture, warnings };
  }
}

/** Only an animated WebP needs all frames in one job. @throws ToolFailure too_many_pixels, too_complex */
function planFrames(header: ImageHeader): ImageJob {
  return planJob(header, { format: "webp", lossless: true });
}

async function* readFrames(
  image: Bytes,
  header: ImageHeader,
  { codec, reserve }: PictureTools,
): AsyncGenerator<ReadPicture> {
  const steps = codec?.steps;
  const job = { ...planFrames(header), format: "png", quality: null, effort: null } as const;
  reserve(header.decodedPixels * BYTES_PER_PIXEL.animation);
  const decoded = needsComposing(image, header)
    ? await composeFrames(image, header, async (part, which) => steps?.decode(part, { ...job, ...which }))
    : await steps?.decode(image, job);
  if (!decoded) throw damagedImage("it cannot be decoded to its end");
  const placement = { ...placementIn(image, header), orientation: 1 };
  for (const frame of framesOf(decoded, header)) {
    const palette = writePalettePng(frame);
    const picture = (palette && pngPicture(palette, reserve)) ?? pixelPicture(frame);
    yield { picture: { ...picture, placement }, warnings: [] };
  }
}

/** Frames that are stored one below the other. */
function* framesOf({ width, channels, data }: Pixels, header: ImageHeader): Generator<Pixels> {
  const { frames } = header;
  // A frame that was turned has its sides swapped.
  const height = (header.width * header.height) / width;
  const length = width * height * channels;
  for (let i = 0; i < frames && (i + 1) * length <= data.length; i++)
    yield { width, height, channels, data: data.subarray(i * length, (i + 1) * length) };
}
