import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import type { Allowed } from "../../../tools/document-rights.ts";
import type { LockPdfOptions } from "../../../tools/pdf-lock.ts";
import { defineCommand, readFdNumber, shared, suggest } from "../../definition.ts";
import { readInput } from "../../files/input.ts";
import { besideInput } from "../../files/names.ts";
import { resultPath } from "../../files/out-folder.ts";
import { checkResult, describeFile, finishFile } from "../../files/result.ts";
import { connectChosen } from "../../server/connect.ts";
import type { Io } from "../../terminal/io.ts";
import { readPassword, tryWithPassword } from "../../terminal/passwords.ts";

const ALLOWED = [
  "print",
  "copy",
  "edit",
  "annotate",
  "fill",
  "assemble",
  "none",
] as const satisfies Allowed[];

export function pdfLockCommand(io: Io) {
  return defineCommand("lock", {
    summary: "Encrypt a PDF with a password",
    description:
      "With AES-256, as every reader of PDFs of the last ten years opens it. What is not allowed, readers that respect the " +
      "standard refuse to whoever opens the document; with the owner's password everything is allowed, and without " +
      "--owner-password-fd nobody knows it. The password of a document that is locked already is asked for. " +
      "Without -o the result is called after the file, with -locked.",
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
          `of ${ALLOWED.join(", ")}, separated by commas; all where it is missing`,
        ).argParser(readAllowed),
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
    .action(async (file, { allow, output, force, json, server, passwordFd, ownerPasswordFd, openWithFd }) => {
      const path = await resultPath(io, {
        output,
        beside: besideInput(file, { suffix: "-locked", extension: "pdf" }),
      });
      await checkResult(io, { path, force, json });
      const pdf = await readInput(io, file);
      const options = {
        password: await readPassword(io, { question: `New password of ${file}`, passwordFd, isNew: true }),
        ...(allow && { allow }),
        ...(ownerPasswordFd !== undefined && { ownerPassword: await readOwner(io, ownerPasswordFd) }),
      } satisfies LockPdfOptions;
      const option = "--open-with-fd";
      const result = await tryWithPassword(io, {
        request: { question: `Present password of ${file}`, passwordFd: openWithFd, option },
        work: async (openWith) => {
          const given = { ...options, ...(openWith !== undefined && { openWith }) };
          if (server) return (await connectChosen(io)).tools.pdfLock.mutate({ file: pdf, ...given });
          const { lockPdf } = await import("../../../tools/pdf-lock.ts");
          const { bytes: data, ...extras } = await lockPdf(pdf, given);
          return describeFile({ tool: "pdf-lock", type: "application/pdf", data, extras });
        },
      });
      await finishFile(io, { path, force, json, result });
    });
}

function fdOption<Flags extends string>(flags: Flags, what: string) {
  return new Option(flags, `read ${what} from this file descriptor`).argParser(readFdNumber);
}

function readOwner(io: Io, passwordFd: number): Promise<string> {
  return readPassword(io, { question: "Owner's password", passwordFd, option: "--owner-password-fd" });
}

function readAllowed(text: string): Allowed[] {
  const names = text.split(",").map((name) => name.trim());
  const allowed = ALLOWED.filter((each) => names.includes(each));
  if (names.every((name) => ALLOWED.some((each) => each === name))) return allowed;
  throw new InvalidArgumentError(`It is a list of ${ALLOWED.slice(0, -1).join(", ")}, or none.`);
}
