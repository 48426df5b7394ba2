import { formatFailure } from "../api/format-failure.ts";
import { words } from "../app/language/words.ts";
import { SecretField } from "../parts/field.tsx";
import { wantsPassword } from "./pdf-facts.ts";
import type { ChosenPdf } from "./pdf-input.ts";

/** Shown for a PDF that needs a password, and says so when it is wrong. */
export function PdfPassword({ input: { password, facts, job } }: { input: ChosenPdf }) {
  const state = job.state.value;
  const failed = state.is === "failed" ? { failure: state.failure } : {};
  if (!wantsPassword(facts) && !wantsPassword(failed) && password.value === "") return null;
  const { failure } = facts;
  return (
    <SecretField
      label={words().pdf.password}
      value={password}
      isInvalid={failure?.code === "password_wrong"}
      hint={failure ? formatFailure(failure) : words().pdf.passwordHint}
    />
  );
}
