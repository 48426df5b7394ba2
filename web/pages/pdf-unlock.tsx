import type { Unlocked } from "../../tools/pdf-unlock.ts";
import { server } from "../api/server.ts";
import { curlToolCommand } from "../app/curl.ts";
import { formatCount } from "../app/format.ts";
import { resultName } from "../files/file-names.ts";
import { makeFile, type MadeFile } from "../files/file-result.tsx";
import { usePdfInput } from "../pdf/pdf-input.ts";
import { PdfTool, withBytes } from "../pdf/pdf-tool.tsx";
import { runHere } from "../work/run.ts";

/** Takes the password and the restrictions off a PDF. */
export function Page() {
  const input = usePdfInput();
  const options = { password: input.password.value || undefined };
  return (
    <PdfTool
      input={input}
      title="Unlock a PDF"
      lead="Take off a password you know, and what forbids printing or copying. The content stays as it is."
      action="Unlock"
      doing="Unlocking"
      options={options}
      here={(file, control) => runHere("unlockPdf", { args: [file, options], control })}
      onServer={async (file, signal) =>
        withBytes(await server.tools.pdfUnlock.mutate({ file, ...options }, { signal }))
      }
      present={present}
      curl={(fileName) =>
        curlToolCommand({
          tool: "pdf-unlock",
          fileName,
          hasPassword: options.password !== undefined,
          output: "unlocked.pdf",
        })
      }
    />
  );
}

function present(
  file: File,
  { bytes, encrypted, passwordNeeded, removed, pages, warnings }: Unlocked,
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
