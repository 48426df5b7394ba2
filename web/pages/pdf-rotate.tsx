import { useSignal } from "@preact/signals";
import type { RotateOptions } from "../../tools/pdf-rotate.ts";
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

const ANGLES = { "90": "Right", "180": "Upside down", "-90": "Left" } as const;
const DEGREES = { "90": 90, "180": 180, "-90": -90 } as const;

/** Turns pages of a PDF. */
export function Page() {
  const file = useSignal<File | undefined>(undefined);
  const angle = useSignal<keyof typeof ANGLES>("90");
  const range = useSignal("");
  const password = useSignal("");
  const job = useFileJob();
  const options = (): Options => ({
    angle: DEGREES[angle.value],
    ...(range.value.trim() ? { range: range.value } : {}),
    ...(password.value ? { password: password.value } : {}),
  });
  return (
    <section class="page">
      <PageHead title="Rotate a PDF">
        Turn all pages, or only some. The content of the pages stays as it is.
      </PageHead>
      <FileTool
        what="a PDF"
        accept="application/pdf,.pdf"
        file={file}
        job={job}
        action="Turn pages"
        doing="Turning pages"
        here={rotateHere(options())}
        onServer={rotateOnServer(options())}
        curl={({ name }) => rotateLine(name, options())}
      >
        <Choices label="Turn" value={angle} choices={ANGLES} />
        {file.value && (
          <PageRange
            file={file.value}
            range={range}
            password={password.value}
            label="Pages to turn"
            empty="All pages"
          />
        )}
        <PdfPassword password={password} job={job} />
      </FileTool>
    </section>
  );
}

type Options = Pick<RotateOptions, "angle"> & { readonly range?: string; readonly password?: string };

function rotateHere(options: Options): Work {
  return async (file, control) =>
    present(file, await runHere("pdf-rotate", { args: [file, options], control }));
}

function rotateOnServer(options: Options): Work {
  return async (file, { signal }) => {
    const input = { file: await bytesOf(file), ...options };
    const made = await server.tools.pdfRotate.mutate(input, { signal });
    return present(file, { ...made, bytes: made.data });
  };
}

function rotateLine(fileName: string, { angle, range, password }: Options): string {
  const query = { angle: String(angle), range: range?.trim() };
  const hasPassword = password !== undefined;
  return curlToolCommand({ tool: "pdf-rotate", fileName, query, hasPassword, output: "rotated.pdf" });
}

interface RotatedPdf {
  readonly bytes: Uint8Array<ArrayBuffer>;
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
