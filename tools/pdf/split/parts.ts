import type { ByteParts } from "../../../wire/byte-pieces.ts";
import { ToolFailure } from "../../../wire/tool-failure.ts";
import type { ToolWarning } from "../../../wire/tool-warning.ts";
import type { PdfPage } from "../model/pages.ts";
import { extractPages } from "../prune/extract.ts";
import type { PreparedDocument } from "../prune/prepare.ts";
import { savePdf } from "../writer/save.ts";
import { nameOfPages, type PageGroup } from "./groups.ts";

/** A file of the ZIP. */
interface Part extends PageGroup {
  readonly bytes: ByteParts;
  readonly warnings: readonly ToolWarning[];
}

interface SplitDocument {
  readonly prepared: PreparedDocument;
  readonly list: readonly PdfPage[];
}

/** A document for each group. */
export async function* partsOfGroups(
  splitDocument: SplitDocument,
  groups: readonly PageGroup[],
): AsyncGenerator<Part> {
  for (const group of groups) yield await makePart(splitDocument, group);
}

/** Documents of as many pages as fit into `most` bytes each; a page that is larger is one by itself. */
export async function* partsUpTo(splitDocument: SplitDocument, most: number): AsyncGenerator<Part> {
  const { budget } = splitDocument.prepared.pdf;
  const pages = splitDocument.list.length;
  for (let [from, count] = [0, 1]; from < pages;) {
    const before = budget.written.spent;
    const part = await fillPart(splitDocument, { from, count, most, before });
    // Attempts that were not used are not in the result.
    budget.written.spent = before + part.bytes.length;
    yield part;
    [from, count] = [part.to, part.to - part.from];
  }
}

/**
 * Tries numbers of pages until one fits and one more does not: `count` first, as many as fitted into the part before, then
 * guessed by the size of the last try, then halved. `before` bytes had been written before this part.
 */
async function fillPart(
  splitDocument: SplitDocument,
  { from, count, most, before }: { from: number; count: number; most: number; before: number },
): Promise<Part> {
  const { budget } = splitDocument.prepared.pdf;
  const pages = splitDocument.list.length;
  let best: Part | undefined;
  let tooMany = pages - from + 1;
  for (let next = Math.min(count, pages - from); ;) {
    budget.written.spent = before;
    const to = from + next;
    const part = await tryPart(splitDocument, { from, to, name: nameOfPages(from, to, pages) });
    const size = part?.bytes.length ?? Infinity;
    if (part && (size <= most || next === 1)) best = part;
    if (size > most) tooMany = next;
    const fits = best ? best.to - from : 0;
    if (best && tooMany - fits <= 1) return best;
    const isFirst = tooMany > pages - from || fits === 0;
    const guess = isFirst ? Math.floor((next * most) / size) : (fits + tooMany) >> 1;
    next = Math.min(Math.max(guess, fits + 1), tooMany - 1);
  }
}

/** Undefined where several pages exceed the limit of the whole result; a single page that does is refused. */
async function tryPart(splitDocument: SplitDocument, group: PageGroup): Promise<Part | undefined> {
  try {
    return await makePart(splitDocument, group);
  } catch (error) {
    const isTooLarge = error instanceof ToolFailure && error.code === "result_too_large";
    if (isTooLarge && group.to - group.from > 1) return undefined;
    throw error;
  }
}

async function makePart({ prepared, list }: SplitDocument, group: PageGroup): Promise<Part> {
  // Attachments and scripts of the whole would be in each of them.
  const extracted = extractPages(prepared, { pages: list.slice(group.from, group.to), isPart: true });
  return { ...group, bytes: await savePdf(extracted.part), warnings: extracted.warnings };
}
