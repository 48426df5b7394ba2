import { useSignal } from "@preact/signals";
import type { Bytes } from "../../../wire/bytes.ts";
import type { ToolWarning } from "../../../wire/tool-warning.ts";
import { callOptions, server } from "../../api/server.ts";
import { curlToolCommand } from "../../app/curl.ts";
import { formatNumber } from "../../app/language/format.ts";
import { fill, formatCount, words } from "../../app/language/words.ts";
import { resultName } from "../../files/file-names.ts";
import { makeFile, type MadeFile } from "../../files/file-result.tsx";
import { Choices } from "../../parts/field.tsx";
import { PageRange } from "../../pdf/page-range.tsx";
import { usePdfInput } from "../../pdf/pdf-input.ts";
import { PdfTool, withBytes } from "../../pdf/pdf-tool.tsx";
import { runHere } from "../../work/run.ts";

/** Takes a PDF apart. */
export function Page() {
  const t = words().pdf.split;
  const input = usePdfInput();
  const mode = useSignal<"each" | "keep" | "drop">("keep");
  const range = useSignal("");
  const hasRange = mode.value !== "each";
  const options = {
    mode: mode.value,
    range: (hasRange && range.value.trim()) || undefined,
    password: input.password.value || undefined,
  };
  return (
    <PdfTool
      input={input}
      title={words().pages["pdf-split"].title}
      lead={t.lead}
      action={t.submit}
      doing={t.busy}
      isReady={!hasRange || options.range !== undefined}
      options={options}
      here={(file, control) => runHere("splitPdf", { args: [file, options], control })}
      onServer={async (file, control) =>
        withBytes(await server.tools.pdfSplit.mutate({ file, ...options }, callOptions(control)))
      }
      present={present}
      curl={(fileName) =>
        curlToolCommand({
          tool: "pdf-split",
          fileName,
          query: { mode: options.mode, range: options.range },
          hasPassword: options.password !== undefined,
          output: hasRange ? "pages.pdf" : "pages.zip",
        })
      }
    >
      <Choices label={t.mode} value={mode} choices={t.modes} />
      {hasRange && (
        <PageRange
          input={input}
          range={range}
          label={mode.value === "keep" ? t.keep : t.drop}
          isOrdered={mode.value === "keep"}
        />
      )}
    </PdfTool>
  );
}

function present(
  file: File,
  {
    bytes,
    type,
    pages,
    parts,
    kept,
    warnings,
  }: {
    bytes: Bytes;
    type: string;
    pages: number;
    parts?: number | undefined;
    kept?: number | undefined;
    warnings: readonly ToolWarning[];
  },
): MadeFile {
  const { common, pdf } = words();
  const t = pdf.split;
  const extension = type === "application/zip" ? "zip" : "pdf";
  const name = resultName(file, { suffix: "-pages", extension });
  const facts =
    parts === undefined
      ? { [t.kept]: fill(t.keptOf, { kept: kept ?? pages, pages: formatCount(pages, common.pages) }) }
      : { [t.files]: formatNumber(parts) };
  return { file: makeFile(bytes, { name, type }), facts, warnings };
}
