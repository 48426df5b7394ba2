import type { ToolWarning } from "../../wire/tool-warning.ts";
import { formatNumber } from "../app/language/format.ts";
import { fill, nameOf, words } from "../app/language/words.ts";

/** A warning as a sentence in the chosen language, from its code and fields. */
export function formatWarning({ code, file, ...fields }: ToolWarning): string {
  const values = Object.entries(fields).map(([name, value]: [string, unknown]) => {
    return [name, typeof value === "number" ? formatNumber(value) : String(value)] as const;
  });
  const text = fill(nameOf(words().warnings, code), Object.fromEntries(values));
  return file ? `${file.name ?? formatNumber(file.index + 1)}: ${text}` : text;
}
