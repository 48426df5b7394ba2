import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { createSharpCodec } from "../../../adapters/workers/image-sharp.ts";
import { convertImage } from "../../../tools/image-convert.ts";
import { readImageHeader } from "../../../tools/image/header.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { bytesOf } from "./support/made.ts";
import { asBigTiff, shapedTiff, type TiffShape } from "./support/made-tiff.ts";

const codec = createSharpCodec();
const [WIDTH, HEIGHT] = [37, 21];
/** Other values in every direction and color, on a scale of 255. */
const colors = (x: number, y: number) => [x * 6, y * 12, 255 - x * 3 - y * 4];
const SIZE = { width: WIDTH, height: HEIGHT };

async function pixelsOf(image: Bytes) {
  const { bytes } = await convertImage(image, { format: "png", codec });
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const pixel = (x: number, y: number) => [
    ...data.subarray((y * info.width + x) * info.channels).subarray(0, info.channels),
  ];
  return { ...info, pixel };
}

/** Every pixel within so many levels. */
async function expectColors(image: Bytes, { at = colors, within = 0 } = {}) {
  const { width, height, pixel } = await pixelsOf(image);
  expect([width, height]).toEqual([WIDTH, HEIGHT]);
  let most = 0;
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++)
      for (const [i, value] of at(x, y).entries()) most = Math.max(most, Math.abs(value - pixel(x, y)[i]!));
  expect(most).toBeLessThanOrEqual(within);
}

describe("a TIFF that the engine cannot read", () => {
  test.each([
    ["not compressed", 1],
    ["LZW", 5],
    ["Deflate", 8],
    ["Deflate by its old number", 32_946],
    ["PackBits", 32_773],
    ["Zstandard", 50_000],
  ])("because its tiles are of one color each is converted: %s", async (_, compression) => {
    for (const isPredicted of [false, true]) {
      const shape = { ...SIZE, at: colors, tile: 16, isSplit: true, compression, isPredicted };
      await expectColors(shapedTiff(shape));
    }
  });

  test.each([10, 12, 14])("because its samples have %i bits is converted", async (bits) => {
    const most = 2 ** bits - 1;
    const at = (x: number, y: number) => colors(x, y).map((value) => Math.round((value * most) / 255));
    for (const layout of [
      {},
      { isSplit: true },
      { tile: 16 },
      { isBig: true, isPredicted: true, compression: 8 },
    ]) {
      await expectColors(shapedTiff({ ...SIZE, at, bits, ...layout }), { within: 1 });
    }
  });

  test("keeps white and black at 12 bits, also where white is zero", async () => {
    const at = (x: number) => [x === 0 ? 0 : 4095];
    for (const [photometric, first, second] of [
      [1, 0, 255],
      [0, 255, 0],
    ] as const) {
      const { pixel } = await pixelsOf(shapedTiff({ ...SIZE, at, bits: 12, photometric }));
      expect([pixel(0, 0)[0], pixel(1, 0)[0]]).toEqual([first, second]);
    }
  });

  test.each([
    ["white", [255, 0, 0], [255, 255, 255]],
    ["black", [0, 0, 0], [0, 0, 0]],
    ["middle gray", [137, 0, 0], [128, 128, 128]],
    // CIE Lab 53.2, 80, 67 is red, and 87.7, -86, 83 green.
    ["red", [136, 80, 67], [255, 0, 0]],
    ["green", [224, 256 - 86, 83], [0, 255, 0]],
  ])("because it is in Lab is converted: %s", async (_, lab, rgb) => {
    const { pixel } = await pixelsOf(shapedTiff({ ...SIZE, at: () => lab, photometric: 8 }));
    for (const [i, value] of rgb.entries()) expect(Math.abs(pixel(3, 3)[i]! - value)).toBeLessThanOrEqual(8);
  });

  test("and has 16 bits is converted in either byte order", async () => {
    const at = (x: number, y: number) => colors(x, y).map((value) => value * 257);
    for (const isBig of [false, true]) {
      await expectColors(
        shapedTiff({ ...SIZE, at, bits: 16, tile: 16, isSplit: true, isBig, isPredicted: true }),
      );
    }
  });

  test("is turned as its orientation says", async () => {
    const image = shapedTiff({ ...SIZE, at: colors, tile: 16, isSplit: true, orientation: 6 });
    const { width, height, pixel } = await pixelsOf(image);
    expect([width, height]).toEqual([HEIGHT, WIDTH]);
    expect(pixel(0, 0)).toEqual(colors(0, HEIGHT - 1));
  });

  test("counts with the file that is written in between", async () => {
    const plain = { ...SIZE, at: colors, tile: 16 };
    const more = await weigh(shapedTiff({ ...plain, isSplit: true }));
    expect(more - (await weigh(shapedTiff(plain)))).toBe(WIDTH * HEIGHT * 3);
  });

  async function weigh(image: Bytes): Promise<number> {
    let reserved = 0;
    await convertImage(image, { format: "png", codec, reserve: (bytes) => void (reserved = bytes) });
    return reserved;
  }
});

