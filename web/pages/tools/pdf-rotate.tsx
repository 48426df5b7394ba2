import "../../style/tools.css";
import type { Bytes } from "../../../wire/bytes.ts";
import type { ToolWarning } from "../../../wire/tool-warning.ts";
import { useDraft } from "../../app/draft.ts";
import { callOptions, server } from "../../api/server.ts";
import { curlToolCommand } from "../../app/curl.ts";
import { fill, formatCount, words } from "../../app/language/words.ts";
import { resultName } from "../../files/file-names.ts";
import { makeFile, type MadeFile } from "../../files/file-result.tsx";
import { Choices } from "../../parts/field.tsx";
import { PageRangeField } from "../../pdf/page-range.tsx";
import { usePdfInput } from "../../pdf/pdf-input.ts";
import { PdfTool, withData } from "../../pdf/pdf-tool.tsx";
import { runHere } from "../../work/run.ts";

const DEGREES = { "90": 90, "180": 180, "-90": -90 } as const;

/** Turns pages of a PDF. */
export function Page() {
  const t = words().pdf.rotate;
  const input = usePdfInput();
  const angle = useDraft<keyof typeof DEGREES>("angle", "90");
  const range = useDraft("range", "");
  const options = {
    angle: DEGREES[angle.value],
    range: range.value.trim() || undefined,
    password: input.password.value || undefined,
  };
  return (
    <PdfTool
      input={input}
      zip="rotated.zip"
      title={words().pages["pdf-rotate"].title}
      lead={t.lead}
      action={t.submit}
      doing={t.busy}
      options={options}
      here={(file, control) => runHere("rotatePdf", { args: [file, options], control })}
      onServer={async (file, control) =>
        withData(await server.tools.pdfRotate.mutate({ file, ...options }, callOptions(control)))
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
      <Choices label={t.angle} value={angle} choices={t.angles} />
      <PageRangeField
        input={input}
        range={range}
        label={t.range}
        empty={words().range.all}
        degrees={options.angle}
      />
    </PdfTool>
  );
}

function present(
  file: File,
  {
    bytes,
    pages,
    rotated,
    warnings,
  }: { bytes: Bytes; pages: number; rotated: number; warnings: readonly ToolWarning[] },
): MadeFile {
  const t = words().pdf.rotate;
  const name = resultName(file, { suffix: "-rotated", extension: "pdf" });
  return {
    file: makeFile(bytes, { name, type: "application/pdf" }),
    facts: { [t.rotated]: fill(t.rotatedOf, { rotated, pages: formatCount(pages, words().common.pages) }) },
    warnings,
  };
}
