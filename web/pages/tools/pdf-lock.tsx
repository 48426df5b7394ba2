import "../../style/tools.css";
import { type AllowOption, PDF_RIGHTS, type PdfRight } from "../../../tools/file/document-options.ts";
import { useDraft } from "../../app/paths/history.ts";
import { server } from "../../api/server.ts";
import { formatList, formatNumber } from "../../app/language/format.ts";
import { words } from "../../app/language/words.ts";
import { PasswordReminder } from "../../files/file-result.tsx";
import { passwordSuggestion, SuggestedField } from "../../parts/suggestion.tsx";
import { SecretField } from "../../parts/field.tsx";
import { usePdfInput, PdfTool } from "../../pdf/pdf-tool.tsx";
import { SomeOf } from "../../parts/some-of.tsx";
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
    allow: rights.value.length > 0 ? [...rights.value] : (["none"] satisfies AllowOption[]),
    openWith: input.password.value || undefined,
  };
  return (
    <PdfTool
      name="lock"
      input={input}
      isReady={password.value !== ""}
      options={options}
      here={(args, control) => runHere("lockPdf", args, control)}
      onServer={server.tools.pdfLock.mutate}
      facts={(made: { pages: number }) => factsOf(made, rights.value)}
      reminder={<PasswordReminder password={password.value} />}
      curl={{
        query: { allow: rights.value.length < PDF_RIGHTS.length ? options.allow.join(",") : undefined },
        hasPassword: true,
        headers: {
          ...(options.ownerPassword !== undefined && { "Tool-Owner-Password": "$OWNER_PASSWORD" }),
          ...(options.openWith !== undefined && { "Tool-Open-With": "$OPEN_WITH" }),
        },
      }}
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
        <SomeOf legend={t.allow} all={PDF_RIGHTS} names={t.rights} chosen={rights} hint={t.allowHint} />
        <SecretField label={t.owner} value={owner} hint={t.ownerHint} autocomplete="new-password" />
      </details>
    </PdfTool>
  );
}

function factsOf({ pages }: { pages: number }, rights: readonly PdfRight[]) {
  const { pdf } = words();
  const t = pdf.lock;
  const some = rights.length > 0 ? formatList(rights.map((right) => t.rights[right])) : t.nothing;
  return {
    [pdf.pages]: formatNumber(pages),
    [t.allowed]: rights.length === PDF_RIGHTS.length ? t.everything : some,
  };
}
