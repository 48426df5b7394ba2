import "../../style/tools.css";
import type { UnlockedPdf } from "../../../tools/pdf-unlock.ts";
import { callOptions, server } from "../../api/server.ts";
import { curlToolCommand } from "../../app/curl.ts";
import { formatList, formatNumber } from "../../app/language/format.ts";
import { nameOf, words } from "../../app/language/words.ts";
import { resultName } from "../../files/file-names.ts";
import { makeFile, type MadeFile } from "../../files/file-result.tsx";
import { usePdfInput } from "../../pdf/pdf-input.ts";
import { PdfTool, withData } from "../../pdf/pdf-tool.tsx";
import { runHere } from "../../work/run.ts";

/** Takes the password and the restrictions off a PDF. */
export function Page() {
  const t = words().pdf.unlock;
  const input = usePdfInput();
  const options = { password: input.password.value || undefined };
  return (
    <PdfTool
      input={input}
      zip="unlocked.zip"
      title={words().pages["pdf-unlock"].title}
      lead={t.lead}
      action={t.submit}
      doing={t.busy}
      options={options}
      here={(file, control) => runHere("unlockPdf", { args: [file, options], control })}
      onServer={async (file, control) =>
        withData(await server.tools.pdfUnlock.mutate({ file, ...options }, callOptions(control)))
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
  { bytes, encrypted, passwordNeeded, removed, pages, warnings }: UnlockedPdf,
): MadeFile {
  const name = resultName(file, { suffix: "-unlocked", extension: "pdf" });
  const { pdf } = words();
  const t = pdf.unlock;
  const was = encrypted ? (passwordNeeded ? t.removed : t.notNeeded) : t.none;
  return {
    file: makeFile(bytes, { name, type: "application/pdf" }),
    facts: {
      [t.fact]: was,
      [pdf.pages]: formatNumber(pages),
      ...(removed.length > 0
        ? { [t.allowed]: formatList(removed.map((right) => nameOf(t.restrictions, right))) }
        : {}),
    },
    warnings,
  };
}
