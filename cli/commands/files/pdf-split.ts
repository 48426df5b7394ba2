import { Option } from "@commander-js/extra-typings";
import { defineCommand, shared } from "../../definition.ts";
import { readInput } from "../../files/input.ts";
import { besideInput } from "../../files/names.ts";
import { checkResult, describeFile, finishFile } from "../../files/result.ts";
import { connectChosen } from "../../server/connect.ts";
import type { Io } from "../../terminal/io.ts";
import { tryWithPassword } from "../../terminal/passwords.ts";

export function pdfSplitCommand(io: Io) {
  return defineCommand("split", {
    summary: "Take a PDF apart: every page in a ZIP, or some pages as one PDF",
    description: "Without -o the result is called after the file, with -pages.",
    examples: ["hushkit pdf split report.pdf", "hushkit pdf split report.pdf --keep 1-3,end -o short.pdf"],
  })
    .argument("<file>", "the PDF")
    .addOption(new Option("--keep <pages>", "one PDF with these pages, in this order").conflicts("drop"))
    .addOption(new Option("--drop <pages>", "one PDF with all other pages"))
    .addOption(shared.output())
    .addOption(shared.force())
    .addOption(shared.passwordFd())
    .addOption(shared.server())
    .addOption(shared.json())
    .action(async (file, { keep, drop, output, force, json, server, passwordFd }) => {
      const mode = keep !== undefined ? "keep" : drop !== undefined ? "drop" : "each";
      const extension = mode === "each" ? "zip" : "pdf";
      const path = output ?? besideInput(file, { suffix: "-pages", extension });
      await checkResult(io, { path, force, json });
      const pdf = await readInput(io, file);
      const range = keep ?? drop;
      const options = { mode, ...(range !== undefined && { range }) } as const;
      const result = await tryWithPassword(io, {
        request: { question: `Password of ${file}`, passwordFd },
        work: async (password) => {
          const given = { ...options, ...(password !== undefined && { password }) };
          if (server) return (await connectChosen(io)).tools.pdfSplit.mutate({ file: pdf, ...given });
          const { splitPdf } = await import("../../../tools/pdf-split.ts");
          const { bytes: data, type, ...extras } = await splitPdf(pdf, given);
          return describeFile({ tool: "pdf-split", type, data, extras });
        },
      });
      await finishFile(io, { path, force, json, result });
    });
}
