import { listPages, readPageRange } from "../../tools/page-range.ts";
import { toFailure } from "../api/failure.ts";
import { formatFailure } from "../api/format-failure.ts";

/**
 * Parses a typed range for a document of `count` pages; without a count, only its syntax is checked. If pages are
 * removed, at least one must remain.
 */
export function readChosen(
  text: string,
  count: number | undefined,
  { isDrop = false } = {},
): { chosen: readonly number[]; error?: string } {
  try {
    const range = readPageRange(text);
    const chosen = range && count ? listPages(range, count) : [];
    const isAll = isDrop && new Set(chosen).size === count;
    return { chosen, ...(isAll && { error: formatFailure({ code: "no_page_left", fields: {} }) }) };
  } catch (error) {
    return { chosen: [], error: formatFailure(toFailure(error)) };
  }
}

/** Writes page numbers as a range, in their order: 1 2 3 7 is `1-3,7`, and 3 2 1 is `3-1`. */
export function writeRange(pages: readonly number[]): string {
  const runs: number[][] = [];
  for (const page of pages) {
    const run = runs.at(-1);
    const step = run ? page - (run.at(-1) ?? 0) : 0;
    if (run && Math.abs(step) === 1 && (run.length === 1 || step === (run[1] ?? 0) - (run[0] ?? 0)))
      run.push(page);
    else runs.push([page]);
  }
  return runs.map(writeRun).join(",");
}

function writeRun(run: readonly number[]): string {
  const [first, last] = [run[0], run.at(-1)];
  return first === last ? String(first) : `${first}-${last}`;
}

/** Adds a page to the chosen ones: in its place if they ascend, or else at the end. */
export function addPage(chosen: readonly number[], page: number): number[] {
  const isAscending = chosen.every((each, i) => i === 0 || each > (chosen[i - 1] ?? 0));
  const added = [...chosen, page];
  return isAscending ? added.sort((a, b) => a - b) : added;
}
