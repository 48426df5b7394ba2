import "../../style/tools.css";
import { DEFAULT_DPI, DEFAULT_QUALITY, DPI_RANGE, QUALITY_RANGE } from "../../../tools/compress-options.ts";
import type { CompressedPdf } from "../../../tools/pdf-compress.ts";
import { useDraft } from "../../app/draft.ts";
import { callOptions, server } from "../../api/server.ts";
import { curlToolCommand } from "../../app/curl.ts";
import { formatBytesApart, formatNumber } from "../../app/language/format.ts";
import { fill, words } from "../../app/language/words.ts";
import { resultName } from "../../files/file-names.ts";
import { makeFile, type MadeFile } from "../../files/file-result.tsx";
import { Choices, NumberField } from "../../parts/field.tsx";
import { usePdfInput } from "../../pdf/pdf-input.ts";
import { PdfTool, withData } from "../../pdf/pdf-tool.tsx";
import { runHere } from "../../work/run.ts";

const AIMS = {
  screen: { dpi: DEFAULT_DPI, quality: DEFAULT_QUALITY },
  print: { dpi: 300, quality: 85 },
  small: { dpi: 96, quality: 50 },
} as const;

type Aim = keyof typeof AIMS | "own";

/** Makes a PDF smaller. */
export function Page() {
  const t = words().pdf.compress;
  const input = usePdfInput();
  const aim = useDraft<Aim>("aim", "screen");
  const quality = useDraft("quality", String(DEFAULT_QUALITY));
  const dpi = useDraft("dpi", String(DEFAULT_DPI));
  const look =
    aim.value === "own" ? { dpi: Number(dpi.value), quality: Number(quality.value) } : AIMS[aim.value];
  const options = { ...look, password: input.password.value || undefined };
  return (
    <PdfTool
      input={input}
      zip="compressed.zip"
      title={words().pages["pdf-compress"].title}
      lead={t.lead}
      action={t.submit}
      doing={t.busy}
      isReady={isWithin(look.dpi, DPI_RANGE) && isWithin(look.quality, QUALITY_RANGE)}
      options={options}
      here={(file, control) => runHere("compressPdf", { args: [file, options], control })}
      onServer={async (file, control) =>
        withData(await server.tools.pdfCompress.mutate({ file, ...options }, callOptions(control)))
      }
      present={present}
      curl={(fileName) =>
        curlToolCommand({
          tool: "pdf-compress",
          fileName,
          query: { dpi: String(look.dpi), quality: String(look.quality) },
          hasPassword: options.password !== undefined,
          output: "compressed.pdf",
        })
      }
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

function present(file: File, { bytes, sizeBefore, images, pages, warnings }: CompressedPdf): MadeFile {
  const { pdf } = words();
  const t = pdf.compress;
  const [before, after] = formatBytesApart(sizeBefore, bytes.length);
  return {
    file: makeFile(bytes, {
      name: resultName(file, { suffix: "-compressed", extension: "pdf" }),
      type: "application/pdf",
    }),
    facts: {
      [t.size]: bytes.length < sizeBefore ? fill(t.smaller, { before, after }) : t.same,
      [t.images]: formatNumber(images),
      [pdf.pages]: formatNumber(pages),
    },
    warnings,
  };
}
