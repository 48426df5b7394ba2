import type { WarningCode } from "../../wire/tool-warning.ts";
import type { Bytes } from "../../wire/bytes.ts";
import { median } from "../support/pdf-looks.ts";
import { type Facts, type Judges, likenessOf, type Looks, readFacts, readLooks } from "./facts.ts";
import { ours, written } from "./programs.ts";
import { textClass, UNREAD } from "./text-class.ts";
import type { ToolCall } from "./tools.ts";
import { hasLayerUsage } from "./document.ts";
import { bytesLeft, privateTexts, tracesOf } from "./traces.ts";

/** A file, a folder to work in, and the programs that are asked. */
export interface FileCase {
  readonly folder: string;
  readonly path: string;
  readonly file: Bytes;
  readonly judges: Judges;
}

export interface Difference {
  readonly what: string;
  /** Lost, and not told by a warning. */
  readonly isLoss: boolean;
}

/** What came of one call. */
export interface Comparison {
  readonly call: string;
  readonly result: "same" | "differs" | "LOST" | "refused";
  readonly differences: readonly string[];
  /** Bytes of original and result, where there is one. */
  readonly sizes?: readonly [number, number];
}

interface Original {
  readonly facts: Facts;
  readonly pages: number;
  /** Of the first pages and of the last one. */
  readonly looks: { readonly first: Looks; readonly last: Looks };
}

/** How many pages are drawn from the first on. */
const DRAWN = 2;

/** Runs each call on a file and asks the programs of before and after. */
export async function compareFile(comparing: FileCase, calls: readonly ToolCall[]): Promise<Comparison[]> {
  const asked = { path: comparing.path, password: "", judges: comparing.judges };
  const facts = await readFacts(asked);
  const pages = Math.max(facts.document?.pages ?? 0, facts.text.length, 1);
  const first = await readLooks(asked, [1, Math.min(pages, DRAWN)]);
  const last = pages > 1 ? await readLooks(asked, [pages, pages]) : first;
  const original = { facts, pages, looks: { first, last } };
  const compared: Comparison[] = [];
  for (const call of calls.filter((each) => isOfUse(each, facts)))
    compared.push(await compareCall(comparing, { call, original }));
  return compared;
}

/** Kinds by themselves are taken out where they are. */
function isOfUse({ removes = [] }: ToolCall, { document }: Facts): boolean {
  const [kind] = removes;
  return kind === undefined || removes.length > 1 || !document || tracesOf(document, kind).length > 0;
}

interface CallCase {
  readonly call: ToolCall;
  readonly original: Original;
}

async function compareCall(comparing: FileCase, { call, original }: CallCase): Promise<Comparison> {
  const { folder, file, judges } = comparing;
  const found: Difference[] = [];
  const made = await ours(
    () => call.work(file),
    (what) => found.push({ what, isLoss: isCrash(what) }),
  );
  if ("refusal" in made) return refused({ call, original, refusal: made.refusal, found });
  // What came back as it was needs no judge.
  if (Buffer.compare(file, made.bytes) === 0)
    return { ...verdict(call, found), sizes: [file.length, file.length] };
  const path = written(folder, { name: "result", bytes: made.bytes });
  const asked = { path, password: call.password ?? "", judges };
  const hasTags = original.facts.tags.length > 0;
  const after = {
    asked,
    facts: await readFacts(asked, { hasTags }),
    told: made.warnings.map(({ code }) => code),
  };
  found.push(...compareSyntax(original, after), ...compareText({ call, original }, after));
  found.push(...compareThings({ call, original }, after), ...(await compareLooks({ call, original }, after)));
  for (const kind of call.removes ?? []) found.push(...(await compareRemoved({ kind, original }, after)));
  return { ...verdict(call, found), sizes: [file.length, made.bytes.length] };
}

/** A machine that does much else is slow too. */
export function isCrash(what: string): boolean {
  return what.startsWith("CRASH");
}

export function verdict({ name }: { readonly name: string }, found: readonly Difference[]): Comparison {
  const result = found.some(({ isLoss }) => isLoss) ? "LOST" : found.length > 0 ? "differs" : "same";
  return {
    call: name,
    result,
    differences: found.map(({ what, isLoss }) => (isLoss ? `LOST: ${what}` : what)),
  };
}

/** A refusal is told; it is a difference where another program gives pages. */
function refused({
  call,
  original: { facts },
  refusal,
  found,
}: CallCase & { readonly refusal: string; readonly found: readonly Difference[] }): Comparison {
  if (found.some(({ isLoss }) => isLoss)) return verdict(call, found);
  const isReadable = (facts.document?.pages ?? 0) > 0;
  const differences = isReadable ? [`refused as ${refusal}, qpdf gives pages`] : [];
  return { call: call.name, result: "refused", differences };
}

interface After {
  readonly asked: { readonly path: string; readonly password: string; readonly judges: Judges };
  readonly facts: Facts;
  readonly told: readonly string[];
}

function compareSyntax(original: Original, { facts: { check } }: After): Difference[] {
  if (check === "clean" || check === "not judged" || original.facts.check !== "clean") return [];
  return [{ what: `qpdf --check: ${check}, of the original clean`, isLoss: true }];
}

function compareText({ call, original }: CallCase, { facts, told }: After): Difference[] {
  if (call.looks === undefined || isHiddenByUsage({ call, original })) return [];
  const text = original.facts.text;
  const expected = pagesOf(call, original.pages).map((page) => text[page - 1] ?? "");
  const warnings = told.map((code) => ({ code }));
  const kind = textClass(facts.text.join(""), { expected: expected.join(""), told: warnings });
  return kind ? [{ what: `${kind} in poppler`, isLoss: kind.includes("LESS") }] : [];
}

