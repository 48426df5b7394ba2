import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { createSharpCodec } from "../../../adapters/workers/image-sharp.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import type { ConvertOptions, ImageJob, TargetFormat } from "../../../tools/image-convert.ts";
import { avifEffort, avifQuality, convertImage } from "../../../tools/image-convert.ts";
import { bytesOf, exifBlock, madeTiff, picture, withEverything, withSegments } from "./support/made.ts";
import { dropPngChunks } from "../../../tools/image/readers/png.ts";
import { markFreeCanvas } from "../../../tools/image/webp-chunks.ts";
import { mergePdf } from "../../../tools/pdf-merge.ts";
import { strangeParts } from "./support/parts.ts";
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

/** A GIF of 4 x 4 pixels, with red squares of an index that other programs take for the background. */
function madeGif(frames: { left?: number; side?: number; flags?: number }[]): Bytes {
  const screen = [...Buffer.from("GIF89a"), 4, 0, 4, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 0];
  const drawn = frames.flatMap(({ left = 1, side = 2, flags = 0 }) => {
    // Codes of three bits: after each index the table begins anew.
    const codes = [
      ...Array<number[]>(side * side)
        .fill([4, 0])
        .flat(),
      5,
    ];
    const bits = BigInt(`0b${codes.reduceRight((all, code) => all + code.toString(2).padStart(3, "0"), "")}`);
    const data = Array.from({ length: Math.ceil((3 * codes.length) / 8) }, (_, i) =>
      Number((bits >> BigInt(8 * i)) & 255n),
    );
    const control = [0x21, 0xf9, 4, flags, 10, 0, 0, 0];
    return [...control, 0x2c, left, 0, left, 0, side, 0, side, 0, 0, 2, data.length, ...data, 0];
  });
  return Uint8Array.from([...screen, ...drawn, 0x3b]);
}

