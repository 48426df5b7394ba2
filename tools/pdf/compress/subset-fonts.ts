import { deflate } from "../filters/deflate.ts";
import { readCodes } from "../fonts/cmap.ts";
import { allowsSubset, readTrueType, subsetTrueType, type TrueTypeFont, u16 } from "../fonts/truetype.ts";
import {
  arrayAt,
  dictAt,
  getObject,
  numberBehind,
  type Pdf,
  replaceObject,
  resolve,
} from "../model/document.ts";
import { claimsPdfA1 } from "../standards/claims.ts";
import { type Dict, isDict, isStream, without } from "../syntax/values.ts";
import { decodeExactly } from "./image-facts.ts";
import type { Reachable } from "./reachable.ts";
import { ANY_FONT, findFontUses, type FontUses, readShownCodes, type ShownCodes } from "./shown-text.ts";

/** The largest font programs, with all Chinese characters, have about 10 MB. */
const MOST_BYTES = 32 * 1024 * 1024;

/** About the bytes that the new name of a font takes. */
const NAMES_BYTES = 256;

interface Document {
  readonly pdf: Pdf;
  readonly uses: FontUses;
  readonly shown: ReadonlyMap<string, ShownCodes>;
}

/** A font dictionary that uses a TrueType program, and the composite font that contains it. */
interface FontUser {
  readonly num: number;
  readonly dict: Dict;
  readonly whole: number | undefined;
}

/**
 * Removes from TrueType programs the glyphs that the document cannot show and the tables that a PDF does not need
 * (ISO 32000-2, 9.9). PDF/A-1 is left alone, because it lists the glyphs of each font.
 * @returns the object numbers of programs that cannot become smaller
 */
export async function subsetFonts(pdf: Pdf, reachable: Reachable): Promise<Set<number>> {
  const packed = new Set<number>();
  const uses = claimsPdfA1(pdf) ? undefined : findFontUses(pdf, reachable);
  const programs = uses && programsOf(pdf, uses);
  const shown = uses && programs && programs.size > 0 ? await readShownCodes(pdf, uses) : undefined;
  if (!uses || !programs || !shown) return packed;
  for (const [num, users] of programs)
    if (users && (await subsetFont({ pdf, uses, shown }, { num, users }))) packed.add(num);
  return packed;
}

/** The fonts that use each program; undefined if something else uses it too. */
function programsOf(pdf: Pdf, { fonts }: FontUses): Map<number, FontUser[] | undefined> {
  const wholes = new Map<number, number | undefined>();
  for (const [dict, num] of fonts) {
    for (const part of arrayAt(pdf, dict.get("DescendantFonts")) ?? []) {
      const partNum = numberBehind(pdf, part);
      // One that two fonts share is a part of none.
      if (partNum !== undefined) wholes.set(partNum, wholes.has(partNum) ? undefined : num);
    }
  }
  const programs = new Map<number, FontUser[] | undefined>();
  for (const [dict, num] of fonts) {
    const program = dictAt(pdf, dict.get("FontDescriptor"))?.get("FontFile2");
    const programNum = program === undefined ? undefined : numberBehind(pdf, program);
    if (programNum === undefined) continue;
    const others = programs.has(programNum) ? programs.get(programNum) : [];
    const isIndirect =
      num !== undefined && numberBehind(pdf, dict.get("FontDescriptor") ?? null) !== undefined;
    const user = isIndirect ? { num, dict, whole: wholes.get(num) } : undefined;
    programs.set(programNum, user && others && [...others, user]);
  }
  return programs;
}

/** Whether the program cannot become smaller. */
async function subsetFont(
  document: Document,
  { num, users }: { num: number; users: readonly FontUser[] },
): Promise<boolean> {
  const { pdf } = document;
  const stream = getObject(pdf, num);
  if (!isStream(stream) || stream.dict.has("F")) return false;
  const bytes = await decodeExactly(pdf, { stream, most: MOST_BYTES });
  const font = bytes && readTrueType(bytes);
  if (!font || !(allowsSubset(font) ?? users.every((user) => isTagged(pdf, user)))) return false;
  const glyphs = new Set<number>();
  for (const user of users) {
    const found = await glyphsOf(document, { font, user });
    if (!found) return false;
    for (const glyph of found) glyphs.add(glyph);
  }
  const isMapped = users.some(({ dict }) => dict.get("Subtype") === "TrueType");
  const subset = subsetTrueType(font, { glyphs, isMapped });
  const data = subset && deflate(subset);
  if (!data) return false;
  if (data.length + NAMES_BYTES >= stream.data.length) return true;
  const entries = without(stream.dict, ["Filter", "DecodeParms", "DL", "Length", "Length1"]);
  const dict: Dict = new Map([...entries, ["Length1", subset.length], ["Filter", "FlateDecode"]]);
  replaceObject(pdf, { num, value: { kind: "stream", dict, data } });
  for (const user of users) nameSubset(pdf, { user, tag: tagOf(data) });
  return true;
}