function pagesOf({ pages }: ToolCall, count: number): number[] {
  const all = Array.from({ length: count }, (_, i) => i + 1);
  const taken = { all, twice: [...all, ...all], first: [1], last: [count] };
  return taken[pages];
}

/** Warnings that tell of each kind of thing. */
const TELLING: Readonly<Record<string, readonly WarningCode[]>> = {
  tags: ["tags_not_repeated"],
  attachments: ["attachments_left_out", "portfolio_left_out"],
  names: ["attachments_left_out", "scripts_left_out"],
  fields: ["xfa_left_out"],
  pixels: ["fields_not_drawn", "xfa_left_out"],
};

function isTold(what: string, told: readonly string[]): boolean {
  const telling: readonly string[] = TELLING[what] ?? [];
  return told.some((code) => UNREAD.has(code) || telling.includes(code));
}

function compareThings({ call, original }: CallCase, { facts, told }: After): Difference[] {
  const times = call.pages === "twice" ? 2 : 1;
  return call.keeps.flatMap((aspect) => {
    const before = kept(call, thingsIn(original.facts, aspect));
    const missing = missingOf(before, { after: thingsIn(facts, aspect), times });
    if (missing === 0) return [];
    const what = `${aspect}: ${missing} of ${before.length * times} missing`;
    return [{ what, isLoss: !isTold(aspect, told) }];
  });
}

function thingsIn({ document, tags }: Facts, aspect: ToolCall["keeps"][number]): readonly string[] {
  return aspect === "tags" ? tags : (document?.things[aspect] ?? []);
}

/** Links that are scripts go with them. */
function kept({ removes }: ToolCall, things: readonly string[]): readonly string[] {
  const isScript = /^(as "\/(?!GoToR|Named|Thread)|to "u:\s*javascript:)|^dead$/i;
  return removes ? things.filter((thing) => !isScript.test(thing)) : things;
}

function missingOf(
  before: readonly string[],
  { after, times }: { after: readonly string[]; times: number },
): number {
  const left = new Map<string, number>();
  for (const thing of after) left.set(thing, (left.get(thing) ?? 0) + 1);
  for (const thing of before) left.set(thing, (left.get(thing) ?? 0) - times);
  return [...left.values()].reduce((sum, count) => sum + Math.max(0, -count), 0);
}

/** Lost is what every program misses that draws the original. */
async function compareLooks({ call, original }: CallCase, { asked, told }: After): Promise<Difference[]> {
  if (call.looks === undefined || isHiddenByUsage({ call, original })) return [];
  const before = call.pages === "last" ? original.looks.last : original.looks.first;
  // Of pages that are there twice, the copies.
  const start = call.pages === "twice" ? original.pages : 0;
  const after = await readLooks(asked, [start + 1, start + pagesDrawn(before)]);
  const count = call.pages === "first" ? 1 : pagesDrawn(before);
  return Array.from({ length: count }, (_, i) => i).flatMap((i) => {
    const drawing = Object.keys(before).filter((program) => before[program]?.[i]);
    const alike = drawing.map((program) => likenessOf(before[program]?.[i], after[program]?.[i]));
    const other = drawing.filter((_program, n) => (alike[n] ?? 1) < (call.looks ?? 0));
    const isAgreed = other.length === drawing.length;
    // Programs draw a damaged page each in their own way.
    if (other.length === 0 || (!isAgreed && original.facts.check !== "clean")) return [];
    const what = `page looks ${Math.min(...alike).toFixed(3)} in ${other.join(" and ")}`;
    return [{ what, isLoss: isAgreed && !isTold("pixels", told) }];
  });
}

function pagesDrawn(looks: Looks): number {
  return Math.max(0, ...Object.values(looks).map((pages) => pages.length));
}

/** poppler and MuPDF show layers that only their usage hides (ISO 32000-2, 8.11.4.4). */
function isHiddenByUsage({ call, original }: CallCase): boolean {
  const { document } = original.facts;
  return call.removes?.includes("layers") === true && document !== undefined && hasLayerUsage(document);
}

type Removable = NonNullable<ToolCall["removes"]>[number];

async function compareRemoved(
  { kind, original: { facts } }: { readonly kind: Removable; readonly original: Original },
  after: After,
): Promise<Difference[]> {
  if (!facts.document || !after.facts.document) return [];
  const texts = privateTexts(facts.document, { kind, shown: facts.text.join("") });
  const left = tracesOf(after.facts.document, kind);
  left.push(...(await bytesLeft(after.asked.path, { kind, texts })));
  return left.length > 0 ? [{ what: `${kind} left: ${left.join(", ")}`, isLoss: true }] : [];
}

const COLUMNS = ["same", "differs", "LOST", "refused"] as const;

/** A row for each call: how often each result was seen, and the median of the sizes. */
export function summaryOf(compared: readonly Comparison[]): string[] {
  const calls = Map.groupBy(compared, ({ call }) => call);
  const rows = [...calls].map(([call, each]) => {
    const counts = COLUMNS.map((column) => each.filter(({ result }) => result === column).length);
    const ratios = each.flatMap(({ sizes }) => (sizes ? [sizes[1] / sizes[0]] : []));
    return rowOf(call, [...counts.map(String), ratios.length > 0 ? median(ratios) : ""]);
  });
  return rows.length > 0 ? [rowOf("", [...COLUMNS, "size"]), ...rows] : [];
}

function rowOf(call: string, cells: readonly string[]): string {
  return call.padEnd(30) + cells.map((cell) => cell.padStart(9)).join("");
}
