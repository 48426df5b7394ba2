import { z } from "zod";
import type { Bytes } from "../../../wire/bytes.ts";
import type { ToolWarning } from "../../../wire/tool-warning.ts";
import { MAX_RANGE_CHARACTERS } from "../../../tools/page-range.ts";
import type { MergeInput } from "../../../tools/pdf-merge.ts";
import type { RotateOptions } from "../../../tools/pdf-rotate.ts";
import type { SplitOptions } from "../../../tools/pdf-split.ts";
import type { UnlockOptions } from "../../../tools/pdf-unlock.ts";
import { MAX_FILE_NAME_LENGTH } from "../../limits.ts";
import { requesterOf } from "../../policy/count.ts";
import { toolMeta } from "../../meta.ts";
import { checkedFileSizes, toolProcedure } from "../../trpc.ts";
import { bytes, filename, fileResult, makeFile, secretText } from "../../schemas.ts";

// Objects of a text-heavy document take 8 to 15 times its bytes.
const WEIGHT = 12;
const PDF = "application/pdf";
const ZIP = "application/zip";

const file = bytes("The PDF");
const range = z.string().max(MAX_RANGE_CHARACTERS).optional();
const password = secretText("Password that opens the document; try without it first").optional();
const pages = z.int().describe("Pages in the document");
const passwordNeeded = z.boolean().describe("Whether the document needed the password");

const PDF_TOOL = { body: "file", result: "file", types: [PDF], weight: WEIGHT, errors: [422] } as const;

export const pdfUnlock = toolProcedure
  .meta(
    toolMeta({
      ...PDF_TOOL,
      name: "pdf-unlock",
      title: "Unlock a PDF",
      summary: "Remove the password from a PDF",
      description:
        "Removes the password and all restrictions; the content stays the same. Try without a password first.",
    }),
  )
  .input(z.object({ file, password, filename }) satisfies z.ZodType<UnlockOptions>)
  .use(checkedFileSizes)
  .output(
    fileResult({
      encrypted: z.boolean().describe("Whether the document was encrypted"),
      passwordNeeded,
      removed: z.array(z.string()).describe("Restrictions that were lifted"),
      pages,
    }),
  )
  .mutation(async ({ input: { file: pdf, filename: name, ...options }, ctx, signal }) => {
    const run = ctx.services.runJob("unlockPdf", [pdf, options], requesterOf(ctx, signal));
    return makePdf(await run, { tool: "pdf-unlock", filename: name, fallback: "unlocked.pdf" });
  });

export const pdfRotate = toolProcedure
  .meta(
    toolMeta({
      ...PDF_TOOL,
      name: "pdf-rotate",
      title: "Rotate a PDF",
      summary: "Rotate pages of a PDF",
      description: "Rotates pages clockwise, in addition to the rotation they already have.",
    }),
  )
  .input(
    z.object({
      file,
      angle: z.literal([90, 180, 270, -90]).default(90).describe("Degrees clockwise"),
      range: range.describe("Pages to rotate, such as 1-3,7,end-2 or 1-z:odd; default all"),
      password,
      filename,
    }) satisfies z.ZodType<RotateOptions>,
  )
  .use(checkedFileSizes)
  .output(fileResult({ pages, rotated: z.int().describe("Pages that were rotated"), passwordNeeded }))
  .mutation(async ({ input: { file: pdf, filename: name, ...options }, ctx, signal }) => {
    const run = ctx.services.runJob("rotatePdf", [pdf, options], requesterOf(ctx, signal));
    return makePdf(await run, { tool: "pdf-rotate", filename: name, fallback: "rotated.pdf" });
  });

export const pdfSplit = toolProcedure
  .meta(
    toolMeta({
      ...PDF_TOOL,
      name: "pdf-split",
      title: "Split a PDF",
      summary: "Split a PDF or take pages from it",
      description: "Returns a ZIP with one file per page, or one PDF with some of the pages.",
      types: [PDF, ZIP],
    }),
  )
  .input(
    z.object({
      file,
      mode: z
        .enum(["each", "keep", "drop"])
        .default("each")
        .describe("each: one file per page (ZIP); keep: only the pages in the range; drop: all other pages"),
      range: range.describe(
        "Pages for keep and drop, such as 1-3,7,end-2 or 1-20,x5-7; end is the last page, end-2 the last three",
      ),
      password,
      filename,
    }) satisfies z.ZodType<SplitOptions>,
  )
  .use(checkedFileSizes)
  .output(
    fileResult({
      mode: z.enum(["each", "keep", "drop"]),
      pages,
      parts: z.int().optional().describe("Files in the ZIP"),
      kept: z.int().optional().describe("Pages in the result"),
      entries: z.array(z.string()).optional().describe("File names in the ZIP"),
      passwordNeeded,
    }),
  )
  .mutation(async ({ input: { file: pdf, filename: name, ...options }, ctx, signal }) => {
    const run = ctx.services.runJob("splitPdf", [pdf, options], requesterOf(ctx, signal));
    const { type, ...made } = await run;
    const extension = type === ZIP ? "zip" : "pdf";
    return makePdf(made, {
      tool: "pdf-split",
      filename: name,
      fallback: `pages.${extension}`,
      type,
      extension,
    });
  });

export const pdfMerge = toolProcedure
  .meta(
    toolMeta({
      ...PDF_TOOL,
      name: "pdf-merge",
      title: "Merge PDFs",
      summary: "Join PDFs",
      description: "Joins documents in the order of the list, with their bookmarks, links and form fields.",
      body: "files",
    }),
  )
  .input(
    z.object({
      files: z
        .array(
          z.object({
            name: z
              .string()
              .max(MAX_FILE_NAME_LENGTH)
              .optional()
              .describe("Identifies the file in the answer"),
            data: file,
            password: secretText("Password for that file, if any").optional(),
            range: range.describe("Pages to take from that file; default all"),
          }),
        )
        .min(1)
        .describe("The documents, in the order they are joined"),
      filename,
    }) satisfies z.ZodType<{ files: readonly MergeInput[] }>,
  )
  .use(checkedFileSizes)
  .output(
    fileResult({
      pages,
      files: z
        .array(z.object({ name: z.string().optional(), pages, taken: z.int(), passwordNeeded }))
        .describe("Pages in each document, and how many were taken"),
    }),
  )
  .mutation(async ({ input: { files, filename: name }, ctx, signal }) => {
    const run = ctx.services.runJob("mergePdf", [files], requesterOf(ctx, signal));
    const naming = { tool: "pdf-merge", filename: name, fallback: "merged.pdf" };
    return makePdf(await run, { ...naming, fileCount: files.length });
  });

interface Naming {
  readonly tool: string;
  readonly filename: string | undefined;
  readonly fallback: string;
  readonly fileCount?: number;
  readonly type?: string;
  readonly extension?: string;
}

function makePdf<Made extends { bytes: Bytes; warnings: ToolWarning[] }>(made: Made, naming: Naming) {
  const { bytes: data, ...extras } = made;
  return makeFile({ type: PDF, extension: "pdf", ...naming, data, extras });
}
