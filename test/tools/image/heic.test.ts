import { readFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import "../../../tools/entries/heic.ts";
import { createSharpCodec } from "../../../adapters/workers/image-sharp.ts";
import { convertImage, type ConvertOptions } from "../../../tools/image-convert.ts";
import { readImageHeader } from "../../../tools/image/header.ts";
import { shortLatin1 } from "../../../tools/image/image-info.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { makeHeic } from "../../hostile/files/heic-files.ts";

const codec = createSharpCodec();

/** Files of a few hundred bytes by heif-enc 1.15 with x265. */
function fixture(name: string): Bytes {
  return new Uint8Array(readFileSync(new URL(`../../files/heic/${name}.heic`, import.meta.url)));
}

const QUARTERS = fixture("quarters");
const [RED, GREEN, BLUE, WHITE] = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 255],
] as const;

function convert(image: Bytes, options: Partial<Omit<ConvertOptions, "codec">> = {}) {
  return convertImage(image, { format: "png", ...options, codec });
}

async function cornersOf(bytes: Uint8Array) {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3).subarray(0, 3)];
  const [right, bottom] = [info.width - 3, info.height - 3];
  return [at(2, 2), at(right, 2), at(2, bottom), at(right, bottom)];
}

function expectNear(actual: readonly (readonly number[])[], wanted: readonly (readonly number[])[]) {
  const far = actual.flat().map((value, i) => Math.abs(value - wanted.flat()[i]!));
  expect(Math.max(...far), JSON.stringify(actual)).toBeLessThanOrEqual(6);
}

/** Overwrites what follows the first box of a type. */
function patch(image: Bytes, of: { type: string; at?: number; bytes: readonly number[] }): Bytes {
  const copy = image.slice();
  const start = shortLatin1(copy, { end: copy.length }).indexOf(of.type);
  expect(start).toBeGreaterThan(0);
  copy.set(of.bytes, start + 4 + (of.at ?? 0));
  return copy;
}

