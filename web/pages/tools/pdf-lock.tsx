import "../../style/tools.css";
import type { Signal } from "@preact/signals";
import type { LockedPdf } from "../../../tools/pdf-lock.ts";
import { type Allowed, PDF_RIGHTS, type PdfRight } from "../../../tools/document-rights.ts";
import { useDraft } from "../../app/draft.ts";
import { callOptions, server } from "../../api/server.ts";
import { curlToolCommand } from "../../app/curl.ts";
import { formatList, formatNumber } from "../../app/language/format.ts";
import { words } from "../../app/language/words.ts";
import { resultName } from "../../files/file-names.ts";
import { makeFile, type MadeFile } from "../../files/file-result.tsx";
import { PasswordReminder } from "../../files/new-password.tsx";
import { passwordSuggestion, SuggestedField } from "../../parts/suggestion.tsx";
import { SecretField } from "../../parts/field.tsx";
import { usePdfInput } from "../../pdf/pdf-input.ts";
import { PdfTool, withData } from "../../pdf/pdf-tool.tsx";
import { runHere } from "../../work/run.ts";

/** Encrypts a PDF with a password. */
export function Page() {
  const t = words().pdf.lock;
  const input = usePdfInput();
  const password = useDraft("newPassword", "");
  const owner = useDraft("owner", "");
  const rights = useDraft<readonly PdfRight[]>("rights", PDF_RIGHTS);
  const options = {
    password: password.value,
    ownerPassword: owner.value || undefined,
    allow: rights.value.length > 0 ? [...rights.value] : (["none"] satisfies Allowed[]),
    openWith: input.password.value || undefined,
  };
  return (
    <PdfTool
      input={input}
      zip="locked.zip"
      title={words().pages["pdf-lock"].title}
      lead={t.lead}
      action={t.submit}
      doing={t.busy}
      isReady={password.value !== ""}
      options={options}
      here={(file, control) => runHere("lockPdf", { args: [file, options], control })}
      onServer={async (file, control) =>
        withData(await server.tools.pdfLock.mutate({ file, ...options }, callOptions(control)))
      }
      present={(file, made) => present({ file, made, rights: rights.value })}
      preview={() => <PasswordReminder password={password.value} />}
      curl={(fileName) => lockLine(fileName, options)}
    >
      <SuggestedField
        label={t.password}
        value={password}
        hint={t.passwordHint}
        autocomplete="new-password"
        suggest={passwordSuggestion()}
      />
      <details>
        <summary>{words().share.more}</summary>
        <Rights rights={rights} />
        <SecretField label={t.owner} value={owner} hint={t.ownerHint} autocomplete="new-password" />
      </details>
    </PdfTool>
  );
}

/** What whoever opens the document may do. */
function Rights({ rights }: { rights: Signal<readonly PdfRight[]> }) {
  const t = words().pdf.lock;
  const choose = (right: PdfRight, isAllowed: boolean) => {
    rights.value = PDF_RIGHTS.filter((each) => (each === right ? isAllowed : rights.value.includes(each)));
  };
  return (
    <fieldset class="field">
      <legend>{t.allow}</legend>
      {PDF_RIGHTS.map((right) => (
        <label key={right} class="check">
          <input
            type="checkbox"
            checked={rights.value.includes(right)}
            onChange={({ currentTarget }) => choose(right, currentTarget.checked)}
          />
          {t.rights[right]}
        </label>
      ))}
      <p class="hint">{t.allowHint}</p>
    </fieldset>
  );
}

interface LockOptions {
  readonly allow: readonly Allowed[];
  readonly ownerPassword: string | undefined;
  readonly openWith: string | undefined;
}

function lockLine(fileName: string, { allow, ownerPassword, openWith }: LockOptions): string {
  return curlToolCommand({
    tool: "pdf-lock",
    fileName,
    query: { allow: allow.length < PDF_RIGHTS.length ? allow.join(",") : undefined },
    hasPassword: true,
    headers: {
      ...(ownerPassword !== undefined && { "Tool-Owner-Password": "$OWNER_PASSWORD" }),
      ...(openWith !== undefined && { "Tool-Open-With": "$OPEN_WITH" }),
    },
    output: "locked.pdf",
  });
}

interface Locked {
  readonly file: File;
  readonly made: LockedPdf;
  readonly rights: readonly PdfRight[];
}

function present({ file, made: { bytes, pages, warnings }, rights }: Locked): MadeFile {
  const { pdf } = words();
  const t = pdf.lock;
  const name = resultName(file, { suffix: "-locked", extension: "pdf" });
  const some = rights.length > 0 ? formatList(rights.map((right) => t.rights[right])) : t.nothing;
  return {
    file: makeFile(bytes, { name, type: "application/pdf" }),
    facts: {
      [pdf.pages]: formatNumber(pages),
      [t.allowed]: rights.length === PDF_RIGHTS.length ? t.everything : some,
    },
    warnings,
  };
}
