import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { findFailure, type Failure } from "../api/failure.ts";
import { runHere } from "../work/run.ts";

/** What is known of a PDF before any work on it: its pages, or why it cannot be opened. */
export interface PdfFacts {
  readonly pages?: number;
  readonly failure?: Failure;
}

const TYPING_MS = 300;
// One after another: a long list would fill the memory.
let inspected: Promise<void> = Promise.resolve();

/** Opens a PDF as its tool will, and again whenever a password is typed. */
export function usePdfFacts(file: File | undefined, password: string): PdfFacts {
  const facts = useSignal<PdfFacts>({});
  useEffect(() => {
    facts.value = {};
  }, [file]);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const inspect = async () => {
      if (!file || signal.aborted) return;
      const found = await inspectPdf(file, { password, signal });
      if (!signal.aborted) facts.value = found;
    };
    const start = () => void (inspected = inspected.then(inspect));
    const timer = setTimeout(start, password === "" ? 0 : TYPING_MS);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [file, password]);
  return facts.value;
}

async function inspectPdf(
  file: File,
  { password, signal }: { password: string; signal: AbortSignal },
): Promise<PdfFacts> {
  const input = { file, password: password || undefined };
  try {
    return {
      pages: await runHere("countPages", { args: [input], control: { signal, onProgress: () => undefined } }),
    };
  } catch (error) {
    return { failure: await findFailure(error) };
  }
}

/** Whether a PDF does not open because of its password. */
export function wantsPassword({ failure }: PdfFacts): boolean {
  return failure?.code === "password_required" || failure?.code === "password_wrong";
}
