import { characterNamed, isAscii, readEncoding, windowsCode } from "../fonts/encodings.ts";
import { arrayAt, dictIn, type Pdf, resolve, catalogOf, dictAt } from "../model/document.ts";
import { type Dict, isDict, makeDict, numberOf, type Value } from "../syntax/values.ts";
import { compositeFont } from "./composite-font.ts";

/** A font that a field can be drawn with. */
export interface FieldFont {
  /** The font as resources have it. */
  readonly value: Value;
  /** The codes of a text; undefined where the font does not show all of it. */
  readonly encode: (text: string) => number[] | undefined;
  /** How wide a code is, in thousandths of the size. */
  readonly widthOf: (code: number) => number;
  readonly codeBytes: 1 | 2;
  /** The code of the space; undefined where the font has none. */
  readonly space: number | undefined;
}

const ONE_BYTE = { codeBytes: 1, space: 0x20 } as const;

/** The font of fields whose default appearance names none that is there. */
export function standardFont(): FieldFont {
  const value = makeDict({
    Type: "Font",
    Subtype: "Type1",
    BaseFont: "Helvetica",
    Encoding: "WinAnsiEncoding",
  });
  return {
    value,
    encode: (text) => encodeWith(text, windowsCode),
    widthOf: helveticaWidth,
    ...ONE_BYTE,
  };
}

/** A font with one byte a character, or of two that say what they are; undefined for others, and for symbols. */
export function fieldFont(pdf: Pdf, value: Value): FieldFont | undefined {
  const found = resolve(pdf, value);
  if (!isDict(found)) return undefined;
  const type = resolve(pdf, found.get("Subtype"));
  const name = resolve(pdf, found.get("BaseFont"));
  const composite = type === "Type0" ? compositeFont(pdf, found) : undefined;
  if (composite) {
    const { codeOf, widthOf } = composite;
    return { value, encode: (text) => encodeWith(text, codeOf), widthOf, codeBytes: 2, space: codeOf(0x20) };
  }
  if (type !== "Type1" && type !== "TrueType" && type !== "MMType1") return undefined;
  if (typeof name === "string" && /Symbol|Dingbats|Wingdings/i.test(name)) return undefined;
  const codeOf = codesOf(pdf, found);
  const widths = widthsOf(pdf, found);
  const isFixed = typeof name === "string" && name.includes("Courier");
  const hasGlyph = (code: number) => !widths || (widths.get(code) ?? 0) > 0;
  return {
    value,
    encode: (text) => {
      const codes = encodeWith(text, codeOf);
      return codes?.every(hasGlyph) ? codes : undefined;
    },
    widthOf: (code) => widths?.get(code) ?? (isFixed ? 600 : helveticaWidth(code)),
    ...ONE_BYTE,
  };
}

function encodeWith(text: string, codeOf: (character: number) => number | undefined): number[] | undefined {
  const codes = Array.from(text, (character) => codeOf(character.codePointAt(0) ?? 0));
  const known = codes.filter((code) => code !== undefined);
  return known.length === codes.length ? known : undefined;
}

/** The code of a character: as the differences of the encoding say, else as its base does (9.6.5). */
function codesOf(pdf: Pdf, font: Dict): (character: number) => number | undefined {
  const { base, differences } = readEncoding(pdf, font);
  const named = new Map<number, number>();
  for (const [code, name] of differences) {
    const character = characterNamed(name);
    if (character !== undefined && !named.has(character)) named.set(character, code);
  }
  return (character) => {
    const own = named.get(character);
    if (own !== undefined) return own;
    const standard = base === "WinAnsiEncoding" ? windowsCode(character) : undefined;
    const plain = standard ?? (isAscii(character) ? character : undefined);
    return plain === undefined || differences.has(plain) ? undefined : plain;
  };
}

function widthsOf(pdf: Pdf, font: Dict): ReadonlyMap<number, number> | undefined {
  const list = arrayAt(pdf, font.get("Widths"));
  const first = numberOf(resolve(pdf, font.get("FirstChar"))) ?? 0;
  const missing = dictIn(pdf, font, "FontDescriptor")?.get("MissingWidth");
  if (!list || missing !== undefined) return undefined;
  return new Map(list.map((each, i) => [first + i, numberOf(resolve(pdf, each)) ?? 0]));
}

/** Of Helvetica from the space to the tilde, in thousandths; what is beyond is as wide as a letter. */
const HELVETICA = [
  ...[278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278],
  ...[556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556],
  ...[1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778],
  ...[667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556],
  ...[333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556],
  ...[556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584],
];

function helveticaWidth(code: number): number {
  return HELVETICA[code - 0x20] ?? 556;
}

/** A field's parents, in rings too, are as deep as those of pages. */
const MAX_PARENTS = 10_000;

/** An entry that fields inherit (ISO 32000-2, 12.7.4.1), resolved: the widget's own, else that of a field above it. */
export function inheritedValue(pdf: Pdf, widget: Dict, key: string): Value | undefined {
  let field: Dict | undefined = widget;
  for (let level = 0; field && level < MAX_PARENTS; level++) {
    const value = resolve(pdf, field.get(key));
    if (value !== undefined && value !== null) return value;
    field = dictIn(pdf, field, "Parent");
  }
  return undefined;
}

/** The same, or else what the form says for all its fields (table 224). */
export function formValue(pdf: Pdf, widget: Dict, key: string): Value | undefined {
  return inheritedValue(pdf, widget, key) ?? resolve(pdf, formOf(pdf)?.get(key));
}

export function formOf(pdf: Pdf): Dict | undefined {
  return dictIn(pdf, catalogOf(pdf), "AcroForm");
}

/** Whether a flag of /Ff is set; the first has the position 1. */
export function hasFlag(pdf: Pdf, widget: Dict, position: number): boolean {
  const flags = numberOf(inheritedValue(pdf, widget, "Ff")) ?? 0;
  return (flags & (1 << (position - 1))) !== 0;
}

/** The dictionary of an inherited entry. */
export function inheritedDict(pdf: Pdf, widget: Dict, key: string): Dict | undefined {
  return dictAt(pdf, inheritedValue(pdf, widget, key));
}
