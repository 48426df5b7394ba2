import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { defineCommand, shared, suggest } from "../../definition.ts";
import { readInput } from "../../files/input.ts";
import { besideInput } from "../../files/names.ts";
import { resultPath } from "../../files/out-folder.ts";
import { checkResult, describeFile, finishFile } from "../../files/result.ts";
import { connectChosen } from "../../server/connect.ts";
import type { Io } from "../../terminal/io.ts";
import { tryWithPassword } from "../../terminal/passwords.ts";

const ANGLES = [90, 180, 270, -90] as const;

export function pdfRotateCommand(io: Io) {
  return defineCommand("rotate", {
    summary: "Turn pages of a PDF clockwise",
    description: "Without -o the result is called after the file, with -rotated.",
    examples: [
      "hushkit pdf rotate scan.pdf",
      "hushkit pdf rotate scan.pdf --angle -90 --range 2-end -o turned.pdf",
    ],
  })
    .argument("<file>", "the PDF")
    .addOption(
      suggest(
        new Option("--angle <degrees>", "90, 180, 270 or -90 degrees clockwise")
          .argParser(readAngle)
          .default(ANGLES[0]),
        ANGLES.map(String),
      ),
    )
    .addOption(new Option("--range <pages>", "pages to turn, such as 1-3,7,end-2; all where it is missing"))
    .addOption(shared.output())
    .addOption(shared.force())
    .addOption(shared.passwordFd())
    .addOption(shared.server())
    .addOption(shared.json())
    .action(async (file, { angle, range, output, force, json, server, passwordFd }) => {
      const path = await resultPath(io, {
        output,
        beside: besideInput(file, { suffix: "-rotated", extension: "pdf" }),
      });
      await checkResult(io, { path, force, json });
      const pdf = await readInput(io, file);
      const options = { angle, ...(range !== undefined && { range }) };
      const result = await tryWithPassword(io, {
        request: { question: `Password of ${file}`, passwordFd },
        work: async (password) => {
          const given = { ...options, ...(password !== undefined && { password }) };
          if (server) return (await connectChosen(io)).tools.pdfRotate.mutate({ file: pdf, ...given });
          const { rotatePdf } = await import("../../../tools/pdf-rotate.ts");
          const { bytes: data, ...extras } = await rotatePdf(pdf, given);
          return describeFile({ tool: "pdf-rotate", type: "application/pdf", data, extras });
        },
      });
      await finishFile(io, { path, force, json, result });
    });
}

function readAngle(text: string): (typeof ANGLES)[number] {
  const angle = ANGLES.find((each) => String(each) === text);
  if (angle !== undefined) return angle;
  throw new InvalidArgumentError(`It is one of ${ANGLES.join(", ")}.`);
}
