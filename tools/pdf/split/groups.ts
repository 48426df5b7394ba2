import { cleanFileName } from "../../file/file-name.ts";
import { dictAt, type Pdf, resolve } from "../model/document.ts";
import type { PdfPage } from "../model/pages.ts";
import { targetOf } from "../navigation/destinations.ts";
import type { PageObjects } from "../prune/page-objects.ts";
import { textOf } from "../syntax/strings.ts";
import { isString, refTo } from "../syntax/values.ts";

/** Pages that go into one file, by their indexes from `from` up to and without `to`, and the name of the file. */
export interface PageGroup {
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

const LEAST_DIGITS = 3;
/** Enough to tell chapters apart; every file system takes it, whatever the characters. */
const MAX_TITLE_CHARACTERS = 60;

/** Groups of `count` pages; the last one may have fewer. */
export function groupEvery(pages: number, count: number): PageGroup[] {
  return Array.from({ length: Math.ceil(pages / count) }, (_, i) => {
    const [from, to] = [i * count, Math.min((i + 1) * count, pages)];
    return { from, to, name: nameOfPages(from, to, pages) };
  });
}

/** `page-001.pdf`, `pages-002-010.pdf`: with as many digits as the last one needs, so that they sort. */
export function nameOfPages(from: number, to: number, pages: number): string {
  const write = (page: number) => padded(page, pages);
  return to - from === 1 ? `page-${write(to)}.pdf` : `pages-${write(from + 1)}-${write(to)}.pdf`;
}

/**
 * A group for each bookmark of the first level, up to the page of the next one, and one for the pages before all of
 * them; bookmarks of one page share a group under the first one's title. Empty where no bookmark leads to a page.
 */
export function groupByBookmarks(pdf: Pdf, list: readonly PdfPage[], objects: OutlineObjects): PageGroup[] {
  const indexes = new Map(list.map(({ num }, i) => [num, i]));
  const titles = new Map<number, string>();
  for (const num of objects.bookmarks.get(0) ?? []) {
    const from = firstPage(pdf, num, { objects, indexes });
    if (from !== undefined && !titles.has(from)) titles.set(from, titleOf(pdf, num));
  }
  if (titles.size === 0) return [];
  const starts = [...new Set([0, ...titles.keys()])].toSorted((a, b) => a - b);
  return starts.map((from, i): PageGroup => {
    const number = padded(i + 1, starts.length);
    const title = [...(titles.get(from) ?? "")].slice(0, MAX_TITLE_CHARACTERS).join("");
    const name = cleanFileName(title === "" ? number : `${number}-${title.replace(/[/\\]/g, "_")}`, {
      extension: "pdf",
    });
    return { from, to: starts[i + 1] ?? list.length, name };
  });
}

/** A document's bookmarks, and what they lead to. */
type OutlineObjects = Pick<PageObjects, "bookmarks" | "destinations">;

/** The page that a bookmark leads to, or else the first one below it: titles of chapters often lead nowhere. */
function firstPage(
  pdf: Pdf,
  num: number,
  { objects, indexes }: { objects: OutlineObjects; indexes: ReadonlyMap<number, number> },
): number | undefined {
  const waiting = [num];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const target = targetOf(pdf, dictAt(pdf, refTo(next)) ?? new Map(), objects.destinations);
    const index = indexes.get(target ?? 0);
    if (index !== undefined) return index;
    for (const kid of (objects.bookmarks.get(next) ?? []).toReversed()) waiting.push(kid);
  }
  return undefined;
}

function titleOf(pdf: Pdf, num: number): string {
  const title = resolve(pdf, dictAt(pdf, refTo(num))?.get("Title"));
  return isString(title) ? textOf(title).trim() : "";
}

function padded(number: number, highest: number): string {
  return String(number).padStart(Math.max(LEAST_DIGITS, String(highest).length), "0");
}
