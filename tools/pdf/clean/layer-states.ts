import { ToolFailure } from "../../../wire/tool-failure.ts";
import { arrayAt, catalogOf, dictAt, dictIn, type Pdf, resolve } from "../model/document.ts";
import { itemsAt } from "../model/trees.ts";
import { isDict, isRef, type Dict, type Value } from "../syntax/values.ts";

/** Whether what /OC or a marked content names is visible when the document is opened. */
export type IsShown = (layer: Value | undefined) => boolean;

/** Expressions may be nested, and refer to themselves. */
const MAX_LEVELS = 50;

/**
 * Reads the default configuration of the layers (ISO 32000-2, 8.11.4.3), and its rules for viewing (8.11.4.4).
 * @throws ToolFailure unsupported_feature where a layer is shown only to some people, or in some sizes
 */
export function readLayerStates(pdf: Pdf): IsShown {
  const properties = dictIn(pdf, catalogOf(pdf), "OCProperties");
  // Without a list of layers readers ignore them all (8.11.4.2).
  if (!properties) return () => true;
  const config = dictAt(pdf, properties.get("D"));
  const [shown, hidden] = [numsOf(pdf, config?.get("ON")), numsOf(pdf, config?.get("OFF"))];
  const listed = numsOf(pdf, properties.get("OCGs"));
  const isOn = resolve(pdf, config?.get("BaseState")) !== "OFF";
  const viewed = readViewed(pdf, config);
  const isForViewing = isToView(pdf, config);
  const isGroupShown = (num: number, group: Dict) => {
    const state = viewState(pdf, group);
    const isConfigured = isOn ? !hidden.has(num) : shown.has(num);
    // What only some readers show must neither be shown for good nor removed. Most show a group that is not listed.
    const isDoubtful = (viewed.has(num) && state === "ON") || !listed.has(num);
    if (isDoubtful && !isConfigured) throw undecided();
    const isGroupOn = isConfigured && state !== "OFF";
    // Groups for another intent hide nothing (8.11.2.3), in readers that heed it.
    if (!isGroupOn && !(isForViewing && isToView(pdf, group))) throw undecided();
    return isGroupOn;
  };
  return (layer) => isLayerShown(pdf, { layer, isGroupShown, level: 0 });
}

/** A property list for content, which contains no references. */
export function directDict(pdf: Pdf, value: Value | undefined): Dict | undefined {
  const dict = dictAt(pdf, value);
  return dict && new Map([...dict].map(([key, each]) => [key, resolve(pdf, each) ?? null]));
}

/** Whether a value is a layer, or a membership in layers (8.11.2). */
export function isLayer(pdf: Pdf, value: Value | undefined): boolean {
  const type = resolve(pdf, dictAt(pdf, value)?.get("Type"));
  return type === "OCG" || type === "OCMD";
}

function numsOf(pdf: Pdf, list: Value | undefined): Set<number> {
  return new Set((arrayAt(pdf, list) ?? []).filter(isRef).map(({ num }) => num));
}

/** Whether a configuration, or a group, is for viewing: one name or a list, "View" where there is none. */
function isToView(pdf: Pdf, dict: Dict | undefined): boolean {
  const given = resolve(pdf, dict?.get("Intent")) ?? "View";
  const intents = Array.isArray(given) ? given.map((each) => resolve(pdf, each)) : [given];
  return intents.some((intent) => intent === "View" || intent === "All");
}

/** A group's own state for viewing; some readers use it even without a configuration that says so. */
function viewState(pdf: Pdf, group: Dict): Value | undefined {
  const view = dictIn(pdf, dictIn(pdf, group, "Usage"), "View");
  return resolve(pdf, view?.get("ViewState"));
}

/** Usage categories whose state cannot be known (table 100), with the entry of the group that they use. */
const UNDECIDED = ["Zoom", "Language", "User"];

/** The groups that are shown or hidden by their usage when the document is viewed. */
function readViewed(pdf: Pdf, config: Dict | undefined): ReadonlySet<number> {
  const viewed = new Set<number>();
  for (const each of arrayAt(pdf, config?.get("AS")) ?? []) {
    const use = dictAt(pdf, each);
    if (resolve(pdf, use?.get("Event")) !== "View") continue;
    const categories = (arrayAt(pdf, use?.get("Category")) ?? []).map((name) => resolve(pdf, name));
    const unknown = UNDECIDED.filter((name) => categories.includes(name));
    for (const group of arrayAt(pdf, use?.get("OCGs")) ?? []) {
      const usage = dictIn(pdf, dictAt(pdf, group), "Usage");
      if (unknown.some((name) => usage?.has(name))) throw undecided();
      if (isRef(group) && categories.includes("View")) viewed.add(group.num);
    }
  }
  return viewed;
}

function undecided(): ToolFailure {
  return layersStay("Whether layers are shown depends on the reader, so that they cannot be taken out");
}

/** The failure for layers that cannot be taken out, and why, as the beginning of a sentence. */
export function layersStay(why: string): ToolFailure {
  const message = `${why}; leave "layers" out of "remove".`;
  return new ToolFailure("unsupported_feature", message, { parameter: "remove" });
}

interface LayerQuestion {
  readonly layer: Value | undefined;
  readonly isGroupShown: (num: number, group: Dict) => boolean;
  readonly level: number;
}

function isLayerShown(pdf: Pdf, layerQuestion: LayerQuestion): boolean {
  const { layer, isGroupShown, level } = layerQuestion;
  const dict = dictAt(pdf, layer);
  if (level > MAX_LEVELS) throw undecided();
  if (!dict) return true;
  if (resolve(pdf, dict.get("Type")) !== "OCMD") return !isRef(layer) || isGroupShown(layer.num, dict);
  const expression = arrayAt(pdf, dict.get("VE"));
  if (expression) return holds(pdf, { ...layerQuestion, expression, level: level + 1 });
  return isPolicyMet(pdf, { ...layerQuestion, dict });
}

/** All, some or none of the groups are shown or hidden (table 97); without groups it has no effect. */
function isPolicyMet(pdf: Pdf, { dict, isGroupShown }: LayerQuestion & { dict: Dict }): boolean {
  const states = itemsAt(pdf, dict.get("OCGs")).flatMap((each) => {
    const group = resolve(pdf, each);
    return isRef(each) && isDict(group) ? [isGroupShown(each.num, group)] : [];
  });
  if (states.length === 0) return true;
  const policy = resolve(pdf, dict.get("P"));
  if (policy === "AllOn") return states.every((each) => each);
  if (policy === "AnyOff") return states.some((each) => !each);
  if (policy === "AllOff") return states.every((each) => !each);
  return states.some((each) => each);
}

function holds(pdf: Pdf, { expression, ...layerQuestion }: LayerQuestion & { expression: Value[] }): boolean {
  const [first, ...operands] = expression;
  const operator = resolve(pdf, first);
  const values = operands.map((layer) => {
    const inner = arrayAt(pdf, layer);
    if (!inner) return isLayerShown(pdf, { ...layerQuestion, layer });
    if (layerQuestion.level > MAX_LEVELS) throw undecided();
    return holds(pdf, { ...layerQuestion, expression: inner, level: layerQuestion.level + 1 });
  });
  if (operator === "Not") return !(values[0] ?? false);
  return operator === "Or" ? values.some((each) => each) : values.every((each) => each);
}
