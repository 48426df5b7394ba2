import { defineCommand } from "../../definition.ts";
import type { Io } from "../../terminal/io.ts";
import { withPdfOptions, workOnPdf } from "./pdf-tool.ts";

export function pdfUnlockCommand(io: Io) {
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
      suffix: "-unlocked",
      tool: "pdf-unlock",
      options: (password) => ({ password }),
      here: async (pdf, options) => (await import("../../../tools/pdf-unlock.ts")).unlockPdf(pdf, options),
      there: (tools, input) => tools.pdfUnlock.mutate(input),
    }),
  );
}
