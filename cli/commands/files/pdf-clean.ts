import { Option } from "@commander-js/extra-typings";
import type { Remove } from "../../../tools/clean-kinds.ts";
import { defineCommand, listOf, suggest } from "../../definition.ts";
import type { Io } from "../../terminal/io.ts";
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
] as const satisfies Remove[];

export function pdfCleanCommand(io: Io) {
  return withPdfOptions(
    defineCommand("clean", {
      summary: "Take metadata, scripts and more out of a PDF",
      description:
        "Writes the document anew from what its pages reach: earlier revisions and what is named are not in the result, " +
        "also not hidden. Forms leave what was filled in to be seen, layers what is shown. A damaged document is repaired. " +
        "Without -o the result is called after the file, with -cleaned.",
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
      .addOption(
        new Option("--linearize", "lay it out so that its first page is shown before the rest has come"),
      ),
  ).action((file, { remove, linearize, ...rest }) =>
    workOnPdf(io, file, {
      ...rest,
      suffix: "-cleaned",
      tool: "pdf-clean",
      options: (password) => ({ remove, linearize, password }),
      here: async (pdf, options) => (await import("../../../tools/pdf-clean.ts")).cleanPdf(pdf, options),
      there: (tools, input) => tools.pdfClean.mutate(input),
    }),
  );
}
