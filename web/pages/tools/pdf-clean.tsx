import "../../style/tools.css";
import type { Signal } from "@preact/signals";
import { REMOVABLE, type Removable, type Remove, REMOVED_BY_DEFAULT } from "../../../tools/clean-kinds.ts";
import type { CleanedPdf } from "../../../tools/pdf-clean.ts";
import { useDraft } from "../../app/draft.ts";
import { callOptions, server } from "../../api/server.ts";
import { curlToolCommand } from "../../app/curl.ts";
import { formatList, formatNumber } from "../../app/language/format.ts";
import { words } from "../../app/language/words.ts";
import { resultName } from "../../files/file-names.ts";
import { makeFile, type MadeFile } from "../../files/file-result.tsx";
import { usePdfInput } from "../../pdf/pdf-input.ts";
import { PdfTool, withData } from "../../pdf/pdf-tool.tsx";
import { runHere } from "../../work/run.ts";

/** Takes metadata, scripts and more out of a PDF. */
export function Page() {
  const t = words().pdf.clean;
  const input = usePdfInput();
  const kinds = useDraft<readonly Removable[]>("kinds", REMOVED_BY_DEFAULT);
  const linearize = useDraft("linearize", false);
  const options = {
    linearize: linearize.value,
    remove: kinds.value.length > 0 ? [...kinds.value] : (["none"] satisfies Remove[]),
    password: input.password.value || undefined,
  };
  return (
    <PdfTool
      input={input}
      zip="cleaned.zip"
      title={words().pages["pdf-clean"].title}
      lead={t.lead}
      action={t.submit}
      doing={t.busy}
      options={options}
      here={(file, control) => runHere("cleanPdf", { args: [file, options], control })}
      onServer={async (file, control) =>
        withData(await server.tools.pdfClean.mutate({ file, ...options }, callOptions(control)))
      }
      present={present}
      curl={(fileName) =>
        curlToolCommand({
          tool: "pdf-clean",
          fileName,
          query: { remove: options.remove.join(","), linearize: options.linearize ? "true" : undefined },
          hasPassword: options.password !== undefined,
          output: "cleaned.pdf",
        })
      }
    >
      <Kinds kinds={kinds} />
      <label class="check">
        <input
          type="checkbox"
          checked={linearize.value}
          onChange={({ currentTarget }) => (linearize.value = currentTarget.checked)}
        />
        {t.linearize}
      </label>
    </PdfTool>
  );
}

/** What goes. */
function Kinds({ kinds }: { kinds: Signal<readonly Removable[]> }) {
  const t = words().pdf.clean;
  const choose = (kind: Removable, isChosen: boolean) => {
    kinds.value = REMOVABLE.filter((each) => (each === kind ? isChosen : kinds.value.includes(each)));
  };
  return (
    <fieldset class="field">
      <legend>{t.remove}</legend>
      {REMOVABLE.map((kind) => (
        <label key={kind} class="check">
          <input
            type="checkbox"
            checked={kinds.value.includes(kind)}
            onChange={({ currentTarget }) => choose(kind, currentTarget.checked)}
          />
          {t.kinds[kind]}
        </label>
      ))}
      <p class="hint">{t.removeHint}</p>
    </fieldset>
  );
}

function present(file: File, { bytes, removed, repaired, pages, warnings }: CleanedPdf): MadeFile {
  const { pdf } = words();
  const t = pdf.clean;
  return {
    file: makeFile(bytes, {
      name: resultName(file, { suffix: "-cleaned", extension: "pdf" }),
      type: "application/pdf",
    }),
    facts: {
      [t.removed]: removed.length > 0 ? formatList(removed.map((kind) => t.kinds[kind])) : t.nothing,
      ...(repaired && { [t.state]: t.repaired }),
      [pdf.pages]: formatNumber(pages),
    },
    warnings,
  };
}
