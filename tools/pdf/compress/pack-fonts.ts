import { toCff } from "../fonts/cff.ts";
import type { CommandAllowance } from "../fonts/charstrings.ts";
import { readType1 } from "../fonts/type1.ts";
import { deflate } from "../filters/deflate.ts";
import { getObject, numberBehind, type Pdf, replaceObject } from "../model/document.ts";
import { isDict, isStream, makeDict, refTo, type Stream, without } from "../syntax/values.ts";
import { decodeExactly } from "./image-facts.ts";

/** Fonts of Type 1 have at most 256 codes of one byte in use; larger ones are left as they are. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Of one font, whose glyphs are in memory together, and of all fonts of a document. Large ones need 40,000. */
const [MOST_OF_FONT, MOST_OF_ALL] = [300_000, 3_000_000];

/**
 * Writes fonts of Type 1 as CFF where that is smaller (ISO 32000-2, table 124: FontFile3 in place of FontFile): a Type 1
 * program is encrypted, so that nothing packs it. The font dictionaries stay, for both are fonts of Type 1.
 */
export async function packFonts(pdf: Pdf, nums: Iterable<number>): Promise<void> {
  const allowance: CommandAllowance = { left: MOST_OF_ALL };
  const packed = new Map<number, boolean>();
  for (const num of nums) {
    const descriptor = getObject(pdf, num);
    if (!isDict(descriptor)) continue;
    const fileNum = numberBehind(pdf, descriptor.get("FontFile"));
    if (fileNum === undefined) continue;
    const isPacked = packed.get(fileNum) ?? (await packFont(pdf, fileNum, allowance));
    packed.set(fileNum, isPacked);
    if (!isPacked) continue;
    const value = new Map([...without(descriptor, ["FontFile"]), ["FontFile3", refTo(fileNum)] as const]);
    replaceObject(pdf, num, value);
  }
}

async function packFont(pdf: Pdf, num: number, allowance: CommandAllowance): Promise<boolean> {
  const stream = getObject(pdf, num);
  if (!isStream(stream) || stream.dict.has("F")) return false;
  const bytes = await decodeExactly(pdf, { stream, most: MOST_BYTES });
  const font = bytes && readType1(bytes);
  const most = Math.min(MOST_OF_FONT, allowance.left);
  const own = { left: most };
  const cff = font && toCff(font, own);
  allowance.left -= most - own.left;
  if (!cff) return false;
  const data = deflate(cff);
  if (data.length >= stream.data.length) return false;
  const dict = makeDict({ Subtype: "Type1C", Filter: "FlateDecode" });
  replaceObject(pdf, num, { kind: "stream", dict, data } satisfies Stream);
  return true;
}
