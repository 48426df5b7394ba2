import { z } from "zod";
import { hashFile } from "../tools/file-hash.ts";
import { generatePasswords } from "../tools/password.ts";
import type { rotatePdf } from "../tools/pdf-rotate.ts";
import { sized, tool } from "./trpc.ts";
import { byteStream, bytes, filename, fileResult, makeFile, secretText } from "./wire.ts";

const range = z.string().max(4096).optional();
const password = secretText("Password the document opens with; omit it first").optional();

const fileHash = tool
  .meta({
    openapi: {
      method: "POST",
      path: "/api/tools/file-hash",
      summary: "Digests of a file",
      description: "Computes digests of the file and, with `expected`, says whether one matches.",
      tags: ["tools"],
      protect: false,
    },
    door: { body: "stream", result: "json" },
    tool: { name: "file-hash", title: "Checksum", weight: 0.1 },
    errors: [400, 401, 413, 415, 429, 503],
  })
  .input(
    z.object({
      file: byteStream("The file; an empty one has a digest too"),
      algorithms: z
        .array(z.enum(["md5", "sha1", "sha256"]))
        .min(1)
        .default(["sha256"])
        .describe("Digests to compute, separated by commas"),
      expected: z
        .string()
        .max(1024)
        .optional()
        .describe(
          "Checksum to compare: hexadecimal, sha256:hex, sha256-base64, or a line of sha256sum or BSD",
        ),
    }),
  )
  .use(sized)
  .output(
    z.object({
      size: z.int().describe("Size of the file in bytes"),
      digests: z.record(z.string(), z.string()).describe("Digests in hexadecimal by algorithm"),
      expected: z.string().optional().describe("The expected checksum as it was read"),
      matches: z.boolean().optional().describe("Whether a digest equals the expected one"),
      matchedAlgorithm: z.string().nullable().optional().describe("The algorithm whose digest matched"),
    }),
  )
  .mutation(({ input: { file, algorithms, expected } }) => hashFile(file, { algorithms, expected }));

const passwordTool = tool
  .meta({
    openapi: {
      method: "POST",
      path: "/api/tools/password",
      summary: "Passwords and passphrases",
      description:
        "Generates passwords or passphrases from the system's random source, every character equally likely.",
      tags: ["tools"],
      protect: false,
    },
    door: { body: "json", result: "json", text: { field: "passwords", by: "accept" }, alsoGet: true },
    tool: { name: "password", title: "Password generator", weight: 1 },
    errors: [400, 401, 413, 415, 429, 503],
  })
  .input(
    z.object({
      mode: z.enum(["characters", "words"]).default("characters").describe("words builds a passphrase"),
      length: z.int().min(1).max(1024).default(20).describe("Characters, in characters mode"),
      words: z.int().min(1).max(64).default(5).describe("Words, in words mode"),
      separator: z.string().max(16).default("-").describe("Placed between words"),
      count: z.int().min(1).max(1000).default(1).describe("How many to generate"),
      uppercase: z.boolean().default(true).describe("Include A-Z"),
      digits: z.boolean().default(true).describe("Include 0-9"),
      symbols: z.boolean().default(false).describe("Include the 32 ASCII punctuation characters"),
    }),
  )
  .output(
    z.object({
      mode: z.enum(["characters", "words"]),
      length: z.int().optional().describe("Characters of each password"),
      alphabetSize: z.int().optional().describe("Characters it is chosen from"),
      words: z.int().optional().describe("Words of each passphrase"),
      separator: z.string().optional(),
      listSize: z.int().optional().describe("Words it is chosen from"),
      count: z.int(),
      entropyBits: z.number().describe("Entropy of each, in bits"),
      passwords: z.array(z.string()),
    }),
  )
  .mutation(({ input }) => generatePasswords(input));

const pdfRotate = tool
  .meta({
    openapi: {
      method: "POST",
      path: "/api/tools/pdf-rotate",
      summary: "Turn pages of a PDF",
      description: "Turns pages clockwise, on top of the rotation they have.",
      tags: ["tools"],
      protect: false,
    },
    door: { body: "file", result: "file" },
    tool: { name: "pdf-rotate", title: "Rotate a PDF", types: ["application/pdf"], weight: 8 },
    errors: [400, 401, 413, 415, 422, 429, 503],
  })
  .input(
    z.object({
      file: bytes("The PDF"),
      angle: z.literal([90, 180, 270, -90]).default(90).describe("Degrees clockwise"),
      range: range.describe("Pages to turn, such as 1-3,7,end-2; all pages when absent"),
      password,
      filename,
    }),
  )
  .use(sized)
  .output(
    fileResult({
      pages: z.int().describe("Pages of the document"),
      rotated: z.int().describe("Pages that were turned"),
      passwordNeeded: z.boolean().describe("Whether the document opened only with the password"),
    }),
  )
  .mutation(async ({ input: { file, filename: name, ...options }, ctx, signal }) => {
    const made = await ctx.services.run<typeof rotatePdf>("pdf-rotate#rotatePdf", [file, options], {
      signal,
    });
    const { bytes: data, ...extras } = made;
    return makeFile({
      tool: "pdf-rotate",
      type: "application/pdf",
      data,
      filename: name,
      fallback: "rotated.pdf",
      extension: "pdf",
      extras,
    });
  });

/** The file tools; adding one here opens both doors, the document and the catalogue to it. */
export const toolProcedures = { fileHash, password: passwordTool, pdfRotate };
