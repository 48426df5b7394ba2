import { readImageHeader, type ImageHeader } from "../../tools/image/header.ts";
import { checkPixels, MAX_PIXELS, pixelsToDecode, type TargetFormat } from "../../tools/image/job.ts";
import { isImage } from "../../tools/file/file-type.ts";
import { IMAGE_PIXELS } from "../../wire/limits.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { toFailure, type Failure } from "../api/failure.ts";
import { loadSecretLimits, allowedPixels } from "../api/limits.ts";
import type { UnfitFile } from "../files/incoming.ts";

/** What images are chosen for: a format, their own without metadata, or pages of a PDF. */
export type ImageUse = TargetFormat | "same" | "pages";

/** Of some files the images that the work would refuse by their headers, with why. */
export async function findUnfitImages(files: readonly File[], use: ImageUse): Promise<UnfitFile[]> {
  const unfit: UnfitFile[] = [];
  // One after another: all of a long list would fill the memory.
  for (const file of files) {
    const failure = await judge(file, use);
    if (failure) unfit.push({ file, failure });
  }
  return unfit;
}

async function judge(file: File, use: ImageUse): Promise<Failure | undefined> {
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (isImage(bytes)) await checkHeader(readImageHeader(bytes), use);
    return undefined;
  } catch (error) {
    return error instanceof ToolFailure ? toFailure(error) : undefined;
  }
}

/** @throws ToolFailure too_many_pixels */
async function checkHeader(header: ImageHeader, use: ImageUse): Promise<void> {
  // Neither is decoded: metadata is taken out of the file, and a PDF takes a JPEG as it is.
  if (use === "same" || (use === "pages" && header.format === "jpeg")) return;
  const format = use === "pages" ? "png" : use;
  const isLarge = pixelsToDecode(header, format) > IMAGE_PIXELS.anonymous;
  // Whoever was a member may be one no longer. Without an answer the work says it.
  if (isLarge && use !== "pages") await loadSecretLimits().catch(() => undefined);
  checkPixels(header, { format, maxPixels: use === "pages" ? MAX_PIXELS : allowedPixels() });
}
