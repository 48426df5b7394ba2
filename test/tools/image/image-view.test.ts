// slow
import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import { createSharpCodec } from "../../../adapters/workers/image-sharp.ts";
import { convertImage, type ConvertOptions } from "../../../tools/image-convert.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { bytesOf, picture } from "./support/made.ts";

const codec = createSharpCodec();
const convert = (image: Bytes, options: Partial<ConvertOptions>) =>
  convertImage(image, { format: "png", codec, ...options });

const [WIDTH, HEIGHT] = [6, 4];

/** Each pixel says where it was: red its column, green its row. */
function map(): Sharp {
  const data = Uint8Array.from({ length: WIDTH * HEIGHT * 3 }, (_, i) => {
    const [pixel, channel] = [Math.floor(i / 3), i % 3];
    return [pixel % WIDTH, Math.floor(pixel / WIDTH), 200][channel]! * (channel === 2 ? 1 : 20);
  });
  return sharp(data, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });
}

interface Grid {
  readonly width: number;
  readonly height: number;
  /** Column and row that each pixel came from. */
  readonly places: readonly string[];
}

async function gridOf(image: Bytes): Promise<Grid> {
  const { data, info } = await sharp(image)
    .toColourspace("srgb")
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const places = Array.from(
    { length: width * height },
    (_, i) => `${data[3 * i]! / 20},${data[3 * i + 1]! / 20}`,
  );
  return { width, height, places };
}

function turn({ width, height, places }: Grid): Grid {
  const turned = Array.from({ length: width * height }, (_, i) => {
    const [x, y] = [i % height, Math.floor(i / height)];
    return places[(height - 1 - x) * width + y]!;
  });
  return { width: height, height: width, places: turned };
}

function cut(
  { width, places }: Grid,
  [left, top, columns, rows]: readonly [number, number, number, number],
): Grid {
  const part = Array.from({ length: rows }, (_, row) => {
    const start = (top + row) * width + left;
    return places.slice(start, start + columns);
  });
  return { width: columns, height: rows, places: part.flat() };
}

describe.each([1, 2, 3, 4, 5, 6, 7, 8])("a picture of orientation %i", (orientation) => {
  const image = async (): Promise<Bytes> =>
    bytesOf(map().tiff({ compression: "none" }).withMetadata({ orientation }));

  test.each([[90], [180], [270], [-90]] as const)("is turned by %i degrees as it is seen", async (rotate) => {
    let seen = await gridOf((await convert(await image(), {})).bytes);
    for (let turns = (rotate + 360) % 360; turns > 0; turns -= 90) seen = turn(seen);
    expect(await gridOf((await convert(await image(), { rotate })).bytes)).toEqual(seen);
    const region = [1, 2, 3, 2] as const;
    const cropped = await convert(await image(), { rotate, crop: region.join(",") });
    expect(await gridOf(cropped.bytes)).toEqual(cut(seen, region));
  });
});

test("is cropped before it is made smaller, for each format", async () => {
  const image = await bytesOf(picture(400, 300).jpeg());
  for (const format of ["webp", "jpeg", "png", "avif"] as const) {
    const made = await convert(image, { format, crop: "100,50,200,100", width: 50 });
    expect([made.width, made.height]).toEqual([50, 25]);
  }
});

test.each([
  ["401,0,1,1", "400 x 300"],
  ["0,0,401,300", "400 x 300"],
  ["0,299,1,2", "400 x 300"],
  ["0,0,0,10", "at least 1"],
  ["1,2,3", "x,y,width,height"],
  ["-1,0,3,3", "x,y,width,height"],
  ["a,b,c,d", "x,y,width,height"],
])("a crop of %s is refused and says why", async (crop, words) => {
  const image = await bytesOf(picture(400, 300).png());
  await expect(convert(image, { crop })).rejects.toMatchObject({
    code: "invalid_parameter",
    fields: { parameter: "crop" },
    message: expect.stringContaining(words),
  });
});

