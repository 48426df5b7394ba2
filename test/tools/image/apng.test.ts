import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { createSharpCodec } from "../../../adapters/workers/image-sharp.ts";
import { convertImage } from "../../../tools/image-convert.ts";
import { mergePdf } from "../../../tools/pdf-merge.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { concatBytes, utf8 } from "../../../wire/bytes.ts";
import { makeApng } from "../../hostile/files/image-files.ts";
import { openWithPdfjs } from "../pdf/support/judges.ts";
import { bytesOf, exifBlock, pngChunk, withChunks, withSize } from "./support/made.ts";

const codec = createSharpCodec();
const [KEEP, CLEAR, RESTORE] = [0, 1, 2];
const [SOURCE, OVER] = [0, 1];
const CLEAR_COLOR = [0, 0, 0, 0];

interface Frame {
  readonly color: readonly [number, number, number, number];
  readonly width?: number;
  readonly height?: number;
  readonly x?: number;
  readonly y?: number;
  readonly delay?: readonly [number, number];
  readonly disposal?: number;
  readonly blend?: number;
}

/** Numbers big-endian, each with its length in bytes. */
function numbers(...fields: readonly (readonly [value: number, sizeBytes: number])[]): Bytes {
  return Uint8Array.from(
    fields.flatMap(([value, size]) =>
      Array.from({ length: size }, (_, i) => Math.floor(value / 256 ** (size - 1 - i)) % 256),
    ),
  );
}

async function chunksOf(png: Bytes): Promise<Record<"IHDR" | "IDAT", Bytes>> {
  const found: Record<string, Bytes> = {};
  const view = new DataView(png.buffer);
  for (let at = 8; at < png.length; at += 12 + view.getUint32(at)) {
    const type = String.fromCharCode(...png.subarray(at + 4, at + 8));
    const data = png.slice(at + 8, at + 8 + view.getUint32(at));
    found[type] = concatBytes(found[type] ?? new Uint8Array(0), data);
  }
  return found as Record<"IHDR" | "IDAT", Bytes>;
}

/** An APNG of 4 x 2 pixels whose frames are of one color each; `still` is what programs without animation show. */
async function madeApng(
  frames: readonly Frame[],
  { plays = 0, still }: { plays?: number; still?: Frame } = {},
) {
  let sequence = 0;
  const pixelsOf = async ({ color: [r, g, b, a], width = 4, height = 2 }: Frame) => {
    const background = { r, g, b, alpha: a / 255 };
    return chunksOf(await bytesOf(sharp({ create: { width, height, channels: 4, background } }).png()));
  };
  const parts: Bytes[] = [];
  const { IHDR: header, IDAT: stillPixels } = await pixelsOf(still ?? { color: [0, 0, 0, 255] });
  if (still) parts.push(pngChunk("IDAT", stillPixels));
  for (const [i, frame] of frames.entries()) {
    const { width = 4, height = 2, x = 0, y = 0, delay = [1, 10], disposal = KEEP, blend = SOURCE } = frame;
    const place = [width, height, x, y].map((value) => [value, 4] as const);
    const rest = [...delay.map((value) => [value, 2] as const), [disposal, 1], [blend, 1]] as const;
    parts.push(pngChunk("fcTL", numbers([sequence++, 4], ...place, ...rest)));
    const { IDAT: pixels } = await pixelsOf(frame);
    if (i === 0 && !still) parts.push(pngChunk("IDAT", pixels));
    else parts.push(pngChunk("fdAT", concatBytes(numbers([sequence++, 4]), pixels)));
  }
  return concatBytes(
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10),
    pngChunk("IHDR", header),
    pngChunk("acTL", numbers([frames.length, 4], [plays, 4])),
    ...parts,
    pngChunk("IEND", new Uint8Array(0)),
  );
}

/** The first and the last pixel of the first row of each frame. */
async function framesOf(webp: Bytes): Promise<number[][][]> {
  const { pages = 1, pageHeight = 0 } = await sharp(webp, { pages: -1 }).metadata();
  const { data, info } = await sharp(webp, { pages: -1 })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const rowBytes = info.width * 4;
  return Array.from({ length: pages }, (_, page) => {
    const start = page * (pageHeight || info.height) * rowBytes;
    return [[...data.subarray(start, start + 4)], [...data.subarray(start + rowBytes - 4, start + rowBytes)]];
  });
}

async function toWebp(image: Bytes): Promise<Bytes> {
  return (await convertImage(image, { format: "webp", lossless: true, codec })).bytes;
}

const [RED, GREEN] = [
  [255, 0, 0, 255],
  [0, 255, 0, 255],
] as const;
const right = { width: 2, x: 2 };

