import sharp from "sharp";
import { zlibSync } from "fflate";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createSharpCodec } from "../../../adapters/workers/image-sharp.ts";
import { convertImage, type ConvertOptions } from "../../../tools/image-convert.ts";
import { readImageHeader } from "../../../tools/image/header.ts";
import { pngChunk, writePng } from "../../../tools/image/png/write.ts";
import { type Bytes, concatBytes } from "../../../wire/bytes.ts";
import { bytesOf, withSegments } from "./support/made.ts";
import { shapedTiff } from "./support/made-tiff.ts";
import { utf8 } from "../../../wire/bytes.ts";

const codec = createSharpCodec();

function convert(image: Bytes, options: Partial<Omit<ConvertOptions, "codec">> = {}) {
  return convertImage(image, { format: "png", ...options, codec });
}

/** One color, 8 bits, with the chunks given before the pixels. */
function flatPng(color: readonly number[], chunks: Bytes[] = [], bitDepth: 8 | 16 = 8): Bytes {
  const samples = bitDepth === 16 ? color.flatMap((value) => [value, value]) : color;
  const row = [0, ...Array.from({ length: 4 }, () => samples).flat()];
  const rows = Uint8Array.from(Array.from({ length: 4 }, () => row).flat());
  const colorType = color.length === 1 ? 0 : 2;
  return writePng({ width: 4, height: 4, bitDepth, colorType }, { chunks, rows, level: 9 });
}

function numbers(type: string, values: readonly number[]): Bytes {
  const data = new Uint8Array(values.length * 4);
  values.forEach((value, i) => new DataView(data.buffer).setUint32(i * 4, Math.round(value * 100_000)));
  return pngChunk(type, data);
}

async function firstPixel(image: Uint8Array): Promise<number[]> {
  const { data, info } = await sharp(image).raw().toBuffer({ resolveWithObject: true });
  return [...data.subarray(0, info.channels)];
}

function expectNear(actual: readonly number[], wanted: readonly number[]) {
  expect(actual).toHaveLength(wanted.length);
  for (const [i, value] of wanted.entries())
    expect(Math.abs(actual[i]! - value), actual.join()).toBeLessThan(3);
}

function toSrgb(light: number): number {
  return 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055);
}

const P3 = [0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06];
const SRGB = [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06];

describe("a PNG's color space", () => {
  test.each([
    ["linear light", 1, 1],
    ["gamma 1.8", 1 / 1.8, 1.8],
    ["gamma 2.8", 1 / 2.8, 2.8],
  ])("by gAMA for %s is converted", async (_, gamma, exponent) => {
    const image = flatPng([200, 100, 50], [numbers("gAMA", [gamma])]);
    const wanted = [200, 100, 50].map((value) => toSrgb((value / 255) ** exponent));
    for (const format of ["png", "webp"] as const) {
      expectNear(
        await firstPixel((await convert(image, { format, lossless: format === "webp" })).bytes),
        wanted,
      );
    }
  });

  test("by gAMA is converted for gray too, and stays gray", async () => {
    const { bytes } = await convert(flatPng([100], [numbers("gAMA", [1])]));
    expect(bytes[25]! % 4).toBe(0);
    expectNear((await firstPixel(bytes)).slice(0, 1), [toSrgb(100 / 255)]);
  });

  test.each(["png", "jpeg", "webp"] as const)("of 16 bits a channel is converted to %s", async (format) => {
    const options = { format, quality: 100 } as const;
    for (const [color, chunks, wanted] of [
      [[200, 100, 50], [numbers("cHRM", P3)], [215, 93, 31]],
      [[0, 134, 0], [numbers("gAMA", [1])], [0, toSrgb(134 / 255), 0]],
      [[0, 134, 0], [], [0, 134, 0]],
    ] as const) {
      const { bytes } = await convert(flatPng(color, [...chunks], 16), options);
      // Halved colors of WebP and JPEG, and a gamut that clips.
      const pixel = await firstPixel(bytes);
      for (const [i, value] of wanted.entries())
        expect(Math.abs(pixel[i]! - value), pixel.join()).toBeLessThan(7);
    }
    const gray = await firstPixel((await convert(flatPng([100], [numbers("gAMA", [1])], 16), options)).bytes);
    for (const value of gray) expect(Math.abs(value - toSrgb(100 / 255))).toBeLessThan(3);
  });

  test("by cHRM, or cICP, for Display P3 is converted", async () => {
    // The P3 color is (215, 93, 31) in sRGB, by the matrices of CSS Color 4.
    for (const chunk of [numbers("cHRM", P3), pngChunk("cICP", Uint8Array.of(12, 13, 0, 1))]) {
      expectNear(await firstPixel((await convert(flatPng([200, 100, 50], [chunk]))).bytes), [215, 93, 31]);
    }
  });

  test.each<[string, Bytes[]]>([
    ["nothing", []],
    ["the numbers of sRGB", [numbers("gAMA", [0.45455]), numbers("cHRM", SRGB)]],
    ["sRGB, which counts more than gAMA", [pngChunk("sRGB", Uint8Array.of(0)), numbers("gAMA", [1])]],
    ["a gamma of nothing", [numbers("gAMA", [0])]],
    ["primaries on a line", [numbers("cHRM", [0.3127, 0.329, 0.1, 0.1, 0.2, 0.2, 0.3, 0.3])]],
    ["primaries that are no colors", [numbers("cHRM", [0.3, 0, 0, 0, 0, 0, 0, 0])]],
  ])("by %s leaves the pixels as they are", async (_, chunks) => {
    expect(await firstPixel((await convert(flatPng([200, 100, 50], chunks))).bytes)).toEqual([200, 100, 50]);
  });
});

