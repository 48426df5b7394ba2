import { defineCommand, shared } from "../../definition.ts";
import { readInput } from "../../files/input.ts";
import { besideInput } from "../../files/names.ts";
import { resultPath } from "../../files/out-folder.ts";
import { checkResult, describeFile, finishFile } from "../../files/result.ts";
import { connectChosen } from "../../server/connect.ts";
import type { Io } from "../../terminal/io.ts";
import { tryWithPassword } from "../../terminal/passwords.ts";

export function pdfUnlockCommand(io: Io) {
  return defineCommand("unlock", {
    summary: "Remove the password and the restrictions of a PDF",
    description:
      "Tries without a password first; many documents only forbid printing or copying. Without -o the result is " +
      "called after the file, with -unlocked.",
    examples: [
      "hushkit pdf unlock statement.pdf",
      "hushkit pdf unlock statement.pdf --password-fd 3 3< password.txt",
    ],
  })
    .argument("<file>", "the PDF")
    .addOption(shared.output())
    .addOption(shared.force())
    .addOption(shared.passwordFd())
    .addOption(shared.server())
    .addOption(shared.json())
    .action(async (file, { output, force, json, server, passwordFd }) => {
      const path = await resultPath(io, {
        output,
        beside: besideInput(file, { suffix: "-unlocked", extension: "pdf" }),
      });
      await checkResult(io, { path, force, json });
      const pdf = await readInput(io, file);
      const result = await tryWithPassword(io, {
        request: { question: `Password of ${file}`, passwordFd },
        work: async (password) => {
          const given = password === undefined ? {} : { password };
          if (server) return (await connectChosen(io)).tools.pdfUnlock.mutate({ file: pdf, ...given });
          const { unlockPdf } = await import("../../../tools/pdf-unlock.ts");
          const { bytes: data, ...extras } = await unlockPdf(pdf, given);
          return describeFile({ tool: "pdf-unlock", type: "application/pdf", data, extras });
        },
      });
      await finishFile(io, { path, force, json, result });
    });
}
