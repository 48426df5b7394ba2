import { arrayAt, dictAt, type Pdf, resolve } from "../model/document.ts";
import { keyOf } from "../model/trees.ts";
import { type Dict, isDict, isRef, type Value } from "../syntax/values.ts";
import { setEntries } from "../prune/entries.ts";
import type { IsKept } from "../prune/kept.ts";

/** What decides whether an action may stay. */
export interface ActionContext {
  /** A destination as it is to be; undefined for one that leads nowhere any more. */
  readonly changeDestination: (dest: Value | undefined) => Value | undefined;
  readonly isKept: IsKept;
  /** Whether a field with this full name stays. */
  readonly isFieldName: (name: string) => boolean;
  /** Whether something that stays is on the layer with this object number. */
  readonly isLayerKept: (num: number) => boolean;
}

/** Longer chains of actions are cut off. */
const MAX_ACTIONS = 1000;
/** Actions on what parts do not have: article threads, document parts. */
const DROPPED: readonly (Value | undefined)[] = ["Thread", "GoToDp"];
/** By action: where it names fields. */
const FIELD_LISTS: Readonly<Record<string, string>> = {
  Hide: "T",
  SubmitForm: "Fields",
  ResetForm: "Fields",
};

/** An object with /Dest, /A or /AA, without what leads to dropped pages; the same one where nothing does. */
export function pruneTargets(pdf: Pdf, { dict, context }: { dict: Dict; context: ActionContext }): Dict {
  const changes: Record<string, Value | undefined> = {};
  if (dict.has("Dest")) {
    const Dest = context.changeDestination(dict.get("Dest"));
    if (Dest !== dict.get("Dest")) Object.assign(changes, { Dest }, Dest === undefined && { PA: undefined });
  }
  if (dict.has("A")) {
    const A = pruneAction(pdf, { action: dict.get("A"), context });
    if (A !== dict.get("A")) Object.assign(changes, { A }, A === undefined && { PA: undefined });
  }
  if (dict.has("AA")) {
    const AA = pruneTriggers(pdf, { triggers: dict.get("AA"), context });
    if (AA !== dict.get("AA")) Object.assign(changes, { AA });
  }
  if (Object.keys(changes).length === 0) return dict;
  const pruned: Dict = new Map(dict);
  setEntries(pruned, changes);
  return pruned;
}

/** Additional actions (ISO 32000-1, 12.6.3): a dictionary of actions by trigger. */
export function pruneTriggers(
  pdf: Pdf,
  { triggers, context }: { triggers: Value | undefined; context: ActionContext },
): Value | undefined {
  const dict = dictAt(pdf, triggers);
  if (!dict) return triggers;
  const kept = [...dict].map(([key, action]) => [key, pruneAction(pdf, { action, context })] as const);
  if (kept.every(([key, action]) => action === dict.get(key))) return triggers;
  const left = kept.filter((entry): entry is [string, Value] => entry[1] !== undefined);
  return left.length > 0 ? new Map(left) : undefined;
}

/** An action with those after it (12.6.2), without those that lead to dropped pages; undefined if none is left. */
export function pruneAction(
  pdf: Pdf,
  { action, context }: { action: Value | undefined; context: ActionContext },
): Value | undefined {
  const chain = chainOf(pdf, action);
  const kept = chain.map((each) => pruneOne(pdf, { action: each, context }));
  if (kept.every((each, i) => each === chain[i])) return action;
  const [first, ...rest] = kept.filter((each) => each !== undefined).map(withoutNext);
  if (!first) return undefined;
  return rest.length > 0 ? new Map<string, Value>([...first, ["Next", rest]]) : first;
}

function withoutNext(action: Dict): Dict {
  return new Map([...action].filter(([key]) => key !== "Next"));
}

/** The actions in the order in which they are done. */
function chainOf(pdf: Pdf, action: Value | undefined): Dict[] {
  const chain: Dict[] = [];
  const seen = new Set<number>();
  const waiting = action === undefined ? [] : [action];
  for (let each = waiting.pop(); each !== undefined && chain.length < MAX_ACTIONS; each = waiting.pop()) {
    if (isRef(each) && (seen.has(each.num) || !seen.add(each.num))) continue;
    const found = resolve(pdf, each);
    if (Array.isArray(found)) for (const item of found.toReversed()) waiting.push(item);
    if (!isDict(found)) continue;
    chain.push(found);
    if (found.has("Next")) waiting.push(found.get("Next")!);
  }
  return chain;
}

function pruneOne(pdf: Pdf, { action, context }: { action: Dict; context: ActionContext }): Dict | undefined {
  const kind = action.get("S");
  if (DROPPED.includes(kind)) return undefined;
  if (kind === "GoTo") return pruneGoTo({ action, context });
  if (kind === "SetOCGState") return pruneLayerStates(pdf, { action, context });
  const list = typeof kind === "string" ? FIELD_LISTS[kind] : undefined;
  return list && action.has(list) ? pruneFieldList(pdf, { action, key: list, context }) : action;
}

interface Going {
  readonly action: Dict;
  readonly context: ActionContext;
}

function pruneGoTo({ action, context }: Going): Dict | undefined {
  const dest = action.get("D");
  const kept = context.changeDestination(dest);
  if (kept === undefined) return undefined;
  return kept === dest ? action : new Map([...action, ["D", kept]]);
}

/** The layers that an action shows or hides (12.6.4.12): names of states, each before the layers it is for. */
function pruneLayerStates(pdf: Pdf, { action, context }: Going): Dict | undefined {
  const all = arrayAt(pdf, action.get("State")) ?? [];
  const kept = all.filter((item) => !isRef(item) || context.isLayerKept(item.num));
  if (kept.length === all.length) return action;
  return kept.some(isRef) ? new Map([...action, ["State", kept]]) : undefined;
}

/** Fields are named by reference or by their full name; names of dropped ones go. */
function pruneFieldList(pdf: Pdf, { action, key, context }: Going & { key: string }): Dict | undefined {
  const value = resolve(pdf, action.get(key));
  const all = Array.isArray(value) ? value : [action.get(key)!];
  const kept = all.filter((field) => isFieldKept(pdf, { field, context }));
  if (kept.length === all.length) return action;
  return kept.length > 0 ? new Map([...action, [key, kept]]) : undefined;
}

function isFieldKept(pdf: Pdf, { field, context }: { field: Value; context: ActionContext }): boolean {
  if (isRef(field) && !context.isKept(field.num)) return false;
  const name = keyOf(resolve(pdf, field));
  return name === undefined || context.isFieldName(name);
}
