import { z } from "zod";
import { METADATA_KINDS } from "../../../tools/image/image-info.ts";
import {
  BACKGROUND,
  DEFAULT_QUALITY,
  SIDE_LIMITS,
  TARGET_FORMATS,
  type JobOptions,
} from "../../../tools/image/job.ts";
import { imageRequesterOf } from "../../policy/count.ts";
import { toolMeta } from "../../meta.ts";
import { checkedFileSizes, toolProcedure } from "../../trpc.ts";
import { bytesField, filename, fileResult, makeFileResult } from "../../schemas.ts";

const EXTENSIONS = { webp: "webp", jpeg: "jpg", png: "png", avif: "avif" } as const;

const side = z.int().min(SIDE_LIMITS.minimum).max(SIDE_LIMITS.maximum).optional();

export const imageConvert = toolProcedure
  .meta(
    toolMeta({
      name: "image-convert",
      title: "Convert an image",
      summary: "Convert an image",
      description:
        "Reads JPEG, PNG, WebP, GIF, AVIF, HEIC and TIFF. The result has no metadata, such as where a photo was taken.",
      body: "file",
      result: "file",
      // For the file alone; memory for the pixels is reserved when a worker has read how many they are.
      types: TARGET_FORMATS.map((name) => `image/${name}`),
      weight: 2,
      measured:
        "image-convert?format=png of 7.5 megapixels of noise: 5.8, of which 2.7 are reserved for pixels",
      errors: [422],
    }),
  )
  .input(
    z.object({
      file: bytesField("The image"),
      format: z.enum(TARGET_FORMATS).describe("Target format"),
      quality: z
        .int()
        .min(1)
        .max(100)
        .default(DEFAULT_QUALITY)
        .describe("For lossy formats; ignored for PNG"),
      width: side.describe("Fit inside so many pixels; never enlarges"),
      height: side.describe("Fit inside so many pixels; never enlarges"),
      lossless: z.boolean().default(false).describe("For WebP and AVIF"),
      background: z
        .string()
        .regex(BACKGROUND, "must be a color as #rgb or #rrggbb")
        .default("#ffffff")
        .describe("Color under transparent pixels where the target has no transparency, as #rgb or #rrggbb"),
      filename,
    }) satisfies z.ZodType<JobOptions>,
  )
  .use(checkedFileSizes)
  .output(
    fileResult({
      format: z.enum(TARGET_FORMATS),
      width: z.int().describe("Pixels"),
      height: z.int().describe("Pixels"),
      sourceFormat: z.string().describe("Format of the source, judged by its content"),
      metadataRemoved: z.array(z.enum(METADATA_KINDS)).describe("Kinds of metadata that were removed"),
    }),
  )
  .mutation(async ({ input: { file, filename: name, ...options }, ctx, signal }) => {
    const { format } = options;
    const run = ctx.services.runImageJob("convertImage", [file, options], imageRequesterOf(ctx, signal));
    const { bytes: data, metadataRemoved, ...facts } = await run;
    const extension = EXTENSIONS[format];
    return makeFileResult({
      tool: "image-convert",
      type: `image/${format}`,
      data,
      filename: name,
      fallback: `image.${extension}`,
      extension,
      extras: { ...facts, metadataRemoved: [...metadataRemoved] },
    });
  });
