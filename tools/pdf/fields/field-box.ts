import { dictIn, numbersAt, type Pdf, resolve } from "../model/document.ts";
import { type Dict, numberOf, type Value } from "../syntax/values.ts";
import { inheritedDict } from "./field-font.ts";

/** A widget and how large it is drawn. */
export interface FieldBox {
  readonly widget: Dict;
  readonly width: number;
  readonly height: number;
}

/** The lines of a field, where they stand in its box, how large they are, and what is drawn behind them. */
export interface FieldLayout {
  readonly lines: readonly { readonly codes: readonly number[]; readonly x: number; readonly y: number }[];
  readonly size: number;
  readonly bars?: string;
}

/** The background and the border that a widget says it has (table 192), in a rectangle or in the circle inside it. */
export function frame(
  pdf: Pdf,
  { widget, width, height, isRound = false }: FieldBox & { isRound?: boolean },
): string {
  const look = inheritedDict(pdf, widget, "MK");
  const back = colorOf(pdf, look?.get("BG"), ["g", "rg", "k"]);
  const line = colorOf(pdf, look?.get("BC"), ["G", "RG", "K"]);
  const thick = numberOf(resolve(pdf, dictIn(pdf, widget, "BS")?.get("W"))) ?? 1;
  const shape = (inset: number) =>
    isRound
      ? circle(width / 2, height / 2, Math.min(width, height) / 2 - inset)
      : `${[inset, inset, width - 2 * inset, height - 2 * inset].map(written).join(" ")} re`;
  const border = line && thick > 0 ? `q ${line} ${written(thick)} w ${shape(thick / 2)} S Q\n` : "";
  return (back ? `q ${back} ${shape(0)} f Q\n` : "") + border;
}

/** How far the handles of a curve are that looks like a quarter of a circle with the radius 1. */
const HANDLE = 0.5523;

function circle(x: number, y: number, radius: number): string {
  const at = (...places: readonly (readonly [number, number])[]) =>
    places.flatMap(([right, up]) => [written(x + right * radius), written(y + up * radius)]).join(" ");
  return [
    `${at([1, 0])} m`,
    `${at([1, HANDLE], [HANDLE, 1], [0, 1])} c`,
    `${at([-HANDLE, 1], [-1, HANDLE], [-1, 0])} c`,
    `${at([-1, -HANDLE], [-HANDLE, -1], [0, -1])} c`,
    `${at([HANDLE, -1], [1, -HANDLE], [1, 0])} c h`,
  ].join(" ");
}

function colorOf(pdf: Pdf, value: Value | undefined, operators: readonly [string, string, string]): string {
  const parts = numbersAt(pdf, value);
  const operator = { 1: operators[0], 3: operators[1], 4: operators[2] }[parts.length];
  return operator === undefined ? "" : `${parts.map(written).join(" ")} ${operator}`;
}

/** Content knows no exponents. */
export function written(number: number): string {
  return number.toFixed(6).replace(/\.?0+$/, "");
}

export function realOf(number: number): Value {
  return { kind: "real", text: written(number) };
}
