import { formatList } from "../app/language/format.ts";

const NAMED = 5;

/** The names of files in a sentence, the first ones of many. */
export function formatNames(names: readonly string[]): string {
  return formatList(names.length > NAMED ? [...names.slice(0, NAMED), "…"] : names);
}
