import type { Signal } from "@preact/signals";
import { describeError } from "../api/failure.ts";
import { formatFailure } from "../api/format-failure.ts";
import { formatBytes } from "../app/format.ts";
import { words } from "../app/words.ts";
import { makeFile } from "../files/file-result.tsx";
import type { Work } from "../files/file-tool.tsx";
import { formatWarning } from "../files/format-warning.ts";
import { type Control, runHere } from "../work/run.ts";

/** Several images are converted one after another and given as one ZIP. */
export function convertAll(more: Signal<readonly File[]>, work: Work): Work {
  return async (first, control) => {
    const files = [first, ...more.value];
    if (files.length === 1) return work(first, control);
    const { made, warnings } = await convertEach(files, { work, control });
    const { bytes } = await runHere("zipFiles", { args: [made], control });
    const t = words().image;
    const sum = (all: readonly File[]) => formatBytes(all.reduce((total, { size }) => total + size, 0));
    return {
      file: makeFile(bytes, { name: "images.zip", type: "application/zip" }),
      facts: { [t.before]: sum(files), [t.after]: sum(made) },
      warnings,
    };
  };
}

/** An image that cannot be converted costs a warning; the first failure is thrown where none can. */
async function convertEach(files: readonly File[], { work, control }: { work: Work; control: Control }) {
  const made: File[] = [];
  const warnings: string[] = [];
  const failures: unknown[] = [];
  for (const [i, file] of files.entries()) {
    try {
      const onProgress = (part = 0) => control.onProgress((i + part) / files.length);
      const one = await work(file, { ...control, onProgress });
      made.push(one.file);
      warnings.push(...one.warnings.map((warning) => `${file.name}: ${formatWarning(warning)}`));
    } catch (error) {
      if (control.signal.aborted) throw error;
      failures.push(error);
      warnings.push(`${file.name}: ${formatFailure(describeError(error))}`);
    }
    control.onProgress((i + 1) / files.length);
  }
  if (made.length === 0) throw failures[0];
  return { made, warnings };
}
