import type { Granularity, IgnoredWhitespace, TextComparison } from "../../tools/text-compare.ts";
import type { ToolMachine } from "../files/action-bar.tsx";
import { callOptions, server } from "../api/server.ts";
import { runHere, type Control } from "../work/run.ts";

export interface CompareInput {
  readonly a: string;
  readonly b: string;
  readonly granularity: Granularity;
  readonly ignoreCase: boolean;
  readonly ignoreWhitespace: IgnoredWhitespace;
  /** By line only. */
  readonly ignoreBlankLines: boolean;
  readonly moved: boolean;
  readonly context: number;
}

/** A comparison with its input, so that a patch can be made from the same texts. */
export interface ComparisonResult {
  readonly input: CompareInput;
  readonly comparison: TextComparison;
}

/** Compares in a worker of this page, or on the server. */
export async function compare(
  input: CompareInput,
  place: ToolMachine,
  control: Control,
): Promise<ComparisonResult> {
  if (place === "here") return { input, comparison: await compareHere(input, "json", control) };
  const comparison = await server.tools.textCompare.mutate(input, callOptions(control));
  // The schema of the answer covers all shapes; the options decide which one it is.
  return { input, comparison: comparison as TextComparison };
}

/** A unified diff for `patch` and `git apply`. */
export async function patchHere(input: CompareInput): Promise<string> {
  const control = { signal: new AbortController().signal, onProgress: () => undefined };
  const result = await compareHere(input, "unified", control);
  return "patch" in result ? result.patch : "";
}

function compareHere(
  { a, b, ...options }: CompareInput,
  format: "json" | "unified",
  control: Control,
): Promise<TextComparison> {
  return runHere(
    "compareTexts",
    [
      { a, b },
      { ...options, moved: format === "json" && options.moved, format },
    ],
    control,
  );
}
