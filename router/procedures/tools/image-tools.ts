import { z } from "zod";
import { CROP, ROTATIONS } from "../../../tools/image/region.ts";
import { METADATA_KINDS } from "../../../tools/image/image-info.ts";
import {
  BACKGROUND,
  DEFAULT_QUALITY,
  SIDE_LIMITS,
  TARGET_FORMATS,
  type JobOptions,
  type TargetFormat,
} from "../../../tools/image/job.ts";
import { imageRequesterOf, requesterOf } from "../../policy/count.ts";
import { ApiError } from "../../errors/errors.ts";
import { toolMeta } from "../../meta.ts";
import { checkedFileSizes, toolProcedure } from "../../trpc.ts";
import { bytesField, filename, fileResult, withSentName } from "../../schemas.ts";

const WHITE = "#ffffff";

/** What only has an effect where pixels are encoded again, and its value where nobody sends one. */
const RECODING = {
  format: undefined,
  quality: DEFAULT_QUALITY,
  bytes: undefined,
  rotate: undefined,
  crop: undefined,
  width: undefined,
  height: undefined,
  linear: false,
  lossless: false,
  background: WHITE,
} as const;

/** @throws ApiError missing_parameter, invalid_parameter */
function readOptions({
  metadata,
  format,
  ...options
}: Omit<JobOptions, "format"> & { format?: TargetFormat | undefined; metadata?: "strip" | undefined }):
  JobOptions | "strip" {
  if (metadata === "strip") {
    const all = { format, ...options };
    const [parameter] =
      Object.entries(RECODING).find(([name, unsent]) => all[name as keyof typeof RECODING] !== unsent) ?? [];
    if (parameter === undefined) return "strip";
    const message = `Parameter "${parameter}" does nothing with metadata=strip, which leaves the pixels as they are`;
    throw new ApiError("invalid_parameter", message, { parameter });
  }
  if (format) return { format, ...options };
  const allowed = [...TARGET_FORMATS];
  const message = `Parameter "format" is missing; it must be one of: ${allowed.join(", ")}`;
  throw new ApiError("missing_parameter", message, { parameter: "format", allowed });
}

const side = z.int().min(SIDE_LIMITS.minimum).max(SIDE_LIMITS.maximum).optional();

export const imageConvert = toolProcedure
  .meta(
    toolMeta({
      name: "image-convert",
      title: "Convert an image",
      summary: "Convert an image",
      description:
        "Reads JPEG, PNG, WebP, GIF, AVIF, HEIC, TIFF, BMP and ICO. The result has no metadata, such as where a photo was taken.",
      body: "file",
      result: "file",
      // For the file alone; memory for the pixels is reserved once a worker knows their number.
      types: TARGET_FORMATS.map((name) => `image/${name}`),
      weight: 2,
      measured:
        "image-convert?format=png of 7.5 megapixels of noise: 5.8, of which 2.7 are reserved for pixels",
      errors: [422],
      examples: { "Form.format": "webp", "Envelope.name": "image.webp", "Envelope.type": "image/webp" },
    }),
  )
  .input(
    z.object({
      file: bytesField("The image"),
      format: z
        .enum(TARGET_FORMATS)
        .optional()
        .describe("Target format; it may be absent only with metadata=strip, which keeps that of the source"),
      quality: z
        .int()
        .min(1)
        .max(100)
        .default(DEFAULT_QUALITY)
        .describe("For lossy formats; ignored for PNG"),
      bytes: z
        .int()
        .min(1)
        .optional()
        .describe(
          "The most bytes of the result: lossy formats get the highest quality, up to `quality`, that has no more",
        ),
      rotate: z
        .literal([...ROTATIONS])
        .optional()
        .describe("Degrees clockwise, once the picture is upright"),
      crop: z
        .string()
        .regex(CROP, "must be x,y,width,height in whole pixels")
        .optional()
        .describe(
          "Only a part of the picture, which is upright and turned already: x,y,width,height in pixels",
        ),
      width: side.describe("Fit inside this many pixels; never enlarges"),
      height: side.describe("Fit inside this many pixels; never enlarges"),
      linear: z.boolean().default(false).describe("Whether `width` and `height` average pixels as light"),
      metadata: z
        .literal("strip")
        .optional()
        .describe(
          "strip takes the metadata out of a JPEG, PNG or WebP and leaves its pixels as they are, without encoding them " +
            "anew; no other option goes with it",
        ),
      lossless: z.boolean().default(false).describe("For WebP and AVIF"),
      background: z
        .string()
        .regex(BACKGROUND, "must be a color as #rgb or #rrggbb")
        .default(WHITE)
        .describe("Color under transparent pixels where the target has no transparency, as #rgb or #rrggbb"),
      filename,
    }) satisfies z.ZodType<Omit<JobOptions, "format">>,
  )
  .use(checkedFileSizes)
  .output(
    fileResult({
      format: z.enum(TARGET_FORMATS),
      width: z.int().describe("Pixels"),
      height: z.int().describe("Pixels"),
      sourceFormat: z.string().describe("Format of the source, judged by its content"),
      quality: z.int().optional().describe("The quality that was found for `bytes`"),
      metadataRemoved: z.array(z.enum(METADATA_KINDS)).describe("Kinds of metadata that were removed"),
    }),
  )
  .mutation(async ({ input: { file, filename: name, ...options }, ctx, signal }) => {
    const { pixels: maxPixels } = ctx.services.limits[ctx.caller.tier];
    const made = readOptions(options);
    const named = withSentName(file, { filename: name });
    const run =
      made === "strip"
        ? ctx.services.runJob("stripMetadata", [file, named], requesterOf(ctx, signal))
        : ctx.services.runImageJob(
            "convertImage",
            [file, { ...made, ...named, maxPixels }],
            imageRequesterOf(ctx, signal),
          );
    return { tool: "image-convert", ...(await run) };
  });
