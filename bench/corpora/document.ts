// A document as qpdf tells it in JSON (version 2): which things are in it, for a comparison of before and after.
import { run } from "./programs.ts";

/** A value; names begin with "/", texts with "u:", other strings with "b:", and "1 0 R" is a reference. */
export type QpdfValue = null | boolean | number | string | readonly QpdfValue[] | QpdfDict;
export interface QpdfDict {
  readonly [key: string]: QpdfValue;
}

/** The things of a document by what they are, each as a line that is the same before and after. */
export type Things = Readonly<Record<Aspect, readonly string[]>>;

export const ASPECTS = ["links", "fields", "values", "bookmarks", "attachments", "names"] as const;
export type Aspect = (typeof ASPECTS)[number];

export interface QpdfDocument {
  /** By "1 0 R", of streams their dictionaries. */
  readonly objects: ReadonlyMap<string, QpdfValue>;
  readonly trailer: QpdfDict;
  readonly pages: number;
  readonly things: Things;
}

interface Outline {
  readonly title: string;
  readonly kids: readonly Outline[];
}

/** What we read of qpdf's answer. */
interface QpdfJson {
  readonly pages: readonly { readonly object: string }[];
  readonly acroform: { readonly fields: readonly { readonly fullname: string; readonly value: QpdfValue }[] };
  readonly attachments: Readonly<Record<string, unknown>>;
  readonly outlines: readonly Outline[];
  readonly qpdf: readonly [unknown, Readonly<Record<string, QpdfEntry>>];
}

interface QpdfEntry {
  readonly value?: QpdfValue;
  readonly stream?: { readonly dict: QpdfDict };
}

const KEYS = ["pages", "acroform", "attachments", "outlines", "qpdf"].map((key) => `--json-key=${key}`);

/** Undefined where qpdf cannot read the file, or not in time. */
export async function readDocument(path: string, password: string): Promise<QpdfDocument | undefined> {
  const { output, status } = await run("qpdf", ["--json=2", ...KEYS, `--password=${password}`, path]);
  if (status !== 0 && status !== 3) return undefined;
  // The shape is documented in the manual of qpdf.
  const json = JSON.parse(soundNumbers(output.toString("utf8"))) as QpdfJson;
  const entries = Object.entries(json.qpdf[1]);
  const objects = new Map(
    entries.map(
      ([name, { value, stream }]) => [name.replace(/^obj:/, ""), stream?.dict ?? value ?? null] as const,
    ),
  );
  const trailer = dictOf(objects.get("trailer"));
  return { objects, trailer, pages: json.pages.length, things: thingsOf(json, objects) };
}

