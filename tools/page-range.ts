import { ToolFailure } from "../wire/tool-failure.ts";

/** A place in a document whose length is not known yet: from the front, or back from the end. */
interface Point {
  readonly fromEnd: boolean;
  readonly number: number;
}

interface Item {
  readonly text: string;
  readonly from: Point;
  /** Absent for a single point. */
  readonly to?: Point;
}

/** A page range that was read but not yet laid on a document. */
export type PageRange = readonly Item[];

export const MAX_RANGE_CHARACTERS = 4096;
const MAX_SELECTED = 50_000;
const MAX_QUOTED = 64;

/**
 * Reads a page range such as `1-3,7,end-2`; undefined for an absent or blank one.
 *
 * range = item *( "," item ); item = point [ "-" point ]; point = number / "end" [ "-" number ]
 *
 * Blanks around tokens and `end` in any case are allowed; a "-" and digits after `end` always belong to it.
 * @throws ToolFailure invalid_range
 */
export function readPageRange(text: string | undefined): PageRange | undefined {
  if (text === undefined || /^[ \t]*$/.test(text)) return undefined;
  if (text.length > MAX_RANGE_CHARACTERS) {
    throw new ToolFailure(
      "invalid_range",
      `Parameter "range" has ${text.length} characters; at most ${MAX_RANGE_CHARACTERS} are allowed.`,
      { parameter: "range", maximum: MAX_RANGE_CHARACTERS },
    );
  }
  return text.split(",").map(readItem);
}

/**
 * Lays a range on a document of `pages` pages: page numbers from 1, in the order written, repeats kept.
 * @throws ToolFailure page_out_of_range (fields `page`, `pages`), too_many_pages
 */
export function listPages(range: PageRange, pages: number): number[] {
  const spans = range.map((item) => spanOf(item, pages));
  const selected = spans.reduce((sum, [first, last]) => sum + Math.abs(last - first) + 1, 0);
  const most = Math.max(MAX_SELECTED, pages);
  if (selected > most) {
    throw new ToolFailure(
      "too_many_pages",
      `The range selects ${selected} pages; at most ${most} are allowed.`,
      {
        limit: "pages",
        value: most,
        unit: "pages",
        actual: selected,
      },
    );
  }
  return spans.flatMap(([first, last]) => run(first, last));
}

/**
 * Lays a range on a document as a set: each page once, whatever the order.
 * @throws ToolFailure as `listPages`
 */
export function pageSet(range: PageRange, pages: number): Set<number> {
  return new Set(listPages(range, pages));
}

const ITEM =
  /^[ \t]*(end|[0-9]+)(?:[ \t]*-[ \t]*(end|[0-9]+))?(?:[ \t]*-[ \t]*(end|[0-9]+))?(?:[ \t]*-[ \t]*([0-9]+))?[ \t]*$/i;

function readItem(text: string): Item {
  const match = ITEM.exec(text);
  const points = match && readPoints(match.slice(1).filter((token) => token !== undefined));
  if (!points) throw refuseItem(text);
  const [from, to] = points;
  return to ? { text, from, to } : { text, from };
}

/** One or two points, or undefined where tokens are left over. */
function readPoints(tokens: readonly string[]): [Point, Point?] | undefined {
  const from = readPoint(tokens);
  if (from.rest.length === 0) return [from.point];
  const to = readPoint(from.rest);
  return to.rest.length === 0 ? [from.point, to.point] : undefined;
}

function readPoint(tokens: readonly string[]): { point: Point; rest: readonly string[] } {
  const [head = "", next] = tokens;
  if (!isEnd(head)) return { point: { fromEnd: false, number: readNumber(head) }, rest: tokens.slice(1) };
  if (next === undefined || isEnd(next))
    return { point: { fromEnd: true, number: 0 }, rest: tokens.slice(1) };
  return { point: { fromEnd: true, number: readNumber(next) }, rest: tokens.slice(2) };
}

/** Longer numbers are all past any last page; capped, they stay numbers in the answer's JSON. */
function readNumber(digits: string): number {
  return Math.min(Number(digits), Number.MAX_SAFE_INTEGER);
}

function isEnd(token: string): boolean {
  return token.toLowerCase() === "end";
}

function refuseItem(text: string): ToolFailure {
  const quoted = quote(text);
  return new ToolFailure(
    "invalid_range",
    `Parameter "range" has the item "${quoted}"; an item is a page such as 7, a span such as 2-5, or end, end-2, 3-end.`,
    { parameter: "range", received: quoted },
  );
}

function spanOf(item: Item, pages: number): [number, number] {
  const first = pageAt(item, { point: item.from, pages });
  if (item.to) return [first, pageAt(item, { point: item.to, pages })];
  // A lone end-2 means the last three pages, while 5-end-2 stops at the third from the end.
  return item.from.fromEnd ? [first, pages] : [first, first];
}

function pageAt(item: Item, { point, pages }: { point: Point; pages: number }): number {
  const page = point.fromEnd ? pages - point.number : point.number;
  if (page >= 1 && page <= pages) return page;
  const count = pages === 1 ? "1 page" : `${pages} pages`;
  throw new ToolFailure(
    "page_out_of_range",
    `Range item "${quote(item.text)}" asks for page ${page}; the document has ${count}.`,
    { parameter: "range", received: quote(item.text), page, pages },
  );
}

function quote(text: string): string {
  return text.trim().slice(0, MAX_QUOTED);
}

function run(first: number, last: number): number[] {
  const step = first <= last ? 1 : -1;
  return Array.from({ length: Math.abs(last - first) + 1 }, (_, i) => first + i * step);
}
