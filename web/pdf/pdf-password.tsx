import type { Signal } from "@preact/signals";
import type { Job } from "../parts/job.tsx";
import { words } from "../app/words.ts";
import { SecretField } from "../parts/field.tsx";

/** Shown once a PDF turns out to need a password. */
export function PdfPassword<Result>({ password, job }: { password: Signal<string>; job: Job<Result> }) {
  const state = job.state.value;
  const code = state.is === "failed" ? state.failure.code : "";
  const isAsked = code === "password_required" || code === "password_wrong";
  if (!isAsked && password.value === "") return null;
  return (
    <SecretField
      label={words().pdf.password}
      value={password}
      isInvalid={code === "password_wrong"}
      hint={words().pdf.passwordHint}
    />
  );
}
