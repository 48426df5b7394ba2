import { dictIn, type Pdf, resolve } from "../model/document.ts";
import { uniqueName, stringBytes } from "../syntax/strings.ts";
import { type Dict, isDict, isString, type Value } from "../syntax/values.ts";
import { latin1 } from "../syntax/lexer.ts";
import { changeElements } from "./element-ids.ts";

/**
 * Adds the attribute classes of a structure (ISO 32000-2, 14.7.6.2) to the joined one and gives those that are added. What
 * is there already is shared; another class of the same name gets a number behind it, also in the elements that name it.
 */
export function takeClasses(
  pdf: Pdf,
  { root, top, joined }: { root: Dict; top: readonly Value[]; joined: Dict },
): Dict {
  const own: Dict = dictIn(pdf, { dict: root, key: "ClassMap" }) ?? new Map();
  const before: Dict = dictIn(pdf, { dict: joined, key: "ClassMap" }) ?? new Map();
  const added: Dict = new Map();
  const renamed = new Map<string, string>();
  const taken = new Set([...before.keys(), ...own.keys()]);
  for (const [name, value] of own) {
    const known = before.get(name);
    if (known !== undefined && isShared(pdf, known, value)) continue;
    const fresh = known === undefined ? name : uniqueName(name, taken);
    if (fresh !== name) renamed.set(name, fresh);
    added.set(fresh, value);
  }
  if (added.size > 0) joined.set("ClassMap", new Map([...before, ...added]));
  if (renamed.size > 0)
    changeElements(pdf, { elements: top, change: (element) => rename(pdf, { element, renamed }) });
  return added;
}

/** Classes that name cells as headers mean those of their own file. */
function isShared(pdf: Pdf, a: Value, b: Value): boolean {
  const text = textOf(pdf, a);
  return text !== undefined && text === textOf(pdf, b);
}

const MAX_LEVELS = 20;

/** A value written in one way; undefined for one that is too deep to compare, or has headers. */
function textOf(pdf: Pdf, value: Value | undefined, level = 0): string | undefined {
  const found = resolve(pdf, value);
  if (level > MAX_LEVELS) return undefined;
  if (isDict(found)) {
    if (found.has("Headers")) return undefined;
    const keys = [...found.keys()].sort();
    return joinTexts(
      "<<",
      keys.map((key) => prefixed(key, textOf(pdf, found.get(key), level + 1))),
    );
  }
  if (Array.isArray(found))
    return joinTexts(
      "[",
      found.map((each) => textOf(pdf, each, level + 1)),
    );
  if (isString(found)) return `(${JSON.stringify(latin1(stringBytes(found)))})`;
  if (typeof found !== "object" || found === null) return JSON.stringify(found ?? null);
  return found.kind === "real" ? String(Number(found.text)) : undefined;
}

function prefixed(key: string, text: string | undefined): string | undefined {
  return text === undefined ? undefined : `${JSON.stringify(key)} ${text}`;
}

function joinTexts(bracket: string, texts: readonly (string | undefined)[]): string | undefined {
  return texts.includes(undefined) ? undefined : `${bracket}${texts.join(" ")}${bracket}`;
}

/** /C is a class or a list of them, each perhaps with a revision number behind it. */
function rename(
  pdf: Pdf,
  { element, renamed }: { element: Dict; renamed: ReadonlyMap<string, string> },
): Dict {
  const change = (each: Value): Value => {
    const name = resolve(pdf, each);
    return typeof name === "string" ? (renamed.get(name) ?? name) : each;
  };
  const value = element.get("C");
  if (value === undefined) return element;
  const found = resolve(pdf, value);
  return new Map([...element, ["C", Array.isArray(found) ? found.map(change) : change(value)]]);
}
