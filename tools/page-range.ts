import { quoteStart } from "../wire/escaped-name.ts";
import { ToolFailure } from "../wire/tool-failure.ts";

/** A page of a document of unknown length: counted from the front, or back from the last one. */
interface Point {
  readonly isFromEnd: boolean;
  readonly number: number;
  /** Written as "end": alone, with a number, it means all pages from there on. */
  readonly isOpen: boolean;
}

interface Item {
  readonly text: string;
  readonly from: Point;
  /** Absent for a single point. */
  readonly to?: Point;
}

/** An item, and those after it that begin with "x" and remove pages from it. */
interface Group {
  readonly item: Item;
  readonly excluded: Item[];
}

/** A parsed page range that is not applied to a document yet. */
export interface PageRange {
  readonly groups: readonly Group[];
  /** Which of the selected pages count: those at even or at odd places, from 1; all when absent. */
  readonly places: "even" | "odd" | undefined;
}

export const MAX_RANGE_CHARACTERS = 4096;
const MAX_SELECTED = 50_000;

/**
 * Reads a page range such as `1-3,7,end-2`; undefined for an absent or blank one.
 *
 *     range = item *( "," [ "x" ] item ) [ ":even" / ":odd" ]
 *     item  = point [ "-" point ]
 *     point = number / "z" / "r" number / "end" [ "-" number ]
 *
 * `z` and `r1` are the last page, `r2` the one before it, as in qpdf; "-" and digits after `end` always belong to it.
 * `x` takes pages out of the item before it. `:even` and `:odd` leave every second page of the whole selection. Blanks
 * around tokens and letters in any case are allowed.
 * @throws ToolFailure invalid_range
 */
export function readPageRange(text: string | undefined): PageRange | undefined {
  if (text === undefined || /^[ \t]*$/.test(text)) return undefined;
  if (text.length > MAX_RANGE_CHARACTERS) {
    const message = `Parameter "range" has ${text.length} characters; at most ${MAX_RANGE_CHARACTERS} are allowed.`;
    throw new ToolFailure("invalid_range", message, { parameter: "range", maximum: MAX_RANGE_CHARACTERS });
  }
  const [, list = text, suffix] = SUFFIX.exec(text) ?? [];
  const places = suffix?.toLowerCase();
  return { groups: readGroups(list), places: places === "even" || places === "odd" ? places : undefined };
}

const SUFFIX = /^(.*):[ \t]*(even|odd)[ \t]*$/is;

function readGroups(list: string): Group[] {
  const groups: Group[] = [];
  for (const text of list.split(",")) {
    const [isExcluded, item] = readItem(text);
    const before = groups.at(-1);
    if (!isExcluded) groups.push({ item, excluded: [] });
    else if (before) before.excluded.push(item);
    else throw refuseFirst(text);
  }
  return groups;
}

/**
 * Applies a range to a document of `pages` pages: page numbers from 1, in the order written, with repetitions.
 * @throws ToolFailure page_out_of_range (fields `page`, `pages`), too_many_pages
 */
export function listPages({ groups, places }: PageRange, pages: number): number[] {
  const spans = groups.map(({ item, excluded }) => ({ span: spanOf(item, pages), excluded }));
  const selected = spans.reduce((sum, { span: [first, last] }) => sum + Math.abs(last - first) + 1, 0);
  const most = Math.max(MAX_SELECTED, pages);
  if (selected > most) {
    const message = `The range selects ${selected} pages; at most ${most} are allowed.`;
    const fields = { limit: "pages", value: most, unit: "pages", actual: selected };
    throw new ToolFailure("too_many_pages", message, fields);
  }
  const all = spans.flatMap(({ span, excluded }) => withoutItems(run(...span), excluded, pages));
  const rest = places === "odd" ? 0 : 1;
  const list = places ? all.filter((_, i) => i % 2 === rest) : all;
  if (list.length > 0) return list;
  throw new ToolFailure("page_out_of_range", "The range selects no page.", { parameter: "range", pages });
}

function withoutItems(list: number[], excluded: readonly Item[], pages: number): number[] {
  if (excluded.length === 0) return list;
  const isOut = new Uint8Array(pages + 1);
  for (const item of excluded) {
    const [first, last] = spanOf(item, pages);
    isOut.fill(1, Math.min(first, last), Math.max(first, last) + 1);
  }
  return list.filter((page) => isOut[page] === 0);
}

