import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { writeGrayJpeg } from "../../../tools/image/jpeg-gray.ts";
import { makeHuffmanTable } from "../../../tools/image/huffman.ts";

function picture(width: number, height: number): Uint8Array {
  return Uint8Array.from({ length: width * height }, (_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    return 128 + 90 * Math.sin(x / 9) * Math.cos(y / 13) + ((x * 7919 + y * 104_729) % 23);
  });
}

async function decoded(jpeg: Uint8Array) {
  const opened = sharp(jpeg, { failOn: "warning" });
  const { channels, width, height } = await opened.metadata();
  return { data: await opened.toColourspace("b-w").raw().toBuffer(), channels, width, height };
}

function errorOf(a: Uint8Array, b: Uint8Array): number {
  let squares = 0;
  for (let i = 0; i < a.length; i++) squares += (a[i]! - b[i]!) ** 2;
  return squares / a.length;
}

describe("a gray JPEG", () => {
  test.each([
    [1, 1],
    [7, 9],
    [8, 8],
    [9, 8],
    [64, 17],
    [333, 250],
  ])("of %i x %i pixels is what libjpeg makes of them", async (width, height) => {
    const data = picture(width, height);
    for (const quality of [1, 50, 75, 100]) {
      const jpeg = writeGrayJpeg({ width, height, data }, quality);
      const own = await decoded(jpeg);
      expect(own).toMatchObject({ channels: 1, width, height });
      const opened = sharp(data, { raw: { width, height, channels: 1 } }).toColourspace("b-w");
      const theirs = await opened.jpeg({ quality, progressive: false }).toBuffer();
      const other = await decoded(theirs);
      expect(errorOf(own.data, data)).toBeLessThan(1.05 * errorOf(other.data, data) + 1);
      expect(jpeg.length).toBeLessThan(1.02 * theirs.length + 32);
    }
  });
});

describe("a Huffman code", () => {
  test("of one symbol has one bit, and is not the code of only ones", () => {
    const counts = new Uint32Array(256);
    counts[7] = 5;
    const { lengths, symbols, codes, sizes } = makeHuffmanTable(counts);
    expect([lengths[0], symbols, codes[7], sizes[7]]).toEqual([1, [7], 0, 1]);
  });

  test("has at most 16 bits where symbols differ so much that it would have more", () => {
    // Fibonacci's numbers make the longest codes.
    const counts = new Uint32Array(256);
    let [a, b] = [1, 1];
    for (let symbol = 0; symbol < 40; symbol++) [counts[symbol], a, b] = [a, b, a + b];
    const { lengths, symbols, sizes } = makeHuffmanTable(counts);
    expect([lengths.length, symbols.length]).toEqual([16, 40]);
    const room = lengths.reduce((sum, count, i) => sum + count / 2 ** (i + 1), 0);
    expect(room).toBeLessThan(1);
    expect(Math.max(...sizes)).toBe(16);
  });
});
