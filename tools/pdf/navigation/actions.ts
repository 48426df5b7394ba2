import { spend } from "../limits.ts";
import { arrayAt, dictAt, type Pdf, replaceObject, resolve } from "../model/document.ts";
import { itemsAt } from "../model/trees.ts";
import {
  type Dict,
  isDict,
  isRef,
  isString,
  type PdfString,
  type Ref,
  refTo,
  unsignedOf,
  type Value,
  setEntries,
  without,
  type IsKept,
} from "../syntax/values.ts";

/** What decides whether actions stay. */
export interface ActionContext {
  readonly pdf: Pdf;
  /** The changed destination; undefined if its page is gone. */
  readonly changeDestination: (dest: Value | undefined) => Value | undefined;
  readonly isKept: IsKept;
  /** The changed full name of a field; undefined for a removed field. */
  readonly changeFieldName: (name: PdfString) => PdfString | undefined;
  /** The changed name of a file that is attached to the document. */
  readonly changeFileName: (name: PdfString) => PdfString;
  /** The movie annotation with this title; undefined if it is removed. */
  readonly findMovie: (title: PdfString) => Ref | undefined;
  /** Whether anything kept is on the layer with this object number. */
  readonly isLayerKept: (num: number) => boolean;
}

/** The cost of reading one action, in bytes: many entries may lead into one long chain. */
const LOOK = 64;
/** Actions that need what a part of a document does not have: article threads, document parts. */
const DROPPED: readonly (Value | undefined)[] = ["Thread", "GoToDp"];
/** By kind of action: the entry that lists fields. */
const FIELD_LISTS: Readonly<Record<string, string>> = {
  Hide: "T",
  SubmitForm: "Fields",
  ResetForm: "Fields",
};
/** The entries with which actions name the annotation to play or show. */
const TARGETS = ["Annotation", "AN", "TA"];
/** A bit of /Flags in form actions: the listed fields are excluded. */
const EXCLUDES = 1;

/** An object with /Dest, /A or /AA without what leads to dropped pages; the same object if nothing does. */
export function pruneTargets(dict: Dict, context: ActionContext): Dict {
  const changes: Record<string, Value | undefined> = {};
  if (dict.has("Dest")) {
    const Dest = context.changeDestination(dict.get("Dest"));
    if (Dest !== dict.get("Dest")) Object.assign(changes, { Dest }, Dest === undefined && { PA: undefined });
  }
  if (dict.has("A")) {
    const A = pruneAction(dict.get("A"), context);
    if (A !== dict.get("A")) Object.assign(changes, { A }, A === undefined && { PA: undefined });
  }
  if (dict.has("AA")) {
    const AA = pruneTriggers(dict.get("AA"), context);
    if (AA !== dict.get("AA")) Object.assign(changes, { AA });
  }
  if (Object.keys(changes).length === 0) return dict;
  const pruned: Dict = new Map(dict);
  setEntries(pruned, changes);
  return pruned;
}

/** The same for the object with this number. */
export function pruneObject(num: number, context: ActionContext): void {
  const dict = dictAt(context.pdf, refTo(num));
  const pruned = dict && pruneTargets(dict, context);
  if (pruned && pruned !== dict) replaceObject(context.pdf, num, pruned);
}

export function pruneAction(action: Value | undefined, context: ActionContext): Value | undefined {
  return changeAction(context.pdf, action, (each) => pruneOne(each, context));
}

/** Additional actions (ISO 32000-1, 12.6.3): a dictionary of actions by trigger. */
export function pruneTriggers(triggers: Value | undefined, context: ActionContext): Value | undefined {
  const dict = dictAt(context.pdf, triggers);
  if (!dict) return triggers;
  const kept = [...dict].map(([key, action]) => [key, pruneAction(action, context)] as const);
  if (kept.every(([key, action]) => action === dict.get(key))) return triggers;
  const left = kept.filter((entry): entry is [string, Value] => entry[1] !== undefined);
  return left.length > 0 ? new Map(left) : undefined;
}

/**
 * An action with its successors (12.6.2), each changed, or removed where that is undefined; the same value if nothing
 * changes, undefined if none is left.
 */
export function changeAction(
  pdf: Pdf,
  action: Value | undefined,
  change: (action: Dict) => Dict | undefined,
): Value | undefined {
  const chain = chainOf(pdf, action);
  const kept = chain.map(change);
  if (kept.every((each, i) => each === chain[i])) return action;
  const [first, ...rest] = kept.flatMap((each) => (each ? [without(each, ["Next"])] : []));
  if (!first) return undefined;
  return rest.length > 0 ? new Map<string, Value>([...first, ["Next", rest]]) : first;
}

