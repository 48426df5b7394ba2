import type { Bytes } from "../../../wire/bytes.ts";
import { decodeStream } from "../filters/filters.ts";
import { openBudget } from "../limits.ts";
import { arrayAt, decodedStream, dictAt, type Pdf, resolve, stepsOf } from "../model/document.ts";
import { stringBytes } from "../syntax/strings.ts";
import { isStream, isString, numberOf, type Stream, unsignedOf, type Value } from "../syntax/values.ts";

/** Samples whose values can be averaged: what they look like changes evenly with them (ISO 32000-1, 8.6). */
interface ColorSpace {
  readonly components: 1 | 3 | 4;
  /** The palette of an indexed one, whose `components` are those of its base. */
  readonly palette?: Uint8Array;
  /** The base of an indexed one, as the document writes it. */
  readonly base?: Value;
}

/** An image with a sound dictionary. */
export interface ImageFacts {
  readonly stream: Stream;
  readonly width: number;
  readonly height: number;
  /** Bits of a component. */
  readonly bits: number;
  /** Components that are stored for each pixel; undefined where the color space does not tell. */
  readonly stored: number | undefined;
  /** Undefined where only an exact copy is right. */
  readonly space: ColorSpace | undefined;
  readonly filters: readonly string[];
}

const DEPTHS: readonly (number | undefined)[] = [1, 2, 4, 8, 16];

/** What an image XObject says of itself; undefined for an unsound one. */
export function readImageFacts(pdf: Pdf, stream: Stream): ImageFacts | undefined {
  const { dict } = stream;
  const width = unsignedOf(resolve(pdf, dict.get("Width")));
  const height = unsignedOf(resolve(pdf, dict.get("Height")));
  const isStencil = resolve(pdf, dict.get("ImageMask")) === true;
  const bits = isStencil ? 1 : unsignedOf(resolve(pdf, dict.get("BitsPerComponent")));
  if (!width || !height || dict.has("F") || (bits !== undefined && !DEPTHS.includes(bits))) return undefined;
  const filters = stepsOf(pdf, stream).map(({ name }) => name);
  const space = isStencil ? undefined : readColorSpace(pdf, dict.get("ColorSpace"));
  const stored =
    isStencil || space?.palette ? 1 : (space?.components ?? countComponents(pdf, dict.get("ColorSpace")));
  // A color that is not painted (8.9.6.4) is one exact value.
  const hasColorKey = arrayAt(pdf, dict.get("Mask")) !== undefined;
  // With a Decode array, samples of an indexed image are not plain indexes into its palette.
  const hasDecode = space?.palette !== undefined && resolve(pdf, dict.get("Decode")) !== undefined;
  const isExact = isStencil || hasColorKey || hasDecode;
  return { stream, width, height, bits: bits ?? 8, stored, space: isExact ? undefined : space, filters };
}

const COMPONENTS: Readonly<Record<string, 1 | 3 | 4>> = {
  DeviceGray: 1,
  DeviceRGB: 3,
  DeviceCMYK: 4,
  CalGray: 1,
  CalRGB: 3,
};

function readColorSpace(pdf: Pdf, value: Value | undefined, isBase = false): ColorSpace | undefined {
  const space = resolve(pdf, value);
  if (typeof space === "string") return ofComponents(COMPONENTS[space]);
  if (!Array.isArray(space)) return undefined;
  const [family, about, highest, table] = space;
  const name = resolve(pdf, family);
  // The base of an indexed space is never one itself (8.6.6.3), nor a ring of them.
  if (name === "Indexed") return isBase ? undefined : readIndexed(pdf, { base: about, highest, table });
  if (name !== "ICCBased") return typeof name === "string" ? ofComponents(COMPONENTS[name]) : undefined;
  const profile = resolve(pdf, about);
  const components = isStream(profile) ? numberOf(resolve(pdf, profile.dict.get("N"))) : undefined;
  // A Range other than 0 … 1 is that of Lab.
  if (!isStream(profile) || profile.dict.has("Range")) return undefined;
  return ofComponents(components);
}

function ofComponents(components: number | undefined): ColorSpace | undefined {
  return components === 1 || components === 3 || components === 4 ? { components } : undefined;
}

