import { useSignal, type Signal } from "@preact/signals";
import type { MadeFile } from "../files/file-result.tsx";
import { useFileJob } from "../files/file-tool.tsx";
import type { Job } from "../parts/job.tsx";

/** What every tool for one PDF has. */
export interface PdfInput {
  readonly file: Signal<File | undefined>;
  readonly password: Signal<string>;
  readonly job: Job<MadeFile>;
}

export function usePdfInput(): PdfInput {
  return { file: useSignal<File | undefined>(undefined), password: useSignal(""), job: useFileJob() };
}