/** Applies a range to a document as a set: each page once, in any order. @throws ToolFailure as `listPages` */
export function pageSet(range: PageRange, pages: number): Set<number> {
  return new Set(listPages(range, pages));
}

const ITEM =
  /^[ \t]*(x?)[ \t]*(end|z|r?[0-9]+)(?:[ \t]*-[ \t]*(end|z|r?[0-9]+))?(?:[ \t]*-[ \t]*(end|z|r?[0-9]+))?(?:[ \t]*-[ \t]*([0-9]+))?[ \t]*$/i;

/** An item, and whether it removes pages. */
function readItem(text: string): [boolean, Item] {
  const [, sign, ...tokens] = ITEM.exec(text) ?? [];
  const points = sign === undefined ? undefined : readPoints(tokens.filter((token) => token !== undefined));
  if (!points) throw refuseItem(text);
  const [from, to] = points;
  return [sign !== "", to ? { text, from, to } : { text, from }];
}

/** One or two points, or undefined where tokens are left over. */
function readPoints(tokens: readonly string[]): [Point, Point?] | undefined {
  const from = readPoint(tokens);
  if (from.rest.length === 0) return [from.point];
  const to = readPoint(from.rest);
  return to.rest.length === 0 ? [from.point, to.point] : undefined;
}

function readPoint(tokens: readonly string[]): { point: Point; rest: readonly string[] } {
  const [head = "", next] = tokens.map((token) => token.toLowerCase());
  if (head !== "end") return { point: closedPoint(head), rest: tokens.slice(1) };
  const hasNumber = next !== undefined && /^[0-9]/.test(next);
  const number = hasNumber ? readNumber(next) : 0;
  return { point: { isFromEnd: true, number, isOpen: true }, rest: tokens.slice(hasNumber ? 2 : 1) };
}

function closedPoint(token: string): Point {
  if (token === "z") return { isFromEnd: true, number: 0, isOpen: false };
  const isFromEnd = token.startsWith("r");
  const number = readNumber(isFromEnd ? token.slice(1) : token);
  return { isFromEnd, number: isFromEnd ? number - 1 : number, isOpen: false };
}

/** Longer numbers are all beyond any last page; limited, they stay numbers in the answer's JSON. */
function readNumber(digits: string): number {
  return Math.min(Number(digits), Number.MAX_SAFE_INTEGER);
}

function refuseItem(text: string): ToolFailure {
  const quoted = quote(text);
  return new ToolFailure(
    "invalid_range",
    `Parameter "range" has the item "${quoted}"; an item is a page such as 7, a span such as 2-5, or end, end-2, 3-end, r2, z.`,
    { parameter: "range", received: quoted },
  );
}

function refuseFirst(text: string): ToolFailure {
  const quoted = quote(text);
  return new ToolFailure(
    "invalid_range",
    `Parameter "range" begins with "${quoted}"; "x" takes pages out of the item before it, as in 1-20,x5-7.`,
    { parameter: "range", received: quoted },
  );
}

function spanOf(item: Item, pages: number): [number, number] {
  const first = pageAt(item, item.from, pages);
  if (item.to) return [first, pageAt(item, item.to, pages)];
  // A lone end-2 means the last three pages, while 5-end-2 stops at the third from the end.
  return item.from.isOpen ? [first, pages] : [first, first];
}

function pageAt(item: Item, point: Point, pages: number): number {
  const page = point.isFromEnd ? pages - point.number : point.number;
  if (page >= 1 && page <= pages) return page;
  const count = pages === 1 ? "1 page" : `${pages} pages`;
  throw new ToolFailure(
    "page_out_of_range",
    `Range item "${quote(item.text)}" asks for page ${page}; the document has ${count}.`,
    { parameter: "range", received: quote(item.text), page, pages },
  );
}

function quote(text: string): string {
  // Blanks and tabs alone may stand around an item; a line feed is what is wrong with it.
  return quoteStart(text.replace(/^[ \t]+/, "")).replace(/[ \t]+$/, "");
}

function run(first: number, last: number): number[] {
  const step = first <= last ? 1 : -1;
  return Array.from({ length: Math.abs(last - first) + 1 }, (_, i) => first + i * step);
}
