import { arrayAt, decodedStream, type Pdf, resolve } from "../model/document.ts";
import { itemsAt } from "../model/trees.ts";
import { hexString, textOf } from "../syntax/strings.ts";
import { type Dict, isStream, isString, numberOf, type Value } from "../syntax/values.ts";
import { type FieldBox, type FieldLayout, written } from "./field-box.ts";
import { type FieldFont, hasFlag, inheritedValue } from "./field-font.ts";

const [PASSWORD, COMBO] = [14, 18];

/** The value of a field as text: of choices what is shown, of several one a line; undefined where it has none. */
export function fieldText(pdf: Pdf, widget: Dict): string | undefined {
  const type = inheritedValue(pdf, widget, "FT");
  if (type !== "Tx" && type !== "Ch") return undefined;
  const all = fieldValues(pdf, widget);
  const options = type === "Ch" ? fieldOptions(pdf, widget) : [];
  const shown = all.map((value) => options.find(({ name }) => name === value)?.shown ?? value);
  const text = shown.join("\n").replace(/\r\n?/g, "\n");
  if (text === "") return undefined;
  return type === "Tx" && hasFlag(pdf, widget, PASSWORD) ? "*".repeat(text.length) : text;
}

/** The texts in a field's value, of which choices may have several. */
function fieldValues(pdf: Pdf, widget: Dict): string[] {
  const value = inheritedValue(pdf, widget, "V");
  const all = Array.isArray(value) ? value : [value];
  return all.flatMap((each) => plainText(pdf, resolve(pdf, each)) ?? []);
}

/** What can be chosen in a field: what it is called in the data, and what is shown (ISO 32000-2, 12.7.5.4). */
function fieldOptions(pdf: Pdf, widget: Dict): { name: string; shown: string }[] {
  const options = arrayAt(pdf, inheritedValue(pdf, widget, "Opt")) ?? [];
  return options.map((each) => {
    const texts = itemsAt(pdf, each).map((text) => plainText(pdf, resolve(pdf, text)) ?? "");
    const [name = "", shown = name] = texts;
    return { name, shown };
  });
}

function plainText(pdf: Pdf, value: Value | undefined): string | undefined {
  if (isString(value)) return textOf(value);
  if (!isStream(value)) return undefined;
  return textOf(hexString(decodedStream(pdf, value).bytes));
}

/** What a list box shows: its options, whether chosen or not, from the one at its top on (ISO 32000-2, 12.7.5.4). */
interface ListBox {
  readonly rows: readonly string[];
  readonly chosen: ReadonlySet<string>;
}

/** Undefined for other fields, and for lists without options. */
export function readListBox(pdf: Pdf, widget: Dict): ListBox | undefined {
  if (inheritedValue(pdf, widget, "FT") !== "Ch") return undefined;
  if (hasFlag(pdf, widget, COMBO)) return undefined;
  const options = fieldOptions(pdf, widget);
  if (options.length === 0) return undefined;
  const values = new Set(fieldValues(pdf, widget));
  const indices = arrayAt(pdf, inheritedValue(pdf, widget, "I")) ?? [];
  const numbers = new Set(values.size > 0 ? [] : indices.map((each) => numberOf(resolve(pdf, each))));
  const chosen = options.filter(
    ({ name, shown }, i) => values.has(name) || values.has(shown) || numbers.has(i),
  );
  const top = numberOf(inheritedValue(pdf, widget, "TI")) ?? 0;
  const shown = options.slice(Math.max(0, Math.min(top, options.length - 1)));
  return {
    rows: shown.map((option) => option.shown.replaceAll(/\s/g, " ")),
    chosen: new Set(chosen.map((option) => option.shown.replaceAll(/\s/g, " "))),
  };
}

/** The size where the reader chooses it. */
const SIZE = 12;
const LEADING = 1.15;
const MARGIN = 2;
/** Of the size: how far letters reach below the line that they stand on. */
const DEPTH = 0.22;
/** The light blue that readers put behind what is chosen. */
const BEHIND = "0.6 0.75 0.85 rg";

/** The rows that begin inside the box; undefined where the font lacks a character. */
export function layOutList(
  { rows, chosen }: ListBox,
  { width, height }: Pick<FieldBox, "width" | "height">,
  style: { readonly font: FieldFont; readonly size: number | undefined },
): FieldLayout | undefined {
  const size = style.size ?? SIZE;
  const row = size * LEADING;
  const seen = rows.slice(0, Math.max(1, Math.ceil((height - 2 * MARGIN) / row)));
  const known = seen.map((each) => style.font.encode(each)).filter((codes) => codes !== undefined);
  if (known.length < seen.length) return undefined;
  const heightOf = (i: number) => height - MARGIN - size - i * row;
  const bars = seen.flatMap((each, i) =>
    chosen.has(each)
      ? [`q ${BEHIND} 0 ${written(heightOf(i) - size * DEPTH)} ${written(width)} ${written(row)} re f Q\n`]
      : [],
  );
  return {
    lines: known.map((codes, i) => ({ codes, x: MARGIN, y: heightOf(i) })),
    size,
    bars: bars.join(""),
  };
}
