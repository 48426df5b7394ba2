import { useSignal } from "@preact/signals";
import type { Bytes } from "../../wire/bytes.ts";
import { server } from "../api/server.ts";
import { curlToolCommand } from "../app/curl.ts";
import { formatCount } from "../app/format.ts";
import { resultName } from "../files/file-names.ts";
import { makeFile, type MadeFile } from "../files/file-result.tsx";
import { Choices } from "../parts/field.tsx";
import { PageRange } from "../pdf/page-range.tsx";
import { usePdfInput } from "../pdf/pdf-input.ts";
import { PdfTool, withBytes } from "../pdf/pdf-tool.tsx";
import { runHere } from "../work/run.ts";

const ANGLES = { "90": "Right", "180": "Upside down", "-90": "Left" } as const;
const DEGREES = { "90": 90, "180": 180, "-90": -90 } as const;

/** Turns pages of a PDF. */
export function Page() {
  const input = usePdfInput();
  const angle = useSignal<keyof typeof ANGLES>("90");
  const range = useSignal("");
  const options = {
    angle: DEGREES[angle.value],
    range: range.value.trim() || undefined,
    password: input.password.value || undefined,
  };
  return (
    <PdfTool
      input={input}
      title="Rotate a PDF"
      lead="Turn all pages, or only some. The content of the pages stays as it is."
      action="Turn pages"
      doing="Turning pages"
      options={options}
      here={(file, control) => runHere("rotatePdf", { args: [file, options], control })}
      onServer={async (file, signal) =>
        withBytes(await server.tools.pdfRotate.mutate({ file, ...options }, { signal }))
      }
      present={present}
      curl={(fileName) =>
        curlToolCommand({
          tool: "pdf-rotate",
          fileName,
          query: { angle: angle.value, range: options.range },
          hasPassword: options.password !== undefined,
          output: "rotated.pdf",
        })
      }
    >
      <Choices label="Turn" value={angle} choices={ANGLES} />
      <PageRange input={input} range={range} label="Pages to turn" empty="All pages" />
    </PdfTool>
  );
}

interface RotatedPdf {
  readonly bytes: Bytes;
  readonly pages: number;
  readonly rotated: number;
  readonly warnings: readonly string[];
}

function present(file: File, { bytes, pages, rotated, warnings }: RotatedPdf): MadeFile {
  const name = resultName(file, { suffix: "-rotated", extension: "pdf" });
  return {
    file: makeFile(bytes, { name, type: "application/pdf" }),
    facts: { Turned: `${rotated} of ${formatCount(pages, "page")}` },
    warnings,
  };
}
