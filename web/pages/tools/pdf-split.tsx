import "../../style/tools.css";
import type { SplitMode } from "../../../tools/pdf-split.ts";
import { useDraft } from "../../app/draft.ts";
import { server } from "../../api/server.ts";
import { formatNumber } from "../../app/language/format.ts";
import { fill, formatCount, words } from "../../app/language/words.ts";
import { Choices, NumberField } from "../../parts/field.tsx";
import { PageRangeField } from "../../pdf/page-range.tsx";
import { usePdfInput } from "../../pdf/pdf-input.ts";
import { PdfTool } from "../../pdf/pdf-tool.tsx";
import { runHere } from "../../work/run.ts";

/** What people think sizes of files in. */
const MEGABYTE = 1_000_000;

/** Takes a PDF apart. */
export function Page() {
  const t = words().pdf.split;
  const input = usePdfInput();
  const mode = useDraft<SplitMode>("mode", "keep");
  const range = useDraft("range", "");
  const count = useDraft("count", "2");
  const megabytes = useDraft("megabytes", "10");
  const hasRange = mode.value === "keep" || mode.value === "drop";
  const options = {
    mode: mode.value,
    range: (hasRange && range.value.trim()) || undefined,
    count: mode.value === "every" ? Number(count.value) : undefined,
    bytes: mode.value === "size" ? Math.floor(Number(megabytes.value) * MEGABYTE) : undefined,
    password: input.password.value || undefined,
  };
  const isReady = hasRange ? options.range !== undefined : options.count !== 0 && options.bytes !== 0;
  return (
    <PdfTool
      name="split"
      input={input}
      result="pages"
      isSingle
      isReady={isReady}
      options={options}
      here={(args, control) => runHere("splitPdf", { args, control })}
      onServer={server.tools.pdfSplit.mutate}
      facts={factsOf}
      curl={{
        query: {
          mode: options.mode,
          range: options.range,
          count: options.count?.toString(),
          bytes: options.bytes?.toString(),
        },
        output: hasRange ? "pages.pdf" : "pages.zip",
      }}
    >
      <Choices label={t.mode} value={mode} choices={t.modes} />
      {mode.value === "every" && <NumberField label={t.count} value={count} minimum={1} />}
      {mode.value === "size" && <NumberField label={t.megabytes} value={megabytes} minimum={1} />}
      {hasRange && (
        <PageRangeField
          input={input}
          range={range}
          label={mode.value === "keep" ? t.keep : t.drop}
          isOrdered={mode.value === "keep"}
        />
      )}
    </PdfTool>
  );
}

function factsOf({
  pages,
  parts,
  kept,
}: {
  pages: number;
  parts?: number | undefined;
  kept?: number | undefined;
}) {
  const { common, pdf } = words();
  const t = pdf.split;
  return parts === undefined
    ? { [t.kept]: fill(t.keptOf, { kept: kept ?? pages, pages: formatCount(pages, common.pages) }) }
    : { [t.files]: formatNumber(parts) };
}
