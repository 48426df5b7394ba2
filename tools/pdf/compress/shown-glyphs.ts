import type { CffFont } from "../fonts/cff-read.ts";
import { readCodes } from "../fonts/cmap.ts";
import {
  type Encoding,
  glyphNameOf,
  macCharacter,
  readEncoding,
  windowsCharacter,
} from "../fonts/encodings.ts";
import { standardName } from "../fonts/standard-strings.ts";
import { type TrueTypeFont, u16 } from "../fonts/truetype.ts";
import { dictAt, getObject, type Pdf, resolve } from "../model/document.ts";
import { type Dict, isStream } from "../syntax/values.ts";
import { decodeExactly } from "./image-facts.ts";
import { ANY_FONT, type FontUses, type ShownCodes } from "./shown-text.ts";

export interface ShownText {
  readonly pdf: Pdf;
  readonly uses: FontUses;
  readonly shown: ReadonlyMap<string, ShownCodes>;
}

/** A font dictionary that uses a program, and the composite font that contains it. */
export interface FontUser {
  readonly num: number;
  readonly dict: Dict;
  readonly whole: number | undefined;
}

/** A program of either kind. */
export type FontProgram =
  | { readonly kind: "TrueType"; readonly font: TrueTypeFont }
  | { readonly kind: "CFF"; readonly font: CffFont };

/** The glyphs that a font can show; undefined if they are unknown. */
export async function glyphsShown(
  { pdf, uses, shown }: ShownText,
  program: FontProgram,
  user: FontUser,
): Promise<number[] | undefined> {
  const { num, dict, whole } = user;
  const kind = resolve(pdf, dict.get("Subtype"));
  const isPart = kind === "CIDFontType2" || kind === "CIDFontType0";
  const own = isPart ? whole : num;
  const names = [...uses.named]
    .filter(([, nums]) => own !== undefined && nums.has(own))
    .map(([name]) => name);
  if (own === undefined || uses.open.has(own) || names.length === 0) return undefined;
  if (names.some((name) => uses.openNames.has(name))) return undefined;
  const codes = [...names, ANY_FONT].flatMap((name) => shown.get(name) ?? []);
  if (!isPart) return glyphsOfCodes({ pdf, dict, kind }, program, listOf(codes, "single"));
  if (resolve(pdf, dictAt(pdf, getObject(pdf, own))?.get("Encoding")) !== "Identity-H") return undefined;
  const cids = listOf(codes, "double");
  if (program.kind === "CFF") return kind === "CIDFontType0" ? glyphsOfCids(program.font, cids) : undefined;
  return kind === "CIDFontType2" ? await mappedGlyphs({ pdf, dict }, cids) : undefined;
}

function listOf(all: readonly ShownCodes[], kind: keyof ShownCodes): number[] {
  const codes = new Set<number>();
  for (const { [kind]: each } of all)
    for (let code = each.indexOf(1); code >= 0; code = each.indexOf(1, code + 1)) codes.add(code);
  return [...codes];
}

interface FontDict {
  readonly pdf: Pdf;
  readonly dict: Dict;
}

async function mappedGlyphs({ pdf, dict }: FontDict, cids: readonly number[]): Promise<number[] | undefined> {
  const map = resolve(pdf, dict.get("CIDToGIDMap")) ?? "Identity";
  if (map === "Identity") return [...cids];
  const glyphs = isStream(map) ? await decodeExactly(pdf, { stream: map, most: 2 * 0x10000 }) : undefined;
  return glyphs && cids.map((cid) => (2 * cid + 2 > glyphs.length ? 0 : u16(glyphs, 2 * cid)));
}

/** In a font without CIDs they are the numbers of glyphs (ISO 32000-2, 9.7.4.2). */
function glyphsOfCids({ hasCids, charset }: CffFont, cids: readonly number[]): number[] {
  if (!hasCids) return [...cids];
  const shown = new Set(cids);
  return charset.flatMap((cid, glyph) => (shown.has(cid) ? [glyph] : []));
}

function glyphsOfCodes(
  { pdf, dict, kind }: FontDict & { kind: unknown },
  program: FontProgram,
  codes: readonly number[],
): number[] | undefined {
  const read = readEncoding(pdf, dict);
  // Undefined for one that is not known here, such as that of expert fonts.
  const encoding = read.base === undefined || Object.hasOwn(NAMES, read.base) ? read : undefined;
  if (program.kind === "CFF") {
    const isByName = kind === "Type1" || kind === "MMType1";
    return isByName && encoding ? glyphsOfNames(program.font, { encoding, codes }) : undefined;
  }
  const isByCode = encoding && encoding.differences.size === 0 && encoding.base !== "StandardEncoding";
  return kind === "TrueType" && isByCode ? glyphsOfTables(program.font, codes) : undefined;
}

function glyphsOfTables(font: TrueTypeFont, codes: readonly number[]): number[] | undefined {
  const glyphOf = readCodes(font);
  if (!glyphOf) return undefined;
  const glyphs: number[] = [];
  for (const code of codes) {
    const found = glyphOf(code);
    // A program may find a glyph by its name that no table contains.
    if (found.size === 0 && code > SPACE) return undefined;
    glyphs.push(...found);
  }
  return glyphs;
}

/** The name of a code in each encoding (9.6.5 and annex D.2). */
const NAMES: Readonly<Record<string, (code: number) => string | undefined>> = {
  WinAnsiEncoding: (code) => nameOf(windowsCharacter(code)),
  MacRomanEncoding: (code) => nameOf(macCharacter(code)),
  StandardEncoding: standardName,
};
const [NO_BREAK_SPACE, SOFT_HYPHEN] = [0xa0, 0xad];
const [SPACE, NOTDEF] = [0x20, ".notdef"];

function nameOf(character: number): string | undefined {
  if (character === NO_BREAK_SPACE) return "space";
  return character === SOFT_HYPHEN ? "hyphen" : glyphNameOf(character);
}

/**
 * All glyphs that programs may show for a code: by the font dictionary's name for it, by the font's own encoding, and by
 * Adobe's standard encoding.
 */
function glyphsOfNames(
  { named, encoding: builtIn }: CffFont,
  { encoding: { base, differences }, codes }: { encoding: Encoding; codes: readonly number[] },
): number[] | undefined {
  const glyphs: number[] = [];
  for (const code of codes) {
    const standard = named.get(standardName(code) ?? NOTDEF) ?? 0;
    const own = builtIn ? builtIn.get(code) : standard || undefined;
    const name = differences.get(code) ?? (base === undefined ? undefined : (NAMES[base]?.(code) ?? NOTDEF));
    const found = name === undefined ? own : named.get(name);
    // Programs look for a name that a font does not have by other ways.
    if (found === undefined && code > SPACE) return undefined;
    glyphs.push(standard, own ?? 0, found ?? 0);
  }
  return glyphs;
}
