import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import type { Remove } from "../../../tools/clean-kinds.ts";
import { defineCommand, shared, suggest } from "../../definition.ts";
import { readInput } from "../../files/input.ts";
import { besideInput } from "../../files/names.ts";
import { resultPath } from "../../files/out-folder.ts";
import { checkResult, describeFile, finishFile } from "../../files/result.ts";
import { connectChosen } from "../../server/connect.ts";
import type { Io } from "../../terminal/io.ts";
import { tryWithPassword } from "../../terminal/passwords.ts";

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
  return defineCommand("clean", {
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
        ).argParser(readKinds),
        REMOVE,
      ),
    )
    .addOption(
      new Option("--linearize", "lay it out so that its first page is shown before the rest has come"),
    )
    .addOption(shared.output())
    .addOption(shared.force())
    .addOption(shared.passwordFd())
    .addOption(shared.server())
    .addOption(shared.json())
    .action(async (file, { remove, linearize, output, force, json, server, passwordFd }) => {
      const path = await resultPath(io, {
        output,
        beside: besideInput(file, { suffix: "-cleaned", extension: "pdf" }),
      });
      await checkResult(io, { path, force, json });
      const pdf = await readInput(io, file);
      const result = await tryWithPassword(io, {
        request: { question: `Password of ${file}`, passwordFd },
        work: async (password) => {
          const given = {
            ...(remove && { remove }),
            ...(linearize && { linearize }),
            ...(password !== undefined && { password }),
          };
          if (server) return (await connectChosen(io)).tools.pdfClean.mutate({ file: pdf, ...given });
          const { cleanPdf } = await import("../../../tools/pdf-clean.ts");
          const { bytes: data, ...extras } = await cleanPdf(pdf, given);
          return describeFile({ tool: "pdf-clean", type: "application/pdf", data, extras });
        },
      });
      await finishFile(io, { path, force, json, result });
    });
}

function readKinds(text: string): Remove[] {
  const names = text.split(",").map((name) => name.trim());
  const kinds = REMOVE.filter((each) => names.includes(each));
  if (names.every((name) => REMOVE.some((each) => each === name))) return kinds;
  throw new InvalidArgumentError(`It is a list of ${REMOVE.slice(0, -1).join(", ")}, or none.`);
}
