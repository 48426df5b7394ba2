import "../../style/tools.css";
import { useDraft } from "../../app/paths/history.ts";
import { server } from "../../api/server.ts";
import { fill, formatCount, words } from "../../app/language/words.ts";
import { Choices } from "../../parts/field.tsx";
import { findWithoutPages } from "../../pdf/pdf-facts.ts";
import { PageRangeField, PageStage } from "../../pdf/page-range.tsx";
import { usePdfInput, PdfTool } from "../../pdf/pdf-tool.tsx";
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
      name="rotate"
      input={input}
      options={options}
      here={(args, control) => runHere("rotatePdf", args, control)}
      onServer={server.tools.pdfRotate.mutate}
      findMisfits={async (files) =>
        files.length > 1 && range.value.trim() !== ""
          ? findWithoutPages(files, { range: range.value, password: input.password.value })
          : []
      }
      facts={factsOf}
      curl={{ query: { angle: angle.value, range: options.range } }}
      stage={<PageStage input={input} range={range} degrees={options.angle} />}
    >
      <Choices label={t.angle} value={angle} choices={t.angles} />
      <PageRangeField input={input} range={range} label={t.range} empty={words().range.all} />
    </PdfTool>
  );
}

function factsOf({ pages, rotated }: { pages: number; rotated: number }) {
  const t = words().pdf.rotate;
  return { [t.rotated]: fill(t.rotatedOf, { rotated, pages: formatCount(pages, words().common.pages) }) };
}
