import type { OnProgress } from "../../file/progress.ts";
import { deflate } from "../filters/deflate.ts";
import { getObject, numberBehind, type Pdf, replaceObject, resolve } from "../model/document.ts";
import type { PdfPage } from "../model/pages.ts";
import { isStream, refTo, type Stream, without, pushTo } from "../syntax/values.ts";
import { resultTrailer } from "../writer/save.ts";
import { fontDescriptors, hasGlyphPrograms, reachableObjects } from "./reachable.ts";
import { readDrawnSizes } from "./drawn-sizes.ts";
import { readImageFacts, softMaskOf, decodeExactly } from "./image-facts.ts";
import { isTooLarge, recodeImage, type RecodeOptions } from "./recode-image.ts";
import { sha256 } from "@noble/hashes/sha2.js";
import { nativeCrypto } from "../../file/native.ts";
import { createByteWriter, writtenBytes } from "../writer/byte-writer.ts";
import { writeValue } from "../writer/serialize.ts";
import { latin1 } from "../syntax/lexer.ts";

/** More is left as it is; contents and fonts are far smaller. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Shorter data does not get smaller by more than its filter's name takes. */
const LEAST_BYTES = 64;
const FILTER_BYTES = "/Filter /FlateDecode".length;

/** Makes the streams of a document smaller, one at a time; how many images became so, and how many are too large for that. */
export async function compressStreams(
  pdf: Pdf,
  pages: readonly PdfPage[],
  { onProgress, ...recodeOptions }: RecodeOptions & { onProgress?: OnProgress | undefined },
): Promise<{ images: number; tooLarge: number }> {
  const reachable = reachableObjects(pdf, resultTrailer(pdf));
  const { streams } = reachable;
  const descriptors = fontDescriptors(pdf, reachable);
  await shareEqualStreams(pdf, streams);
  // Loaded for those alone: most documents have none. Programs that embed fonts of Type 1 embed only what is shown.
  const hasPrograms = hasGlyphPrograms(pdf, reachable);
  if (descriptors.length > 0) await (await import("./pack-fonts.ts")).packFonts(pdf, descriptors);
  const subsets = hasPrograms
    ? await (await import("./subset-fonts.ts")).subsetFonts(pdf, reachable)
    : new Set<number>();
  const nums = streams.filter((num) => !subsets.has(num) && streamAt(pdf, num));
  const sizes = readDrawnSizes(pdf, pages);
  const masks = findMasks(pdf, nums);
  const counts = { images: 0, tooLarge: 0 };
  for (const [i, num] of nums.entries()) {
    onProgress?.(i / nums.length);
    const stream = streamAt(pdf, num);
    if (!stream) continue;
    if (resolve(pdf, stream.dict.get("Subtype")) !== "Image") {
      const smaller = await repackStream(pdf, stream);
      if (smaller) replaceObject(pdf, num, smaller);
      continue;
    }
    const facts = readImageFacts(pdf, stream);
    if (facts && isTooLarge(facts)) counts.tooLarge++;
    if (!facts || isTooLarge(facts)) continue;
    const size = masks.matted.has(num) ? undefined : sizes.get(num);
    const smaller = await recodeImage(pdf, { facts, size, isMask: masks.all.has(num) }, recodeOptions);
    if (!smaller) continue;
    counts.images++;
    replaceObject(pdf, num, smaller);
  }
  return counts;
}

/**
 * The numbers of soft masks. `matted` has the images whose colors were made for their mask (/Matte), and these masks: no
 * sample of theirs may change.
 */
function findMasks(pdf: Pdf, nums: readonly number[]): { all: Set<number>; matted: Set<number> } {
  const all = new Set<number>();
  const matted = new Set<number>();
  for (const num of nums) {
    const stream = streamAt(pdf, num);
    if (!stream) continue;
    const maskNum = numberBehind(pdf, stream.dict.get("SMask"));
    if (maskNum === undefined) continue;
    all.add(maskNum);
    if (softMaskOf(pdf, stream)?.has("Matte")) matted.add(num).add(maskNum);
  }
  return { all, matted };
}

/**
 * The same stream with its data by Flate, where that is smaller; undefined where it stays. XMP stays readable for
 * programs that only search a file for it (ISO 16684-1, and what PDF/A-1 demands).
 */
async function repackStream(pdf: Pdf, stream: Stream): Promise<Stream | undefined> {
  const { dict } = stream;
  if (dict.has("F") || resolve(pdf, dict.get("Type")) === "Metadata" || stream.data.length < LEAST_BYTES)
    return undefined;
  const bytes = await decodeExactly(pdf, { stream, most: MOST_BYTES });
  const data = bytes && deflate(bytes);
  if (!data || data.length + FILTER_BYTES >= stream.data.length) return undefined;
  const entries = without(dict, ["Filter", "DecodeParms", "DL", "Length"]);
  return { kind: "stream", dict: new Map([...entries, ["Filter", "FlateDecode"]]), data };
}

/** Images have soft masks and profiles, which are equal first. */
const ROUNDS = 3;

/** Lets one stream stand for all that have the same dictionary and data. */
async function shareEqualStreams(pdf: Pdf, nums: readonly number[]): Promise<void> {
  const steads: Steads = new Map();
  for (let round = 0; round < ROUNDS; round++) {
    const before = steads.size;
    for (const group of sameLengths(pdf, nums, steads)) await shareIn(pdf, group, steads);
    if (steads.size === before) break;
  }
  for (const [num, stead] of steads) replaceObject(pdf, num, refTo(stead));
}

/** By the number of a stream: that of the one which stands for it. */
type Steads = Map<number, number>;

function sameLengths(pdf: Pdf, nums: readonly number[], steads: Steads): number[][] {
  const groups = new Map<number, number[]>();
  for (const num of nums) {
    const stream = streamAt(pdf, num);
    if (!stream || steads.has(num)) continue;
    pushTo(groups, stream.data.length, num);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

function streamAt(pdf: Pdf, num: number): Stream | undefined {
  const value = getObject(pdf, num);
  return isStream(value) ? value : undefined;
}

async function shareIn(pdf: Pdf, group: readonly number[], steads: Steads): Promise<void> {
  const known = new Map<string, number>();
  for (const num of group) {
    const stream = streamAt(pdf, num);
    if (!stream) continue;
    const key = `${await digestOf(stream)} ${dictText(pdf, stream, steads)}`;
    const first = known.get(key);
    if (first === undefined) known.set(key, num);
    else steads.set(num, first);
  }
}

// A digest that nobody can find two data for: one stream must never stand for a different one.
async function digestOf({ data, decryptor }: Stream): Promise<string> {
  const plain = decryptor ? await decryptor.decryptAsync(data) : data;
  const hasher = nativeCrypto?.createHash("sha256");
  hasher?.update(plain);
  return latin1(hasher?.digest() ?? sha256(plain));
}

function dictText(pdf: Pdf, stream: Stream, steads: Steads): string {
  const output = createByteWriter(pdf.budget.read);
  const dict = without(stream.dict, ["Length"]);
  writeValue(output, { value: dict, renumber: ({ num }) => steads.get(num) ?? num });
  return latin1(writtenBytes(output));
}
