import { Option } from "@commander-js/extra-typings";
import type { RemoveChoice } from "../../../tools/file/document-options.ts";
import { defineCommand, listOf, rightAngle, suggest, wholeNumberOf } from "../../definition.ts";
import { loadCodec } from "../../files/codec.ts";
import type { Io } from "../../terminal/io.ts";
import { pdfLockCommand } from "./pdf-lock.ts";
import { pdfMergeCommand } from "./pdf-merge.ts";
import { pdfSplitCommand } from "./pdf-split.ts";
import { withPdfOptions, workOnPdf } from "./pdf-tool.ts";

const REMOVE = [
  "metadata",
  "scripts",
  "attachments",
  "annotations",
  "forms",
  "bookmarks",
  "layers",
  "none",
] as const satisfies RemoveChoice[];

export function pdfCommand(io: Io) {
  return defineCommand("pdf", {
    summary: "Merge, split, rotate, clean, compress, lock and unlock PDFs",
    description:
      "Works on this machine unless --server is given. Pages are written as 1-3,7,end-2; `end` is the last page, and " +
      "end-2 alone the last three. A password is asked for where a document needs one.",
    examples: [
      "hushkit pdf merge a.pdf b.pdf:1-3 -o both.pdf",
      "hushkit pdf rotate scan.pdf --angle -90 --range end",
    ],
  })
    .addCommand(pdfMergeCommand(io))
    .addCommand(pdfSplitCommand(io))
    .addCommand(pdfRotateCommand(io))
    .addCommand(pdfCleanCommand(io))
    .addCommand(pdfCompressCommand(io))
    .addCommand(pdfLockCommand(io))
    .addCommand(pdfUnlockCommand(io));
}

function pdfCleanCommand(io: Io) {
  return withPdfOptions(
    defineCommand("clean", {
      summary: "Take metadata, scripts and more out of a PDF",
      description:
        "Rewrites the document with only what its pages use: earlier revisions, and what --remove lists, are not even hidden " +
        "in the result. Removed forms leave their values on the page, and removed layers what was visible. A damaged " +
        "document is repaired. Without -o the result is called after the file, with -cleaned.",
      examples: [
        "hushkit pdf clean report.pdf",
        "hushkit pdf clean form.pdf --remove metadata,forms,annotations -o final.pdf",
      ],
    })
      .argument("<file>", "the PDF")
      .addOption(
        suggest(
          new Option(
            "--remove <kinds>",
            `of ${REMOVE.join(", ")}, separated by commas; metadata,scripts,attachments where it is missing`,
          ).argParser(listOf(REMOVE)),
          REMOVE,
        ),
      )
      .option("--linearize", "lay it out so that its first page is shown before the rest has come"),
  ).action((file, { remove, linearize, ...rest }) =>
    workOnPdf(io, file, {
      ...rest,
      tool: "pdf-clean",
      options: (password) => ({ remove, linearize, password }),
      here: async (pdf, options) => (await import("../../../tools/pdf-clean.ts")).cleanPdf(pdf, options),
      there: (tools, input) => tools.pdfClean.mutate(input),
    }),
  );
}

function pdfCompressCommand(io: Io) {
  return withPdfOptions(
    defineCommand("compress", {
      summary: "Make a PDF smaller",
      description:
        "Images get the resolution asked for and are compressed again where that saves; text, links, tags and forms stay. " +
        "The result is never larger than the file. Without -o it is called after the file, with -compressed.",
      examples: ["hushkit pdf compress scan.pdf", "hushkit pdf compress brochure.pdf --dpi 300 -q 85"],
    })
      .argument("<file>", "the PDF")
      .option(
        "--dpi <n>",
        "resolution of images that have more than one and a half times as much, 36 to 600",
        wholeNumberOf({ minimum: 36, maximum: 600 }),
        150,
      )
      .option(
        "-q, --quality <n>",
        "of images that become JPEGs, 1 to 100",
        wholeNumberOf({ minimum: 1, maximum: 100 }),
        75,
      ),
  ).action((file, { dpi, quality, ...rest }) =>
    workOnPdf(io, file, {
      ...rest,
      tool: "pdf-compress",
      options: (password) => ({ dpi, quality, password }),
      here: async (pdf, options) =>
        (await import("../../../tools/pdf-compress.ts")).compressPdf(pdf, {
          ...options,
          codec: await loadCodec(),
        }),
      there: (tools, input) => tools.pdfCompress.mutate(input),
    }),
  );
}

function pdfRotateCommand(io: Io) {
  return withPdfOptions(
    defineCommand("rotate", {
      summary: "Turn pages of a PDF clockwise",
      description: "Without -o the result is called after the file, with -rotated.",
      examples: [
        "hushkit pdf rotate scan.pdf",
        "hushkit pdf rotate scan.pdf --angle -90 --range 2-end -o turned.pdf",
      ],
    })
      .argument("<file>", "the PDF")
      .addOption(
        rightAngle("--angle <degrees>", "90, 180, 270 or -90 degrees clockwise").default(90 as const),
      )
      .option("--range <pages>", "pages to turn, such as 1-3,7,end-2; all where it is missing"),
  ).action((file, { angle, range, ...rest }) =>
    workOnPdf(io, file, {
      ...rest,
      tool: "pdf-rotate",
      options: (password) => ({ angle, range, password }),
      here: async (pdf, options) => (await import("../../../tools/pdf-rotate.ts")).rotatePdf(pdf, options),
      there: (tools, input) => tools.pdfRotate.mutate(input),
    }),
  );
}

function pdfUnlockCommand(io: Io) {
  return withPdfOptions(
    defineCommand("unlock", {
      summary: "Remove the password and the restrictions of a PDF",
      description:
        "Tries without a password first; many documents only forbid printing or copying. Without -o the result is " +
        "called after the file, with -unlocked.",
      examples: [
        "hushkit pdf unlock statement.pdf",
        "hushkit pdf unlock statement.pdf --password-fd 3 3< password.txt",
      ],
    }).argument("<file>", "the PDF"),
  ).action((file, rest) =>
    workOnPdf(io, file, {
      ...rest,
      tool: "pdf-unlock",
      options: (password) => ({ password }),
      here: async (pdf, options) => (await import("../../../tools/pdf-unlock.ts")).unlockPdf(pdf, options),
      there: (tools, input) => tools.pdfUnlock.mutate(input),
    }),
  );
}
