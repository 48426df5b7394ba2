import { readImageHeader, type ImageHeader } from "../../tools/image/header.ts";
import {
  checkPixels,
  MAX_PIXELS,
  pixelsToDecode,
  planJob,
  type JobOptions,
  type TargetFormat,
} from "../../tools/image/job.ts";
import { CROP } from "../../tools/image/region.ts";
import { checkStripped } from "../../tools/image/strip-metadata.ts";
import { isImage } from "../../tools/file/file-type.ts";
import { IMAGE_PIXELS } from "../../wire/limits.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { toFailure, type Failure } from "../api/failure.ts";
import { loadSecretLimits, allowedPixels } from "../api/limits.ts";
import type { UnfitFile } from "../files/incoming.ts";

/** What images are chosen for: a format, their own without metadata, or pages of a PDF. */
export type ImageUse = TargetFormat | "same" | "pages";

type Check = (header: ImageHeader, file: File) => void | Promise<void>;

// Its end is part of what is checked of an image, so that all of it is read: once, and not again for each look. What is
// kept is the header; the bytes of a long list would fill the memory.
const headers = new WeakMap<File, Promise<ImageHeader | undefined>>();

/** What is no image has none. @throws ToolFailure damaged_file, unsupported_feature, too_complex */
function headerOf(file: File): Promise<ImageHeader | undefined> {
  const known = headers.get(file) ?? readHeader(file);
  headers.set(file, known);
  return known;
}

async function readHeader(file: File): Promise<ImageHeader | undefined> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return isImage(bytes) ? readImageHeader(bytes) : undefined;
}

/** Of some files the images that the work would refuse by their headers, whatever else is set, with why. */
export function findUnfitImages(files: readonly File[], use: ImageUse): Promise<UnfitFile[]> {
  return judgeEach(files, async (header, file) => {
    // Neither is decoded: metadata is taken out of the file, and a PDF takes a JPEG as it is.
    if (use === "same" || (use === "pages" && header.format === "jpeg")) return;
    const format = use === "pages" ? "png" : use;
    if (use !== "pages") await knowLimits({ header, format, file });
    checkPixels(header, { format, maxPixels: use === "pages" ? MAX_PIXELS : allowedPixels() });
  });
}

/** Of images that are chosen already those that cannot become what is set now; their own format where nothing is set. */
export function findMisfits(
  files: readonly File[],
  { options, place }: { options: JobOptions | undefined; place: "here" | "server" },
): Promise<UnfitFile[]> {
  return judgeEach(files, async (header, file) => {
    if (!options) return void checkStripped(header);
    const { crop, ...others } = options;
    await knowLimits({ header, format: options.format, file });
    // One that is still being typed says nothing of the picture.
    planJob(header, {
      ...others,
      crop: crop && CROP.test(crop) ? crop : undefined,
      maxPixels: allowedPixels(),
    });
    if (place === "server" || !header.isCmyk) return;
    throw new ToolFailure("unsupported_feature", "A browser cannot convert CMYK", {
      reason: "only_on_server",
    });
  });
}

async function judgeEach(files: readonly File[], check: Check): Promise<UnfitFile[]> {
  const unfit: UnfitFile[] = [];
  // One after another: all of a long list would fill the memory.
  for (const file of files) {
    const failure = await judge(file, check);
    if (failure) unfit.push({ file, failure });
  }
  return unfit;
}

async function judge(file: File, check: Check): Promise<Failure | undefined> {
  try {
    const header = await headerOf(file);
    if (header) await check(header, file);
    return undefined;
  } catch (error) {
    return error instanceof ToolFailure ? toFailure(error) : undefined;
  }
}

const asked = new WeakMap<File, Promise<void>>();

/** Whoever was a member may be one no longer: asked once for a file. Without an answer the work says it. */
async function knowLimits(of: { header: ImageHeader; format: TargetFormat; file: File }): Promise<void> {
  const { header, format, file } = of;
  if (pixelsToDecode(header, format) <= IMAGE_PIXELS.anonymous) return;
  const answer = asked.get(file) ?? loadSecretLimits().catch(() => undefined);
  asked.set(file, answer);
  await answer;
}

/** An image is there as it was decoded, as it was drawn, and once more for its encoder. */
const COPIES = 3;
const BYTES_PER_PIXEL = 4;
/** For an image that does not say its size, as of a camera. */
const USUAL_PIXELS = 24_000_000;

/** About how many bytes it takes to convert an image. */
export async function imageCost(file: File): Promise<number> {
  const header = await headerOf(file).catch(() => undefined);
  const pixels = header ? header.width * header.height : USUAL_PIXELS;
  return file.size + pixels * BYTES_PER_PIXEL * COPIES;
}
