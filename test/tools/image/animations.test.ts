import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { createSharpCodec } from "../../../adapters/workers/image-sharp.ts";
import { convertImage, type ConvertOptions } from "../../../tools/image-convert.ts";
import { markFreeCanvas } from "../../../tools/image/webp-chunks.ts";
import { mergePdf } from "../../../tools/pdf-merge.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { bytesOf, madeTiff } from "./support/made.ts";
import { strangeParts } from "./support/parts.ts";

const codec = createSharpCodec();

function convert(image: Bytes, options: Omit<ConvertOptions, "codec">) {
  return convertImage(image, { codec, ...options });
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

test.each([
  ["as often as its first block says", [3], [], 4],
  ["as often as its last block says", [2, 0], [], 0],
  ["as often as a block between its frames says", [], [0], 0],
  ["as often as a WebP can say", [65_535], [], 65_535],
])("a GIF that leaves a part free is played %s", async (_, before, between, plays) => {
  const [one, other] = [madeGif([{}]), madeGif([{ left: 2 }])];
  const blocks = (all: number[]) =>
    all.flatMap((again) => [
      ...[0x21, 0xff, 11, ...Buffer.from("NETSCAPE2.0"), 3, 1],
      ...[again & 255, again >> 8, 0],
    ]);
  const parts = [one.slice(0, 19), blocks(before), one.slice(19, -1), blocks(between), other.slice(19)];
  const { bytes } = await convert(Uint8Array.from(parts.flatMap((part) => [...part])), { format: "webp" });
  expect(await sharp(bytes, { animated: true }).metadata()).toMatchObject({ pages: 2, loop: plays });
});

test("a frame that is shown for minutes is shown as long as can be said", async () => {
  const gif = madeGif([{}, { left: 2 }]);
  // The time in the control block of the first frame.
  gif.set([0xff, 0xff], 23);
  const { bytes } = await convert(gif, { format: "webp" });
  expect((await sharp(bytes, { animated: true }).metadata()).delay).toEqual([65_535, 100]);
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
      const [red = 255] = await sharp(result.bytes).raw().toBuffer();
      expect(red).toBeLessThan(7);
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
