import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { createSharpCodec } from "../../../adapters/workers/image-sharp.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import type { ConvertOptions, ImageJob, TargetFormat } from "../../../tools/image-convert.ts";
import { avifEffort, avifQuality, convertImage } from "../../../tools/image-convert.ts";
import { bytesOf, exifBlock, madeTiff, picture, withEverything, withSegments } from "./support/made.ts";
import { dropPngChunks } from "../../../tools/image/readers/png.ts";
import { concatBytes, utf8 } from "../../../wire/bytes.ts";

const codec = createSharpCodec();
const TARGETS = ["webp", "jpeg", "png", "avif"] as const;
const sources = await withEverything();

function convert(image: Bytes, options: Omit<ConvertOptions, "codec">) {
  return convertImage(image, { codec, ...options });
}

async function rawOf(bytes: Uint8Array) {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [
    ...data.subarray((y * info.width + x) * info.channels).subarray(0, 3),
  ];
  return { data, info, at };
}

function isNear(actual: readonly number[], expected: readonly number[], tolerance: number) {
  return actual.every((value, i) => Math.abs(value - expected[i]!) <= tolerance);
}

describe("the picture", () => {
  /** Red, green, blue and white quarters, as they stand in the file. */
  const quarters = [
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
    [255, 255, 255],
  ] as const;
  const pixels = Uint8Array.from({ length: 64 * 32 * 3 }, (_, i) => {
    const [x, y, channel] = [Math.floor(i / 3) % 64, Math.floor(i / 192), i % 3];
    return quarters[(y < 16 ? 0 : 2) + (x < 32 ? 0 : 1)]![channel]!;
  });

  // What stands in each corner once it is upright, row by row (Exif 2.32, table 6).
  test.each([
    [1, [0, 1, 2, 3]],
    [2, [1, 0, 3, 2]],
    [3, [3, 2, 1, 0]],
    [4, [2, 3, 0, 1]],
    [5, [0, 2, 1, 3]],
    [6, [2, 0, 3, 1]],
    [7, [3, 1, 2, 0]],
    [8, [1, 3, 0, 2]],
  ])("of orientation %i stands upright", async (orientation, corners) => {
    const plain = await bytesOf(
      sharp(pixels, { raw: { width: 64, height: 32, channels: 3 } }).jpeg({ quality: 100 }),
    );
    const turned = withSegments(plain, [[0xe1, concatBytes(utf8("Exif\0\0"), exifBlock({ orientation }))]]);
    const result = await convert(turned, { format: "png" });
    const [width, height] = orientation < 5 ? [64, 32] : [32, 64];
    expect(result).toMatchObject({ width, height });
    const { at } = await rawOf(result.bytes);
    const seen = [at(4, 4), at(width - 5, 4), at(4, height - 5), at(width - 5, height - 5)];
    seen.forEach((colour, i) => expect(isNear(colour, quarters[corners[i]!]!, 6)).toBe(true));
  });

  test.each(TARGETS)("in Display P3 becomes sRGB in %s", async (format) => {
    const red = { r: 234, g: 51, b: 35 };
    const tagged = await bytesOf(
      sharp({ create: { width: 32, height: 32, channels: 3, background: red } })
        .withIccProfile("p3")
        .png(),
    );
    // The numbers in the file are those of Display P3, where this red is a duller one.
    const stored = (await rawOf(dropPngChunks(tagged, "iCCP"))).at(16, 16);
    expect(isNear(stored, [234, 51, 35], 6)).toBe(false);
    const result = await convert(tagged, { format, quality: 100 });
    expect(isNear((await rawOf(result.bytes)).at(16, 16), [234, 51, 35], 4)).toBe(true);
  });

  test.each(TARGETS)("with transparency is kept, or laid onto white, in %s", async (format) => {
    const clear = sharp({
      create: { width: 32, height: 32, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    });
    const result = await convert(await bytesOf(clear.png()), { format });
    const { info, at, data } = await rawOf(result.bytes);
    if (format === "jpeg") expect(at(16, 16)).toEqual([255, 255, 255]);
    else expect([info.channels, data[3]]).toEqual([4, 0]);
  });

  test("is the same in every pixel in a PNG, also at quality 1", async () => {
    const source = await bytesOf(picture(200, 100, 4).png());
    const result = await convert(source, { format: "png", quality: 1 });
    expect((await rawOf(result.bytes)).data.equals((await rawOf(source)).data)).toBe(true);
    expect(result.bytes).toEqual((await convert(source, { format: "png", quality: 100 })).bytes);
  });

  test.each(["webp", "jpeg", "avif"] as const)("is smaller at a lower quality in %s", async (format) => {
    const source = await bytesOf(picture(128, 128).png());
    const sizes = await Promise.all(
      [1, 82, 100].map(async (quality) => (await convert(source, { format, quality })).bytes.length),
    );
    expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
    expect((await convert(source, { format })).bytes.length).toBe(sizes[1]);
  });
});

describe("what is decided before decoding", () => {
  /** Remembers its job instead of doing it. */
  function watcher() {
    const jobs: ImageJob[] = [];
    async function encode(_: Bytes, job: ImageJob): Promise<undefined> {
      jobs.push(job);
    }
    return { jobs, encode };
  }

  async function jobFor(size: [number, number], options: { format: TargetFormat; quality?: number }) {
    const seen = watcher();
    const image = madeTiff({ width: 1, height: 1 });
    const view = new DataView(image.buffer);
    const entries = view.getUint32(4, true) + 2;
    view.setUint32(entries + 8, size[0], true);
    view.setUint32(entries + 20, size[1], true);
    await convertImage(image, { ...options, codec: seen }).catch((error: { code: string }) => error.code);
    return seen.jobs[0];
  }

  test.each([
    [[2000, 2000], "avif", { quality: 66, effort: 2 }],
    [[2000, 2001], "avif", { quality: 66, effort: 1 }],
    [[4000, 4000], "avif", { quality: 66, effort: 1 }],
    [[4000, 4001], "avif", { quality: 66, effort: 0 }],
    [[100, 100], "webp", { quality: 82, effort: 4 }],
    [[100, 100], "jpeg", { quality: 82, effort: null }],
    [[100, 100], "png", { quality: null, effort: null }],
  ] as const)("%j pixels to %s are done with %j", async ([width, height], format, expected) => {
    expect(await jobFor([width, height], { format })).toMatchObject({ ...expected, format });
  });

  test.each([
    [[10_000, 5000], true],
    [[10_000, 5001], false],
    [[50_000_000, 1], true],
    [[50_000_001, 1], false],
  ] as const)("%j pixels are let through: %s", async ([width, height], isLet) => {
    expect((await jobFor([width, height], { format: "png" })) !== undefined).toBe(isLet);
  });

  test.each([
    ["webp", 16_383],
    ["jpeg", 65_500],
    ["avif", 16_384],
  ] as const)("a side is as long as %s takes: %i", async (format, longest) => {
    for (const side of [longest - 1, longest]) expect(await jobFor([side, 1], { format })).toBeDefined();
    expect(await jobFor([1, longest + 1], { format })).toBeUndefined();
  });

  test("an undecodable image is damaged_file in our own words", async () => {
    await expect(convertImage(sources.png, { codec: watcher(), format: "png" })).rejects.toMatchObject({
      code: "damaged_file",
      message: "The image is damaged: it cannot be decoded to its end.",
    });
  });

  test("the memory that pixels take is reserved before they are decoded", async () => {
    const never = { encode: () => Promise.reject(new Error("decoded")) };
    for (const [format, perPixel] of [
      ["avif", 40],
      ["webp", 10],
    ] as const) {
      const reserve = (bytes: number) => {
        throw new Error(`${bytes} bytes`);
      };
      const converted = convertImage(sources.jpeg, { format, codec: never, reserve });
      await expect(converted).rejects.toThrow(`${64 * 48 * perPixel} bytes`);
    }
  });
});

describe("the scale of AVIF", () => {
  test.each([
    [1, 1],
    [82, 66],
    [100, 100],
  ])("takes %i for %i", (asked, used) => expect(avifQuality(asked)).toBe(used));

  test("never falls", () => {
    const scale = Array.from({ length: 100 }, (_, i) => avifQuality(i + 1));
    expect(scale).toEqual([...scale].sort((a, b) => a - b));
  });

  test.each([
    [1, 2],
    [4_000_000, 2],
    [4_000_001, 1],
    [16_000_000, 1],
    [16_000_001, 0],
  ])("spends on %i pixels effort %i", (pixels, effort) => expect(avifEffort(pixels)).toBe(effort));
});
