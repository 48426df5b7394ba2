import { z } from "zod";
import { MAX_RANGE_CHARACTERS } from "../../../tools/page-range.ts";
import type { LockPdfOptions } from "../../../tools/pdf-lock.ts";
import type { RotateOptions } from "../../../tools/pdf-rotate.ts";
import type { SplitMode, SplitOptions } from "../../../tools/pdf-split.ts";
import type { UnlockPdfOptions } from "../../../tools/pdf-unlock.ts";
import { ALLOWED, PDF_RIGHTS } from "../../../tools/file/document-options.ts";
import { requesterOf } from "../../policy/count.ts";
import { toolMeta } from "../../meta.ts";
import { checkedFileSizes, toolProcedure } from "../../trpc.ts";
import { bytesField, filename, fileResult, pdfPassword, secretText, withSentName } from "../../schemas.ts";
import { EXAMPLE } from "../examples.ts";

const PDF = "application/pdf";
const ZIP = "application/zip";

const file = bytesField("The PDF");
const range = z.string().max(MAX_RANGE_CHARACTERS).optional();
const password = pdfPassword();
const pages = z.int().describe("Pages in the document");
const passwordNeeded = z.boolean().describe("Whether the document needed the password");

// Weighed with 36,000 pages of text with two annotations each, 20 MiB: objects take many times their bytes.
const PDF_TOOL = { body: "file", result: "file", types: [PDF], errors: [422] } as const;

export const pdfUnlock = toolProcedure
  .meta(
    toolMeta({
      ...PDF_TOOL,
      name: "pdf-unlock",
      title: "Unlock a PDF",
      summary: "Remove the password from a PDF",
      weight: 6,
      measured: "pdf-unlock: 5.44",
      description:
        "Removes the password and all restrictions; the content stays the same. Try without a password first.",
      examples: { "Form.password": EXAMPLE.password, "Envelope.name": "unlocked.pdf" },
    }),
  )
  .input(z.object({ file, password, filename }) satisfies z.ZodType<UnlockPdfOptions>)
  .use(checkedFileSizes)
  .output(
    fileResult({
      encrypted: z.boolean().describe("Whether the document was encrypted"),
      passwordNeeded,
      removed: z.array(z.string()).describe("Restrictions that were lifted"),
      pages,
    }),
  )
  .mutation(async ({ input: { file: pdf, ...options }, ctx, signal }) => {
    const run = ctx.services.runJob("unlockPdf", [pdf, withSentName(pdf, options)], requesterOf(ctx, signal));
    return { tool: "pdf-unlock", ...(await run) };
  });

export const pdfLock = toolProcedure
  .meta(
    toolMeta({
      ...PDF_TOOL,
      name: "pdf-lock",
      title: "Lock a PDF",
      summary: "Encrypt a PDF with a password",
      weight: 11,
      measured: "pdf-lock?password=p: 9.86",
      description:
        "AES-256 (ISO 32000-2, revision 6) over everything, with metadata and attachments; PDF/A forbids any encryption. " +
        "Readers that respect the standard refuse what is not allowed to anyone who opens the document with `password`; " +
        "without `ownerPassword` nobody can lift that. A lost password cannot be recovered.",
      examples: { "Form.password": EXAMPLE.password, "Envelope.name": "locked.pdf" },
    }),
  )
  .input(
    z.object({
      file,
      password: secretText(
        "What the document will open with: 1 to 127 bytes of UTF-8 after SASLprep (RFC 4013)",
      ),
      ownerPassword: secretText(
        "Opens the document without restrictions, within the same limits; by default a random one that nobody knows",
      ).optional(),
      allow: z
        .array(z.enum(ALLOWED))
        .default([...PDF_RIGHTS])
        .describe("What is allowed, separated by commas; none by itself allows nothing"),
      openWith: pdfPassword("Password that opens the document now, where it is locked already"),
      filename,
    }) satisfies z.ZodType<LockPdfOptions>,
  )
  .use(checkedFileSizes)
  .output(fileResult({ pages }))
  .mutation(async ({ input: { file: pdf, ...options }, ctx, signal }) => {
    const run = ctx.services.runJob("lockPdf", [pdf, withSentName(pdf, options)], requesterOf(ctx, signal));
    return { tool: "pdf-lock", ...(await run) };
  });

export const pdfRotate = toolProcedure
  .meta(
    toolMeta({
      ...PDF_TOOL,
      name: "pdf-rotate",
      title: "Rotate a PDF",
      summary: "Rotate pages of a PDF",
      weight: 15,
      measured: "pdf-rotate?angle=90: 12.33 to 14.27, of which the kept file is 1",
      description: "Rotates pages clockwise, in addition to the rotation they already have.",
      examples: { "Envelope.name": "rotated.pdf" },
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
  .mutation(async ({ input: { file: pdf, ...options }, ctx, signal }) => {
    const run = ctx.services.runJob("rotatePdf", [pdf, withSentName(pdf, options)], requesterOf(ctx, signal));
    return { tool: "pdf-rotate", ...(await run) };
  });

const SPLIT_MODES = [
  "each",
  "every",
  "bookmarks",
  "size",
  "keep",
  "drop",
] as const satisfies readonly SplitMode[];

export const pdfSplit = toolProcedure
  .meta(
    toolMeta({
      ...PDF_TOOL,
      name: "pdf-split",
      title: "Split a PDF",
      summary: "Split a PDF or take pages from it",
      weight: 23,
      measured:
        "pdf-split?mode=each: 21.63, ?mode=size&bytes=1000000: 16.52, ?mode=keep&range=2-end: 18.43, and 1 for the kept file",
      description:
        "Returns a ZIP with a file for each page, each group of pages, each bookmark or each size, or one PDF with some of the pages.",
      types: [PDF, ZIP],
      examples: { "Envelope.name": "pages.zip", "Envelope.type": "application/zip" },
    }),
  )
  .input(
    z.object({
      file,
      mode: z
        .enum(SPLIT_MODES)
        .default("each")
        .describe(
          "each: one file per page (ZIP); every: one file for each `count` pages; bookmarks: one file for each bookmark of the first " +
            "level; size: files of at most `bytes`; keep: only the pages in the range; drop: all other pages",
        ),
      range: range.describe(
        "Pages for keep and drop, such as 1-3,7,end-2 or 1-20,x5-7; end is the last page, end-2 the last three",
      ),
      count: z.int().min(1).optional().describe("Pages of each file, for mode every"),
      bytes: z
        .int()
        .min(1)
        .optional()
        .describe("The most bytes of each file, for mode size; a page that is larger is a file by itself"),
      password,
      filename,
    }) satisfies z.ZodType<SplitOptions>,
  )
  .use(checkedFileSizes)
  .output(
    fileResult({
      mode: z.enum(SPLIT_MODES),
      pages,
      parts: z.int().optional().describe("Files in the ZIP"),
      kept: z.int().optional().describe("Pages in the result"),
      entries: z.array(z.string()).optional().describe("File names in the ZIP"),
      passwordNeeded,
    }),
  )
  .mutation(async ({ input: { file: pdf, ...options }, ctx, signal }) => {
    const run = ctx.services.runJob("splitPdf", [pdf, withSentName(pdf, options)], requesterOf(ctx, signal));
    return { tool: "pdf-split", ...(await run) };
  });
