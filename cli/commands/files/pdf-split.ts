import { Option } from "@commander-js/extra-typings";
import { defineCommand, wholeNumberOf } from "../../definition.ts";
import type { Io } from "../../terminal/io.ts";
import { withPdfOptions, workOnPdf } from "./pdf-tool.ts";

/** The API takes numbers of up to nine digits. */
const MOST = 999_999_999;

export function pdfSplitCommand(io: Io) {
  return withPdfOptions(
    defineCommand("split", {
      summary: "Take a PDF apart: into files in a ZIP, or some pages as one PDF",
      description: "Without -o the result is called after the file, with -pages.",
      examples: [
        "hushkit pdf split report.pdf",
        "hushkit pdf split report.pdf --every 10",
        "hushkit pdf split report.pdf --keep 1-3,end -o short.pdf",
      ],
    })
      .argument("<file>", "the PDF")
      .addOption(
        new Option("--every <count>", "a file for every <count> pages")
          .argParser(wholeNumberOf({ minimum: 1, maximum: MOST }))
          .conflicts(["bookmarks", "size", "keep", "drop"]),
      )
      .addOption(
        new Option("--bookmarks", "a file for each bookmark of the first level").conflicts([
          "size",
          "keep",
          "drop",
        ]),
      )
      .addOption(
        new Option("--size <bytes>", "files of at most this many bytes")
          .argParser(wholeNumberOf({ minimum: 1, maximum: MOST }))
          .conflicts(["keep", "drop"]),
      )
      .addOption(new Option("--keep <pages>", "one PDF with these pages, in this order").conflicts("drop"))
      .option("--drop <pages>", "one PDF with all other pages"),
  ).action((file, { every, bookmarks, size, keep, drop, ...rest }) =>
    workOnPdf(io, file, {
      ...rest,
      extension: keep === undefined && drop === undefined ? "zip" : "pdf",
      tool: "pdf-split",
      options: (password) => ({ ...chooseMode({ every, bookmarks, size, keep, drop }), password }),
      here: async (pdf, options) => (await import("../../../tools/pdf-split.ts")).splitPdf(pdf, options),
      there: (tools, input) => tools.pdfSplit.mutate(input),
    }),
  );
}

function chooseMode(of: {
  every: number | undefined;
  bookmarks: true | undefined;
  size: number | undefined;
  keep: string | undefined;
  drop: string | undefined;
}) {
  const { every, bookmarks, size, keep, drop } = of;
  if (every !== undefined) return { mode: "every", count: every } as const;
  if (bookmarks) return { mode: "bookmarks" } as const;
  if (size !== undefined) return { mode: "size", bytes: size } as const;
  if (keep !== undefined) return { mode: "keep", range: keep } as const;
  return drop === undefined ? ({ mode: "each" } as const) : ({ mode: "drop", range: drop } as const);
}
