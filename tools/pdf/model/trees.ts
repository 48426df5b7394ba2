import { addObject, arrayAt, dictAt, dictIn, type Pdf, resolve } from "./document.ts";
import { MAX_OBJECTS, tooComplex } from "../limits.ts";
import {
  type Dict,
  isRef,
  isString,
  makeDict,
  type PdfString,
  pushAll,
  type Value,
} from "../syntax/values.ts";
import { hexString, stringBytes } from "../syntax/strings.ts";
import { latin1 } from "../syntax/lexer.ts";

/** The key that holds the pairs of a name tree (ISO 32000-1, 7.9.6) or a number tree (7.9.7). */
type TreeKind = "Names" | "Nums";

export type Pair = readonly [key: Value, value: Value];

const LEAF = 64;

/** The pairs of a tree in order. /Limits are ignored, and each node is read once. */
export function readTree(pdf: Pdf, root: Value | undefined, kind: TreeKind): Pair[] {
  const pairs: Pair[] = [];
  const seen = new Set<number>();
  const waiting: Value[] = root === undefined ? [] : [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isRef(node) && (seen.has(node.num) || !seen.add(node.num))) continue;
    const dict = dictAt(pdf, node);
    const items = arrayAt(pdf, dict?.get(kind)) ?? [];
    for (let i = 0; i + 1 < items.length; i += 2)
      pairs.push([resolve(pdf, items[i]) ?? null, items[i + 1] ?? null]);
    if (pairs.length + waiting.length > MAX_OBJECTS) {
      throw tooComplex({ limit: "objects", value: MAX_OBJECTS, unit: "names" });
    }
    for (const kid of (arrayAt(pdf, dict?.get("Kids")) ?? []).toReversed()) waiting.push(kid);
  }
  return pairs;
}

/** Makes a tree from sorted pairs. */
export function makeTree(pdf: Pdf, pairs: readonly Pair[], kind: TreeKind): Dict {
  if (pairs.length <= LEAF) return makeDict({ [kind]: pairs.flat() });
  const kids: Value[] = [];
  for (let i = 0; i < pairs.length; i += LEAF) {
    const leaf = pairs.slice(i, i + LEAF);
    const limits: Value[] = [leaf.at(0), leaf.at(-1)].map((pair) => pair?.[0] ?? null);
    kids.push(addObject(pdf, makeDict({ Limits: limits, [kind]: leaf.flat() })));
  }
  return makeDict({ Kids: kids });
}

/** The items of an array, or the one value that stands in place of it. */
export function itemsAt(pdf: Pdf, value: Value | undefined): Value[] {
  return arrayAt(pdf, value) ?? [value ?? null].filter((each) => each !== null);
}

/** The object numbers of these dictionaries and of those that `next` leads to, each once. */
export function objectsBelow(
  pdf: Pdf,
  start: readonly Value[],
  next: (dict: Dict) => readonly Value[],
): Set<number> {
  const nums = new Set<number>();
  const waiting = [...start];
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    const dict = dictAt(pdf, item);
    if (!isRef(item) || nums.has(item.num) || !dict) continue;
    nums.add(item.num);
    pushAll(waiting, next(dict));
  }
  return nums;
}

/** The object numbers of a form's fields and of their widgets. */
export function fieldsOf(pdf: Pdf, catalog: Dict | undefined): Set<number> {
  const top = arrayAt(pdf, dictIn(pdf, catalog, "AcroForm")?.get("Fields")) ?? [];
  return objectsBelow(pdf, top, (field) => arrayAt(pdf, field.get("Kids")) ?? []);
}

/** The string that stands for a key in a name tree. */
export function nameString(key: string): PdfString {
  return hexString(Uint8Array.from(key, (character) => character.charCodeAt(0)));
}

/** The bytes of a name or string as a JavaScript string, one character per byte. */
export function keyOf(value: Value | undefined): string | undefined {
  if (typeof value === "string") return value;
  return isString(value) ? latin1(stringBytes(value)) : undefined;
}
