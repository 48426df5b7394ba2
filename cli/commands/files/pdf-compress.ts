import { Option } from "@commander-js/extra-typings";
import { loadCodec } from "../../files/codec.ts";
import { defineCommand, shared, wholeNumberOf } from "../../definition.ts";
import { readInput } from "../../files/input.ts";
import { besideInput } from "../../files/names.ts";
import { resultPath } from "../../files/out-folder.ts";
import { checkResult, describeFile, finishFile } from "../../files/result.ts";
import { connectChosen } from "../../server/connect.ts";
import type { Io } from "../../terminal/io.ts";
import { tryWithPassword } from "../../terminal/passwords.ts";

export function pdfCompressCommand(io: Io) {
  return defineCommand("compress", {
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
    )
    .addOption(shared.output())
    .addOption(shared.force())
    .addOption(shared.passwordFd())
    .addOption(shared.server())
    .addOption(shared.json())
    .action(async (file, { dpi, quality, output, force, json, server, passwordFd }) => {
      const path = await resultPath(io, {
        output,
        beside: besideInput(file, { suffix: "-compressed", extension: "pdf" }),
      });
      await checkResult(io, { path, force, json });
      const pdf = await readInput(io, file);
      const codec = server ? undefined : await loadCodec();
      const result = await tryWithPassword(io, {
        request: { question: `Password of ${file}`, passwordFd },
        work: async (password) => {
          const given = { dpi, quality, ...(password !== undefined && { password }) };
          if (!codec) return (await connectChosen(io)).tools.pdfCompress.mutate({ file: pdf, ...given });
          const { compressPdf } = await import("../../../tools/pdf-compress.ts");
          const { bytes: data, ...extras } = await compressPdf(pdf, { ...given, codec });
          return describeFile({ tool: "pdf-compress", type: "application/pdf", data, extras });
        },
      });
      await finishFile(io, { path, force, json, result });
    });
}
