import type { Removable } from "../../file/document-options.ts";
import { getObject, objectExists, type Pdf, replaceObject, resolve } from "../model/document.ts";
import type { PdfPage } from "../model/pages.ts";
import {
  type Dict,
  isDict,
  isRef,
  isStream,
  isString,
  type Ref,
  type Stream,
  type Value,
} from "../syntax/values.ts";
import { cleanActions, hasScriptBase } from "./actions.ts";
import { type CleanedDocument, takesOut } from "./cleaned-document.ts";
import { cleanContent, cleanOpenContents } from "./content-metadata.ts";
import { eitherType, type ObjectType, PRIVATE, typeNamed } from "./object-types.ts";
import { cleanStreamData } from "./stream-data.ts";
import { dropElements } from "./structure.ts";

/** Entries that are of a kind wherever they stand. */
const KINDS: ReadonlyMap<string, Removable> = new Map(
  Object.entries<Removable>({
    // Of names, rendition actions, 3D and rich media; an XML form has scripts of its own.
    JavaScript: "scripts",
    JS: "scripts",
    OnInstantiate: "scripts",
    Scripts: "scripts",
    XFA: "scripts",
    XFAResources: "scripts",
    XFAImages: "scripts",
    // What a reader must be able to do (12.11); pages that only scripts put in.
    Requirements: "scripts",
    Templates: "scripts",
    // 7.11.4, with what media annotations have embedded.
    EmbeddedFiles: "attachments",
    AF: "attachments",
    Collection: "attachments",
    EF: "attachments",
    RF: "attachments",
    // With the data that signatures are checked by, and their attestations (12.8.4.3, 12.8.7).
    AcroForm: "forms",
    Perms: "forms",
    DSS: "forms",
    Legal: "forms",
    NeedsRendering: "forms",
    Outlines: "bookmarks",
    OCProperties: "layers",
    OC: "layers",
  }),
);

/** What the window shows beside the pages (table 29). */
const MODES: Readonly<Record<string, Removable>> = {
  UseOutlines: "bookmarks",
  UseAttachments: "attachments",
  UseOC: "layers",
};

interface Walk {
  readonly cleaned: CleanedDocument;
  /** By object number: of which type an object is, by all places that lead to it. */
  readonly types: Map<number, string>;
  readonly waiting: number[];
  /** Streams whose last operation goes on in the next stream of a page. */
  readonly open: Set<number>;
  /** Structure elements, which wait until it is known what of the pages they are about. */
  readonly elements: number[];
  /** Objects that were changed here, and what they were before if that does not stand in the file. */
  readonly originals: Map<number, Value | undefined>;
  /** References that only point, to what nothing has led to yet. */
  readonly pointers: { readonly from: number; readonly to: number }[];
  /** The objects being looked at: first all but elements, then elements, at last those that only point at something. */
  step: "pages" | "elements" | "pointers";
}

/** A value to be cleaned: the object that it is in, and its type. */
interface ValueOwner {
  readonly walk: Walk;
  readonly num: number;
  readonly type: ObjectType;
}

/**
 * Takes from every object that the document leads to what its kinds say; what is reached only from there is not written.
 * Entries that the type of an object does not have are metadata.
 */
export function cleanObjects(cleaned: CleanedDocument, pages: readonly PdfPage[]): void {
  const { pdf, kinds } = cleaned;
  if (kinds.size === 0) return;
  const walk: Walk = {
    cleaned,
    types: new Map(),
    waiting: [],
    elements: [],
    open: new Set(),
    originals: new Map(),
    pointers: [],
    step: "pages",
  };
  cleanValue(pdf.main.trailer.get("Root") ?? null, { walk, num: 0, type: typeNamed("Catalog") });
  cleanWaiting(walk, walk.waiting);
  dropElements(cleaned, (num) => walk.types.has(num));
  walk.step = "elements";
  cleanWaiting(walk, walk.elements);
  walk.step = "pointers";
  const holders = new Set(walk.pointers.filter(({ to }) => !walk.types.has(to)).map(({ from }) => from));
  for (const num of holders) cleanObject(walk, num);
  cleanOpenContents(cleaned, pages, walk.open);
}

function cleanWaiting(walk: Walk, first: number[]): void {
  const next = () => walk.waiting.pop() ?? first.pop();
  for (let num = next(); num !== undefined; num = next()) cleanObject(walk, num);
}