/** qpdf copies numbers such as "-0.", which JSON does not have; it writes a value a line. */
export function soundNumbers(json: string): string {
  return json.replaceAll(/^(\s*(?:"(?:[^"\\]|\\.)*": )?-?\d+)\.(?=,?$)/gm, "$1");
}

function thingsOf({ pages, acroform, attachments, outlines }: QpdfJson, objects: Objects): Things {
  const { fields } = acroform;
  const catalog = dictOf(resolve(objects, dictOf(objects.get("trailer"))["/Root"]));
  const named = namedTargets(objects, catalog);
  return {
    links: pages.flatMap(({ object }) => linksOf({ objects, named }, object)),
    fields: fields.map(({ fullname }) => fullname),
    values: fields.flatMap(({ value }) => valueOf(objects, value)),
    bookmarks: titlesOf(outlines),
    attachments: Object.keys(attachments),
    names: NAME_TREES.filter((tree) => dictOf(resolve(objects, catalog["/Names"]))[tree] !== undefined),
  };
}

/** What readers show or run; programs have others for themselves. */
const NAME_TREES = ["/Dests", "/EmbeddedFiles", "/JavaScript", "/AP"];

/** What a signature is, its numbers aside. */
function valueOf(objects: Objects, value: QpdfValue): string[] {
  const meant = resolve(objects, value);
  if (meant === undefined) return [];
  return [typeof meant === "object" && !isList(meant) ? "a dictionary" : JSON.stringify(meant)];
}

type Objects = ReadonlyMap<string, QpdfValue>;

interface Targets {
  readonly objects: Objects;
  /** By name. */
  readonly named: ReadonlyMap<string, QpdfValue>;
}

function linksOf({ objects, named }: Targets, page: string): string[] {
  const annotations = resolve(objects, dictOf(objects.get(page))["/Annots"]);
  const links = listOf(annotations).map((each) => dictOf(resolve(objects, each)));
  return links.flatMap((link) =>
    resolve(objects, link["/Subtype"]) === "/Link" ? [targetOf({ objects, named }, link)] : [],
  );
}

/** Where a link leads; a page is not told by its number, which parts and merges change. */
function targetOf({ objects, named }: Targets, link: QpdfDict): string {
  const action = dictOf(resolve(objects, link["/A"]));
  const type = resolve(objects, action["/S"]);
  if (type === "/URI") return `to ${JSON.stringify(resolve(objects, action["/URI"]))}`;
  if (type !== undefined && type !== "/GoTo") return `as ${JSON.stringify(type)}`;
  const given = resolve(objects, type ? action["/D"] : link["/Dest"]);
  const found = typeof given === "string" ? resolve(objects, named.get(given)) : given;
  const target = resolve(objects, dictOf(found)["/D"]) ?? found;
  const [page] = listOf(target);
  // Readers also take the number of a page, in place of which parts and merges have a reference.
  const isPage = typeof page === "number" || dictOf(resolve(objects, page))["/Type"] === "/Page";
  return isPage ? "to a page" : "dead";
}

/** From the name tree, and from the dictionary that PDF 1.1 had. */
function namedTargets(objects: Objects, catalog: QpdfDict): Map<string, QpdfValue> {
  const old = dictOf(resolve(objects, catalog["/Dests"]));
  const named = new Map(Object.entries(old));
  const names = dictOf(resolve(objects, catalog["/Names"]));
  const seen = new Set<QpdfValue>();
  const waiting = [names["/Dests"]];
  while (waiting.length > 0) {
    const node = dictOf(resolve(objects, waiting.pop()));
    if (seen.has(node)) continue;
    seen.add(node);
    waiting.push(...listOf(resolve(objects, node["/Kids"])));
    const pairs = listOf(resolve(objects, node["/Names"]));
    for (let i = 0; i + 1 < pairs.length; i += 2) {
      const name = resolve(objects, pairs[i]);
      if (typeof name === "string") named.set(name, pairs[i + 1] ?? null);
    }
  }
  return named;
}

/** Whether layers are shown or hidden by what they are used for. */
export function hasLayerUsage(document: QpdfDocument): boolean {
  return [...entriesOf(document)].some(({ key }) => key === "/Usage");
}

function titlesOf(outlines: readonly Outline[]): string[] {
  const titles: string[] = [];
  const waiting = [...outlines];
  for (let each = waiting.pop(); each; each = waiting.pop()) {
    titles.push(each.title);
    waiting.push(...each.kids);
  }
  return titles;
}

/** An entry of any dictionary. */
export interface Entry {
  readonly key: string;
  readonly value: QpdfValue;
  readonly dict: QpdfDict;
}

/** Every entry that stands in the file, whether something leads to it or not. */
export function* entriesOf({ objects }: Pick<QpdfDocument, "objects">): Generator<Entry> {
  const waiting = [...objects.values()];
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    if (typeof each !== "object" || each === null) continue;
    if (isList(each)) for (const item of each) waiting.push(item);
    else {
      for (const [key, value] of Object.entries(each)) yield { key, value, dict: each };
      for (const value of Object.values(each)) waiting.push(value);
    }
  }
}

/** What a value is, or stands for by references; undefined for what is absent or null. */
export function resolve(objects: Objects, value: QpdfValue | undefined): QpdfValue | undefined {
  let found = value;
  for (let step = 0; step < MOST_STEPS && isRef(found); step++) found = objects.get(`${found}`);
  return found === null || isRef(found) ? undefined : found;
}

/** References to references. */
const MOST_STEPS = 100;

function isRef(value: QpdfValue | undefined): boolean {
  return typeof value === "string" && /^\d+ \d+ R$/.test(value);
}

export function dictOf(value: QpdfValue | undefined): QpdfDict {
  return typeof value === "object" && value !== null && !isList(value) ? value : {};
}

export function listOf(value: QpdfValue | undefined): readonly QpdfValue[] {
  return isList(value) ? value : [];
}

function isList(value: QpdfValue | undefined): value is readonly QpdfValue[] {
  return Array.isArray(value);
}
