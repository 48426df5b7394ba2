import { byteAt } from "../../../wire/bytes.ts";
import type { Pixels } from "../../image/pixels.ts";
import { type ImageFacts, rowBytesOf } from "./image-facts.ts";

/** Samples of 8 bits, row by row without gaps, in any color space. */
export type Samples = Pixels;

/** The samples of an image with 8 bits each, in the base of an indexed color space. */
export function toSamples(raw: Uint8Array, facts: ImageFacts): Samples {
  const { width, height, bits } = facts;
  const { palette, components } = facts.space ?? { components: facts.stored ?? 1 };
  const levels = unpack(raw, facts, palette || bits >= 8 ? 1 : 255 / (2 ** bits - 1));
  const data = palette ? lookUp(levels, palette, components) : levels;
  return { width, height, channels: components, data };
}

function unpack(raw: Uint8Array, facts: ImageFacts, scale: number): Uint8Array {
  const { width, height, bits, stored = 1 } = facts;
  const rowBytes = rowBytesOf(facts);
  if (bits === 8) return raw.subarray(0, rowBytes * height);
  const columns = width * stored;
  const out = new Uint8Array(columns * height);
  const mask = 2 ** Math.min(bits, 8) - 1;
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < columns; x++, to++) {
      const bit = x * bits;
      const byte = byteAt(raw, y * rowBytes + (bit >> 3));
      // Of 16 bits the upper 8.
      out[to] = bits === 16 ? byte : ((byte >> (8 - bits - (bit & 7))) & mask) * scale;
    }
  }
  return out;
}

function lookUp(indexes: Uint8Array, palette: Uint8Array, components: number): Uint8Array {
  const out = new Uint8Array(indexes.length * components);
  for (let i = 0, to = 0; i < indexes.length; i++) {
    const from = byteAt(indexes, i) * components;
    for (let each = 0; each < components; each++) out[to++] = byteAt(palette, from + each);
  }
  return out;
}

/** The part of the pixels that are equal to the one before them: most of a drawing, little of a photograph. */
export function flatShare({ width, height, channels, data }: Samples): number {
  const count = { 1: equalBytes, 3: equalTriples }[channels] ?? equalPixels;
  const equal = count(data, channels);
  return equal / Math.max(1, width * height - 1);
}

function equalPixels(data: Uint8Array, channels: number): number {
  let equal = 0;
  for (let at = channels; at < data.length; at += channels) {
    let isEqual = true;
    for (let each = 0; each < channels && isEqual; each++)
      isEqual = data[at + each] === data[at + each - channels];
    if (isEqual) equal++;
  }
  return equal;
}

// For one and three channels in a fraction of the time: scans have millions of pixels.

function equalBytes(data: Uint8Array): number {
  let equal = 0;
  let before = data[0];
  for (let at = 1; at < data.length; at++) {
    const byte = data[at];
    if (byte === before) equal++;
    before = byte;
  }
  return equal;
}

function equalTriples(data: Uint8Array): number {
  let equal = 0;
  let [first, second, third] = [data[0], data[1], data[2]];
  for (let at = 3; at + 2 < data.length; at += 3) {
    const [a, b, c] = [data[at], data[at + 1], data[at + 2]];
    if (a === first && b === second && c === third) equal++;
    first = a;
    second = b;
    third = c;
  }
  return equal;
}