function cleanObject(walk: Walk, num: number): void {
  const { pdf } = walk.cleaned;
  const before = originalOf(walk, num);
  const cleaned = cleanValue(before, { walk, num, type: typeNamed(walk.types.get(num) ?? "") });
  if (cleaned === before) return;
  if (!walk.originals.has(num)) walk.originals.set(num, pdf.changed.get(num));
  replaceObject(pdf, num, cleaned ?? null);
}

/** The object as it was before it was cleaned for a type that was not all it is. */
function originalOf({ cleaned: { pdf }, originals }: Walk, num: number): Value {
  const original = originals.get(num);
  if (original !== undefined) replaceObject(pdf, num, original);
  else if (originals.has(num)) pdf.changed.delete(num);
  return getObject(pdf, num);
}

function enter({ types, waiting, elements, step, cleaned }: Walk, ref: Ref, type: ObjectType) {
  const known = types.get(ref.num);
  if (known === type.id) return;
  const all = known === undefined ? type.id : eitherType(known, type.id);
  if (all === known || !objectExists(cleaned.pdf, ref)) return;
  types.set(ref.num, all);
  (isElement(type) && step === "pages" ? elements : waiting).push(ref.num);
}

function isElement({ id }: ObjectType): boolean {
  return id.includes("Element");
}

/** The value as it is to be, the same one where nothing changes; undefined for one that goes. */
function cleanValue(value: Value, place: ValueOwner): Value | undefined {
  if (isRef(value)) return cleanReference(value, place);
  if (Array.isArray(value)) return cleanList(value, place);
  if (isStream(value)) return cleanStream(value, place);
  return isDict(value) ? cleanDict(value, place) : value;
}

function cleanReference(ref: Ref, { walk, num, type }: ValueOwner): Value | undefined {
  const { cleaned, types, pointers } = walk;
  if (cleaned.removed.has(ref.num)) return undefined;
  if (!type.isPointer) {
    enter(walk, ref, type);
  } else if (!types.has(ref.num)) {
    // Elements are still to come while elements are looked at.
    if (walk.step === "pointers" || (walk.step === "elements" && !isElement(type))) return undefined;
    pointers.push({ from: num, to: ref.num });
  }
  return ref;
}

function isScalar(value: Value): boolean {
  return typeof value !== "object" || value === null || isString(value);
}

function cleanList(list: Value[], place: ValueOwner): Value[] {
  const items = { ...place, type: typeNamed(place.type.items) };
  const { isTree, hasPlaces } = place.type;
  if (isTree) return cleanPairs(list, items);
  const cleaned = list.map((each) => (isScalar(each) ? each : cleanValue(each, items)));
  if (cleaned.every((each, i) => each === list[i])) return list;
  return cleaned.flatMap((each) => {
    // An array in an array is one item.
    if (each === undefined) return hasPlaces ? [null] : [];
    return [each];
  });
}

/** The keys of a tree and their values take turns, so that they go together. */
function cleanPairs(list: Value[], place: ValueOwner): Value[] {
  const kept: Value[] = [];
  for (let i = 0; i < list.length; i += 2) {
    const [key = null, value = null] = [list[i], list[i + 1]];
    const named = place.type.has("Action") ? cleanActions(place.walk.cleaned, value) : value;
    const cleaned = named === undefined ? undefined : cleanValue(named, place);
    if (cleaned !== undefined) kept.push(key, cleaned);
  }
  return kept.length === list.length && kept.every((each, i) => each === list[i]) ? list : kept;
}

function cleanStream(stream: Stream, place: ValueOwner): Stream | undefined {
  const { cleaned } = place.walk;
  const type = typeOfStream(place.type);
  const data = cleaned.kinds.has("metadata") ? cleanData(stream, { ...place, type }) : stream;
  const dict = cleanDict(data.dict, { ...place, type });
  if (!dict) return undefined;
  return dict === data.dict ? data : { ...data, dict };
}

/** One stream can stand where else there is a dictionary of them, such as that of a button's states. */
function typeOfStream({ id }: ObjectType): ObjectType {
  const names = id.split("|").map((name) => name.replace(/^\*/, ""));
  return typeNamed(names.reduce(eitherType));
}

