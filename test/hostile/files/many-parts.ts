// Files of a few megabytes that are made of very many empty parts.
import type { Bytes } from "../../../wire/bytes.ts";
import { concatBytes, utf8 } from "../../../wire/bytes.ts";
import { bytesOf, picture, pngChunk } from "../../tools/image/support/made.ts";

const NOTHING = new Uint8Array(0);

/** The same bytes so many times, without a list of as many entries. */
function repeat(part: Bytes, count: number): Bytes {
  const all = new Uint8Array(part.length * count);
  for (let i = 0; i < count; i++) all.set(part, i * part.length);
  return all;
}

/** RFC 9649, 2.3: type and length, no data. */
export async function webpOfChunks(count: number): Promise<Bytes> {
  const webp = await bytesOf(picture(24, 16).webp());
  const all = concatBytes(webp, repeat(concatBytes(utf8("VOID"), new Uint8Array(4)), count));
  new DataView(all.buffer).setUint32(4, all.length - 8, true);
  return all;
}

export async function pngOfChunks(count: number, type = "tEXt"): Promise<Bytes> {
  const png = await bytesOf(picture(24, 16).png());
  const end = png.length - 12;
  return concatBytes(png.subarray(0, end), repeat(pngChunk(type, NOTHING), count), png.subarray(end));
}

/** Comments of no text (ITU-T T.81, B.2.4.5), behind SOI. */
export async function jpegOfSegments(count: number): Promise<Bytes> {
  const jpeg = await bytesOf(picture(24, 16).jpeg());
  return concatBytes(jpeg.subarray(0, 2), repeat(Uint8Array.of(0xff, 0xfe, 0, 2), count), jpeg.subarray(2));
}

/** Empty comments (GIF89a, 24) in front of the trailer. */
export async function gifOfExtensions(count: number): Promise<Bytes> {
  const gif = await bytesOf(picture(24, 16).gif());
  return concatBytes(gif.subarray(0, -1), repeat(Uint8Array.of(0x21, 0xfe, 0), count), gif.subarray(-1));
}

export async function avifOfBoxes(count: number): Promise<Bytes> {
  const avif = await bytesOf(picture(24, 16).avif({ effort: 0 }));
  return concatBytes(avif, repeat(concatBytes(Uint8Array.of(0, 0, 0, 8), utf8("free")), count));
}

/** A list of places (ISO/IEC 14496-12, 8.11.3) whose entries have all their sizes zero. */
export function avifOfPlaces(count: number): Bytes {
  const entries = concatBytes(full(2), Uint8Array.of(0, 0), u32(count), repeat(new Uint8Array(10), count));
  return avifOf(box("iloc", entries), box("iprp", box("ipco")));
}

/** Associations (ISO/IEC 23008-12, 9.3.1) of items with no properties. */
export function avifOfAssociations(count: number): Bytes {
  const entries = concatBytes(full(0), u32(count), repeat(new Uint8Array(3), count));
  return avifOf(box("iloc", full(0), new Uint8Array(4)), box("iprp", box("ipco"), box("ipma", entries)));
}

function avifOf(...lists: readonly Bytes[]): Bytes {
  const type = box("ftyp", utf8("avif"), new Uint8Array(4), utf8("avifmif1"));
  return concatBytes(type, box("meta", full(0), box("iinf", full(0), new Uint8Array(2)), ...lists));
}

/** As many entries as a directory can have, all with the same megabytes of values. */
export function tiffOfEntries(count: number): Bytes {
  const values = 1_000_000;
  const entry = new Uint8Array(12);
  const view = new DataView(entry.buffer);
  view.setUint16(2, 4, true);
  view.setUint32(4, values, true);
  view.setUint32(8, 8, true);
  const start = 8 + 4 * values;
  const head = new Uint8Array(start + 2);
  head.set(utf8("II*\0"));
  new DataView(head.buffer).setUint32(4, start, true);
  new DataView(head.buffer).setUint16(start, count, true);
  const directory = repeat(entry, count);
  for (let i = 0; i < count; i++) new DataView(directory.buffer).setUint16(12 * i, i, true);
  return concatBytes(head, directory, new Uint8Array(4));
}

function full(version: number): Bytes {
  return Uint8Array.of(version, 0, 0, 0);
}

function u32(value: number): Bytes {
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
}

function box(type: string, ...parts: readonly Bytes[]): Bytes {
  const data = concatBytes(...parts);
  return concatBytes(u32(8 + data.length), utf8(type), data);
}
