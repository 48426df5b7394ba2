import { words } from "../app/language/words.ts";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { listPages, readPageRange } from "../../tools/page-range.ts";
import { findFailure, toFailure, type Failure } from "../api/failure.ts";
import type { UnfitFile } from "../files/incoming.ts";
import { runHere, type Control } from "../work/run.ts";

/** What is known about a PDF before any work: its pages, or why it cannot be opened. */
export interface PdfFacts {
  readonly pages?: number;
  /** The number of files that splitting by bookmarks would make, where that was asked. */
  readonly byBookmarks?: number;
  readonly failure?: Failure;
  /** Whether it has asked for a password. */
  readonly isProtected?: boolean;
}

const TYPING_MS = 300;
const NEVER = new AbortController().signal;
// One after another: a long list would fill the memory.
let inspected: Promise<void> = Promise.resolve();

/** Opens a PDF like its tool, and again whenever a password is typed. */
export function usePdfFacts(
  file: File | undefined,
  { password, look = countPages }: { password: string; look?: PdfInspector | undefined },
): PdfFacts {
  const facts = useSignal<PdfFacts>({});
  useEffect(() => {
    facts.value = {};
  }, [file]);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    // What was said of the password before is not true of the one that is being typed.
    const { failure: _, ...known } = facts.peek();
    facts.value = known;
    const inspect = async () => {
      if (!file || signal.aborted) return;
      const found = await inspectPdf(file, { password, look, signal });
      if (!signal.aborted) facts.value = { ...found, isProtected: known.isProtected || wantsPassword(found) };
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
  { password, look, signal = NEVER }: { password: string; look: PdfInspector; signal?: AbortSignal },
): Promise<PdfFacts> {
  try {
    return await look({ file, password: password || undefined }, { signal, onProgress: () => undefined });
  } catch (error) {
    return { failure: await findFailure(error) };
  }
}

const counted = new WeakMap<File, { readonly password: string; readonly facts: Promise<PdfFacts> }>();

/** Those of several PDFs that lack pages of a range; one that does not open is reported by the work. */
export async function findWithoutPages(
  files: readonly File[],
  { range, password }: { range: string; password: string },
): Promise<UnfitFile[]> {
  const unfit: UnfitFile[] = [];
  // One after another: all of a long list would fill the memory.
  for (const file of files) {
    const known = counted.get(file);
    const facts =
      known?.password === password ? known.facts : inspectPdf(file, { password, look: countPages });
    counted.set(file, { password, facts });
    const failure = failureOf(range, (await facts).pages);
    if (failure) unfit.push({ file, failure });
  }
  return unfit;
}

function failureOf(range: string, count: number | undefined): Failure | undefined {
  try {
    const read = readPageRange(range);
    if (read && count !== undefined) listPages(read, count);
  } catch (error) {
    // A range that is still being typed says nothing about the document; its field does.
    const failure = toFailure(error);
    return failure.code === "page_out_of_range" ? failure : undefined;
  }
  return undefined;
}

/** What a tool needs to know before its work. */
export type PdfInspector = (
  input: { file: File; password: string | undefined },
  control: Control,
) => Promise<PdfFacts>;

async function countPages(...[input, control]: Parameters<PdfInspector>): Promise<PdfFacts> {
  return { pages: await runHere("countPages", [input], control) };
}

/** Also counts the bookmarks that it can be split by. */
export function countParts(...[input, control]: Parameters<PdfInspector>): Promise<PdfFacts> {
  return runHere("countParts", [input], control);
}

/** Whether a PDF does not open because of its password. */
export function wantsPassword({ failure }: { failure?: Failure }): boolean {
  return failure?.code === "password_required" || failure?.code === "password_wrong";
}

/** Whether a PDF has asked for a password and was not opened with one yet. */
export function isLocked({ isProtected = false, pages }: PdfFacts): boolean {
  return isProtected && pages === undefined;
}

/** A fact about a result, which opens without the password that its document needed. */
export function lostPassword(isLost: boolean): Readonly<Record<string, string>> {
  const { fact, removed } = words().pdf.unlock;
  return isLost ? { [fact]: removed } : {};
}
