import { z } from "zod";
import type { Bytes } from "../../wire/bytes.ts";
import { checkedFileSizes, toolProcedure, type Meta } from "../trpc.ts";
import { bytes, filename, fileResult, makeFile, secretText } from "../schemas.ts";

// Objects of a text-heavy document take 8 to 15 times its bytes.
const WEIGHT = 12;
const PDF = "application/pdf";
const ZIP = "application/zip";

const file = bytes("The PDF");
const range = z.string().max(4096).optional();
const password = secretText("Password the document opens with; omit it first").optional();
const pages = z.int().describe("Pages of the document");
const passwordNeeded = z.boolean().describe("Whether the document opened only with the password");

interface About {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly description: string;
  readonly types?: readonly string[];
}

function describePdfTool({ name, title, summary, description, types = [PDF] }: About): Meta {
  return {
    openapi: {
      method: "POST",
      path: `/api/tools/${name}`,
      summary,
      description,
      tags: ["tools"],
      protect: false,
    },
    http: { body: "file", result: "file" },
    tool: { name, title, types, weight: WEIGHT },
    errors: [400, 401, 413, 415, 422, 429, 503],
  };
}

export const pdfUnlock = toolProcedure
  .meta(
    describePdfTool({
      name: "pdf-unlock",
      title: "Unlock a PDF",
      summary: "Remove the password of a PDF",
      description:
        "Removes password and restrictions and leaves the content unchanged. Try without a password first.",
    }),
  )
  .input(z.object({ file, password, filename }))
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
    const run = ctx.services.runJob("unlockPdf", [pdf, options], { signal });
    return makePdf(await run, { tool: "pdf-unlock", filename: name, fallback: "unlocked.pdf" });
  });

export const pdfRotate = toolProcedure
  .meta(
    describePdfTool({
      name: "pdf-rotate",
      title: "Rotate a PDF",
      summary: "Turn pages of a PDF",
      description: "Turns pages clockwise, on top of the rotation they have.",
    }),
  )
  .input(
    z.object({
      file,
      angle: z.literal([90, 180, 270, -90]).default(90).describe("Degrees clockwise"),
      range: range.describe("Pages to turn, such as 1-3,7,end-2; all pages when absent"),
      password,
      filename,
    }),
  )
  .use(checkedFileSizes)
  .output(fileResult({ pages, rotated: z.int().describe("Pages that were turned"), passwordNeeded }))
  .mutation(async ({ input: { file: pdf, filename: name, ...options }, ctx, signal }) => {
    const run = ctx.services.runJob("rotatePdf", [pdf, options], { signal });
    return makePdf(await run, { tool: "pdf-rotate", filename: name, fallback: "rotated.pdf" });
  });

export const pdfSplit = toolProcedure
  .meta(
    describePdfTool({
      name: "pdf-split",
      title: "Split a PDF",
      summary: "Take a PDF apart",
      description: "Gives every page as a file of its own in a ZIP, or one PDF with some of the pages.",
      types: [PDF, ZIP],
    }),
  )
  .input(
    z.object({
      file,
      mode: z
        .enum(["each", "keep", "drop"])
        .default("each")
        .describe("each: one file per page (ZIP); keep: only the pages of the range; drop: all but them"),
      range: range.describe("Pages for keep and drop; end is the last page, end-2 the last three"),
      password,
      filename,
    }),
  )
  .use(checkedFileSizes)
  .output(
    fileResult({
      mode: z.enum(["each", "keep", "drop"]),
      pages,
      parts: z.int().optional().describe("Files in the ZIP"),
      kept: z.int().optional().describe("Pages of the result"),
      entries: z.array(z.string()).optional().describe("Names in the ZIP"),
      passwordNeeded,
    }),
  )
  .mutation(async ({ input: { file: pdf, filename: name, ...options }, ctx, signal }) => {
    const run = ctx.services.runJob("splitPdf", [pdf, options], { signal });
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
  .meta({
    ...describePdfTool({
      name: "pdf-merge",
      title: "Merge PDFs",
      summary: "Join PDFs",
      description: "Joins documents in the order of the list, with their bookmarks, links and form fields.",
    }),
    http: { body: "files", result: "file" },
  })
  .input(
    z.object({
      files: z
        .array(
          z.object({
            name: z.string().max(1024).optional().describe("Tells the files apart in the answer"),
            data: file,
            password: secretText("Password for that file, if any").optional(),
            range: range.describe("Pages to take from that file; all when absent"),
          }),
        )
        .min(1)
        .describe("The documents in the order in which they are joined"),
      filename,
    }),
  )
  .use(checkedFileSizes)
  .output(
    fileResult({
      pages,
      files: z
        .array(z.object({ name: z.string().optional(), pages, taken: z.int(), passwordNeeded }))
        .describe("Pages of each document, and how many were taken"),
    }),
  )
  .mutation(async ({ input: { files, filename: name }, ctx, signal }) => {
    const run = ctx.services.runJob("mergePdf", [files], { signal });
    return makePdf(await run, { tool: "pdf-merge", filename: name, fallback: "merged.pdf" });
  });

interface Naming {
  readonly tool: string;
  readonly filename: string | undefined;
  readonly fallback: string;
  readonly type?: string;
  readonly extension?: string;
}

function makePdf<Made extends { bytes: Bytes; warnings: string[] }>(made: Made, naming: Naming) {
  const { bytes: data, ...extras } = made;
  return makeFile({ type: PDF, extension: "pdf", ...naming, data, extras });
}
