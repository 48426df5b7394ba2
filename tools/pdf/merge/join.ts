import { arrayAt, dictAt, type Pdf, resolve, addObject, replaceObject } from "../model/document.ts";
import { replaceCatalog } from "../model/catalog.ts";
import { rebuildPageTree } from "../model/pages.ts";
import { keyOf, objectsBelow } from "../model/trees.ts";
import { type LabelRun, labelAt, makeLabels, readLabels } from "../navigation/labels.ts";
import {
  setEntries,
  type Dict,
  isRef,
  type Value,
  makeDict,
  numberOf,
  type Ref,
  refTo,
} from "../syntax/values.ts";
import { textString } from "../syntax/strings.ts";
import { joinClaims } from "./claims.ts";
import { joinForms } from "./forms.ts";
import { type MergeSource, updateDict } from "./merge-source.ts";
import { joinNames } from "./names.ts";
import { joinStructures } from "./structures.ts";

/** Merges the documents under the catalog of the first; adds warnings about what was left out. */
export function joinDocuments(pdf: Pdf, sources: readonly MergeSource[]): void {
  const language = joinLanguages(pdf, sources);
  const names = joinNames(pdf, sources);
  const structure = joinStructures(pdf, sources);
  const catalog: Dict = new Map(sources[0]?.catalog);
  setEntries(catalog, {
    ...names,
    Lang: language,
    Outlines: joinOutlines(pdf, sources),
    AcroForm: joinForms(pdf, sources),
    OCProperties: joinLayers(pdf, sources),
    PageLabels: joinLabels(pdf, sources),
    StructTreeRoot: structure,
    MarkInfo: structure && joinMarks(pdf, sources),
    AF: joinFiles(pdf, sources),
    // These entries concern the pages of one file only, or how it is displayed.
    Threads: undefined,
    Perms: undefined,
    Collection: undefined,
    DPartRoot: undefined,
    Pages: rebuildPageTree(
      pdf,
      sources.flatMap(({ pages }) => pages),
    ),
  });
  replaceCatalog(pdf, catalog);
  joinClaims(pdf, sources);
}

/**
 * Uses the language of the first file that has one. Later files in another language state it in their tags, the only
 * other place for it (ISO 32000-1, 14.9.2).
 */
function joinLanguages(pdf: Pdf, sources: readonly MergeSource[]): Value | undefined {
  const languages = sources.map(({ catalog }) => resolve(pdf, catalog.get("Lang")));
  const first = languages.find((language) => language !== undefined);
  sources.forEach((source, i) => {
    const language = languages[i];
    if (language === undefined || keyOf(language) === keyOf(first)) return;
    const root = dictAt(pdf, source.catalog.get("StructTreeRoot"));
    if (!root) return void source.warnings.push({ code: "language_left_out" });
    source.language = language;
  });
  return first;
}

/** The result is tagged if any file is, and not suspect only if no file is suspect. */
function joinMarks(pdf: Pdf, sources: readonly MergeSource[]): Dict | undefined {
  const marks = sources.map(({ catalog }) => dictAt(pdf, catalog.get("MarkInfo")));
  const marked = marks.map((each) => resolve(pdf, each?.get("Marked")) === true);
  if (!marked.includes(true)) return marks[0];
  const isSure =
    !marked.includes(false) && !marks.some((each) => resolve(pdf, each?.get("Suspects")) === true);
  const joined: Dict = new Map([["Marked", true]]);
  if (!isSure) joined.set("Suspects", true);
  return joined;
}

/** Files that are associated with the whole documents (ISO 32000-2, 14.13). */
function joinFiles(pdf: Pdf, sources: readonly MergeSource[]): Value[] | undefined {
  const files: Value[] = [];
  const seen = new Set<number>();
  for (const file of sources.flatMap(({ catalog }) => arrayAt(pdf, catalog.get("AF")) ?? [])) {
    if (!isRef(file) || (!seen.has(file.num) && seen.add(file.num))) files.push(file);
  }
  return files.length > 0 ? files : undefined;
}

function joinLabels(pdf: Pdf, sources: readonly MergeSource[]): Value | undefined {
  if (!sources.some(({ catalog }) => catalog.has("PageLabels"))) return undefined;
  const plain: LabelRun[] = [];
  const labels = sources.flatMap((source) => {
    const runs = source.catalog.has("PageLabels") ? readLabels(pdf, source.catalog.get("PageLabels")) : plain;
    // A pruned catalog already has the labels of the kept pages only.
    return source.pages.map((_, i) => labelAt(runs, i));
  });
  return makeLabels(pdf, labels);
}