/** A stream without the metadata in its data. */
function cleanData(stream: Stream, { walk, num, type }: ValueOwner): Stream {
  const { cleaned } = walk;
  const isDrawing = type.has("XObject") && !isImage(cleaned.pdf, stream);
  const isContent = type.has("Content") || isDrawing;
  const made = isContent ? cleanContent(cleaned.pdf, stream, () => walk.open.add(num)) : { stream };
  if (made.stream === stream) return cleanStreamData(cleaned, made, type);
  cleaned.found.add("metadata");
  return made.stream;
}

/** Forms, tiling patterns and glyphs are content, and so is what says no type. */
function isImage(pdf: Pdf, { dict }: Stream): boolean {
  return resolve(pdf, dict.get("Subtype")) === "Image" || dict.has("Width") || dict.has("W");
}

function cleanDict(dict: Dict, place: ValueOwner): Dict | undefined {
  const { walk, type } = place;
  if (type.id === "" && takesOut(walk.cleaned, "metadata")) return undefined;
  let cleaned: Dict | undefined;
  for (const [key, value] of dict) {
    const kept = cleanEntry({ dict, key, value }, place);
    if (kept === value) continue;
    cleaned ??= new Map(dict);
    if (kept === undefined) cleaned.delete(key);
    else cleaned.set(key, kept);
  }
  if (!cleaned) return dict;
  return isForNothing(dict, cleaned, type) ? undefined : cleaned;
}

/** A structure element's reference to what goes, goes with it (ISO 32000-2, 14.7.5.3), and a file's name with the file. */
function isForNothing(dict: Dict, cleaned: Dict, type: ObjectType): boolean {
  if (type.has("File") && dict.has("EF") && !cleaned.has("EF")) return true;
  if (type.has("Element")) return ["Obj", "Stm"].some((key) => dict.has(key) && !cleaned.has(key));
  return cleaned.size === 0 && (type.has("Triggers") || type.has("Names"));
}

/** Undefined where the entry is of a kind that goes. */
function cleanEntry(
  { dict, key, value }: { dict: Dict; key: string; value: Value },
  place: ValueOwner,
): Value | undefined {
  const { walk, type } = place;
  const { cleaned } = walk;
  const known = type.keys.get(key) ?? otherKey(type, value);
  if (known === undefined && takesOut(cleaned, "metadata")) return undefined;
  const isNamed = type.keys.size === 0 && type.otherKeys !== undefined;
  const kind = isNamed ? undefined : kindOfEntry(cleaned.pdf, key, value);
  if (kind && takesOut(cleaned, kind)) return undefined;
  // What an annotation has under /A may also play media, whose /D is a file.
  const isDestination = key === "D" && type.has("Action") && dict.has("S");
  if (!isDestination && leadsOutside(cleaned.pdf, { key, value, known }) && takesOut(cleaned, "scripts"))
    return undefined;
  if (isScalar(value)) return value;
  const below = { ...place, type: typeNamed(known ?? PRIVATE) };
  // Those that come next were looked at with the first.
  const isAction = below.type.has("Action") && key !== "Next";
  const done = isAction ? cleanActions(cleaned, value) : value;
  return done === undefined ? undefined : cleanValue(done, below);
}

/** Whether a reader would open another file to show a movie, a page in a page, or the data of a stream (7.3.8, 7.11). */
function leadsOutside(
  pdf: Pdf,
  { key, value, known }: { key: string; value: Value; known: string | undefined },
): boolean {
  if ((key !== "F" && key !== "D") || known === undefined || !typeNamed(known).has("File")) return false;
  const file = resolve(pdf, value);
  return isString(file) || (isDict(file) && (file.has("F") || file.has("UF")) && !file.has("EF"));
}

/** The type under a key that the author of a document chose; beside known keys there are only dictionaries and streams. */
function otherKey(type: ObjectType, value: Value): string | undefined {
  if (type.keys.size === 0 || type.has(PRIVATE)) return type.otherKeys;
  return isRef(value) || isDict(value) || isStream(value) ? type.otherKeys : undefined;
}

/** The kind of what an entry of a dictionary holds. */
function kindOfEntry(pdf: Pdf, key: string, value: Value): Removable | undefined {
  if (key === "URI" && hasScriptBase(pdf, value)) return "scripts";
  if (key !== "PageMode") return KINDS.get(key);
  const mode = resolve(pdf, value);
  return typeof mode === "string" && Object.hasOwn(MODES, mode) ? MODES[mode] : undefined;
}
