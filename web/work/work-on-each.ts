import type { Signal } from "@preact/signals";
import { findFailure } from "../api/failure.ts";
import { formatBytes } from "../app/language/format.ts";
import { fill, words } from "../app/language/words.ts";
import type { Capacity } from "./at-once.ts";
import { type Control, runHere } from "./run.ts";
import { makeFile, type MadeFile } from "../files/file-result.tsx";
import type { Work } from "../files/file-tool.tsx";
import type { ToolMachine } from "../files/action-bar.tsx";

interface EachOptions {
  /** More files after the first. */
  readonly more: Signal<readonly File[]>;
  readonly place: ToolMachine;
  /** The name of the ZIP with all results. */
  readonly name: string;
  readonly costOf: (file: File) => Promise<number>;
  /** Whether the sizes before and after matter. */
  readonly hasSizes?: boolean;
}

/** Runs a tool for one file on several: each gets its result, and there is a ZIP with all of them. */
export function workOnEach(work: Work, options: EachOptions): Work {
  return async (first, control) => {
    const files = [first, ...options.more.value];
    if (files.length === 1) return work(first, control);
    const { each, ...remarks } = await makeEach(files, { work, control, options });
    const [one] = each;
    if (one && each.length === 1) return { ...one, ...remarks };
    const made = each.map(({ file }) => file);
    const zip = await runHere("zipFiles", [made], { ...control, onProgress: ignore });
    const t = words().image;
    return {
      file: makeFile(zip, { name: options.name, type: "application/zip" }),
      facts: options.hasSizes ? { [t.before]: formatSum(files), [t.after]: formatSum(made) } : {},
      each,
      ...remarks,
    };
  };
}

/** A file without a result is named; the first failure is thrown where no file has one. */
async function makeEach(
  files: readonly File[],
  { work, control, options }: { work: Work; control: Control; options: EachOptions },
) {
  const { ownCapacity, runAtOnce } = await import("./at-once.ts");
  const parts = files.map(() => 0);
  let done = 0;
  const show = (place: number, own: number) => {
    parts[place] = own;
    const part = parts.reduce((sum, each) => sum + each, 0) / files.length;
    control.onProgress(part, fill(words().image.doneOf, { done, count: files.length }));
  };
  // The server works on a caller's calls one after the other anyway.
  const capacity: Capacity = options.place === "here" ? ownCapacity() : { cores: 1, bytes: Infinity };
  const results = await runAtOnce(
    files,
    async (file, place) => {
      control.signal.throwIfAborted();
      const onProgress = (part = 0) => show(place, part);
      return work(file, { ...control, onProgress }).finally(() => {
        done++;
        show(place, 1);
      });
    },
    { capacity, costOf: options.costOf },
  );
  control.signal.throwIfAborted();
  return sortResults(files, results);
}

async function sortResults(files: readonly File[], results: readonly PromiseSettledResult<MadeFile>[]) {
  const all = results.map((result, index) => ({ result, index, name: files[index]?.name ?? "" }));
  const done = all.flatMap(({ result, ...about }) =>
    result.status === "fulfilled" ? [{ made: result.value, about }] : [],
  );
  const failed = all.flatMap(({ result, name }) =>
    result.status === "rejected" ? [{ name, error: result.reason as unknown }] : [],
  );
  if (done.length === 0) throw failed[0]?.error;
  const failures = failed.map(async ({ name, error }) => {
    // The name of a file that cannot be read stands before the sentence already.
    const { code, fields } = await findFailure(error);
    return { name, failure: { code, fields: code === "unreadable" ? {} : fields } };
  });
  return {
    each: done.map(({ made }) => made),
    warnings: done.flatMap(({ made, about }) =>
      made.warnings.map((warning) => ({ ...warning, file: about })),
    ),
    failures: await Promise.all(failures),
  };
}

function formatSum(files: readonly File[]): string {
  return formatBytes(files.reduce((total, { size }) => total + size, 0));
}

function ignore(): void {}
