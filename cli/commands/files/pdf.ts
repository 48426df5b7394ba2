import { defineCommand } from "../../definition.ts";
import type { Io } from "../../terminal/io.ts";
import { pdfCleanCommand } from "./pdf-clean.ts";
import { pdfCompressCommand } from "./pdf-compress.ts";
import { pdfLockCommand } from "./pdf-lock.ts";
import { pdfMergeCommand } from "./pdf-merge.ts";
import { pdfRotateCommand } from "./pdf-rotate.ts";
import { pdfSplitCommand } from "./pdf-split.ts";
import { pdfUnlockCommand } from "./pdf-unlock.ts";

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
