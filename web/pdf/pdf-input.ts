import { useSignal, type Signal } from "@preact/signals";
import type { MadeFile } from "../files/file-result.tsx";
import { useFileJob } from "../files/file-tool.tsx";
import type { Job } from "../parts/job.tsx";
import { usePdfFacts, type PdfFacts } from "./pdf-facts.ts";

/** What every tool for one PDF has. */
export interface ChosenPdf {
  readonly file: Signal<File | undefined>;
  readonly password: Signal<string>;
  readonly facts: PdfFacts;
  readonly job: Job<MadeFile>;
}

export function usePdfInput(): ChosenPdf {
  const file = useSignal<File | undefined>(undefined);
  const password = useSignal("");
  return { file, password, facts: usePdfFacts(file.value, password.value), job: useFileJob() };
}
