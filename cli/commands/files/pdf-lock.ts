import { Option } from "@commander-js/extra-typings";
import type { AllowOption } from "../../../tools/file/document-options.ts";
import { defineCommand, listOf, readFdNumber, shared, suggest } from "../../definition.ts";
import { readInput } from "../../files/input.ts";
import type { Io } from "../../terminal/io.ts";
import { readPassword, tryWithPassword } from "../../terminal/passwords.ts";
import { makeBeside, runTool } from "./pdf-tool.ts";

const ALLOWED = [
  "print",
  "copy",
  "edit",
  "annotate",
  "fill",
  "assemble",
  "none",
] as const satisfies AllowOption[];

export function pdfLockCommand(io: Io) {
  return defineCommand("lock", {
    summary: "Encrypt a PDF with a password",
    description:
      "With AES-256, which readers of the last ten years open. Readers that follow the standard enforce --allow for " +
      "anyone who opens the document with the password. The owner's password lifts these limits; without " +
      "--owner-password-fd it is random and nobody knows it. The password of a document that is locked already is " +
      "asked for. Without -o the result is called after the file, with -locked.",
    examples: [
      "hushkit pdf lock contract.pdf",
      "hushkit pdf lock contract.pdf --allow print,copy --password-fd 3 3< password.txt",
      "hushkit pdf lock contract.pdf --allow none --owner-password-fd 3 3< owner.txt",
    ],
  })
    .argument("<file>", "the PDF")
    .addOption(
      suggest(
        new Option(
          "--allow <rights>",
          `with commas between: ${ALLOWED.join(", ")}; without it all are allowed`,
        ).argParser(listOf(ALLOWED)),
        ALLOWED,
      ),
    )
    .addOption(shared.output())
    .addOption(shared.force())
    .addOption(shared.passwordFd())
    .addOption(fdOption("--owner-password-fd <n>", "the owner's password"))
    .addOption(fdOption("--open-with-fd <n>", "the password that the document has now"))
    .addOption(shared.server())
    .addOption(shared.json())
    .action((file, { allow, server, passwordFd, ownerPasswordFd, openWithFd, ...rest }) => {
      const make = async () => {
        const pdf = await readInput(io, file);
        const own = {
          password: await readPassword(io, { question: `New password of ${file}`, passwordFd, isNew: true }),
          allow,
          ownerPassword:
            ownerPasswordFd === undefined
              ? undefined
              : await readPassword(io, { ...OWNER, passwordFd: ownerPasswordFd }),
        };
        const question = `Current password of ${file}`;
        return tryWithPassword(
          io,
          { question, passwordFd: openWithFd, option: "--open-with-fd" },
          (openWith) => {
            const options = { ...own, openWith };
            return runTool(io, {
              tool: "pdf-lock",
              server,
              here: async () => (await import("../../../tools/pdf-lock.ts")).lockPdf(pdf, options),
              there: (tools) => tools.pdfLock.mutate({ file: pdf, ...options }),
            });
          },
        );
      };
      return makeBeside(io, file, { ...rest, tool: "pdf-lock", make });
    });
}

const OWNER = { question: "Owner's password", option: "--owner-password-fd" } as const;

function fdOption<Flags extends string>(flags: Flags, what: string) {
  return new Option(flags, `read ${what} from this file descriptor`).argParser(readFdNumber);
}