describe("pixels keep their kind", () => {
  test.each(["png", "webp"] as const)("gray keeps its transparency as %s", async (format) => {
    const pixels = Uint8Array.from({ length: 64 * 64 * 2 }, (_, i) => (i % 2 ? i >> 5 : (i * 3) % 256));
    const raw = { raw: { width: 64, height: 64, channels: 2 } } as const;
    const source = await bytesOf(sharp(pixels, raw).toColourspace("b-w").png());
    const { bytes } = await convert(source, { format, lossless: format === "webp" });
    const alpha = (image: Bytes) => sharp(image).extractChannel("alpha").raw().toBuffer();
    expect(await alpha(bytes)).toEqual(await alpha(source));
    const onWhite = (image: Bytes) =>
      sharp(image).flatten({ background: "#fff" }).removeAlpha().raw().toBuffer();
    expect(await onWhite(bytes)).toEqual(await onWhite(source));
    if (format === "png") expect((await sharp(bytes).metadata()).channels).toBe(2);
  });

  const gray = Uint8Array.from({ length: 128 * 128 }, (_, i) => (i * 7 + (i >> 5)) % 256);
  const grayPng = () =>
    bytesOf(
      sharp(gray, { raw: { width: 128, height: 128, channels: 1 } })
        .toColourspace("b-w")
        .png(),
    );

  test.each(["png", "jpeg"] as const)("a gray picture stays gray as %s", async (format) => {
    const source = await grayPng();
    const { bytes } = await convert(source, { format, quality: 90 });
    expect((await sharp(bytes).metadata()).channels).toBe(1);
    if (format === "png") expect(bytes.length).toBeLessThan(source.length * 1.1);
  });

  test("a gray JPEG stays gray", async () => {
    const source = await bytesOf(
      sharp(gray, { raw: { width: 128, height: 128, channels: 1 } })
        .toColourspace("b-w")
        .jpeg(),
    );
    expect((await sharp((await convert(source)).bytes).metadata()).channels).toBe(1);
  });

  test.each([2, 4, 16, 100, 256])("a palette of %i colors does not grow", async (count) => {
    const pixels = Uint8Array.from({ length: 200 * 100 * 3 }, (_, i) => {
      const index = (Math.floor(i / 3) * 31 + (Math.floor(i / 3) >> 4)) % count;
      return [index, 255 - index, (index * 5) % 256][i % 3]!;
    });
    const raw = { raw: { width: 200, height: 100, channels: 3 } } as const;
    const source = await bytesOf(sharp(pixels, raw).png({ palette: true, dither: 0, colours: count }));
    const { bytes } = await convert(source);
    expect(bytes.length).toBeLessThan(source.length * 1.1 + 60);
    const rgb = (image: Uint8Array) => sharp(image).toColourspace("srgb").removeAlpha().raw().toBuffer();
    expect(await rgb(bytes)).toEqual(await rgb(source));
    expect(bytes[24]).toBe(count <= 2 ? 1 : count <= 4 ? 2 : count <= 16 ? 4 : 8);
  });

  test("a palette keeps its transparency", async () => {
    const pixels = Uint8Array.from({ length: 40 * 40 * 4 }, (_, i) =>
      i % 4 === 3 ? ((i >> 2) % 3) * 100 + 55 : i % 2 ? 10 : 200,
    );
    const source = await bytesOf(
      sharp(pixels, { raw: { width: 40, height: 40, channels: 4 } }).png({ palette: true, dither: 0 }),
    );
    const { bytes } = await convert(source);
    expect(await sharp(bytes).ensureAlpha().raw().toBuffer()).toEqual(
      await sharp(source).ensureAlpha().raw().toBuffer(),
    );
    expect(bytes[25]).toBe(3);
  });

  test("16 bits stay 16 in a PNG and are told elsewhere", async () => {
    const values = Uint16Array.from({ length: 16 * 16 * 3 }, (_, i) => (i * 4099) % 65_536);
    const source = await bytesOf(
      sharp(values, { raw: { width: 16, height: 16, channels: 3 } })
        .toColourspace("rgb16")
        .png(),
    );
    expect(source[24]).toBe(16);
    const same = await convert(source);
    expect(same.bytes[24]).toBe(16);
    expect(await sharp(same.bytes).toColourspace("rgb16").raw({ depth: "ushort" }).toBuffer()).toEqual(
      Buffer.from(values.buffer),
    );
    expect(same.warnings).toEqual([]);
    const { warnings } = await convert(source, { format: "webp" });
    expect(warnings).toEqual([{ code: "depth_reduced" }]);
  });

  test.each([
    [1, 0],
    [3, 2],
  ])(
    "16 bits of a TIFF of %i channels stay 16 in a PNG and are told elsewhere",
    async (samples, colorType) => {
      const at = (x: number, y: number) => Array.from({ length: samples }, (_, i) => (x * 8 + y) * 1021 + i);
      const photometric = samples === 1 ? 1 : 2;
      const tiff = shapedTiff({ width: 8, height: 8, at, bits: 16, photometric });
      const png = await convert(tiff);
      expect([png.bytes[24], png.bytes[25], png.warnings]).toEqual([16, colorType, []]);
      const space = samples === 1 ? "grey16" : "rgb16";
      const made = await sharp(png.bytes).toColourspace(space).raw({ depth: "ushort" }).toBuffer();
      const values = Array.from({ length: 64 }, (_, i) => at(i % 8, i >> 3)).flat();
      expect([...new Uint16Array(new Uint8Array(made).buffer)]).toEqual(values);
      const { warnings } = await convert(tiff, { format: "jpeg" });
      expect(warnings).toEqual([{ code: "depth_reduced" }]);
    },
  );

  test("gray lies on a background of any color", async () => {
    const gray = await bytesOf(
      sharp(Buffer.alloc(16 * 16 * 2), { raw: { width: 16, height: 16, channels: 2 } })
        .toColourspace("b-w")
        .png(),
    );
    expect(gray[25]).toBe(4);
    const { bytes } = await convert(gray, { format: "jpeg", background: "#f00" });
    const [red, green, blue] = await sharp(bytes).raw().toBuffer();
    expect([red! > 240, green! < 15, blue! < 15]).toEqual([true, true, true]);
  });
});

