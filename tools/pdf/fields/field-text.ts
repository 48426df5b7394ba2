import type { Bytes } from "../../../wire/bytes.ts";
import { decodeStream, filterSteps } from "../filters/filters.ts";
import { arrayAt, type Pdf, rawStreamData, resolve } from "../model/document.ts";
import { hexString, textOf } from "../syntax/strings.ts";
import { type Dict, isStream, isString, type Stream, type Value } from "../syntax/values.ts";
import { hasFlag, inheritedValue } from "./field-font.ts";

const PASSWORD = 14;

/** What can be chosen in a field: what it is called in the data, and what is shown (ISO 32000-2, 12.7.5.4). */
export interface FieldOption {
  readonly name: string;
  readonly shown: string;
}

/** The value of a field as text: of choices what is shown, of several one a line; undefined where it has none. */
export function fieldText(pdf: Pdf, widget: Dict): string | undefined {
  const type = inheritedValue(pdf, { widget, key: "FT" });
  if (type !== "Tx" && type !== "Ch") return undefined;
  const all = fieldValues(pdf, widget);
  const options = type === "Ch" ? fieldOptions(pdf, widget) : [];
  const shown = all.map((value) => options.find(({ name }) => name === value)?.shown ?? value);
  const text = shown.join("\n").replace(/\r\n?/g, "\n");
  if (text === "") return undefined;
  return type === "Tx" && hasFlag(pdf, { widget, position: PASSWORD }) ? "*".repeat(text.length) : text;
}

/** The texts in a field's value, of which choices may have several. */
export function fieldValues(pdf: Pdf, widget: Dict): string[] {
  const value = inheritedValue(pdf, { widget, key: "V" });
  const all = Array.isArray(value) ? value : [value];
  return all.flatMap((each) => plainText(pdf, resolve(pdf, each)) ?? []);
}

export function fieldOptions(pdf: Pdf, widget: Dict): FieldOption[] {
  const options = arrayAt(pdf, inheritedValue(pdf, { widget, key: "Opt" })) ?? [];
  return options.map((each) => {
    const [name = "", shown = name] = (arrayAt(pdf, each) ?? [each]).map(
      (text) => plainText(pdf, resolve(pdf, text)) ?? "",
    );
    return { name, shown };
  });
}

function plainText(pdf: Pdf, value: Value | undefined): string | undefined {
  if (isString(value)) return textOf(value);
  if (!isStream(value)) return undefined;
  return textOf(hexString(decoded(pdf, value)));
}

function decoded(pdf: Pdf, stream: Stream): Bytes {
  const steps = filterSteps(stream.dict, (value) => resolve(pdf, value));
  return decodeStream(rawStreamData(stream), { steps, budget: pdf.budget }).bytes as Bytes;
}
