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
import { checkStrippable } from "../../tools/image/strip-metadata.ts";
import { isImage } from "../../tools/file/file-type.ts";
import { IMAGE_PIXELS } from "../../wire/limits.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { toFailure, type Failure } from "../api/failure.ts";
import { loadSecretLimits, allowedPixels } from "../api/limits.ts";
import type { UnfitFile } from "../files/incoming.ts";

/** What images are used for: a format, their own without metadata, or pages of a PDF. */
type ImageUse = TargetFormat | "same" | "pages";

type Check = (header: ImageHeader, file: File) => void | Promise<void>;

// The end of an image is checked too, so all of it is read, but only once. Only the header is kept; the bytes of a long
// list would fill the memory.
const headers = new WeakMap<File, Promise<ImageHeader | undefined>>();

/** Undefined for what is not an image. @throws ToolFailure damaged_file, unsupported_feature, too_complex */
function headerOf(file: File): Promise<ImageHeader | undefined> {
  const known = headers.get(file) ?? readHeader(file);
  headers.set(file, known);
  return known;
}

async function readHeader(file: File): Promise<ImageHeader | undefined> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return isImage(bytes) ? readImageHeader(bytes) : undefined;
}

/** The files whose images the work would refuse by their headers with any settings, with the reason. */
export function findUnfitImages(files: readonly File[], use: ImageUse): Promise<UnfitFile[]> {
  return findUnfit(files, async (header, file) => {
    // Neither is decoded: metadata is cut out of the file, and a PDF contains a JPEG unchanged.
    if (use === "same" || (use === "pages" && header.format === "jpeg")) return;
    const format = use === "pages" ? "png" : use;
    if (use !== "pages") await loadLimits(header, format, file);
    checkPixels(header, format, use === "pages" ? MAX_PIXELS : allowedPixels());
  });
}

/** The chosen images that cannot become what is set now; in their own format where nothing is set. */
export function findMisfits(
  files: readonly File[],
  { options, place }: { options: JobOptions | undefined; place: "here" | "server" },
): Promise<UnfitFile[]> {
  return findUnfit(files, async (header, file) => {
    if (!options) return void checkStrippable(header);
    const { crop, ...others } = options;
    await loadLimits(header, options.format, file);
    // A size that is still being typed says nothing about the image.
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

async function findUnfit(files: readonly File[], check: Check): Promise<UnfitFile[]> {
  const unfit: UnfitFile[] = [];
  // One after another: all of a long list would fill the memory.
  for (const file of files) {
    const failure = await findFailure(file, check);
    if (failure) unfit.push({ file, failure });
  }
  return unfit;
}

async function findFailure(file: File, check: Check): Promise<Failure | undefined> {
  try {
    const header = await headerOf(file);
    if (header) await check(header, file);
    return undefined;
  } catch (error) {
    return error instanceof ToolFailure ? toFailure(error) : undefined;
  }
}

const limitsAsked = new WeakMap<File, Promise<void>>();

/** Asks once per file, because a former member's limits may be lower. Without an answer the work reports it. */
async function loadLimits(header: ImageHeader, format: TargetFormat, file: File): Promise<void> {
  if (pixelsToDecode(header, format) <= IMAGE_PIXELS.anonymous) return;
  const answer = limitsAsked.get(file) ?? loadSecretLimits().catch(() => undefined);
  limitsAsked.set(file, answer);
  await answer;
}

/** An image is in memory as it was decoded, as it was drawn, and once more for its encoder. */
const COPIES = 3;
const BYTES_PER_PIXEL = 4;
/** For an image whose size is unknown, such as a camera's. */
const USUAL_PIXELS = 24_000_000;

/** The approximate memory, in bytes, that converting an image takes. */
export async function imageCost(file: File): Promise<number> {
  const header = await headerOf(file).catch(() => undefined);
  const pixels = header ? header.width * header.height : USUAL_PIXELS;
  return file.size + pixels * BYTES_PER_PIXEL * COPIES;
}
