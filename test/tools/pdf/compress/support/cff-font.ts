import {
  numberBytes as dictNumber,
  Strings,
  writeCff,
  writeCharset,
  writeEncoding,
  writeSelect,
} from "../../../../../tools/pdf/fonts/cff-parts.ts";
import { textOf } from "../../support/pdf-made.ts";

/** Commands of charstrings by their names (Adobe Technical Note 5177). */
const COMMANDS: Readonly<Record<string, readonly number[]>> = {
  hstemhm: [18],
  vstemhm: [23],
  hintmask: [19],
  rmoveto: [21],
  hlineto: [6],
  rlineto: [5],
  callsubr: [10],
  callgsubr: [29],
  return: [11],
  endchar: [14],
  add: [12, 10],
  flex: [12, 35],
};

/** A charstring; a word with a # is a byte, such as that of a mask. */
export function charString(program: string): Uint8Array {
  return Uint8Array.from(
    program.split(" ").flatMap((word) => {
      if (word.startsWith("#")) return Number(word.slice(1));
      return COMMANDS[word] ?? dictNumber(Number(word));
    }),
  );
}

interface MadeCff {
  /** Charstrings by name, .notdef first; or by CID, 0 first. */
  readonly glyphs: Readonly<Record<string, string>>;
  readonly codes?: Readonly<Record<number, string>>;
  readonly globalSubrs?: readonly string[];
  /** One list for each of the font's hints; with two, the second half of the glyphs has the second. */
  readonly subrs?: readonly (readonly string[])[];
  readonly hasCids?: boolean;
  readonly postScript?: string;
}

/** A font program of CFF as a stream's text. */
export function cffFont({ glyphs, codes, hasCids = false, ...made }: MadeCff): string {
  const { globalSubrs = [], subrs = [[]], postScript } = made;
  const strings = new Strings();
  const names = Object.keys(glyphs);
  const numbers = names.map((name) => (hasCids ? Number(name) : strings.numberOf(name)));
  const text = (value: string) => dictNumber(strings.numberOf(value));
  const registry = hasCids
    ? [...text("Adobe"), ...text("Identity"), ...dictNumber(0), 12, 30]
    : [...text("Made for tests"), 1];
  const encoding = codes && new Map(Object.entries(codes).map(([code, name]) => [Number(code), name]));
  const bytes = writeCff({
    name: "Made",
    about: [...registry, ...(postScript === undefined ? [] : [...text(postScript), 12, 21])],
    strings,
    charset: writeCharset(numbers.slice(1)),
    encoding: writeEncoding(encoding, names, numbers),
    charStrings: Object.values(glyphs).map(charString),
    globalSubrs: globalSubrs.map(charString),
    hints: subrs.map((each) => ({
      about: hasCids ? [...text("Made"), 12, 38] : [],
      entries: [...dictNumber(600), 20],
      subrs: each.map(charString),
    })),
    select: hasCids
      ? writeSelect(names.map((_, i) => Math.floor((i * subrs.length) / names.length)))
      : undefined,
  });
  return textOf(bytes);
}
