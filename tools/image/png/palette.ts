import { type Bytes, byteAt } from "../../../wire/bytes.ts";
import type { Pixels } from "../pixels.ts";
import { COLOR_TYPE, pngChunk, writePng } from "./write.ts";

const MAX_COLORS = 256;
/** More shades of gray take 8 bits each. */
const MAX_SHADES = 16;

/**
 * Writes pixels exactly, as a PNG with a palette; undefined when they have more than 256 colors or, where all is gray
 * and opaque, more than 16.
 */
export function writePalettePng(pixels: Pixels): Bytes | undefined {
  const { width, height, channels } = pixels;
  const most = channels === 1 ? MAX_SHADES : MAX_COLORS;
  const indexes = new Uint8Array(width * height);
  const colors = new Map<number, number>();
  let [last, lastIndex] = [-1, 0];
  for (let i = 0; i < indexes.length; i++) {
    const color = colorAt(pixels, i);
    if (color !== last) {
      const index = colors.get(color) ?? colors.size;
      if (index === most) return undefined;
      colors.set(color, index);
      [last, lastIndex] = [color, index];
    }
    indexes[i] = lastIndex;
  }
  return write(indexes, { width, height, colors: [...colors.keys()] });
}

/** Red, green, blue and alpha as one number. */
function colorAt({ channels, data }: Pixels, pixel: number): number {
  const at = pixel * channels;
  const isGray = channels < 3;
  const red = byteAt(data, at);
  const green = isGray ? red : byteAt(data, at + 1);
  const blue = isGray ? red : byteAt(data, at + 2);
  const alpha = channels % 2 === 0 ? byteAt(data, at + channels - 1) : 255;
  return ((red << 24) | (green << 16) | (blue << 8) | alpha) >>> 0;
}

function write(
  indexes: Uint8Array,
  { width, height, colors }: { width: number; height: number; colors: readonly number[] },
): Bytes {
  // Transparent colors first, because those after the last one need no entry in tRNS.
  const sorted = [...colors.entries()].toSorted(([, a], [, b]) => (a & 255) - (b & 255));
  const rank = new Uint8Array(colors.length);
  sorted.forEach(([index], place) => (rank[index] = place));
  const bitDepth = colors.length <= 2 ? 1 : colors.length <= 4 ? 2 : colors.length <= 16 ? 4 : 8;
  const rows = packRows(indexes, { width, height, bitDepth, rank });
  const alphas = sorted.map(([, color]) => color & 255).filter((alpha) => alpha < 255);
  const chunks = [
    pngChunk(
      "PLTE",
      Uint8Array.from(
        sorted.flatMap(([, color]) => [color >>> 24, (color >>> 16) & 255, (color >>> 8) & 255]),
      ),
    ),
    ...(alphas.length > 0 ? [pngChunk("tRNS", Uint8Array.from(alphas))] : []),
  ];
  return writePng({ width, height, bitDepth, colorType: COLOR_TYPE.palette }, { chunks, rows, level: 9 });
}

/** Rows without a filter, which is best for indexes, the first pixel in the highest bits. */
function packRows(
  indexes: Uint8Array,
  { width, height, bitDepth, rank }: { width: number; height: number; bitDepth: number; rank: Uint8Array },
): Uint8Array {
  const rowBytes = 1 + Math.ceil((width * bitDepth) / 8);
  const rows = new Uint8Array(height * rowBytes);
  const perByte = 8 / bitDepth;
  for (let y = 0, i = 0; y < height; y++) {
    const start = y * rowBytes + 1;
    for (let x = 0; x < width; x++, i++) {
      const shift = 8 - bitDepth * ((x % perByte) + 1);
      const at = start + Math.floor(x / perByte);
      rows[at] = byteAt(rows, at) | (byteAt(rank, byteAt(indexes, i)) << shift);
    }
  }
  return rows;
}