/** A GIF of 20 x 20 pixels, played again three times, whose frames of 16 x 16 show each of 256 colors, row by row. */
function fullGif(
  frames: {
    left: number;
    top: number;
    isInterlaced: boolean;
    disposal: number;
    color: (index: number) => number[];
  }[],
): Bytes {
  const screen = [...Buffer.from("GIF89a"), 20, 0, 20, 0, 0, 0, 0];
  const plays = [0x21, 0xff, 11, ...Buffer.from("NETSCAPE2.0"), 3, 1, 3, 0, 0];
  const drawn = frames.flatMap(({ left, top, isInterlaced, disposal, color }) => {
    const rows = Array.from({ length: 16 }, (_, y) => y);
    const passes = [(y: number) => y % 8 === 0, (y: number) => y % 8 === 4, (y: number) => y % 4 === 2];
    const passOf = (y: number) => (passes.findIndex((isIn) => isIn(y)) + 4) % 4;
    const order = isInterlaced ? rows.sort((a, b) => passOf(a) - passOf(b) || a - b) : rows;
    const indexes = order.flatMap((y) => Array.from({ length: 16 }, (_, x) => 16 * y + x));
    // Codes of nine bits: after each 200 indexes the table begins anew.
    const codes = [256, ...indexes.flatMap((index, i) => (i % 200 === 199 ? [index, 256] : [index])), 257];
    const bits = codes.map((code) => [...code.toString(2).padStart(9, "0")].reverse().join("")).join("");
    const data = (bits.match(/.{1,8}/g) ?? []).map((byte) => parseInt([...byte].reverse().join(""), 2));
    const blocks = [data.slice(0, 255), data.slice(255)].flatMap((block) => [block.length, ...block]);
    const table = Array.from({ length: 256 }, (_, i) => color(i)).flat();
    const control = [0x21, 0xf9, 4, disposal << 2, 7, 0, 0, 0];
    const flags = 0x87 | (isInterlaced ? 0x40 : 0);
    return [...control, 0x2c, left, 0, top, 0, 16, 0, 16, 0, flags, ...table, 8, ...blocks, 0];
  });
  return Uint8Array.from([...screen, ...plays, ...drawn, 0x3b]);
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

describe("an animation", () => {
  const frames = [0, 100, 200].map((value) => ({
    create: { width: 20, height: 10, channels: 3 as const, background: { r: value, g: 10, b: 10 } },
  }));

  async function animation(format: "gif" | "webp"): Promise<Bytes> {
    const images = await Promise.all(frames.map((create) => sharp(create).png().toBuffer()));
    return bytesOf(sharp(images, { join: { animated: true } })[format]({ delay: [100, 200, 300], loop: 2 }));
  }

  test.each(["gif", "webp"] as const)("in %s keeps its frames in webp, with their times", async (format) => {
    const result = await convert(await animation(format), { format: "webp" });
    expect(result).toMatchObject({ width: 20, height: 10, warnings: [] });
    expect(await sharp(result.bytes, { animated: true }).metadata()).toMatchObject({
      pages: 3,
      delay: [100, 200, 300],
      loop: 2,
    });
    expect(strangeParts(result.bytes, "webp")).toEqual([]);
  });

  test.each(["jpeg", "png", "avif"] as const)(
    "is its first frame in %s, and that is said",
    async (format) => {
      const result = await convert(await animation("gif"), { format });
      expect(result).toMatchObject({ width: 20, height: 10 });
      expect(result.warnings).toEqual([{ code: "first_frame_only", frames: 3 }]);
      expect(isNear((await rawOf(result.bytes)).at(10, 5), [0, 10, 10], 6)).toBe(true);
    },
  );

  test("that leaves a part free says in webp that it is transparent, and else not", async () => {
    const clear = { r: 0, g: 0, b: 0, alpha: 0 };
    const create = { width: 40, height: 30, channels: 4 as const, background: clear };
    const red = { create: { width: 10, height: 10, channels: 3 as const, background: "red" } };
    // The second frame only adds to the first.
    const drawn = [[2], [2, 12]].map((lefts) =>
      sharp({ create })
        .composite(lefts.map((left) => ({ input: red, left, top: 6 })))
        .png()
        .toBuffer(),
    );
    const free = await bytesOf(sharp(await Promise.all(drawn), { join: { animated: true } }).gif());
    for (const [gif, hasAlpha] of [
      [free, true],
      [await animation("gif"), false],
    ] as const) {
      const { bytes } = await convert(gif, { format: "webp", lossless: true });
      // The flags of VP8X (RFC 9649, 2.7.1). sharp does not look at this one.
      expect((bytes[20]! & 0x10) !== 0).toBe(hasAlpha);
    }
  });

  test.each([
    ["its first frame", [{}, { left: 0 }], [0, 0]],
    ["a frame that goes", [{ left: 0, side: 4, flags: 0b1000 }, {}], [255, 0]],
    ["nothing", [{ left: 0, side: 4 }, {}], [255]],
  ])("of a GIF without a transparent index is clear where %s leaves it free", async (_, drawn, alphas) => {
    const gif = madeGif(drawn);
    const { bytes } = await convert(gif, { format: "webp", lossless: true });
    const frames = await sharp(bytes, { animated: true }).ensureAlpha().raw().toBuffer();
    // The last pixel of each frame, and one of the middle, in red.
    for (const [i, alpha] of alphas.entries()) {
      expect(frames[4 * (16 * i + 15) + 3]).toBe(alpha);
      expect([...frames.subarray(4 * (16 * i + 5), 4 * (16 * i + 5) + 4)]).toEqual([255, 0, 0, 255]);
    }
    const still = await convert(gif, { format: "png" });
    expect((await sharp(still.bytes).ensureAlpha().raw().toBuffer()).at(-1)).toBe(alphas[0]);
    const pages = await mergePdf([{ data: gif }, { data: gif }], { codec });
    expect(Buffer.from(pages.bytes).includes("/SMask")).toBe(alphas.includes(0));
  });

  test("of a GIF that uses each of 256 indexes is clear where it leaves its screen free", async () => {
    const every = (frame: number) => (i: number) => [i, 255 - i, frame * 100].slice(0, 3);
    const gif = fullGif([
      { left: 2, top: 1, isInterlaced: true, disposal: 2, color: every(0) },
      { left: 0, top: 3, isInterlaced: false, disposal: 1, color: every(1) },
    ]);
    const { bytes, warnings } = await convert(gif, { format: "webp", lossless: true });
    expect(warnings).toEqual([]);
    expect(await sharp(bytes).metadata()).toMatchObject({ pages: 2, delay: [70, 70], loop: 4 });
    const shown = (frame: number, [left, top]: readonly [number, number]) =>
      Array.from({ length: 20 * 20 }, (_, i) => {
        const [x, y] = [(i % 20) - left, Math.floor(i / 20) - top];
        return x < 0 || y < 0 || x > 15 || y > 15 ? [0, 0, 0, 0] : [...every(frame)(16 * y + x), 255];
      }).flat();
    const expected = [...shown(0, [2, 1]), ...shown(1, [0, 3])];
    expect([...(await sharp(bytes, { animated: true }).raw().toBuffer())]).toEqual(expected);
    const still = await convert(gif, { format: "png" });
    expect([...(await sharp(still.bytes).raw().toBuffer())]).toEqual(shown(0, [2, 1]));
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])("in WebP of the orientation %i is upright", async (orientation) => {
    const raw = { width: 4, height: 3, channels: 3 } as const;
    const pixels = [0, 1].map((frame) =>
      Uint8Array.from({ length: 36 }, (_, i) => (i % 3 === 2 ? 90 * frame : 7 * i)),
    );
    const stills = pixels.map((each) => sharp(each, { raw }).withMetadata({ orientation }).png());
    const images = await Promise.all(pixels.map((each) => sharp(each, { raw }).png().toBuffer()));
    const join = sharp(images, { join: { animated: true } });
    const delay = [40, 90];
    const turned = await bytesOf(join.withMetadata({ orientation }).webp({ lossless: true, delay, loop: 5 }));
    const result = await convert(turned, { format: "webp", lossless: true });
    const peers = await Promise.all(
      stills.map(async (still) =>
        sharp(await still.toBuffer())
          .autoOrient()
          .raw()
          .toBuffer({ resolveWithObject: true }),
      ),
    );
    const { width, height } = peers[0]!.info;
    expect(result).toMatchObject({ width, height, warnings: [] });
    expect(await sharp(result.bytes).metadata()).toMatchObject({ pages: 2, delay, loop: 5 });
    const { data } = await sharp(result.bytes, { animated: true })
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([...data]).toEqual(peers.flatMap((peer) => [...peer.data]));
    const pages = await mergePdf([{ data: turned }], { codec, fit: "image" });
    expect(Buffer.from(pages.bytes).toString("latin1")).toContain(`/Width ${width}`);
  });

  test("is what a still WebP with a profile is not taken for", async () => {
    const create = { width: 8, height: 8, channels: 3 as const, background: "red" };
    const still = await bytesOf(sharp({ create }).withIccProfile("p3").webp());
    expect(Buffer.from(still).toString("latin1", 12, 16)).toBe("VP8X");
    expect(markFreeCanvas(still.slice())).toEqual(still);
  });

  test("of pages in a TIFF is its first one, and that is said", async () => {
    expect((await convert(madeTiff(), { format: "webp" })).warnings).toEqual([
      { code: "first_picture_only" },
    ]);
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
