import type { Signal } from "@preact/signals";
import type { ToolWarning } from "../../wire/tool-warning.ts";
import { formatBytes } from "../app/language/format.ts";
import { words } from "../app/language/words.ts";
import { makeFile } from "../files/file-result.tsx";
import type { Work } from "../files/file-tool.tsx";
import { type Control, runHere } from "../work/run.ts";

/** Several images are converted one after another and given as one ZIP. */
export function convertAll(more: Signal<readonly File[]>, work: Work): Work {
  return async (first, control) => {
    const files = [first, ...more.value];
    if (files.length === 1) return work(first, control);
    const { made, ...remarks } = await convertEach(files, { work, control });
    const { bytes } = await runHere("zipFiles", { args: [made], control });
    const t = words().image;
    const sum = (all: readonly File[]) => formatBytes(all.reduce((total, { size }) => total + size, 0));
    return {
      file: makeFile(bytes, { name: "images.zip", type: "application/zip" }),
      facts: { [t.before]: sum(files), [t.after]: sum(made) },
      ...remarks,
    };
  };
}

/** An image that cannot be converted is named; the first failure is thrown where none can. */
async function convertEach(files: readonly File[], { work, control }: { work: Work; control: Control }) {
  const made: File[] = [];
  const warnings: ToolWarning[] = [];
  const failures: { name: string; error: unknown }[] = [];
  for (const [i, file] of files.entries()) {
    try {
      const onProgress = (part = 0) => control.onProgress((i + part) / files.length);
      const one = await work(file, { ...control, onProgress });
      made.push(one.file);
      const about = { index: i, name: file.name };
      warnings.push(...one.warnings.map((warning) => ({ ...warning, file: about })));
    } catch (error) {
      if (control.signal.aborted) throw error;
      failures.push({ name: file.name, error });
    }
    control.onProgress((i + 1) / files.length);
  }
  if (made.length === 0) throw failures[0]?.error;
  return { made, warnings, failures };
}
