import { arrayAt, catalogOf, dictAt, dictIn, type Pdf, resolve } from "../model/document.ts";
import { isDict, isRef, type Dict, type Value } from "../syntax/values.ts";

/** Tells of what /OC or a marked content names whether it is shown when the document is opened. */
export type IsShown = (layer: Value | undefined) => boolean;

/** Expressions may be nested, and refer to themselves. */
const MAX_LEVELS = 50;

/** Reads the default configuration of the layers (ISO 32000-2, 8.11.4.3). */
export function readLayerStates(pdf: Pdf): IsShown {
  const properties = dictIn(pdf, { dict: catalogOf(pdf), key: "OCProperties" });
  const config = dictAt(pdf, properties?.get("D"));
  const numsOf = (key: string) =>
    new Set((arrayAt(pdf, config?.get(key)) ?? []).filter(isRef).map(({ num }) => num));
  const [shown, hidden] = [numsOf("ON"), numsOf("OFF")];
  const isOn = resolve(pdf, config?.get("BaseState")) !== "OFF";
  const isGroupShown = (num: number) => (isOn ? !hidden.has(num) : shown.has(num));
  return (layer) => isLayerShown(pdf, { layer, isGroupShown, level: 0 });
}

interface Asking {
  readonly layer: Value | undefined;
  readonly isGroupShown: (num: number) => boolean;
  readonly level: number;
}

function isLayerShown(pdf: Pdf, asking: Asking): boolean {
  const { layer, isGroupShown, level } = asking;
  const dict = dictAt(pdf, layer);
  if (!dict || level > MAX_LEVELS) return true;
  if (dict.get("Type") !== "OCMD") return !isRef(layer) || isGroupShown(layer.num);
  const expression = arrayAt(pdf, dict.get("VE"));
  if (expression) return holds(pdf, { ...asking, expression, level: level + 1 });
  return isPolicyMet(pdf, { ...asking, dict });
}

/** All, some or none of the groups are shown or hidden (table 97); without groups it has no effect. */
function isPolicyMet(pdf: Pdf, { dict, isGroupShown }: Asking & { dict: Dict }): boolean {
  const named = dict.get("OCGs") ?? null;
  const list = arrayAt(pdf, named) ?? [named];
  const groups = list.filter((each) => isRef(each) && isDict(resolve(pdf, each)));
  if (groups.length === 0) return true;
  const states = groups.filter(isRef).map(({ num }) => isGroupShown(num));
  const policy = resolve(pdf, dict.get("P"));
  if (policy === "AllOn") return states.every((each) => each);
  if (policy === "AnyOff") return states.some((each) => !each);
  if (policy === "AllOff") return states.every((each) => !each);
  return states.some((each) => each);
}

function holds(pdf: Pdf, { expression, ...asking }: Asking & { expression: Value[] }): boolean {
  const [operator, ...operands] = expression;
  const values = operands.map((layer) => {
    const inner = arrayAt(pdf, layer);
    if (!inner) return isLayerShown(pdf, { ...asking, layer });
    return asking.level > MAX_LEVELS || holds(pdf, { ...asking, expression: inner, level: asking.level + 1 });
  });
  if (operator === "Not") return !(values[0] ?? false);
  return operator === "Or" ? values.some((each) => each) : values.every((each) => each);
}
