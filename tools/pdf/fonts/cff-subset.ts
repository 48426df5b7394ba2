import type { Bytes } from "../../../wire/bytes.ts";
import type { CommandAllowance } from "./charstrings.ts";
import {
  type HintParts,
  numberBytes,
  Strings,
  writeCff,
  writeCharset,
  writeEncoding,
  writeSelect,
} from "./cff-parts.ts";
import { ifCertain } from "./glyph.ts";
import { AT, type CffDict, type CffFont, type CffHints, ESCAPED, wholeNumbers } from "./cff-read.ts";
import { FEW_SUBRS, MANY_SUBRS, neededBy } from "./subroutines.ts";

interface Subset {
  readonly glyphs: Iterable<number>;
  /** Whether what shows the glyphs knows them by their numbers, so that the others before them become empty. */
  readonly areNumbersKept: boolean;
  readonly allowance: CommandAllowance;
}

/**
 * The font with these glyphs and those they are put together of, and with the subroutines that these call; undefined
 * where it is not certain what that is.
 */
export function subsetCff(font: CffFont, subset: Subset): Bytes | undefined {
  return ifCertain(() => writeSubset(font, subset));
}

function writeSubset(font: CffFont, { glyphs, areNumbersKept, allowance }: Subset): Bytes {
  const needed = neededBy(font, glyphs, allowance);
  const { globalSubrs, subrs } = needed;
  const order = orderOf(font, needed.glyphs, areNumbersKept);
  const strings = new Strings();
  const about = rewrite(font.top, font, strings);
  const charset = order.map((glyph) => {
    const number = font.charset[glyph] ?? 0;
    return font.hasCids || glyph === 0 ? number : strings.numberOf(font.textOf(number));
  });
  const hints = font.hints.map((each, i) =>
    hintsOf(font, { hints: each, used: subrs[i] ?? new Set(), strings }),
  );
  return writeCff({
    name: font.name,
    about,
    strings,
    charset: writeCharset(charset.slice(1)),
    encoding: writeEncoding(areNumbersKept ? undefined : font.encoding, order, charset),
    charStrings: order.map(
      (glyph) => (needed.glyphs.has(glyph) ? font.charStrings[glyph] : undefined) ?? EMPTY,
    ),
    globalSubrs: onlyUsed(font.globalSubrs, globalSubrs),
    hints,
    select: font.hasCids ? writeSelect(order.map(font.select)) : undefined,
  });
}

/** A charstring that draws nothing. */
const EMPTY = Uint8Array.of(14);

/** The old numbers of the glyphs in their new order, in which those that have codes come first. */
function orderOf({ encoding }: CffFont, glyphs: ReadonlySet<number>, areNumbersKept: boolean): number[] {
  const sorted = [...glyphs].toSorted((a, b) => a - b);
  if (areNumbersKept) return Array.from({ length: (sorted.at(-1) ?? 0) + 1 }, (_, glyph) => glyph);
  const encoded = new Set(encoding?.values()).add(0);
  return [...sorted.filter((glyph) => encoded.has(glyph)), ...sorted.filter((glyph) => !encoded.has(glyph))];
}

/** Operators whose operands are numbers of texts (table 9), and how many of these; other operands stay as they are. */
const TEXTS = new Map([
  ...[0, 1, 2, 3, 4, ESCAPED, ESCAPED + 21, ESCAPED + 22, ESCAPED + 38].map(
    (operator) => [operator, 1] as const,
  ),
  [ESCAPED + 30, 2],
]);
/** What is written anew, and the numbers of a font that is another one now. */
const LEFT_OUT: ReadonlySet<number> = new Set([...Object.values(AT), 13, 14]);

function rewrite(dict: CffDict, font: CffFont, strings: Strings): number[] {
  return [...dict].flatMap(([operator, operands]) => {
    if (LEFT_OUT.has(operator)) return [];
    const texts = TEXTS.get(operator) ?? 0;
    const numbers = texts === 0 ? [] : wholeNumbers(operands);
    const written = numbers.flatMap((number, i) =>
      numberBytes(i < texts ? strings.numberOf(font.textOf(number)) : number),
    );
    const named = operator >= ESCAPED ? [12, operator - ESCAPED] : [operator];
    return [...(texts === 0 ? operands : written), ...named];
  });
}

function hintsOf(
  font: CffFont,
  { hints, used, strings }: { hints: CffHints; used: ReadonlySet<number>; strings: Strings },
): HintParts {
  const { about, entries, subrs } = hints;
  return {
    about: font.hasCids ? rewrite(about, font, strings) : [],
    entries: rewrite(entries, font, strings),
    subrs: onlyUsed(subrs, used),
  };
}

/** Others become empty, and those at the end go as long as the numbers of the used ones mean the same. */
function onlyUsed(subrs: readonly Uint8Array[], used: ReadonlySet<number>): Uint8Array[] {
  if (used.size === 0) return [];
  const least = subrs.length < FEW_SUBRS ? 0 : subrs.length < MANY_SUBRS ? FEW_SUBRS : MANY_SUBRS;
  const last = Math.max(...used);
  return subrs
    .slice(0, Math.max(least, last + 1))
    .map((subr, number) => (used.has(number) ? subr : new Uint8Array()));
}
