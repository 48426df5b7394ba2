import { toFailure } from "../api/failure.ts";
import { formatFailure } from "../api/format-failure.ts";
import { words } from "../app/language/words.ts";
import { SecretField } from "../parts/field.tsx";
import { Status } from "../parts/status.tsx";
import { wantsPassword } from "./pdf-facts.ts";
import type { ChosenPdf } from "./pdf-input.ts";

/** Shown for a PDF that needs a password, and says so when it is wrong. */
export function PdfPassword({ input: { password, facts, more, job } }: { input: ChosenPdf }) {
  const state = job.state.value;
  const failed = state.is === "failed" ? { failure: state.failure } : {};
  const isAsked = wantsPassword(facts) || wantsPassword(failed) || someWantPassword(state);
  if (!isAsked && password.value === "") return null;
  const hint = more.value.length > 0 ? words().pdf.passwordOfAll : words().pdf.passwordHint;
  const { failure } = facts;
  return (
    <SecretField
      label={words().pdf.password}
      value={password}
      isInvalid={failure?.code === "password_wrong"}
      hint={failure ? <Status isInline>{formatFailure(failure)}</Status> : hint}
    />
  );
}

/** Whether one of several files did not open without it. */
function someWantPassword(state: ChosenPdf["job"]["state"]["value"]): boolean {
  if (state.is !== "done") return false;
  return (state.result.failures ?? []).some(({ error }) => wantsPassword({ failure: toFailure(error) }));
}