/** The glyphs that a font can show; undefined if they are unknown. */
async function glyphsOf(
  { pdf, uses, shown }: Document,
  { font, user }: { font: TrueTypeFont; user: FontUser },
): Promise<number[] | undefined> {
  const { num, dict, whole } = user;
  const kind = resolve(pdf, dict.get("Subtype"));
  const own = kind === "CIDFontType2" ? whole : num;
  const names = [...uses.named]
    .filter(([, nums]) => own !== undefined && nums.has(own))
    .map(([name]) => name);
  if (own === undefined || uses.open.has(own) || names.length === 0) return undefined;
  if (names.some((name) => uses.openNames.has(name))) return undefined;
  const codes = [...names, ANY_FONT].flatMap((name) => shown.get(name) ?? []);
  if (kind === "TrueType") return hasOwnNames(pdf, dict) ? undefined : glyphsOfCodes(font, codes);
  if (
    kind !== "CIDFontType2" ||
    resolve(pdf, dictAt(pdf, getObject(pdf, own))?.get("Encoding")) !== "Identity-H"
  )
    return undefined;
  const cids = listOf(codes.map(({ double }) => double));
  const map = resolve(pdf, dict.get("CIDToGIDMap")) ?? "Identity";
  if (map === "Identity") return cids;
  const glyphs = isStream(map) ? await decodeExactly(pdf, { stream: map, most: 2 * 0x10000 }) : undefined;
  return glyphs && cids.map((cid) => (2 * cid + 2 > glyphs.length ? 0 : u16(glyphs, 2 * cid)));
}

/** Whether an encoding has glyph names of its own, or is not one of TrueType's (9.6.5.4). */
function hasOwnNames(pdf: Pdf, font: Dict): boolean {
  const encoding = resolve(pdf, font.get("Encoding")) ?? null;
  const base = isDict(encoding) ? (resolve(pdf, encoding.get("BaseEncoding")) ?? null) : encoding;
  return (
    (isDict(encoding) && encoding.has("Differences")) ||
    (base !== null && base !== "WinAnsiEncoding" && base !== "MacRomanEncoding")
  );
}

function glyphsOfCodes(font: TrueTypeFont, codes: readonly ShownCodes[]): number[] | undefined {
  const glyphOf = readCodes(font);
  if (!glyphOf) return undefined;
  const glyphs: number[] = [];
  for (const code of listOf(codes.map(({ single }) => single))) {
    const found = glyphOf(code);
    // A program may find a glyph by its name that no table contains.
    if (found.size === 0 && code > 0x20) return undefined;
    glyphs.push(...found);
  }
  return glyphs;
}

function listOf(all: readonly Uint8Array[]): number[] {
  const codes = new Set<number>();
  for (const each of all)
    for (let code = each.indexOf(1); code >= 0; code = each.indexOf(1, code + 1)) codes.add(code);
  return [...codes];
}

/** The name of a subset begins with six letters (9.9.2). */
const TAGGED = /^[A-Z]{6}\+/;

function isTagged(pdf: Pdf, { dict }: FontUser): boolean {
  const name = resolve(pdf, dict.get("BaseFont"));
  return typeof name === "string" && TAGGED.test(name);
}

function tagOf(data: Uint8Array): string {
  let sum = data.length;
  for (const byte of data) sum = (Math.imul(sum, 31) + byte) >>> 0;
  return Array.from({ length: 6 }, (_, i) => String.fromCharCode(65 + (Math.floor(sum / 26 ** i) % 26))).join(
    "",
  );
}

function nameSubset(pdf: Pdf, { user, tag }: { user: FontUser; tag: string }): void {
  const descriptor = numberBehind(pdf, user.dict.get("FontDescriptor") ?? null);
  for (const num of [user.num, user.whole, descriptor]) {
    const dict = num === undefined ? undefined : dictAt(pdf, getObject(pdf, num));
    if (num === undefined || !dict) continue;
    const changed: Dict = without(dict, ["CIDSet"]);
    for (const key of ["BaseFont", "FontName"]) {
      const name = resolve(pdf, dict.get(key));
      if (typeof name === "string" && !TAGGED.test(name)) changed.set(key, `${tag}+${name}`);
    }
    replaceObject(pdf, { num, value: changed });
  }
}
