import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { createSharpCodec } from "../../../adapters/workers/image-sharp.ts";
import { convertImage, type ConvertOptions } from "../../../tools/image-convert.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { bytesOf, exifBlock, withSegments } from "./support/made.ts";
import { concatBytes, utf8 } from "../../../wire/bytes.ts";

const codec = createSharpCodec();
const grain = Uint8Array.from({ length: 300 * 200 * 3 }, (_, i) => (i * i * 31 + (i >> 3)) % 256);
const raw = { raw: { width: 300, height: 200, channels: 3 } } as const;
const source = await bytesOf(sharp(grain, raw).png());
const clear = await bytesOf(
  sharp({ create: { width: 8, height: 8, channels: 4, background: "#0000" } }).png(),
);

function convert(image: Bytes, options: Omit<ConvertOptions, "codec">) {
  return convertImage(image, { ...options, codec });
}

describe("width and height", () => {
  test.each<[{ width?: number; height?: number }, [number, number]]>([
    [{ width: 150 }, [150, 100]],
    [{ height: 50 }, [75, 50]],
    [{ width: 150, height: 50 }, [75, 50]],
    [{ width: 60, height: 180 }, [60, 40]],
    [{ width: 300 }, [300, 200]],
    [{ width: 301, height: 5000 }, [300, 200]],
    [{ width: 65_535, height: 65_535 }, [300, 200]],
    [{ width: 1 }, [1, 1]],
  ])("%o make a picture of %o", async (sides, [width, height]) => {
    const result = await convert(source, { format: "png", ...sides });
    expect([result.width, result.height]).toEqual([width, height]);
    const { width: real, height: realHeight } = await sharp(result.bytes).metadata();
    expect([real, realHeight]).toEqual([width, height]);
  });

  test("are those of the upright picture", async () => {
    const plain = await bytesOf(sharp(grain, raw).jpeg());
    const turned = withSegments(plain, [
      [0xe1, concatBytes(utf8("Exif\0\0"), exifBlock({ orientation: 6 }))],
    ]);
    const { width, height } = await convert(turned, { format: "png", width: 50 });
    expect([width, height]).toEqual([50, 75]);
  });

  test("hold for every frame of an animation", async () => {
    const size = { width: 60, height: 80, channels: 3 } as const;
    const frames = ["#f00", "#0f0", "#00f"].map((background) =>
      sharp({ create: { ...size, background } })
        .png()
        .toBuffer(),
    );
    const animation = await bytesOf(sharp(await Promise.all(frames), { join: { animated: true } }).gif());
    const { bytes, width, height } = await convert(animation, { format: "webp", width: 30 });
    expect([width, height]).toEqual([30, 40]);
    expect((await sharp(bytes, { pages: -1 }).metadata()).pages).toBe(3);
  });

  test("let a picture through whose sides are too long for the format", async () => {
    const long = await bytesOf(
      sharp({ create: { width: 20_000, height: 4, channels: 3, background: "#fff" } }).png(),
    );
    await expect(convert(long, { format: "webp" })).rejects.toMatchObject({ code: "too_complex" });
    expect((await convert(long, { format: "webp", width: 16_383 })).width).toBe(16_383);
  });

  test("and a side that is too long are measured on the upright picture", async () => {
    const size = { width: 20_000, height: 4, channels: 3, background: "#fff" } as const;
    const [lying, standing] = await Promise.all(
      [size, { ...size, width: 4, height: 20_000 }].map(async (create) =>
        withSegments(await bytesOf(sharp({ create }).jpeg()), [
          [0xe1, concatBytes(utf8("Exif\0\0"), exifBlock({ orientation: 6 }))],
        ]),
      ),
    );
    const tooTall = convert(lying!, { format: "webp", width: 16_383 });
    await expect(tooTall).rejects.toMatchObject({ code: "too_complex", fields: { actual: 20_000 } });
    const narrow = await convert(standing!, { format: "webp", width: 16_383 });
    expect([narrow.width, narrow.height]).toEqual([16_383, 3]);
  });

  test.each(["width", "height"] as const)("%s is a whole number from 1 to 65,535", async (parameter) => {
    for (const value of [0, -1, 65_536, 1.5, NaN]) {
      await expect(convert(source, { format: "png", [parameter]: value })).rejects.toMatchObject({
        code: "invalid_parameter",
        fields: { parameter, minimum: 1, maximum: 65_535 },
      });
    }
  });
});

describe("lossless", () => {
  test.each(["webp", "avif"] as const)("%s has the very pixels", async (format) => {
    const { bytes } = await convert(source, { format, lossless: true, quality: 1 });
    expect(await sharp(bytes).raw().toBuffer()).toEqual(Buffer.from(grain));
  });

  test.each(["png", "jpeg"] as const)("is refused for %s", async (format) => {
    await expect(convert(source, { format, lossless: true })).rejects.toMatchObject({
      code: "invalid_parameter",
      fields: { parameter: "lossless" },
    });
    await expect(convert(source, { format, lossless: false })).resolves.toBeDefined();
  });
});

describe("the background", () => {
  test.each([
    [undefined, [255, 255, 255]],
    ["#000", [0, 0, 0]],
    ["#0f8", [0, 255, 136]],
    ["#FF8000", [255, 128, 0]],
  ])("%s is under transparent pixels of a JPEG", async (background, color) => {
    const options = background === undefined ? {} : { background };
    const { bytes } = await convert(clear, { format: "jpeg", quality: 100, ...options });
    const pixel = [...(await sharp(bytes).raw().toBuffer()).subarray(0, 3)];
    for (const [i, value] of color.entries()) expect(Math.abs(pixel[i]! - value)).toBeLessThan(4);
  });

  test("does nothing where transparency stays", async () => {
    const { bytes } = await convert(clear, { format: "png", background: "#f00" });
    expect((await sharp(bytes).ensureAlpha().raw().toBuffer())[3]).toBe(0);
  });

  test.each(["", "red", "#ff", "#fffff", "#ggg", "fff", "#ffffff00"])("%j is refused", async (background) => {
    await expect(convert(clear, { format: "jpeg", background })).rejects.toMatchObject({
      code: "invalid_parameter",
      fields: { parameter: "background" },
    });
  });
});

test("a JPEG is progressive", async () => {
  expect((await sharp((await convert(source, { format: "jpeg" })).bytes).metadata()).isProgressive).toBe(
    true,
  );
});

test("an animated AVIF gives its first frame and a warning", async () => {
  const { readFile } = await import("node:fs/promises");
  const animated = new Uint8Array(await readFile(new URL("../../files/animated.avif", import.meta.url)));
  const { bytes, warnings, sourceFormat } = await convert(animated, { format: "png" });
  expect([...(await sharp(bytes).removeAlpha().raw().toBuffer()).subarray(0, 3)]).toEqual([200, 100, 50]);
  expect(sourceFormat).toBe("avif");
  expect(warnings).toEqual([{ code: "first_picture_only" }]);
});
