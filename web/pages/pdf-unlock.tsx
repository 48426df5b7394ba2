import { useSignal } from "@preact/signals";
import { FileTool, useFileJob, type Work } from "../files/file-tool.tsx";
import { makeFile, type MadeFile } from "../files/file-result.tsx";
import { PdfPassword } from "../pdf/pdf-password.tsx";
import type { Unlocked } from "../../tools/pdf-unlock.ts";
import { resultName } from "../files/file-names.ts";
import { formatCount } from "../app/format.ts";
import { bytesOf, server } from "../api/server.ts";
import { curlToolCommand } from "../app/curl.ts";
import { PageHead } from "../app/shell.tsx";
import { runHere } from "../work/run.ts";

/** Takes the password and the restrictions off a PDF. */
export function Page() {
  const file = useSignal<File | undefined>(undefined);
  const password = useSignal("");
  const job = useFileJob();
  const options = () => (password.value ? { password: password.value } : {});
  return (
    <section class="page">
      <PageHead title="Unlock a PDF">
        Take off a password you know, and what forbids printing or copying. The content stays as it is.
      </PageHead>
      <FileTool
        what="a PDF"
        accept="application/pdf,.pdf"
        file={file}
        job={job}
        action="Unlock"
        doing="Unlocking"
        here={unlockHere(options())}
        onServer={unlockOnServer(options())}
        curl={({ name }) => unlockLine(name, options())}
      >
        <PdfPassword password={password} job={job} />
      </FileTool>
    </section>
  );
}

interface Options {
  readonly password?: string;
}

function unlockHere(options: Options): Work {
  return async (file, control) =>
    present(file, await runHere("pdf-unlock", { args: [file, options], control }));
}

function unlockOnServer(options: Options): Work {
  return async (file, { signal }) => {
    const input = { file: await bytesOf(file), ...options };
    const made = await server.tools.pdfUnlock.mutate(input, { signal });
    return present(file, { ...made, bytes: made.data });
  };
}

function unlockLine(fileName: string, { password }: Options): string {
  const hasPassword = password !== undefined;
  return curlToolCommand({ tool: "pdf-unlock", fileName, hasPassword, output: "unlocked.pdf" });
}

type UnlockedPdf = Omit<Unlocked, "bytes"> & { readonly bytes: Uint8Array<ArrayBuffer> };

function present(
  file: File,
  { bytes, encrypted, passwordNeeded, removed, pages, warnings }: UnlockedPdf,
): MadeFile {
  const name = resultName(file, { suffix: "-unlocked", extension: "pdf" });
  const was = encrypted ? (passwordNeeded ? "Yes" : "Not needed to open it") : "It was not locked";
  return {
    file: makeFile(bytes, { name, type: "application/pdf" }),
    facts: {
      Password: was,
      Pages: formatCount(pages, "page"),
      ...(removed.length > 0 ? { "Allowed again": removed.join(", ") } : {}),
    },
    warnings,
  };
}