describe("an APNG becomes a WebP of the same frames", () => {
  test("with delays and number of plays", async () => {
    const image = await madeApng(
      [
        { color: RED, delay: [1, 10] },
        { color: GREEN, delay: [3, 0] },
      ],
      { plays: 7 },
    );
    const { bytes, width, height, warnings } = await convertImage(image, { format: "webp", codec });
    expect([width, height, warnings]).toEqual([4, 2, []]);
    expect(await sharp(bytes).metadata()).toMatchObject({ pages: 2, delay: [100, 30], loop: 7 });
  });

  test.each<[string, Frame, number[][][]]>([
    [
      "is kept",
      { color: GREEN, ...right },
      [
        [[...RED], [...GREEN]],
        [[...RED], [...GREEN]],
      ],
    ],
    [
      "is cleared",
      { color: GREEN, ...right, disposal: CLEAR },
      [
        [[...RED], [...GREEN]],
        [[...RED], CLEAR_COLOR],
      ],
    ],
    [
      "is taken back",
      { color: GREEN, ...right, disposal: RESTORE },
      [
        [[...RED], [...GREEN]],
        [[...RED], [...RED]],
      ],
    ],
  ])("a frame that %s", async (_, second, expected) => {
    const elsewhere = { color: [0, 0, 255, 255], width: 1, height: 1, x: 1 } as const;
    const image = await madeApng([{ color: RED }, second, elsewhere]);
    expect((await framesOf(await toWebp(image))).slice(1)).toEqual(expected);
  });

  test("that lies over another or takes its place", async () => {
    const half = [0, 0, 255, 128] as const;
    const image = await madeApng([
      { color: RED },
      { color: half, ...right, blend: OVER },
      { color: half, ...right, blend: SOURCE },
    ]);
    const frames = await framesOf(await toWebp(image));
    expect(frames[1]![1]).toEqual([127, 0, 128, 255]);
    expect(frames[2]![1]).toEqual([...half]);
  });

  test("without the still image for programs that know no animation", async () => {
    const image = await madeApng([{ color: RED }, { color: GREEN }], { still: { color: [0, 0, 255, 255] } });
    const frames = await framesOf(await toWebp(image));
    expect(frames.map(([first]) => first)).toEqual([[...RED], [...GREEN]]);
  });

  test("made smaller to fit", async () => {
    const image = await madeApng([{ color: RED }, { color: GREEN }]);
    const { bytes, width, height } = await convertImage(image, { format: "webp", width: 2, codec });
    expect([width, height]).toEqual([2, 1]);
    expect((await sharp(bytes, { pages: -1 }).metadata()).pages).toBe(2);
  });
});

test("to another format an APNG gives its still image and a warning", async () => {
  const image = await madeApng([{ color: RED }, { color: GREEN }]);
  const { bytes, warnings } = await convertImage(image, { format: "png", codec });
  expect([...(await sharp(bytes).raw().toBuffer()).subarray(0, 3)]).toEqual([255, 0, 0]);
  expect(warnings).toEqual([{ code: "first_frame_only", frames: 2 }]);
});

describe("an APNG that is too much or wrong", () => {
  test("gives its first frame where it has very many, and is refused where all have too many pixels", async () => {
    const image = await madeApng([{ color: RED }]);
    const at = Buffer.from(image).indexOf("fcTL") - 4;
    const frame = image.subarray(at, at + 38);
    const many = concatBytes(image.subarray(0, at), ...Array<Bytes>(9_000).fill(frame), image.subarray(at));
    const { warnings } = await convertImage(await makeApng(9_000), { format: "webp", codec });
    expect(warnings).toEqual([{ code: "first_frame_only", frames: 9_000 }]);
    const refused = convertImage(withSize(many, 1000, 1000), { format: "webp", codec });
    await expect(refused).rejects.toMatchObject({ code: "too_many_pixels" });
  });

  test.each<[string, Frame]>([
    ["a frame past its edge", { color: GREEN, x: 1 }],
    ["a frame without pixels", { color: GREEN, width: 0 }],
  ])("%s makes it damaged", async (_, frame) => {
    const whole = await madeApng([{ color: RED }, { ...frame, width: 4 }]);
    const image = frame.width === 0 ? dropChunk(whole, "fdAT") : whole;
    await expect(toWebp(image)).rejects.toMatchObject({ code: "damaged_file" });
  });

  test("wrong data in a frame makes it damaged", async () => {
    const image = await madeApng([{ color: RED }, { color: GREEN }]);
    const at = Buffer.from(image).indexOf("fdAT") + 10;
    image.set(utf8("garbage"), at);
    await expect(toWebp(image)).rejects.toMatchObject({ code: "damaged_file" });
  });
});

function dropChunk(png: Bytes, type: string): Bytes {
  const at = Buffer.from(png).indexOf(type) - 4;
  return concatBytes(png.subarray(0, at), png.subarray(at + 12 + new DataView(png.buffer).getUint32(at)));
}

/** A red frame, and one that has a green pixel at the right of its first row. */
async function turnedApng(orientation: number): Promise<Bytes> {
  const image = await madeApng([{ color: RED }, { color: GREEN, width: 1, height: 1, x: 3 }]);
  return withChunks(image, [["eXIf", exifBlock({ orientation })]]);
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  "an APNG of the orientation %i becomes an upright WebP",
  async (orientation) => {
    const turned = await turnedApng(orientation);
    const { bytes, width, height } = await convertImage(turned, { format: "webp", lossless: true, codec });
    const second = sharp(bytes, { page: 1, pages: 1 }).ensureAlpha();

    // The engine turns the same picture, which is still.
    const still = [...Array(8)].flatMap((_, at) => (at === 3 ? GREEN : RED));
    const raw = { width: 4, height: 2, channels: 4 } as const;
    const peer = await sharp(Uint8Array.from(still), { raw }).withMetadata({ orientation }).png().toBuffer();
    const { data, info } = await sharp(peer).autoOrient().raw().toBuffer({ resolveWithObject: true });
    expect([width, height]).toEqual([info.width, info.height]);
    expect([...(await second.raw().toBuffer())]).toEqual([...data]);
  },
);

test("frames of an APNG that lies on its side are upright pages", async () => {
  const { bytes } = await mergePdf([{ data: await turnedApng(6) }], { codec, fit: "a4" });
  const pdf = await openWithPdfjs(bytes);
  expect(pdf.numPages).toBe(2);
  const [, , width = 0, height = 0] = (await pdf.getPage(2)).view;
  expect([Math.round(width), Math.round(height)]).toEqual([595, 842]);
});
