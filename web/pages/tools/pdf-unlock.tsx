import "../../style/tools.css";
import { server } from "../../api/server.ts";
import { formatList, formatNumber } from "../../app/language/format.ts";
import { nameOf, words } from "../../app/language/words.ts";
import { usePdfInput, PdfTool } from "../../pdf/pdf-tool.tsx";
import { runHere } from "../../work/run.ts";

/** Takes the password and the restrictions off a PDF. */
export function Page() {
  const input = usePdfInput();
  return (
    <PdfTool
      name="unlock"
      input={input}
      options={{ password: input.password.value || undefined }}
      here={(args, control) => runHere("unlockPdf", args, control)}
      onServer={server.tools.pdfUnlock.mutate}
      facts={factsOf}
    />
  );
}

interface Unlocked {
  readonly encrypted: boolean;
  readonly passwordNeeded: boolean;
  readonly removed: readonly string[];
  readonly pages: number;
}

function factsOf({ encrypted, passwordNeeded, removed, pages }: Unlocked) {
  const { pdf } = words();
  const t = pdf.unlock;
  const was = encrypted ? (passwordNeeded ? t.removed : t.notNeeded) : t.none;
  return {
    [t.fact]: was,
    [pdf.pages]: formatNumber(pages),
    ...(removed.length > 0
      ? { [t.allowed]: formatList(removed.map((right) => nameOf(t.restrictions, right))) }
      : {}),
  };
}
