import type { Signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useDraft } from "../app/paths/history.ts";
import type { MadeFile } from "../files/file-result.tsx";
import { useFileJob } from "../files/file-tool.tsx";
import type { Job } from "../parts/job.tsx";
import { usePdfFacts, type LookInto, type PdfFacts } from "./pdf-facts.ts";

/** What every tool for one PDF has. */
export interface ChosenPdf {
  readonly file: Signal<File | undefined>;
  /** Further files, which get the same. */
  readonly more: Signal<readonly File[]>;
  readonly password: Signal<string>;
  readonly facts: PdfFacts;
  readonly job: Job<MadeFile>;
}

export function usePdfInput(look?: LookInto): ChosenPdf {
  const file = useDraft<File | undefined>("file", undefined);
  const more = useDraft<readonly File[]>("more", []);
  const password = useDraft("password", "");
  const before = useRef<readonly File[]>([]);
  useLayoutEffect(() => {
    const files = file.value ? [file.value, ...more.value] : [];
    // The password was for files that are no longer there.
    if (before.current.length > 0 && !files.some((each) => before.current.includes(each)))
      password.value = "";
    before.current = files;
  }, [file.value, more.value]);
  const facts = usePdfFacts(file.value, { password: password.value, ...(look && { look }) });
  return { file, more, password, facts, job: useFileJob() };
}