describe("what files hold beside the picture", () => {
  const picture = () =>
    bytesOf(sharp({ create: { width: 32, height: 32, channels: 3, background: "#a53" } }).jpeg());

  test("CMYK is told by the header, so that a page can leave it to the server", async () => {
    const cmyk = await bytesOf(
      sharp(await picture())
        .toColourspace("cmyk")
        .jpeg(),
    );
    expect(readImageHeader(cmyk).isCmyk).toBe(true);
    expect(readImageHeader(await picture()).isCmyk).toBe(false);
    expect((await firstPixel((await convert(cmyk)).bytes)).length).toBe(3);
  });

  test("stray bytes between the segments of a JPEG do no harm", async () => {
    const jpeg = await picture();
    const stray = concatBytes(jpeg.subarray(0, 20), Uint8Array.of(0, 1, 2, 3), jpeg.subarray(20));
    expect(await firstPixel((await convert(stray)).bytes)).toEqual(await firstPixel(jpeg));
  });

  test.each<[string, number, string, string]>([
    [
      "a gain map in XMP",
      0xe1,
      'http://ns.adobe.com/xap/1.0/\0<x hdrgm:Version="1.0"/>',
      "gain_map_left_out",
    ],
    ["a gain map by ISO 21496-1", 0xe2, "urn:iso:std:iso:ts:21496:-1\0", "gain_map_left_out"],
    ["a second picture", 0xe2, "MPF\0", "first_picture_only"],
  ])("%s is told", async (_, marker, text, code) => {
    const { warnings } = await convert(withSegments(await picture(), [[marker, utf8(text)]]));
    expect(warnings).toEqual([{ code }]);
  });

  test.each([
    ["LZMA", 259, 34_925, "the compression 34925"],
    ["LogLuv colors", 262, 32_845, "the photometric interpretation 32845"],
  ])("a TIFF of %s is unsupported_feature", async (_, tag, value, what) => {
    const tiff = await bytesOf(
      sharp({ create: { width: 8, height: 8, channels: 3, background: "#a53" } }).tiff({
        compression: "none",
      }),
    );
    const view = new DataView(tiff.buffer, tiff.byteOffset);
    const directory = view.getUint32(4, true);
    for (let i = 0; i < view.getUint16(directory, true); i++) {
      const entry = directory + 2 + 12 * i;
      if (view.getUint16(entry, true) === tag) view.setUint16(entry + 8, value, true);
    }
    await expect(convert(tiff)).rejects.toMatchObject({
      code: "unsupported_feature",
      message: expect.stringContaining(what),
    });
  });

  test("an APNG of 9,000 frames gives its still image, decoded once", async () => {
    const frame = concatBytes(
      pngChunk("fcTL", new Uint8Array(26)),
      pngChunk("fdAT", zlibSync(new Uint8Array(20))),
    );
    const frames = concatBytes(...Array.from({ length: 9_000 }, () => frame));
    const still = flatPng([200, 100, 50], [pngChunk("acTL", Uint8Array.of(0, 0, 0x23, 0x28, 0, 0, 0, 0))]);
    const end = still.length - 12;
    const animated = concatBytes(still.subarray(0, end), frames, still.subarray(end));
    const decode = vi.spyOn(codec.steps!, "decode"); // this codec has them
    onTestFinished(() => decode.mockRestore());
    const { warnings } = await convert(animated);
    expect(warnings).toEqual([{ code: "first_frame_only", frames: 9_000 }]);
    expect(decode).toHaveBeenCalledTimes(1);
  });
});

