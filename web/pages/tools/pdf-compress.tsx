import "../../style/tools.css";
import {
  DEFAULT_DPI,
  DEFAULT_QUALITY,
  DPI_RANGE,
  QUALITY_RANGE,
} from "../../../tools/file/document-options.ts";
import type { CompressedPdf } from "../../../tools/pdf-compress.ts";
import { useDraft } from "../../app/paths/history.ts";
import { server } from "../../api/server.ts";
import { formatBytesApart, formatNumber } from "../../app/language/format.ts";
import { fill, words } from "../../app/language/words.ts";
import { Choices, NumberField } from "../../parts/field.tsx";
import { usePdfInput, PdfTool } from "../../pdf/pdf-tool.tsx";
import { runHere } from "../../work/run.ts";

const AIMS = {
  screen: { dpi: DEFAULT_DPI, quality: DEFAULT_QUALITY },
  print: { dpi: 300, quality: 85 },
  small: { dpi: 96, quality: 50 },
} as const;

/** Makes a PDF smaller. */
export function Page() {
  const t = words().pdf.compress;
  const input = usePdfInput();
  const aim = useDraft<keyof typeof AIMS | "own">("aim", "screen");
  const quality = useDraft("quality", String(DEFAULT_QUALITY));
  const dpi = useDraft("dpi", String(DEFAULT_DPI));
  const look =
    aim.value === "own" ? { dpi: Number(dpi.value), quality: Number(quality.value) } : AIMS[aim.value];
  const options = { ...look, password: input.password.value || undefined };
  return (
    <PdfTool
      name="compress"
      input={input}
      isReady={isWithin(look.dpi, DPI_RANGE) && isWithin(look.quality, QUALITY_RANGE)}
      options={options}
      here={(args, control) => runHere("compressPdf", args, control)}
      onServer={server.tools.pdfCompress.mutate}
      facts={factsOf}
      curl={{ query: { dpi: String(look.dpi), quality: String(look.quality) } }}
    >
      <Choices label={t.aim} value={aim} choices={t.aims} />
      {aim.value === "own" && (
        <div class="fields">
          <NumberField label={t.dpi} value={dpi} {...DPI_RANGE} />
          <NumberField label={t.quality} value={quality} {...QUALITY_RANGE} />
        </div>
      )}
    </PdfTool>
  );
}

function isWithin(value: number, { minimum, maximum }: { minimum: number; maximum: number }): boolean {
  return Number.isInteger(value) && value >= minimum && value <= maximum;
}

function factsOf({ sizeBefore, images, pages }: Omit<CompressedPdf, "bytes">, sizeBytes: number) {
  const { pdf } = words();
  const t = pdf.compress;
  const [before, after] = formatBytesApart(sizeBefore, sizeBytes);
  return {
    [t.size]: sizeBytes < sizeBefore ? fill(t.smaller, { before, after }) : t.same,
    [t.images]: formatNumber(images),
    [pdf.pages]: formatNumber(pages),
  };
}
