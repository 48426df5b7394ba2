import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { defineCommand, suggest } from "../../definition.ts";
import type { Io } from "../../terminal/io.ts";
import { withPdfOptions, workOnPdf } from "./pdf-tool.ts";

const ANGLES = [90, 180, 270, -90] as const;

export function pdfRotateCommand(io: Io) {
  return withPdfOptions(
    defineCommand("rotate", {
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
      .addOption(
        new Option("--range <pages>", "pages to turn, such as 1-3,7,end-2; all where it is missing"),
      ),
  ).action((file, { angle, range, ...rest }) =>
    workOnPdf(io, file, {
      ...rest,
      suffix: "-rotated",
      tool: "pdf-rotate",
      options: (password) => ({ angle, range, password }),
      here: async (pdf, options) => (await import("../../../tools/pdf-rotate.ts")).rotatePdf(pdf, options),
      there: (tools, input) => tools.pdfRotate.mutate(input),
    }),
  );
}

function readAngle(text: string): (typeof ANGLES)[number] {
  const angle = ANGLES.find((each) => String(each) === text);
  if (angle !== undefined) return angle;
  throw new InvalidArgumentError(`It is one of ${ANGLES.join(", ")}.`);
}
