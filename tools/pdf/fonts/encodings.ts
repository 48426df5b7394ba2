import { arrayAt, type Pdf, resolve } from "../model/document.ts";
import { type Dict, isDict } from "../syntax/values.ts";

/** The characters of Windows-1252 from code 0x80 on; codes that have none are bullets in PDF (ISO 32000-2, annex D.2). */
const WINDOWS = "€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ";
/** The characters of Mac OS Roman from code 0x80 on. */
const MAC =
  "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u00a0ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄¤‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\uf8ffÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ";
const BULLET = 0x2022;

/** The character that a code of one byte has in Windows-1252, and in Mac OS Roman. */
export function windowsCharacter(code: number): number {
  return code < 0x80 || code >= 0xa0 ? code : WINDOWS.charCodeAt(code - 0x80) || BULLET;
}

export function macCharacter(code: number): number {
  return code < 0x80 ? code : MAC.charCodeAt(code - 0x80);
}

/** The code of a character in Mac OS Roman, of those that are not ASCII. */
export function macCode(character: number): number | undefined {
  const at = MAC.indexOf(String.fromCharCode(character));
  return at < 0 ? undefined : 0x80 + at;
}

/** The code of a character in Windows-1252. */
export function windowsCode(character: number): number | undefined {
  if (isAscii(character) || (character >= 0xa0 && character <= 0xff)) return character;
  const at = WINDOWS.indexOf(String.fromCodePoint(character));
  return character > 0 && at >= 0 ? 0x80 + at : undefined;
}

export function isAscii(character: number): boolean {
  return character >= 0x20 && character <= 0x7e;
}

/** What glyphs are called (Adobe Glyph List), from a first character on; letters are called as they are. */
const NAMES: readonly (readonly [first: number, names: string])[] = [
  [
    0xa1,
    "exclamdown cent sterling currency yen brokenbar section dieresis copyright ordfeminine guillemotleft logicalnot " +
      "sfthyphen registered macron degree plusminus twosuperior threesuperior acute mu paragraph periodcentered cedilla " +
      "onesuperior ordmasculine guillemotright onequarter onehalf threequarters questiondown Agrave Aacute Acircumflex " +
      "Atilde Adieresis Aring AE Ccedilla Egrave Eacute Ecircumflex Edieresis Igrave Iacute Icircumflex Idieresis Eth " +
      "Ntilde Ograve Oacute Ocircumflex Otilde Odieresis multiply Oslash Ugrave Uacute Ucircumflex Udieresis Yacute " +
      "Thorn germandbls agrave aacute acircumflex atilde adieresis aring ae ccedilla egrave eacute ecircumflex " +
      "edieresis igrave iacute icircumflex idieresis eth ntilde ograve oacute ocircumflex otilde odieresis divide " +
      "oslash ugrave uacute ucircumflex udieresis yacute thorn ydieresis",
  ],
  [
    0x20,
    "space exclam quotedbl numbersign dollar percent ampersand quotesingle parenleft parenright asterisk plus comma " +
      "hyphen period slash zero one two three four five six seven eight nine colon semicolon less equal greater question at",
  ],
  [0x5b, "bracketleft backslash bracketright asciicircum underscore grave"],
  [0x7b, "braceleft bar braceright asciitilde"],
  [0x131, "dotlessi"],
  [0x152, "OE oe"],
  [0x160, "Scaron scaron"],
  [0x178, "Ydieresis"],
  [0x17d, "Zcaron zcaron"],
  [0x192, "florin"],
  [0x2c6, "circumflex caron"],
  [0x2d8, "breve dotaccent ring ogonek tilde hungarumlaut"],
  [0x3a9, "Omega"],
  [0x3c0, "pi"],
  [0x2013, "endash emdash"],
  [0x2018, "quoteleft quoteright quotesinglbase"],
  [0x201c, "quotedblleft quotedblright quotedblbase"],
  [0x2020, "dagger daggerdbl bullet"],
  [0x2026, "ellipsis"],
  [0x2030, "perthousand"],
  [0x2039, "guilsinglleft guilsinglright"],
  [0x2044, "fraction"],
  [0x20ac, "Euro"],
  [0x2122, "trademark"],
  [0x2202, "partialdiff"],
  [0x2206, "Delta"],
  [0x220f, "product"],
  [0x2211, "summation"],
  [0x221a, "radical"],
  [0x221e, "infinity"],
  [0x222b, "integral"],
  [0x2248, "approxequal"],
  [0x2260, "notequal"],
  [0x2264, "lessequal greaterequal"],
  [0x25ca, "lozenge"],
  [0xf8ff, "apple"],
  [0xfb01, "fi fl"],
];
const CHARACTERS: ReadonlyMap<string, number> = new Map(
  NAMES.flatMap(([first, names]) => names.split(" ").map((name, i) => [name, first + i] as const)),
);
const NAMES_OF: ReadonlyMap<number, string> = new Map(
  [...CHARACTERS].map(([name, character]) => [character, name] as const),
);

/** The character that a glyph's name tells: letters are called as they are, others by a name or a number. */
export function characterNamed(name: string): number | undefined {
  if (/^[A-Za-z]$/.test(name)) return name.charCodeAt(0);
  const digits = /^uni([0-9A-F]{4})$/.exec(name)?.[1];
  return digits === undefined ? CHARACTERS.get(name) : parseInt(digits, 16);
}

/** The usual name of a Latin character's glyph. */
export function glyphNameOf(character: number): string | undefined {
  const letter = String.fromCharCode(character);
  return /^[A-Za-z]$/.test(letter) ? letter : NAMES_OF.get(character);
}

/** What a font dictionary says of its codes (ISO 32000-2, 9.6.5). */
export interface Encoding {
  /** "" for one that is no name. */
  readonly base: string | undefined;
  /** Names of glyphs by code. */
  readonly differences: ReadonlyMap<number, string>;
}

export function readEncoding(pdf: Pdf, font: Dict): Encoding {
  const encoding = resolve(pdf, font.get("Encoding")) ?? null;
  const base = isDict(encoding) ? (resolve(pdf, encoding.get("BaseEncoding")) ?? null) : encoding;
  const differences = new Map<number, string>();
  let code = 0;
  for (const each of isDict(encoding) ? (arrayAt(pdf, encoding.get("Differences")) ?? []) : []) {
    const item = resolve(pdf, each);
    if (typeof item === "number") code = item;
    else if (typeof item === "string") differences.set(code++, item);
  }
  return { base: base === null ? undefined : typeof base === "string" ? base : "", differences };
}