test("an animation keeps its frames, or gives the first of them turned", async () => {
  const frames = sharp(
    [await picture(8, 8).png().toBuffer(), await picture(8, 8).negate().png().toBuffer()],
    {
      join: { animated: true },
    },
  );
  const image = await bytesOf(frames.gif());
  await expect(convert(image, { format: "webp", rotate: 90 })).rejects.toMatchObject({
    code: "unsupported_feature",
  });
  expect((await convert(image, { format: "png", crop: "0,0,4,2" })).warnings).toMatchObject([
    { code: "first_frame_only" },
  ]);
});

describe("linear light", () => {
  /** Lines of black and white, which from afar are half of the light: 188 in sRGB and not 128 (IEC 61966-2-1). */
  const lines = (channels: 1 | 3) =>
    bytesOf(
      sharp(
        Uint8Array.from(
          { length: 200 * 200 * channels },
          (_, i) => (Math.floor(i / (200 * channels)) % 2) * 255,
        ),
        {
          raw: { width: 200, height: 200, channels },
        },
      ).png(),
    );

  test.each([1, 3] as const)(
    "makes %i channels half as bright as light, and not as numbers",
    async (channels) => {
      const image = await lines(channels);
      const shown = async (linear: boolean) => {
        const { bytes } = await convert(image, { width: 25, linear });
        return Math.round((await sharp(bytes).stats()).channels[0]!.mean);
      };
      expect(await shown(true)).toBeGreaterThanOrEqual(186);
      expect(await shown(true)).toBeLessThanOrEqual(190);
      expect(await shown(false)).toBeLessThanOrEqual(130);
    },
  );

  test("keeps the background under transparency", async () => {
    const image = await bytesOf(
      sharp({ create: { width: 40, height: 40, channels: 4, background: "#00000000" } }).png(),
    );
    const { bytes } = await convert(image, {
      format: "jpeg",
      width: 10,
      linear: true,
      background: "#336699",
      quality: 100,
    });
    const { channels } = await sharp(bytes).stats();
    for (const [i, wanted] of [0x33, 0x66, 0x99].entries())
      expect(Math.abs(channels[i]!.mean - wanted)).toBeLessThan(3);
  });

  test("is refused where nothing is made smaller", async () => {
    await expect(convert(await lines(3), { linear: true })).rejects.toMatchObject({
      code: "invalid_parameter",
      fields: { parameter: "linear" },
    });
  });
});

describe("a size in bytes", () => {
  test.each(["jpeg", "webp", "avif"] as const)(
    "is reached by %s with the highest quality that has it",
    async (format) => {
      const image = await bytesOf(picture(300, 200).png());
      const sizeAt = async (quality: number) => (await convert(image, { format, quality })).bytes.length;
      const bytes = Math.round((await sizeAt(82)) * 0.6);
      const made = await convert(image, { format, bytes });
      expect(made.bytes.length).toBeLessThanOrEqual(bytes);
      expect(made.bytes.length).toBe(await sizeAt(made.quality!));
      expect(made.quality).toBeLessThan(82);
      // The next quality has more, or the same in formats that have fewer of them.
      if (format === "jpeg") expect(await sizeAt(made.quality! + 1)).toBeGreaterThan(bytes);
    },
  );

  test("that is reached anyway leaves the quality as it was asked", async () => {
    const image = await bytesOf(picture(30, 20).png());
    expect(await convert(image, { format: "jpeg", quality: 70, bytes: 1_000_000 })).toMatchObject({
      quality: 70,
    });
  });

  test.each([
    ["jpeg", {}],
    ["png", {}],
    ["webp", { lossless: true }],
  ] as const)("that %s cannot reach is told with what it has at least", async (format, more) => {
    const image = await bytesOf(picture(300, 200).png());
    await expect(convert(image, { format, bytes: 100, ...more })).rejects.toMatchObject({
      code: "result_too_large",
      fields: { parameter: "bytes", value: 100, actual: expect.any(Number) },
    });
  });
});
