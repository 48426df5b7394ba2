import { Option } from "@commander-js/extra-typings";
import { loadCodec } from "../../files/codec.ts";
import { defineCommand, wholeNumberOf } from "../../definition.ts";
import type { Io } from "../../terminal/io.ts";
import { withPdfOptions, workOnPdf } from "./pdf-tool.ts";

export function pdfCompressCommand(io: Io) {
  return withPdfOptions(
    defineCommand("compress", {
      summary: "Make a PDF smaller",
      description:
        "Images get the resolution asked for and are compressed again where that saves; text, links, tags and forms stay. " +
        "The result is never larger than the file. Without -o it is called after the file, with -compressed.",
      examples: ["hushkit pdf compress scan.pdf", "hushkit pdf compress brochure.pdf --dpi 300 -q 85"],
    })
      .argument("<file>", "the PDF")
      .addOption(
        new Option(
          "--dpi <n>",
          "resolution of images that have more than one and a half times as much, 36 to 600",
        )
          .argParser(wholeNumberOf({ minimum: 36, maximum: 600 }))
          .default(150),
      )
      .addOption(
        new Option("-q, --quality <n>", "of images that become JPEGs, 1 to 100")
          .argParser(wholeNumberOf({ minimum: 1, maximum: 100 }))
          .default(75),
      ),
  ).action((file, { dpi, quality, ...rest }) =>
    workOnPdf(io, file, {
      ...rest,
      suffix: "-compressed",
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
