import { z } from "zod";
import {
  DEFAULT_DPI,
  DEFAULT_QUALITY,
  DPI_RANGE,
  QUALITY_RANGE,
} from "../../../tools/file/document-options.ts";
import type { CompressPdfOptions } from "../../../tools/pdf-compress.ts";
import { toolMeta } from "../../meta.ts";
import { imageRequesterOf } from "../../policy/count.ts";
import { bytesField, filename, fileResult, pdfPassword, withSentName } from "../../schemas.ts";
import { checkedFileSizes, toolProcedure } from "../../trpc.ts";

const PDF = "application/pdf";

export const pdfCompress = toolProcedure
  .meta(
    toolMeta({
      name: "pdf-compress",
      title: "Compress a PDF",
      summary: "Make a PDF smaller",
      description:
        "Images get the resolution asked for and are compressed again where that saves, equal data is stored once, and " +
        "everything else is packed. Text, links, tags and forms stay. The result is never larger than the original: " +
        "what cannot become smaller comes back as it was sent.",
      body: "file",
      result: "file",
      types: [PDF],
      // For the document alone, weighed with 36,000 pages with two annotations each, 20 MiB; memory for each image is
      // reserved once a worker knows its size.
      weight: 14,
      measured: "pdf-compress: 13.52",
      errors: [422],
      examples: { "Envelope.name": "compressed.pdf" },
    }),
  )
  .input(
    z.object({
      file: bytesField("The PDF"),
      quality: z
        .int()
        .min(QUALITY_RANGE.minimum)
        .max(QUALITY_RANGE.maximum)
        .default(DEFAULT_QUALITY)
        .describe("Of the images that become JPEGs"),
      dpi: z
        .int()
        .min(DPI_RANGE.minimum)
        .max(DPI_RANGE.maximum)
        .default(DEFAULT_DPI)
        .describe(
          "Resolution for images that have more than one and a half times as much where they are drawn",
        ),
      password: pdfPassword(),
      filename,
    }) satisfies z.ZodType<CompressPdfOptions>,
  )
  .use(checkedFileSizes)
  .output(
    fileResult({
      sizeBefore: z.int().describe("Size of the original in bytes"),
      images: z.int().describe("Images that became smaller"),
      pages: z.int().describe("Pages in the document"),
      passwordNeeded: z.boolean().describe("Whether the document needed the password"),
    }),
  )
  .mutation(async ({ input: { file, ...options }, ctx, signal }) => {
    const run = ctx.services.runImageJob(
      "compressPdf",
      [file, withSentName(file, options)],
      imageRequesterOf(ctx, signal),
    );
    return { tool: "pdf-compress", ...(await run) };
  });
