import { ifDecodable } from "../filters/filters.ts";
import { spend } from "../limits.ts";
import { arrayAt, decodedStream, dictAt, type Pdf, resolve } from "../model/document.ts";
import { latin1 } from "../syntax/lexer.ts";
import { type Dict, isStream, numberOf } from "../syntax/values.ts";

/** A font has 65,536 codes of two bytes. What names more of them, again and again, does not count. */
const MOST_CODES = 4 * 65_536;
/** What a code or a width costs, in bytes read. */
const LOOK = 16;
/** The width of glyphs that nothing is said of (ISO 32000-2, table 115). */
const DEFAULT_WIDTH = 1000;

/** The code of a character, and how wide that is, in thousandths of the size. */
interface CompositeFont {
  readonly codeOf: (character: number) => number | undefined;
  readonly widthOf: (code: number) => number;
}

/**
 * A composite font whose codes of two bytes are the numbers of its glyphs, written across (ISO 32000-2, 9.7.5.2), and
 * whose /ToUnicode says which characters they are; undefined for others.
 */
export function compositeFont(pdf: Pdf, font: Dict): CompositeFont | undefined {
  if (!READ.has(font)) READ.set(font, readComposite(pdf, font));
  return READ.get(font);
}

/** All fields of a form have the same few fonts. */
const READ = new WeakMap<Dict, CompositeFont | undefined>();

function readComposite(pdf: Pdf, font: Dict): CompositeFont | undefined {
  const [first] = arrayAt(pdf, font.get("DescendantFonts")) ?? [];
  const part = dictAt(pdf, first);
  const toUnicode = resolve(pdf, font.get("ToUnicode"));
  if (resolve(pdf, font.get("Encoding")) !== "Identity-H" || !part || !isStream(toUnicode)) return undefined;
  const bytes = ifDecodable(() => decodedStream(pdf, toUnicode).bytes);
  if (!bytes) return undefined;
  const codes = readToUnicode(latin1(bytes, { from: 0, to: bytes.length }));
  const widths = readWidths(pdf, part);
  spend(pdf.budget.read, LOOK * (codes.size + widths.size) + bytes.length);
  const usual = numberOf(resolve(pdf, part.get("DW"))) ?? DEFAULT_WIDTH;
  return { codeOf: (character) => codes.get(character), widthOf: (code) => widths.get(code) ?? usual };
}

/** The first code of each character, of `bfchar` and `bfrange` (ISO 32000-2, 9.10.3). */
function readToUnicode(cmap: string): ReadonlyMap<number, number> {
  const codes = new Map<number, number>();
  let left = MOST_CODES;
  let kind = "";
  let [from, to]: [number | undefined, number | undefined] = [undefined, undefined];
  let isList = false;
  const add = (code: number, character: number) => {
    left--;
    if (!codes.has(character)) codes.set(character, code);
  };
  for (const [token, hex] of cmap.matchAll(/\b(?:begin|end)bf(?:char|range)\b|<([\da-f\s]*)>|[[\]]/gi)) {
    if (left <= 0) break;
    if (hex === undefined) {
      if (token === "[" || token === "]") isList = token === "[";
      else kind = token.startsWith("begin") ? token : "";
      if (token !== "[") [from, to] = [undefined, undefined];
    } else if (kind === "") continue;
    else if (from === undefined) from = codeOf(hex);
    else if (to === undefined && kind === "beginbfrange") to = codeOf(hex);
    else {
      const character = characterOf(hex);
      const last = isList || kind === "beginbfchar" ? from : Math.max(from, to ?? 0);
      if (character !== undefined && from >= 0)
        for (let i = 0; from + i <= last && left > 0; i++) add(from + i, character + i);
      from = isList ? from + 1 : undefined;
      if (!isList) to = undefined;
    }
  }
  return codes;
}

/** -1 for a code that has not two bytes. */
function codeOf(hex: string): number {
  const digits = hex.replaceAll(/\s/g, "");
  return digits.length === 4 ? parseInt(digits, 16) : -1;
}

/** The character in UTF-16; undefined for several, such as those of a ligature. */
function characterOf(hex: string): number | undefined {
  const units = hex.replaceAll(/\s/g, "").match(/.{4}/g) ?? [];
  const text = String.fromCharCode(...units.slice(0, 3).map((unit) => parseInt(unit, 16)));
  const [character, ...others] = Array.from(text);
  return others.length > 0 ? undefined : character?.codePointAt(0);
}

/** Of the glyphs in /W, in thousandths (ISO 32000-2, 9.7.4.3). */
function readWidths(pdf: Pdf, part: Dict): ReadonlyMap<number, number> {
  const widths = new Map<number, number>();
  const items = (arrayAt(pdf, part.get("W")) ?? []).map((each) => resolve(pdf, each));
  let left = MOST_CODES;
  for (let i = 0; i + 1 < items.length && left > 0;) {
    const first = numberOf(items[i]) ?? 0;
    const next = items[i + 1];
    const isList = Array.isArray(next);
    const width = numberOf(items[i + 2]) ?? 0;
    const count = isList ? next.length : (numberOf(next) ?? 0) - first + 1;
    for (let at = 0; at < count && left > 0; at++, left--)
      widths.set(first + at, isList ? (numberOf(resolve(pdf, next[at])) ?? 0) : width);
    i += isList ? 2 : 3;
  }
  return widths;
}