/** The actions in the order of their execution. */
function chainOf(pdf: Pdf, action: Value | undefined): Dict[] {
  const chain: Dict[] = [];
  const seen = new Set<number>();
  const waiting = action === undefined ? [] : [action];
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    if (isRef(each) && (seen.has(each.num) || !seen.add(each.num))) continue;
    spend(pdf.budget.read, LOOK);
    const found = resolve(pdf, each);
    if (Array.isArray(found)) for (const item of found.toReversed()) waiting.push(item);
    if (!isDict(found)) continue;
    chain.push(found);
    const next = found.get("Next");
    if (next !== undefined) waiting.push(next);
  }
  return chain;
}

function pruneOne(action: Dict, context: ActionContext): Dict | undefined {
  const kind = resolve(context.pdf, action.get("S"));
  if (DROPPED.includes(kind)) return undefined;
  if (kind === "GoTo") return pruneGoTo(action, context);
  if (kind === "GoToE") return pruneGoToAttached(action, context);
  if (kind === "SetOCGState") return pruneLayerStates(action, context);
  if (kind === "Movie" && action.has("T")) return pointAtMovie(action, context);
  const targets = TARGETS.map((key) => action.get(key)).filter(isRef);
  if (!targets.every(({ num }) => context.isKept(num))) return undefined;
  const list = typeof kind === "string" ? FIELD_LISTS[kind] : undefined;
  return list && action.has(list) ? pruneFieldList(action, list, context) : action;
}

function pruneGoTo(action: Dict, context: ActionContext): Dict | undefined {
  const dest = action.get("D");
  const kept = context.changeDestination(dest);
  if (kept === undefined) return undefined;
  return kept === dest ? action : new Map([...action, ["D", kept]]);
}

/**
 * An action that leads into an attached file (12.6.4.4), which may be attached to a page. A named destination still
 * identifies the page; a page number does not.
 */
function pruneGoToAttached(action: Dict, context: ActionContext): Dict | undefined {
  const { pdf } = context;
  const target = dictAt(pdf, action.get("T"));
  const page = target?.get("P");
  if (page === undefined) return renameAttached(action, context);
  const isNamed = isString(resolve(pdf, page));
  return isNamed && context.changeDestination(page) === page ? action : undefined;
}

/**
 * The target is attached to this document unless the action names another file; deeper targets are attached to that
 * target.
 */
function renameAttached(action: Dict, { pdf, changeFileName }: ActionContext): Dict {
  const target = dictAt(pdf, action.get("T"));
  const name = resolve(pdf, target?.get("N"));
  if (!target || !isString(name) || action.has("F") || resolve(pdf, target.get("R")) !== "C") return action;
  const changed = changeFileName(name);
  if (changed === name) return action;
  return new Map<string, Value>([...action, ["T", new Map<string, Value>([...target, ["N", changed]])]]);
}

/** The layers that an action shows or hides (12.6.4.12): each state name applies to the layers after it. */
function pruneLayerStates(action: Dict, { pdf, isLayerKept }: ActionContext): Dict | undefined {
  const all = arrayAt(pdf, action.get("State")) ?? [];
  const kept = all.filter((item) => !isRef(item) || isLayerKept(item.num));
  if (kept.length === all.length) return action;
  return kept.some(isRef) ? new Map([...action, ["State", kept]]) : undefined;
}

/**
 * A movie action (12.6.4.9) that refers to its annotation directly instead of by its title, which others may have too.
 */
function pointAtMovie(action: Dict, { pdf, findMovie }: ActionContext): Dict | undefined {
  const title = resolve(pdf, action.get("T"));
  const movie = isString(title) ? findMovie(title) : undefined;
  return movie && new Map([...without(action, ["T"]), ["Annotation", movie]]);
}

/** Lists contain fields as references or full names; those of dropped fields are removed. */
function pruneFieldList(action: Dict, key: string, context: ActionContext): Dict | undefined {
  const all = itemsAt(context.pdf, action.get(key));
  const kept = changeFields(all, context);
  if (kept === all) return action;
  if (kept.length > 0) return new Map([...action, [key, kept]]);
  const isForOthers = ((unsignedOf(action.get("Flags")) ?? 0) & EXCLUDES) > 0;
  return isForOthers ? without(action, [key]) : undefined;
}

/** What decides whether fields stay. */
export type FieldContext = Pick<ActionContext, "pdf" | "changeFieldName" | "isKept">;

/** References and full names of fields without those of removed fields; the same list if nothing changes. */
export function changeFields(fields: Value[], context: FieldContext): Value[] {
  const changed = fields.flatMap((field) => changeField(field, context) ?? []);
  const isSame = changed.length === fields.length && changed.every((field, i) => field === fields[i]);
  return isSame ? fields : changed;
}

function changeField(field: Value, { pdf, isKept, changeFieldName }: FieldContext): Value | undefined {
  if (isRef(field) && !isKept(field.num)) return undefined;
  const name = resolve(pdf, field);
  if (!isString(name)) return field;
  const changed = changeFieldName(name);
  return changed === name ? field : changed;
}
