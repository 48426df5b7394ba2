import { Option } from "@commander-js/extra-typings";
import { defineCommand, shared, wholeNumberOf } from "../../definition.ts";
import { readInput } from "../../files/input.ts";
import { besideInput } from "../../files/names.ts";
import { resultPath } from "../../files/out-folder.ts";
import { checkResult, describeFile, finishFile } from "../../files/result.ts";
import { connectChosen } from "../../server/connect.ts";
import type { Io } from "../../terminal/io.ts";
import { tryWithPassword } from "../../terminal/passwords.ts";

/** Nine digits. */
const MOST = 999_999_999;

export function pdfSplitCommand(io: Io) {
  return defineCommand("split", {
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
      new Option("--every <count>", "a file for every so many pages")
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
      new Option("--size <bytes>", "files of at most so many bytes")
        .argParser(wholeNumberOf({ minimum: 1, maximum: MOST }))
        .conflicts(["keep", "drop"]),
    )
    .addOption(new Option("--keep <pages>", "one PDF with these pages, in this order").conflicts("drop"))
    .addOption(new Option("--drop <pages>", "one PDF with all other pages"))
    .addOption(shared.output())
    .addOption(shared.force())
    .addOption(shared.passwordFd())
    .addOption(shared.server())
    .addOption(shared.json())
    .action(async (file, { every, bookmarks, size, keep, drop, output, force, json, server, passwordFd }) => {
      const asked = chooseMode({ every, bookmarks, size, keep, drop });
      const extension = keep === undefined && drop === undefined ? "zip" : "pdf";
      const path = await resultPath(io, {
        output,
        beside: besideInput(file, { suffix: "-pages", extension }),
      });
      await checkResult(io, { path, force, json });
      const pdf = await readInput(io, file);
      const result = await tryWithPassword(io, {
        request: { question: `Password of ${file}`, passwordFd },
        work: async (password) => {
          const given = { ...asked, ...(password !== undefined && { password }) };
          if (server) return (await connectChosen(io)).tools.pdfSplit.mutate({ file: pdf, ...given });
          const { splitPdf } = await import("../../../tools/pdf-split.ts");
          const { bytes: data, type, ...extras } = await splitPdf(pdf, given);
          return describeFile({ tool: "pdf-split", type, data, extras });
        },
      });
      await finishFile(io, { path, force, json, result });
    });
}

interface Wishes {
  readonly every: number | undefined;
  readonly bookmarks: true | undefined;
  readonly size: number | undefined;
  readonly keep: string | undefined;
  readonly drop: string | undefined;
}

function chooseMode({ every, bookmarks, size, keep, drop }: Wishes) {
  if (every !== undefined) return { mode: "every", count: every } as const;
  if (bookmarks) return { mode: "bookmarks" } as const;
  if (size !== undefined) return { mode: "size", bytes: size } as const;
  if (keep !== undefined) return { mode: "keep", range: keep } as const;
  return drop === undefined ? ({ mode: "each" } as const) : ({ mode: "drop", range: drop } as const);
}
