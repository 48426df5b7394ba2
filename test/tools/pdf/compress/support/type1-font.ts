import { textOf } from "../../support/pdf-made.ts";

/** Commands of charstrings by their names (Adobe Type 1 Font Format, chapter 6.4). */
const COMMANDS: Readonly<Record<string, readonly number[]>> = {
  hstem: [1],
  vstem: [3],
  vmoveto: [4],
  rlineto: [5],
  hlineto: [6],
  vlineto: [7],
  rrcurveto: [8],
  closepath: [9],
  callsubr: [10],
  return: [11],
  hsbw: [13],
  endchar: [14],
  rmoveto: [21],
  hmoveto: [22],
  vhcurveto: [30],
  hvcurveto: [31],
  dotsection: [12, 0],
  vstem3: [12, 1],
  hstem3: [12, 2],
  seac: [12, 6],
  sbw: [12, 7],
  div: [12, 12],
  callothersubr: [12, 16],
  pop: [12, 17],
  setcurrentpoint: [12, 33],
};

export interface MadeFont {
  readonly charStrings: Readonly<Record<string, string>>;
  readonly subrs?: readonly string[];
  /** What stands in the encrypted part before the glyphs, and before that part. */
  readonly hints?: string;
  readonly about?: string;
  readonly encoding?: string;
  readonly lenIV?: number;
  readonly isHex?: boolean;
}

/** What every font has of subroutines: flexes, and hints that replace others. */
export const SUBRS = [
  "3 0 callothersubr pop pop setcurrentpoint return",
  "0 1 callothersubr return",
  "0 2 callothersubr return",
  "return",
];

/** A font program of Type 1 as a stream's text, with the entries of its lengths. */
export function type1Font(made: MadeFont): { text: string; entries: string } {
  const {
    charStrings,
    subrs = SUBRS,
    hints = "/BlueValues [-10 0 700 710]def/StdHW[60]def",
    about = "",
  } = made;
  const {
    encoding = "256 array\n0 1 255 {1 index exch /.notdef put} for\ndup 65 /A put\ndup 8#102 /Aacute put\nreadonly",
    lenIV = 4,
  } = made;
  const clear = `%!PS-AdobeFont-1.0: Made\n11 dict begin\n/FontInfo 2 dict dup begin\n/Notice (Made \\(for tests\\)) readonly def\nend readonly def\n/FontName /Made def\n/PaintType 0 def\n/FontType 1 def\n/FontMatrix [0.001 0 0 0.001 0 0]readonly def\n/Encoding ${encoding} def\n/FontBBox{-10 -200 1000 900}readonly def\n${about}currentdict end\ncurrentfile eexec\n`;
  const encode = (program: string) =>
    encrypt("\0".repeat(Math.max(0, lenIV)) + charString(program), 4_330, lenIV < 0);
  const programs = subrs.map((program, i) => `dup ${i} ${encode(program).length} RD ${encode(program)} NP\n`);
  const glyphs = Object.entries(charStrings).map(
    ([name, program]) => `/${name} ${encode(program).length} RD ${encode(program)} ND\n`,
  );
  const inner =
    `dup /Private 12 dict dup begin\n/RD{string currentfile exch readstring pop}executeonly def\n/lenIV ${lenIV} def\n${hints}\n` +
    `/Subrs ${subrs.length} array\n${programs.join("")}ND\n` +
    `2 index /CharStrings ${glyphs.length} dict dup begin\n${glyphs.join("")}end\nend\nreadonly put\nmark currentfile closefile\n`;
  const locked = encrypt(`\0\0\0\0${inner}`, 55_665);
  const hidden = made.isHex ? `${Buffer.from(locked, "latin1").toString("hex")}\n` : locked;
  const end = `${`${"0".repeat(64)}\n`.repeat(8)}cleartomark\n`;
  return {
    text: clear + hidden + end,
    entries: `/Length1 ${clear.length}/Length2 ${hidden.length}/Length3 ${end.length}`,
  };
}

function charString(program: string): string {
  const bytes = program.split(" ").flatMap((word) => COMMANDS[word] ?? numberBytes(Number(word)));
  return textOf(Uint8Array.from(bytes));
}

function numberBytes(value: number): number[] {
  if (Math.abs(value) <= 107) return [value + 139];
  return [255, (value >> 24) & 0xff, (value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff];
}

function encrypt(plain: string, key: number, isPlain = false): string {
  if (isPlain) return plain;
  let state = key;
  return Array.from(plain, (character) => {
    const cipher = character.charCodeAt(0) ^ (state >> 8);
    state = ((cipher + state) * 52_845 + 22_719) & 0xffff;
    return String.fromCharCode(cipher);
  }).join("");
}
