import { z } from "zod";
import { isImage } from "../../../tools/file/file-type.ts";
import { MAX_RANGE_CHARACTERS } from "../../../tools/page-range.ts";
import { IMAGE_FITS } from "../../../tools/file/document-options.ts";
import type { MergeInput, MergeOptions } from "../../../tools/pdf-merge.ts";
import { toolMeta } from "../../meta.ts";
import { imageRequesterOf, requesterOf } from "../../policy/count.ts";
import { bytesField, fileName, filename, fileResult, pdfPassword } from "../../schemas.ts";
import { checkedFileSizes, toolProcedure } from "../../trpc.ts";

const PDF = "application/pdf";

const pages = z.int().describe("Pages in the document");

export const pdfMerge = toolProcedure
  .meta(
    toolMeta({
      name: "pdf-merge",
      title: "Merge PDFs",
      summary: "Join PDFs",
      weight: 15,
      measured: "pdf-merge of that one file: 13.6, of it twice: 9.7, and 1 for the kept files",
      description:
        "Joins documents in the order of the list, with their bookmarks, links and form fields. An image becomes a page, " +
        "or one for each of its pages or frames: JPEG as it is, others without loss.",
      body: "files",
      result: "file",
      types: [PDF],
      errors: [422],
      examples: { "InputFile.name": "cover.pdf", "EnvelopeFile.taken": 6, "Envelope.name": "merged.pdf" },
    }),
  )
  .input(
    z.object({
      files: z
        .array(
          z.object({
            name: fileName("Identifies the file in the answer"),
            data: bytesField("The PDF, or an image: JPEG, PNG, WebP, GIF, AVIF, HEIC, TIFF, BMP, ICO"),
            password: pdfPassword("Password for that file, if any"),
            range: z
              .string()
              .max(MAX_RANGE_CHARACTERS)
              .optional()
              .describe("Pages to take from that file; default all"),
          }),
        )
        .min(1)
        .describe("The documents and images, in the order they are joined"),
      bookmarks: z
        .boolean()
        .default(false)
        .describe("A bookmark for each file, with its name, above its own"),
      evenPages: z
        .boolean()
        .default(false)
        .describe(
          "A blank page after a file with an odd number of pages, so that the next begins on a new sheet",
        ),
      fit: z
        .enum(IMAGE_FITS)
        .default("image")
        .describe(
          "Pages of images: image, as large as it is at its resolution (96 dpi if it says none); a4 or letter, a sheet " +
            "upright or on its side that it fills as far as it can",
        ),
      filename,
    }) satisfies z.ZodType<MergeOptions & { files: readonly MergeInput[] }>,
  )
  .use(checkedFileSizes)
  .output(
    fileResult({
      pages,
      files: z
        .array(z.object({ name: z.string().optional(), pages, taken: z.int(), passwordNeeded: z.boolean() }))
        .describe("Pages in each document, and how many were taken"),
    }),
  )
  .mutation(async ({ input: { files, ...options }, ctx, signal }) => {
    const { runJob, runImageJob } = ctx.services;
    const run = files.some(({ data }) => isImage(data))
      ? runImageJob("mergePdf", [files, options], imageRequesterOf(ctx, signal))
      : runJob("mergePdf", [files, options], requesterOf(ctx, signal));
    return { tool: "pdf-merge", ...(await run) };
  });