describe("a HEIC", () => {
  test.each(["png", "jpeg", "webp", "avif"] as const)("becomes %s with its colors", async (format) => {
    const result = await convert(QUARTERS, { format, quality: 95 });
    expect(result).toMatchObject({ format, width: 96, height: 64, sourceFormat: "heic", warnings: [] });
    expectNear(await cornersOf(result.bytes), [RED, GREEN, BLUE, WHITE]);
  });

  test("is turned as its rotation says, and not by its Exif orientation", async () => {
    // The property about bit depths, which nobody needs, becomes one of rotation: 270 degrees to the left.
    const turned = patch(patch(QUARTERS, { type: "pixi", bytes: [3] }), {
      type: "pixi",
      at: -4,
      bytes: Array.from("irot", (letter) => letter.charCodeAt(0)),
    });
    const { bytes, width, height } = await convert(turned);
    expect([width, height]).toEqual([64, 96]);
    expectNear(await cornersOf(bytes), [BLUE, RED, WHITE, GREEN]);
    // Written with an orientation of 6, which a HEIF tells for information only.
    const upright = await convert(fixture("exif-gps"));
    expect([upright.width, upright.height]).toEqual([96, 64]);
    expect(upright.metadataRemoved).toEqual(["exif", "gps"]);
  });

  test("is converted from the color space of its profile", async () => {
    const { bytes, metadataRemoved } = await convert(fixture("adobe-rgb"));
    // The sRGB color that the profile's values stand for.
    expectNear((await cornersOf(bytes)).slice(0, 1), [[200, 100, 50]]);
    expect(metadataRemoved).toEqual(["icc"]);
  });

  test("is converted from Display P3 that is named by code points", async () => {
    const [values] = await cornersOf((await convert(named(1))).bytes);
    const [red] = await cornersOf((await convert(named(12))).bytes);
    expectNear([red!], [displayP3ToSrgb(values!)]);
    expect(red![0]).toBeGreaterThan(values![0]! + 5);
  });

  test("is not converted from the profile of another picture", async () => {
    const image = fixture("adobe-rgb");
    // Its list of properties names the profile third; 0 is none.
    const without = patch(image, { type: "ipma", at: 13, bytes: [0] });
    const [bare] = await cornersOf((await convert(without)).bytes);
    const [values] = await cornersOf((await convert(named(1))).bytes);
    expectNear([bare!], [values!]);
    expect(Math.abs(bare![0]! - 200)).toBeGreaterThan(20);
  });

  test("counts for a grid its own tiles, whatever pictures stand beside it", () => {
    const tiles = Array.from({ length: 64 }, (_, i) => i + 1);
    const grids = [{ rows: 8, columns: 8, width: 768, height: 512, tiles }];
    const told = { width: 768, height: 512 };
    const image = makeHeic({ told, pictures: 65, grids, aside: { width: 1000, height: 1000 } });
    expect(readImageHeader(image)).toMatchObject({ width: 1000, decodedPixels: 1_000_000 });
  });

  test("keeps its transparency, or has the background's color", async () => {
    const image = fixture("alpha");
    const { bytes } = await convert(image);
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    expect(info.channels).toBe(4);
    expect([data[3], data[63 * 4 + 3]]).toEqual([255, 0]);
    const onBlue = await cornersOf((await convert(image, { format: "jpeg", background: "#00f" })).bytes);
    expectNear(onBlue.slice(1, 2), [BLUE]);
  });

  test("of ten bits is read", async () => {
    expectNear((await cornersOf((await convert(fixture("ten-bit"))).bytes)).slice(0, 1), [[200, 100, 50]]);
  });

  test("of two pictures gives the main one and a warning", async () => {
    const { warnings, width } = await convert(fixture("two"));
    expect(width).toBe(96);
    expect(warnings).toEqual([{ code: "first_picture_only" }]);
  });

  test("that would be too large is refused from its header, whichever one says so", async () => {
    const sides = [0, 0, 0, 0, 0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60];
    const byBox = patch(QUARTERS, { type: "ispe", bytes: sides });
    await expect(convert(byBox)).rejects.toMatchObject({
      code: "too_many_pixels",
      fields: { actual: 3_600_000_000 },
    });
    // Before decoding: pixels that cannot be decoded change nothing.
    const noPixels = patch(byBox, { type: "mdat", bytes: Array<number>(200).fill(0) });
    await expect(convert(noPixels)).rejects.toMatchObject({ code: "too_many_pixels" });
    const undecodable = patch(QUARTERS, { type: "mdat", bytes: Array<number>(200).fill(0) });
    await expect(convert(undecodable)).rejects.toMatchObject({ code: "damaged_file" });
    // The stream's own size counts where the box says less.
    const small = patch(QUARTERS, { type: "ispe", bytes: [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1] });
    expect(readImageHeader(small).decodedPixels).toBeGreaterThanOrEqual(96 * 64);
  });

  test("that is cut or changed anywhere is refused, and nothing is printed", async () => {
    const printed: unknown[] = [];
    const { log, warn, error } = console;
    console.log = console.warn = console.error = (...words) => void printed.push(words);
    try {
      for (const length of [12, 40, 100, 300, 500, QUARTERS.length - 60]) {
        const failure = await convert(QUARTERS.slice(0, length)).catch((thrown: unknown) => thrown);
        expect(failure, String(length)).toMatchObject({ name: "ToolFailure" });
      }
    } finally {
      Object.assign(console, { log, warn, error });
    }
    expect(printed).toEqual([]);
  });
});

/** The file with a profile, which is replaced by code points: primaries, sRGB's curve, BT.601, full range. */
function named(primaries: number): Bytes {
  const points = [..."nclx"].map((letter) => letter.charCodeAt(0));
  return patch(fixture("adobe-rgb"), { type: "colr", bytes: [...points, 0, primaries, 0, 13, 0, 6, 0x80] });
}

function displayP3ToSrgb(values: readonly number[]): number[] {
  const linear = values.map((v) =>
    v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4,
  );
  const matrix = [
    [1.2249, -0.2247, 0],
    [-0.042, 1.0419, 0],
    [-0.0197, -0.0786, 1.0979],
  ];
  return matrix.map((row) => {
    const value = row.reduce((sum, factor, i) => sum + factor * linear[i]!, 0);
    return Math.round(255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055));
  });
}