describe("a TIFF that is hostile", () => {
  const shape: TiffShape = { ...SIZE, at: colors, tile: 16, isSplit: true };

  test.each([1, 5, 8, 32_773, 50_000])(
    "is damaged where a piece is too short: compression %i",
    async (compression) => {
      // The sides of the tiles are doubled: every one has too little then.
      const image = patchTag(shapedTiff({ ...shape, compression }), { tag: 322, value: 32 });
      await expect(convertImage(image, { format: "png", codec })).rejects.toMatchObject({
        code: "damaged_file",
      });
    },
  );

  test("is refused for tiles that hold far more than the picture", () => {
    const image = shapedTiff({ width: 1, height: 4000, at: () => [1, 2, 3], tile: 16 });
    const large = patchTag(patchTag(image, { tag: 322, value: 7000 }), { tag: 323, value: 16 });
    expect(readImageHeader(large).decodedPixels).toBe(7000 * 4000);
  });

  test("is unsupported_feature with samples of 20 bits", () => {
    const image = shapedTiff({ ...SIZE, at: colors, bits: 20 });
    expect(() => readImageHeader(image)).toThrow("A TIFF of 20 bits cannot be converted");
  });

  test("is unsupported_feature with fewer pieces than its size needs", async () => {
    const image = patchTag(shapedTiff(shape), { tag: 257, value: 500 });
    await expect(convertImage(image, { format: "png", codec })).rejects.toMatchObject({
      code: "unsupported_feature",
      message: expect.stringContaining("tiles of one color each"),
    });
  });
});

test("a TIFF of WebP is converted", async () => {
  const flat = sharp({ create: { width: 16, height: 16, channels: 3, background: "#c86432" } });
  const { pixel } = await pixelsOf(await bytesOf(flat.tiff({ compression: "webp", quality: 100 })));
  for (const [i, value] of [200, 100, 50].entries())
    expect(Math.abs(pixel(8, 8)[i]! - value)).toBeLessThan(4);
});

/** Overwrites the one value of a tag. */
function patchTag(image: Bytes, { tag, value }: { tag: number; value: number }): Bytes {
  const copy = image.slice();
  const view = new DataView(copy.buffer);
  const start = view.getUint32(4, true);
  for (let i = 0; i < view.getUint16(start, true); i++) {
    const at = start + 2 + 12 * i;
    if (view.getUint16(at, true) !== tag) continue;
    if (view.getUint16(at + 2, true) === 3) view.setUint16(at + 8, value, true);
    else view.setUint32(at + 8, value, true);
  }
  return copy;
}

describe("samples beside the colors", () => {
  const beside = (more: readonly number[]) => (x: number, y: number) => [...colors(x, y), ...more];

  test.each([
    ["one that means nothing", [0], [7]],
    ["three that mean nothing", [0, 0, 0], [7, 8, 9]],
    ["an opaque one behind one that means nothing", [0, 2], [7, 255]],
  ] as const)("leave the colors as they are: %s", async (_, extra, more) => {
    for (const layout of [{}, { isSplit: true, tile: 16 }, { compression: 8 }, { bits: 16 }]) {
      const scale = "bits" in layout ? 257 : 1;
      const at = (x: number, y: number) => beside(more)(x, y).map((value) => value * scale);
      const image = shapedTiff({ ...SIZE, at, extra, ...layout });
      // An opaque sample of 16 bits stays what it is.
      if (scale === 1) expect((await pixelsOf(image)).channels).toBe(3);
      await expectColors(image);
    }
  });

  test("are transparency where they say so, wherever they stand", async () => {
    const { pixel } = await pixelsOf(shapedTiff({ ...SIZE, at: beside([7, 100]), extra: [0, 2] }));
    expect(pixel(3, 4)).toEqual([...colors(3, 4), 100]);
  });

  test("are refused where they cannot be taken out, or are more than eight", async () => {
    const floats = shapedTiff({ ...SIZE, at: beside([7]), extra: [0], bits: 4 });
    const many = shapedTiff({ ...SIZE, at: beside([1, 2, 3, 4, 5, 6]), extra: [0, 0, 0, 0, 0, 0] });
    for (const image of [floats, many])
      await expect(convertImage(image, { format: "png", codec })).rejects.toMatchObject({
        code: "unsupported_feature",
      });
  });
});

describe("a BigTIFF", () => {
  test.each([[{}], [{ tile: 16 }], [{ bits: 12 }], [{ compression: 50_000 }]])(
    "is read: %j",
    async (layout) => {
      const most = "bits" in layout ? 4095 / 255 : 1;
      const at = (x: number, y: number) => colors(x, y).map((value) => Math.round(value * most));
      await expectColors(asBigTiff(shapedTiff({ ...SIZE, at, ...layout })), { within: 1 });
    },
  );

  test("with too many entries, or a place past its end, is refused", () => {
    const image = asBigTiff(shapedTiff({ ...SIZE, at: colors }));
    const view = new DataView(image.buffer);
    const directory = Number(view.getBigUint64(8, true));
    const many = image.slice();
    new DataView(many.buffer).setBigUint64(directory, 10_001n, true);
    expect(() => readImageHeader(many)).toThrow(expect.objectContaining({ code: "too_complex" }));
    const far = image.slice();
    new DataView(far.buffer).setBigUint64(8, 2n ** 40n, true);
    expect(() => readImageHeader(far)).toThrow(expect.objectContaining({ code: "damaged_file" }));
  });
});

test("a TIFF whose list of pages has no end is read, with a warning", async () => {
  const image = shapedTiff({ ...SIZE, at: colors });
  const view = new DataView(image.buffer, image.byteOffset);
  const first = view.getUint32(4, true);
  const nextAt = first + 2 + 12 * view.getUint16(first, true);
  view.setUint32(nextAt, 0x7fff_ffff, true);
  await expectColors(image);
  const { warnings } = await convertImage(image, { format: "png", codec });
  expect(warnings).toEqual([{ code: "image_damaged" }]);
});

test.each([
  ["in planes of their own", { isSplit: true }],
  ["that are no JPEG", {}],
])("a TIFF of brightness and color differences %s is refused", async (_, shape) => {
  const image = shapedTiff({ ...SIZE, at: colors, photometric: 6, ...shape });
  await expect(convertImage(image, { format: "png", codec })).rejects.toMatchObject({
    code: "unsupported_feature",
  });
});