/** Concatenates the outlines; those of a file with a title go under a bookmark with that title. */
function joinOutlines(pdf: Pdf, sources: readonly MergeSource[]): Ref | undefined {
  const items = sources.flatMap((source) => {
    const own = chain(pdf, dictAt(pdf, source.catalog.get("Outlines"))?.get("First"));
    return source.title === undefined ? own : [addParent(pdf, { ...source, title: source.title, own })];
  });
  if (items.length === 0) return undefined;
  const root = addObject(pdf, makeDict({ Type: "Outlines" }));
  linkKids(pdf, root, items);
  return root;
}

/** A bookmark that leads to the first page of a file and has the file's own bookmarks as children. */
function addParent(
  pdf: Pdf,
  { title, pages, own }: { title: string; pages: MergeSource["pages"]; own: readonly Ref[] },
): Ref {
  const parent = addObject(
    pdf,
    makeDict({ Title: textString(title), Dest: [refTo(pages[0]?.num ?? 0), "Fit"] }),
  );
  linkKids(pdf, parent, own);
  return parent;
}

/** Links bookmarks as children of another bookmark or of the root (ISO 32000-1, 12.3.3). */
function linkKids(pdf: Pdf, parent: Ref, kids: readonly Ref[]): void {
  const counts = kids.map((kid) => 1 + Math.max(0, numberOf(dictAt(pdf, kid)?.get("Count")) ?? 0));
  const visible = counts.reduce((sum, count) => sum + count, 0);
  const Count = visible === 0 ? undefined : visible;
  updateDict(pdf, parent, { First: kids[0], Last: kids.at(-1), Count });
  kids.forEach((ref, i) => updateDict(pdf, ref, { Parent: parent, Prev: kids[i - 1], Next: kids[i + 1] }));
}

function chain(pdf: Pdf, first: Value | undefined): Ref[] {
  return [...objectsBelow(pdf, [first ?? null], (item) => [item.get("Next") ?? null])].map(refTo);
}

/** The lists of a configuration (ISO 32000-1, 8.11.4.3) that are concatenated. */
const LISTS = ["Order", "ON", "OFF", "AS", "Locked", "RBGroups"];

/** Merges the layers; each stays visible or hidden as in its own file. */
function joinLayers(pdf: Pdf, sources: readonly MergeSource[]): Value | undefined {
  const all = sources
    .map(({ catalog }) => dictAt(pdf, catalog.get("OCProperties")))
    .filter((layers) => layers !== undefined);
  const [first, ...others] = all;
  if (!first || others.length === 0) return first;
  const defaults = all.map((layers) => plainDefault(pdf, layers));
  const joined: Dict = new Map([...(dictAt(pdf, first.get("D")) ?? []), ["BaseState", "ON"]]);
  for (const list of LISTS) {
    const items = defaults.flatMap((each) => arrayAt(pdf, each.get(list)) ?? []);
    if (items.length > 0) joined.set(list, items);
    else joined.delete(list);
  }
  const perFile = all.map((layers) => arrayAt(pdf, layers.get("OCGs")) ?? []);
  tellApart(pdf, perFile);
  const groups = perFile.flat();
  return new Map<string, Value>([...first, ["OCGs", groups], ["D", joined]]);
}

/** The same configuration with BaseState ON and a list of hidden layers. */
function plainDefault(pdf: Pdf, layers: Dict): Dict {
  const dict: Dict = dictAt(pdf, layers.get("D")) ?? new Map();
  if (resolve(pdf, dict.get("BaseState")) !== "OFF") return dict;
  const shown = new Set((arrayAt(pdf, dict.get("ON")) ?? []).filter(isRef).map(({ num }) => num));
  const hidden = (arrayAt(pdf, layers.get("OCGs")) ?? []).filter(
    (group) => isRef(group) && !shown.has(group.num),
  );
  return new Map<string, Value>([...dict, ["OFF", hidden]]);
}

/**
 * MuPDF 1.21 identifies layers by the content of their dictionaries, so a layer that another file hides would be hidden
 * too. Repeating an intent (8.11.2.1) changes the content and not the meaning.
 */
function tellApart(pdf: Pdf, perFile: readonly (readonly Value[])[]): void {
  const seen = new Map<string, number>();
  for (const groups of perFile) {
    const names = new Set<string>();
    for (const group of groups) {
      const dict = dictAt(pdf, group);
      const name = keyOf(resolve(pdf, dict?.get("Name")));
      if (!isRef(group) || !dict || name === undefined) continue;
      names.add(name);
      const times = seen.get(name) ?? 0;
      if (times > 0) replaceObject(pdf, group.num, withIntents(pdf, dict, times));
    }
    for (const name of names) seen.set(name, (seen.get(name) ?? 0) + 1);
  }
}

function withIntents(pdf: Pdf, dict: Dict, times: number): Dict {
  const own = resolve(pdf, dict.get("Intent")) ?? "View";
  const intents = Array.isArray(own) ? own : [own];
  const again = Array.from({ length: times }, () => intents[0] ?? "View");
  return new Map<string, Value>([...dict, ["Intent", [...intents, ...again]]]);
}