/** Gray from white to black in 32 steps, written by avifenc 0.11 as brightness alone in the numbers of video. */
const LIMITED_GRAY =
  "AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAPBtZXRhAAAAAAAAAChoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAbGliYXZpZgAAAAAOcGl0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEAAAEUAAAAQgAAAChpaW5mAAAAAAABAAAAGmluZmUCAAAAAAEAAGF2MDFDb2xvcgAAAABoaXBycAAAAElpcGNvAAAAFGlzcGUAAAAAAAAAIAAAAAgAAAAOcGl4aQAAAAABCAAAAAxhdjFDgQAcAAAAABNjb2xybmNseAABAA0ABgAAAAAXaXBtYQAAAAAAAAABAAEEAQKDBAAAAEptZGF0EgAKCBgQv9hgIaDEMjQQAKNaJuQ4zbOKKjRwItd0ar2Km+GttN1UbxkjrKAeCstHFl+FyTh6v3p8vOFBPUbH9PtI";

test("gray in the numbers of video goes from black to white", async () => {
  const image = new Uint8Array(Buffer.from(LIMITED_GRAY, "base64"));
  for (const format of ["png", "webp"] as const) {
    const { bytes } = await convertImage(image, { format, codec, quality: 100 });
    const { data, info } = await sharp(bytes)
      .toColourspace("srgb")
      .raw()
      .toBuffer({ resolveWithObject: true });
    const row = Array.from({ length: 32 }, (_, x) => data[x * info.channels]!);
    expect(row[0]).toBeGreaterThan(248);
    expect(row[31]).toBeLessThan(7);
  }
});

