import { arrayAt, rawStreamData, dictAt, type Pdf, resolve } from "./document.ts";
import { decodeStream, filterSteps } from "../filters/filters.ts";
import { latin1, lexerAt, skipRegular } from "../syntax/lexer.ts";
import { type Page, pageDict } from "./pages.ts";
import { unescapeName } from "../syntax/parse.ts";
import { ToolFailure } from "../../../wire/tool-failure.ts";
import { type Dict, isDict, isRef, isStream, pushAll, type Stream, type Value } from "../syntax/values.ts";

/** The kinds of resources (ISO 32000-1, 7.8.3) that content calls by name. */
const KINDS = ["Font", "XObject", "ExtGState", "ColorSpace", "Pattern", "Shading", "Properties"];

export function resourcesOf(pdf: Pdf, page: Page): Dict | undefined {
  return dictAt(pdf, pageDict(pdf, page).get("Resources") ?? page.inherited.get("Resources"));
}

/** How many of the pages have each object among their fonts and drawings. */
export function countUses(pdf: Pdf, pages: readonly Page[]): Map<number, number> {
  const uses = new Map<number, number>();
  const known = new Map<Dict, number[]>();
  for (const page of pages) {
    const resources = resourcesOf(pdf, page);
    if (!resources) continue;
    const nums = known.get(resources) ?? numbersIn(pdf, resources);
    known.set(resources, nums);
    for (const num of nums) uses.set(num, (uses.get(num) ?? 0) + 1);
  }
  return uses;
}

function numbersIn(pdf: Pdf, resources: Dict): number[] {
  const entries = KINDS.flatMap((kind) => [...(dictAt(pdf, resources.get(kind))?.values() ?? [])]);
  return entries.filter(isRef).map(({ num }) => num);
}

interface Using {
  readonly page: Page;
  readonly uses: ReadonlyMap<number, number>;
  /** Objects that a page of the same part was already seen to name. */
  readonly named: Set<number>;
}

/**
 * The resources of a page without those its content does not name, which may be drawings of other pages;
 * undefined where nothing need or can be left out: all are its own, or named by a page that stays anyway.
 */
export function usedResources(pdf: Pdf, { page, uses, named }: Using): Dict | undefined {
  const resources = resourcesOf(pdf, page);
  if (!resources) return undefined;
  const isSafe = (num: number): boolean => uses.get(num) === 1 || named.has(num);
  if (numbersIn(pdf, resources).every(isSafe)) return undefined;
  const names = namesUsed(pdf, { page, resources });
  if (!names) return undefined;
  const used: Dict = new Map(resources);
  for (const kind of KINDS) {
    const entries = dictAt(pdf, resources.get(kind));
    if (entries) used.set(kind, new Map([...entries].filter(([name]) => names.has(name))));
  }
  for (const num of numbersIn(pdf, used)) named.add(num);
  return used;
}

/** Every name that the content of a page, and what it draws, looks up in the page's resources. */
function namesUsed(pdf: Pdf, { page, resources }: { page: Page; resources: Dict }): Set<string> | undefined {
  const names = new Set<string>();
  const waiting = contentsOf(pdf, pageDict(pdf, page));
  const seen = new Set<Stream>();
  for (let stream = waiting.pop(); stream; stream = waiting.pop()) {
    if (seen.has(stream)) continue;
    seen.add(stream);
    const content = contentOf(pdf, stream);
    if (!content) return undefined;
    const own = ownNames(pdf, stream);
    const fresh = [...namesIn(content)].filter((name) => !own.has(name) && !names.has(name));
    pushAll(waiting, contentBehind(pdf, { resources, names: fresh }));
    for (const name of fresh) names.add(name);
  }
  return names;
}

/** What a drawing's own resources define; for the rest readers turn to those of the page. */
function ownNames(pdf: Pdf, { dict }: Stream): Set<string> {
  const resources = dictAt(pdf, dict.get("Resources"));
  return new Set(KINDS.flatMap((kind) => [...(dictAt(pdf, resources?.get(kind))?.keys() ?? [])]));
}

function contentsOf(pdf: Pdf, dict: Dict): Stream[] {
  const contents = resolve(pdf, dict.get("Contents"));
  const parts: Value[] = Array.isArray(contents) ? contents : [contents ?? null];
  const own = parts.map((part) => resolve(pdf, part)).filter(isStream);
  return [...own, ...appearancesOf(pdf, dict)];
}

/** Appearances of annotations that rely on the resources of the page. */
function appearancesOf(pdf: Pdf, dict: Dict): Stream[] {
  const found: Stream[] = [];
  for (const annotation of arrayAt(pdf, dict.get("Annots")) ?? []) {
    const kinds = dictAt(pdf, dictAt(pdf, annotation)?.get("AP"))?.values() ?? [];
    for (const kind of kinds) {
      const value = resolve(pdf, kind);
      const streams = isDict(value) ? [...value.values()].map((each) => resolve(pdf, each)) : [value];
      pushAll(
        found,
        streams.filter(isStream).filter((each) => !each.dict.has("Resources")),
      );
    }
  }
  return found;
}

/** The content behind these names: drawings, patterns, and the glyphs of fonts made of content. */
function contentBehind(
  pdf: Pdf,
  { resources, names }: { resources: Dict; names: readonly string[] },
): Stream[] {
  return ["XObject", "Pattern", "Font"].flatMap((kind) => {
    const entries = dictAt(pdf, resources.get(kind));
    const called = entries ? names.map((name) => resolve(pdf, entries.get(name))) : [];
    return called.flatMap((each) => {
      if (isStream(each)) return each.dict.get("Subtype") === "Image" ? [] : [each];
      const glyphs = isDict(each) ? dictAt(pdf, each.get("CharProcs")) : undefined;
      return [...(glyphs?.values() ?? [])].map((glyph) => resolve(pdf, glyph)).filter(isStream);
    });
  });
}

/** The content of a stream; undefined for filters the engine does not undo. */
function contentOf(pdf: Pdf, stream: Stream): Uint8Array | undefined {
  try {
    const steps = filterSteps(stream.dict, (value) => resolve(pdf, value));
    return decodeStream(rawStreamData(stream), { steps, budget: pdf.budget });
  } catch (error) {
    if (error instanceof ToolFailure && error.code === "unsupported_feature") return undefined;
    throw error;
  }
}

/** Whatever follows a solidus, be it in a string or an image: one name too many does no harm. */
function namesIn(content: Uint8Array): Set<string> {
  const names = new Set<string>();
  const lexer = lexerAt(content);
  for (let at = content.indexOf(0x2f); at >= 0; at = content.indexOf(0x2f, lexer.at)) {
    lexer.at = at + 1;
    const from = skipRegular(lexer);
    if (lexer.at - from <= 256) names.add(unescapeName(latin1(content, { from, to: lexer.at })));
  }
  return names;
}
