import type { Bytes } from "../../../wire/bytes.ts";
import { deflate } from "../filters/deflate.ts";
import type { CommandAllowance } from "../fonts/charstrings.ts";
import { readCff } from "../fonts/cff-read.ts";
import { subsetCff } from "../fonts/cff-subset.ts";
import { allowsSubset, readTrueType, subsetTrueType } from "../fonts/truetype.ts";
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
import { type Dict, isStream, type Stream, without } from "../syntax/values.ts";
import { decodeExactly } from "./image-facts.ts";
import type { ReachableObjects } from "./reachable.ts";
import { type FontProgram, type FontUser, glyphsShown, type ShownText } from "./shown-glyphs.ts";
import { findFontUses, type FontUses, readShownCodes } from "./shown-text.ts";

/** The largest font programs, with all Chinese characters, have about 10 MB. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Of the charstrings of all fonts of CFF; the glyphs of a book have 50,000. */
const MOST_COMMANDS = 3_000_000;

/** About the bytes that the new name of a font takes. */
const NAMES_BYTES = 256;

/**
 * Removes from font programs the glyphs that the document cannot show, and what a PDF does not need of them (ISO 32000-2,
 * 9.9). PDF/A-1 is left alone, because it lists the glyphs of each font.
 * @returns the object numbers of programs that are written anew
 */
export async function subsetFonts(pdf: Pdf, reachable: ReachableObjects): Promise<Set<number>> {
  const written = new Set<number>();
  const uses = claimsPdfA1(pdf) ? undefined : findFontUses(pdf, reachable);
  const programs = uses && programsOf(pdf, uses);
  const shown = uses && programs && programs.size > 0 ? await readShownCodes(uses) : undefined;
  if (!uses || !programs || !shown) return written;
  const allowance: CommandAllowance = { left: MOST_COMMANDS };
  for (const [num, users] of programs)
    if (users && (await subsetFont({ pdf, uses, shown }, { num, users, allowance }))) written.add(num);
  return written;
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
    const descriptor = dictAt(pdf, dict.get("FontDescriptor"));
    const programNum = numberBehind(pdf, descriptor?.get("FontFile2") ?? descriptor?.get("FontFile3"));
    if (programNum === undefined) continue;
    const others = programs.has(programNum) ? programs.get(programNum) : [];
    const isIndirect = numberBehind(pdf, dict.get("FontDescriptor")) !== undefined;
    const user = num !== undefined && isIndirect ? { num, dict, whole: wholes.get(num) } : undefined;
    programs.set(programNum, user && others && [...others, user]);
  }
  return programs;
}

/** Whether the program is written anew. */
async function subsetFont(
  text: ShownText,
  { num, users, allowance }: { num: number; users: readonly FontUser[]; allowance: CommandAllowance },
): Promise<boolean> {
  const { pdf } = text;
  const stream = getObject(pdf, num);
  if (!isStream(stream) || stream.dict.has("F")) return false;
  const program = await readProgram(pdf, stream);
  if (!program || !(program.allowsSubset ?? users.every((user) => isTagged(pdf, user)))) return false;
  const glyphs = new Set<number>();
  for (const user of users) {
    const found = await glyphsShown(text, program, user);
    if (!found) return false;
    for (const glyph of found) glyphs.add(glyph);
  }
  const subset = subsetProgram(program, { glyphs, users, allowance });
  if (!subset) return false;
  // Glyphs of TrueType that go leave zeros.
  if (program.kind === "CFF" && subset.length + NAMES_BYTES >= program.length) return false;
  const data = deflate(subset);
  if (data.length + NAMES_BYTES >= stream.data.length) return false;
  const entries = without(stream.dict, ["Filter", "DecodeParms", "DL", "Length", "Length1"]);
  const dict: Dict = new Map([...entries, ["Filter", "FlateDecode"]]);
  if (program.kind === "TrueType") dict.set("Length1", subset.length);
  replaceObject(pdf, num, { kind: "stream", dict, data });
  for (const user of users) nameSubset(pdf, user, tagOf(data));
  return true;
}

async function readProgram(
  pdf: Pdf,
  stream: Stream,
): Promise<(FontProgram & { readonly allowsSubset: boolean | undefined; length: number }) | undefined> {
  const bytes = await decodeExactly(pdf, { stream, most: MOST_BYTES });
  // An OpenType font may be both, with tables of its own.
  if (!bytes || resolve(pdf, stream.dict.get("Subtype")) === "OpenType") return undefined;
  const { length } = bytes;
  const font = readTrueType(bytes);
  if (font) return { kind: "TrueType", font, allowsSubset: allowsSubset(font), length };
  const cff = readCff(bytes);
  return cff && { kind: "CFF", font: cff, allowsSubset: cff.allowsSubset, length };
}

function subsetProgram(
  program: FontProgram,
  of: { glyphs: Iterable<number>; users: readonly FontUser[]; allowance: CommandAllowance },
): Bytes | undefined {
  const { glyphs, users, allowance } = of;
  const parts = users.filter(({ whole }) => whole !== undefined).length;
  if (program.kind === "TrueType") return subsetTrueType(program.font, glyphs, parts < users.length);
  // By numbers and by names cannot both be kept.
  if (!program.font.hasCids && parts > 0 && parts < users.length) return undefined;
  return subsetCff(program.font, { glyphs, allowance, areNumbersKept: !program.font.hasCids && parts > 0 });
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

function nameSubset(pdf: Pdf, user: FontUser, tag: string): void {
  const descriptor = numberBehind(pdf, user.dict.get("FontDescriptor"));
  for (const num of [user.num, user.whole, descriptor]) {
    const dict = num === undefined ? undefined : dictAt(pdf, getObject(pdf, num));
    if (num === undefined || !dict) continue;
    const changed: Dict = without(dict, ["CIDSet", "CharSet"]);
    for (const key of ["BaseFont", "FontName"]) {
      const name = resolve(pdf, dict.get(key));
      if (typeof name === "string" && !TAGGED.test(name)) changed.set(key, `${tag}+${name}`);
    }
    replaceObject(pdf, num, changed);
  }
}