describe("colors that an AVIF names by code points", () => {
  /** One color, 200 100 50, opaque and half transparent, written by avifenc 0.11. */
  const OPAQUE =
    "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUEAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAAB8AAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAAAAgAAAAGAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgSAAAAAAABNjb2xybmNseAAMAA0AAYAAAAAXaXBtYQAAAAAAAAABAAEEAQKDBAAAACdtZGF0EgAKCDgIvWUMDQGQMhEQAAAAD/pVckx6kcm/KezuIw==";
  const HALF =
    "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUEAAAGNbWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAsaWxvYwAAAABEAAACAAEAAAABAAABwwAAAB8AAgAAAAEAAAG1AAAADgAAAEJpaW5mAAAAAAACAAAAGmluZmUCAAAAAAEAAGF2MDFDb2xvcgAAAAAaaW5mZQIAAAAAAgAAYXYwMUFscGhhAAAAABppcmVmAAAAAAAAAA5hdXhsAAIAAQABAAAAw2lwcnAAAACdaXBjbwAAABRpc3BlAAAAAAAAAAgAAAAGAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgSAAAAAAABNjb2xybmNseAAMAA0AAYAAAAAOcGl4aQAAAAABCAAAAAxhdjFDgQAcAAAAADhhdXhDAAAAAHVybjptcGVnOm1wZWdCOmNpY3A6c3lzdGVtczphdXhpbGlhcnk6YWxwaGEAAAAAHmlwbWEAAAAAAAAAAgABBAECgwQAAgQBBYYHAAAANW1kYXQSAAoFGAi9ZVAyAxAADBIACgg4CL1lDA0BkDIREAAAAA/6VXJMepHJvyns7iM=";

  function named(primaries: number, avif = OPAQUE): Bytes {
    const image = new Uint8Array(Buffer.from(avif, "base64"));
    image[Buffer.from(image.buffer).indexOf("nclx") + 5] = primaries;
    return image;
  }

  test.each([
    ["sRGB", 1, [200, 100, 50]],
    ["Display P3", 12, [215, 93, 31]],
    ["BT.2020", 9, [241, 76, 29]],
    ["no name", 2, [200, 100, 50]],
  ] as const)("are converted from %s", async (_, primaries, wanted) => {
    const image = named(primaries);
    for (const format of ["png", "webp", "jpeg", "avif"] as const) {
      const { bytes } = await convert(image, { format, quality: 100 });
      expectNear(await firstPixel(bytes), wanted);
    }
  });

  test("are taken for sRGB where the name is cut", async () => {
    const image = named(12);
    const at = Buffer.from(image.buffer).indexOf("colr");
    // The box ends behind its type; what is left of it belongs to a box that nobody knows.
    image.set([0, 0, 0, 12], at - 4);
    image.set([0, 0, 0, 7], at + 8);
    const converted = await convert(image).catch((thrown: unknown) => thrown);
    if (converted instanceof Error) expect(converted).toMatchObject({ name: "ToolFailure" });
  });

  /** 200 100 40, half transparent, stored multiplied by its transparency; written by avifenc 0.11. */
  const MULTIPLIED =
    "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUEAAAGbbWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAsaWxvYwAAAABEAAACAAEAAAABAAAB0QAAACIAAgAAAAEAAAHDAAAADgAAAEJpaW5mAAAAAAACAAAAGmluZmUCAAAAAAEAAGF2MDFDb2xvcgAAAAAaaW5mZQIAAAAAAgAAYXYwMUFscGhhAAAAAChpcmVmAAAAAAAAAA5wcmVtAAEAAQACAAAADmF1eGwAAgABAAEAAADDaXBycAAAAJ1pcGNvAAAAFGlzcGUAAAAAAAAAEAAAABAAAAAQcGl4aQAAAAADCAgIAAAADGF2MUOBIAAAAAAAE2NvbHJuY2x4AAEADQAAgAAAAA5waXhpAAAAAAEIAAAADGF2MUOBABwAAAAAOGF1eEMAAAAAdXJuOm1wZWc6bXBlZ0I6Y2ljcDpzeXN0ZW1zOmF1eGlsaWFyeTphbHBoYQAAAAAeaXBtYQAAAAAAAAACAAEEAQKDBAACBAEFhgcAAAA4bWRhdBIACgUYDP/5VDIDEAATEgAKCDgM//lAQ0AIMhQQAAAAFLm31nNTRRdlKISo66FwYA==";

  test.each([
    ["sRGB", 1, [200, 100, 40, 128]],
    ["Display P3", 12, [215, 93, 7, 128]],
  ] as const)("are divided by the transparency that is in them, in %s", async (_, primaries, wanted) => {
    const image = named(primaries, MULTIPLIED);
    for (const format of ["png", "webp"] as const) {
      const { bytes } = await convert(image, { format, quality: 100 });
      expectNear(await firstPixel(bytes), wanted);
    }
    const { bytes } = await convert(image, { format: "jpeg", quality: 100, background: "#fff" });
    if (primaries === 1) expectNear(await firstPixel(bytes), [227, 177, 147]);
  });

  test("are so beside transparency, turned, cropped and scaled down", async () => {
    const image = named(12, HALF);
    const { bytes, width, height } = await convert(image, { rotate: 90, crop: "0,0,4,8", width: 2 });
    expect([width, height]).toEqual([2, 4]);
    const [red, green, blue, alpha] = await firstPixel(bytes);
    expectNear([red!, green!, blue!, alpha!], [215, 93, 31, 128]);
  });
});
