import { useSignal } from "@preact/signals";
import { Choices } from "../parts/field.tsx";
import { FileTool, useFileJob, type Work } from "../files/file-tool.tsx";
import { makeFile, type MadeFile } from "../files/file-result.tsx";
import { PageRange } from "../pdf/page-range.tsx";
import { PdfPassword } from "../pdf/pdf-password.tsx";
import { resultName } from "../files/file-names.ts";
import { formatCount } from "../app/format.ts";
import { bytesOf, server } from "../api/server.ts";
import { curlToolCommand } from "../app/curl.ts";
import { PageHead } from "../app/shell.tsx";
import { runHere } from "../work/run.ts";

const MODES = { each: "One file per page", keep: "Keep some pages", drop: "Drop some pages" } as const;

/** Takes a PDF apart. */
export function Page() {
  const file = useSignal<File | undefined>(undefined);
  const mode = useSignal<keyof typeof MODES>("keep");
  const range = useSignal("");
  const password = useSignal("");
  const job = useFileJob();
  const hasRange = mode.value !== "each";
  const options = (): Options => ({
    mode: mode.value,
    ...(hasRange ? { range: range.value } : {}),
    ...(password.value ? { password: password.value } : {}),
  });
  return (
    <section class="page">
      <PageHead title="Split a PDF">
        Nothing of a page you leave out stays in the result, not even hidden.
      </PageHead>
      <FileTool
        what="a PDF"
        accept="application/pdf,.pdf"
        file={file}
        job={job}
        action="Split"
        doing="Taking pages apart"
        isReady={!hasRange || range.value.trim() !== ""}
        here={splitHere(options())}
        onServer={splitOnServer(options())}
        curl={({ name }) => splitLine(name, options())}
      >
        <Choices label="How" value={mode} choices={MODES} />
        {hasRange && file.value && (
          <PageRange
            file={file.value}
            range={range}
            password={password.value}
            label={mode.value === "keep" ? "Pages to keep" : "Pages to drop"}
          />
        )}
        <PdfPassword password={password} job={job} />
      </FileTool>
    </section>
  );
}

interface Options {
  readonly mode: keyof typeof MODES;
  readonly range?: string;
  readonly password?: string;
}

function splitHere(options: Options): Work {
  return async (file, control) =>
    present(file, await runHere("pdf-split", { args: [file, options], control }));
}

function splitOnServer(options: Options): Work {
  return async (file, { signal }) => {
    const input = { file: await bytesOf(file), ...options };
    const made = await server.tools.pdfSplit.mutate(input, { signal });
    return present(file, { ...made, bytes: made.data });
  };
}

function splitLine(fileName: string, { mode, range, password }: Options): string {
  const output = mode === "each" ? "pages.zip" : "pages.pdf";
  const query = { mode, range: range?.trim() };
  return curlToolCommand({ tool: "pdf-split", fileName, query, hasPassword: password !== undefined, output });
}

interface SplitPdf {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly pages: number;
  readonly parts?: number | undefined;
  readonly kept?: number | undefined;
  readonly warnings: readonly string[];
}

function present(file: File, { bytes, type, pages, parts, kept, warnings }: SplitPdf): MadeFile {
  const extension = type === "application/zip" ? "zip" : "pdf";
  const name = resultName(file, { suffix: "-pages", extension });
  const facts =
    parts === undefined
      ? { Kept: `${kept ?? pages} of ${formatCount(pages, "page")}` }
      : { Files: formatCount(parts, "file") };
  return { file: makeFile(bytes, { name, type }), facts, warnings };
}
