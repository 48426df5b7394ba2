import { useSignal } from "@preact/signals";
import { Choices } from "../parts/field.tsx";
import { FileTool, useFileJob } from "../parts/file-tool.tsx";
import { makeFile, type MadeFile } from "../parts/file-result.tsx";
import { PageRange } from "../parts/page-range.tsx";
import { PdfPassword } from "../parts/pdf-password.tsx";
import { nameBeside } from "../names.ts";
import { sayCount } from "../say.ts";
import { bytesOf, server } from "../server.ts";
import { toolLine } from "../shell-line.ts";
import { PageHead } from "../shell.tsx";
import { runHere, type Control } from "../work/run.ts";

const MODES = { each: "One file per page", keep: "Keep some pages", drop: "Drop some pages" } as const;

/** Takes a PDF apart. */
export function PdfSplitPage() {
  const file = useSignal<File | undefined>(undefined);
  const mode = useSignal<keyof typeof MODES>("keep");
  const range = useSignal("");
  const password = useSignal("");
  const job = useFileJob();
  const hasRange = mode.value !== "each";
  const options = () => ({
    mode: mode.value,
    ...(hasRange ? { range: range.value } : {}),
    ...(password.value ? { password: password.value } : {}),
  });
  async function here(chosen: File, control: Control): Promise<MadeFile> {
    return present(chosen, await runHere("pdf-split", { args: [chosen, options()], control }));
  }
  async function onServer(chosen: File, { signal }: Control): Promise<MadeFile> {
    const input = { file: await bytesOf(chosen), ...options() };
    const made = await server.tools.pdfSplit.mutate(input, { signal });
    return present(chosen, { ...made, bytes: made.data });
  }
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
        here={here}
        onServer={onServer}
        curl={({ name }) =>
          toolLine({
            tool: "pdf-split",
            fileName: name,
            query: { mode: mode.value, ...(hasRange ? { range: range.value.trim() } : {}) },
            hasPassword: password.value !== "",
            output: hasRange ? "pages.pdf" : "pages.zip",
          })
        }
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

interface Parts {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly pages: number;
  readonly parts?: number | undefined;
  readonly kept?: number | undefined;
  readonly warnings: readonly string[];
}

function present(file: File, { bytes, type, pages, parts, kept, warnings }: Parts): MadeFile {
  const extension = type === "application/zip" ? "zip" : "pdf";
  const name = nameBeside(file, { suffix: "-pages", extension });
  const facts =
    parts === undefined
      ? { Kept: `${kept ?? pages} of ${sayCount(pages, "page")}` }
      : { Files: sayCount(parts, "file") };
  return { file: makeFile(bytes, { name, type }), facts, warnings };
}