function readIndexed(
  pdf: Pdf,
  { base, highest, table }: { base: Value | undefined; highest: Value | undefined; table: Value | undefined },
): ColorSpace | undefined {
  const space = readColorSpace(pdf, base, true);
  const last = unsignedOf(resolve(pdf, highest));
  const palette = readTable(pdf, table);
  if (!space || base === undefined || last === undefined || !palette) return undefined;
  // What the table does not have is black in most readers.
  const whole = new Uint8Array(256 * space.components);
  whole.set(palette.subarray(0, Math.min(whole.length, (last + 1) * space.components)));
  return { components: space.components, palette: whole, base };
}

function readTable(pdf: Pdf, value: Value | undefined): Uint8Array | undefined {
  const table = resolve(pdf, value);
  if (isString(table)) return stringBytes(table);
  if (!isStream(table)) return undefined;
  if (!stepsOf(pdf, table).every(({ name }) => LOSSLESS.includes(name))) return undefined;
  return decodedStream(pdf, table).bytes;
}

const MOST_COMPONENTS = 32;

/** How many components the samples have in a space whose values cannot be averaged. */
function countComponents(pdf: Pdf, value: Value | undefined): number | undefined {
  const space = resolve(pdf, value);
  const [family, about] = Array.isArray(space) ? space : [];
  const name = resolve(pdf, family);
  if (name === "Lab") return 3;
  if (name === "Separation" || name === "Indexed") return 1;
  const names = name === "DeviceN" ? arrayAt(pdf, about) : undefined;
  if (names) return names.length <= MOST_COMPONENTS ? names.length : undefined;
  const profile = resolve(pdf, about);
  return isStream(profile) ? unsignedOf(resolve(pdf, profile.dict.get("N"))) : undefined;
}

/** Filters that can be undone exactly (7.4.2 to 7.4.5). */
export const LOSSLESS: readonly string[] = [
  "FlateDecode",
  "LZWDecode",
  "ASCIIHexDecode",
  "ASCII85Decode",
  "RunLengthDecode",
];

/** Room for what follows the last row. */
const SLACK = 64 * 1024;
/** What run lengths count before they are read, for each of their bytes. */
const RUN_LENGTH = 64;

/**
 * The data of a stream without its lossless filters, `most` bytes of it at the most; undefined where it is longer, breaks
 * off or has other filters. An image filter at the end is left to the caller with `isBeforeImage`.
 */
export async function decodeExactly(
  pdf: Pdf,
  { stream, most, isBeforeImage = false }: { stream: Stream; most: number; isBeforeImage?: boolean },
): Promise<Uint8Array | undefined> {
  const all = stepsOf(pdf, stream);
  const steps = isBeforeImage ? all.slice(0, -1) : all;
  if (!steps.every(({ name }) => LOSSLESS.includes(name)) || hasOddPredictor(steps)) return undefined;
  const { decryptor } = stream;
  const data: Bytes = decryptor ? await decryptor.decryptAsync(stream.data) : stream.data;
  // Each stream has a budget of its own: how much there may be is known from its dictionary, and one at a time is held.
  const budget = openBudget(0);
  const runs = steps.some(({ name }) => name === "RunLengthDecode")
    ? RUN_LENGTH * Math.min(data.length, most)
    : 0;
  budget.inflated.value = 2 * most + SLACK + runs;
  try {
    const { bytes, isComplete } = decodeStream(data, steps, budget);
    return isComplete ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** The TIFF predictor is undone for bytes only. */
function hasOddPredictor(steps: ReturnType<typeof stepsOf>): boolean {
  return steps.some(
    ({ parameters }) =>
      numberOf(parameters?.get("Predictor")) === 2 &&
      (numberOf(parameters?.get("BitsPerComponent")) ?? 8) !== 8,
  );
}

/** What says how a row of samples is stored. */
export type RowFacts = Pick<ImageFacts, "width" | "bits" | "stored">;

/** Bytes of one row of samples. */
export function rowBytesOf({ width, bits, stored = 1 }: RowFacts): number {
  return Math.ceil((width * bits * stored) / 8);
}

/** The dictionary of a soft mask (11.6.5.3). */
export function softMaskOf(pdf: Pdf, { dict }: Stream) {
  const mask = resolve(pdf, dict.get("SMask"));
  return isStream(mask) ? mask.dict : dictAt(pdf, mask);
}
