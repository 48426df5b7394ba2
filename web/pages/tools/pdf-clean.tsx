import "../../style/tools.css";
import {
  REMOVABLE,
  type Removable,
  type RemoveChoice,
  REMOVED_BY_DEFAULT,
} from "../../../tools/file/document-options.ts";
import type { CleanedPdf } from "../../../tools/pdf-clean.ts";
import { useDraft } from "../../app/paths/history.ts";
import { server } from "../../api/server.ts";
import { formatList, formatNumber } from "../../app/language/format.ts";
import { words } from "../../app/language/words.ts";
import { Check } from "../../parts/field.tsx";
import { usePdfInput, PdfTool } from "../../pdf/pdf-tool.tsx";
import { SomeOf } from "../../parts/some-of.tsx";
import { runHere } from "../../work/run.ts";

/** Takes metadata, scripts and more out of a PDF. */
export function Page() {
  const t = words().pdf.clean;
  const input = usePdfInput();
  const kinds = useDraft<readonly Removable[]>("kinds", REMOVED_BY_DEFAULT);
  const linearize = useDraft("linearize", false);
  const options = {
    linearize: linearize.value,
    remove: kinds.value.length > 0 ? [...kinds.value] : (["none"] satisfies RemoveChoice[]),
    password: input.password.value || undefined,
  };
  return (
    <PdfTool
      name="clean"
      input={input}
      options={options}
      here={(args, control) => runHere("cleanPdf", args, control)}
      onServer={server.tools.pdfClean.mutate}
      facts={factsOf}
      curl={{
        query: { remove: options.remove.join(","), linearize: options.linearize ? "true" : undefined },
      }}
    >
      <SomeOf legend={t.remove} all={REMOVABLE} names={t.kinds} chosen={kinds} hint={t.removeHint} />
      <Check label={t.linearize} value={linearize} />
    </PdfTool>
  );
}

function factsOf({ removed, repaired, pages }: Omit<CleanedPdf, "bytes">) {
  const { pdf } = words();
  const t = pdf.clean;
  return {
    [t.removed]: removed.length > 0 ? formatList(removed.map((kind) => t.kinds[kind])) : t.nothing,
    ...(repaired && { [t.state]: t.repaired }),
    [pdf.pages]: formatNumber(pages),
  };
}
