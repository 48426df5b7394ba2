import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { createSharpCodec } from "../../../adapters/workers/image-sharp.ts";
import { convertImage } from "../../../tools/image-convert.ts";
import { readImageHeader } from "../../../tools/image/header.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { concatBytes } from "../../../wire/bytes.ts";
import { type Field, joinTiff } from "./support/made-tiff.ts";

const codec = createSharpCodec();
const [WIDTH, HEIGHT, ROWS] = [40, 40, 16];

/** A picture from red to blue across and of more green downwards, from row `top` on. */
function pixels(top: number, rows: number) {
  const data = new Uint8Array(WIDTH * rows * 3);
  for (let i = 0; i < WIDTH * rows; i++) {
    const [x, y] = [i % WIDTH, top + Math.floor(i / WIDTH)];
    data.set([255 - x * 6, y * 6, x * 6], 3 * i);
  }
  return sharp(data, { raw: { width: WIDTH, height: rows, channels: 3 } });
}

/** With the usual Huffman tables, so that several have the same. */
async function jpegOf(top: number, rows: number): Promise<Bytes> {
  const options = { quality: 95, optimiseCoding: false, chromaSubsampling: "4:2:0" };
  return new Uint8Array(await pixels(top, rows).jpeg(options).toBuffer());
}

interface Parts {
  /** Each with its marker and length. */
  readonly tables: readonly Bytes[];
  readonly frame: Bytes;
  readonly scanHead: Bytes;
  readonly scan: Bytes;
}

function partsOf(jpeg: Bytes): Parts {
  const view = new DataView(jpeg.buffer, jpeg.byteOffset);
  const found = new Map<number, Bytes[]>();
  let at = 2;
  for (let marker = 0; marker !== 0xda;) {
    marker = jpeg[at + 1]!;
    const end = at + 2 + view.getUint16(at + 2);
    found.set(marker, [...(found.get(marker) ?? []), jpeg.subarray(at, end)]);
    at = end;
  }
  const of = (marker: number) => found.get(marker) ?? [];
  return {
    tables: [...of(0xdb), ...of(0xc4)],
    frame: of(0xc0)[0]!,
    scanHead: of(0xda)[0]!,
    scan: jpeg.subarray(at, -2),
  };
}

const SOI = Uint8Array.of(0xff, 0xd8);
const common: Field[] = [
  [256, 4, [WIDTH]],
  [257, 4, [HEIGHT]],
  [258, 3, [8, 8, 8]],
  [259, 3, [6]],
  [262, 3, [6]],
  [277, 3, [3]],
  [530, 3, [2, 2]],
];

async function expectPicture(tiff: Bytes, { isTurned = false } = {}) {
  const { bytes, sourceFormat } = await convertImage(tiff, { format: "png", codec });
  const made = isTurned ? sharp(bytes).rotate(-90) : sharp(bytes);
  const { data, info } = await made.raw().toBuffer({ resolveWithObject: true });
  expect([sourceFormat, info.width, info.height]).toEqual(["tiff", WIDTH, HEIGHT]);
  const wanted = await pixels(0, HEIGHT).raw().toBuffer();
  const off = wanted.reduce((sum, value, i) => sum + Math.abs(value - data[i]!), 0);
  expect(off / wanted.length).toBeLessThan(4);
}

describe("a TIFF of old-style JPEG", () => {
  test.each([1, 6])("that holds a whole JPEG is converted, orientation %i", async (orientation) => {
    const jpeg = await jpegOf(0, HEIGHT);
    const tiff = joinTiff([jpeg], {
      fields: ([at]) => [
        ...common,
        [273, 4, [at!]],
        [274, 3, [orientation]],
        [279, 4, [jpeg.length]],
        [513, 4, [at!]],
        [514, 4, [jpeg.length]],
      ],
    });
    await expectPicture(tiff, { isTurned: orientation === 6 });
  });

  test.each([0, 3])(
    "that holds a whole JPEG is converted where its strip begins %i bytes before the pixels and is short",
    async (before) => {
      const jpeg = await jpegOf(0, HEIGHT);
      const { scan } = partsOf(jpeg);
      const tiff = joinTiff([jpeg], {
        fields: ([at]) => [
          ...common,
          [273, 4, [at! + jpeg.length - 2 - scan.length - before]],
          [279, 4, [Math.floor(scan.length / 2)]],
          [513, 4, [at!]],
          [514, 4, [jpeg.length]],
        ],
      });
      await expectPicture(tiff);
    },
  );

  test("whose strips follow a head that is filled up with zeros is converted", async () => {
    const strips = await Promise.all(
      [0, 16, 32].map(async (top) => partsOf(await jpegOf(top, Math.min(ROWS, HEIGHT - top)))),
    );
    const { tables, frame, scanHead } = strips[0]!;
    const whole = frame.slice();
    new DataView(whole.buffer).setUint16(5, HEIGHT);
    const head = concatBytes(SOI, ...tables, whole, new Uint8Array(20));
    const scans = strips.map(({ scan }, i) => (i === 0 ? concatBytes(scanHead, scan) : scan));
    const tiff = joinTiff([head, ...scans], {
      fields: ([headAt, ...at]) => [
        ...common,
        [273, 4, at],
        [278, 3, [ROWS]],
        [279, 4, scans.map(({ length }) => length)],
        [513, 4, [headAt!]],
        [514, 4, [head.length]],
      ],
    });
    await expectPicture(tiff);
  });

  test("that holds tables beside its pixels is converted", async () => {
    const { tables, scan } = partsOf(await jpegOf(0, HEIGHT));
    const bare = tables.flatMap(splitTables);
    const [quantization, dc, ac] = [0xdb, 0xc40, 0xc41].map((kind) =>
      bare.filter((table) => table.kind === kind),
    );
    const parts = [...quantization!, ...dc!, ...ac!].map(({ data }) => data);
    // Three components: both kinds of color use the second table.
    const ofComponents = (places: number[]) => [places[0]!, places[1]!, places[1]!];
    const tiff = joinTiff([scan, ...parts], {
      fields: ([scanAt, ...at]) => [
        ...common,
        [273, 4, [scanAt!]],
        [279, 4, [scan.length]],
        [519, 4, ofComponents(at.slice(0, 2))],
        [520, 4, ofComponents(at.slice(2, 4))],
        [521, 4, ofComponents(at.slice(4, 6))],
      ],
    });
    await expectPicture(tiff);
  });

  test("counts the pixels that its JPEG says it has", async () => {
    const jpeg = await jpegOf(0, HEIGHT);
    const frame = Buffer.from(jpeg).indexOf(Uint8Array.of(0xff, 0xc0));
    new DataView(jpeg.buffer, jpeg.byteOffset).setUint32(frame + 5, 0xea60_ea60);
    const tiff = joinTiff([jpeg], {
      fields: ([at]) => [...common, [273, 4, [at!]], [279, 4, [jpeg.length]], [513, 4, [at!]]],
    });
    expect(readImageHeader(tiff).decodedPixels).toBe(60_000 * 60_000);
    await expect(convertImage(tiff, { format: "png", codec })).rejects.toMatchObject({
      code: "too_many_pixels",
    });
  });

  test("is damaged where its strips lie on each other", async () => {
    const jpeg = await jpegOf(0, HEIGHT);
    const tiff = joinTiff([jpeg], {
      fields: ([at]) => [
        ...common,
        [273, 4, Array<number>(1000).fill(at!)],
        [279, 4, Array<number>(1000).fill(jpeg.length)],
        [513, 4, [at!]],
      ],
    });
    expect(() => readImageHeader(tiff)).toThrow("its strips overlap");
  });

  test("is a picture or a refusal with any byte changed", async () => {
    const jpeg = await jpegOf(0, HEIGHT);
    const tiff = joinTiff([jpeg], {
      fields: ([at]) => [...common, [273, 4, [at!]], [279, 4, [jpeg.length]], [513, 4, [at!]]],
    });
    for (let at = 0; at < tiff.length; at++) {
      const changed = tiff.slice();
      changed[at] = 0xff;
      try {
        readImageHeader(changed);
      } catch (error) {
        expect(error).toHaveProperty("name", "ToolFailure");
      }
    }
  });
});

/** The tables of a segment, without the bytes that say which they are. */
function splitTables(segment: Bytes): { kind: number; data: Bytes }[] {
  const tables: { kind: number; data: Bytes }[] = [];
  const isQuantization = segment[1] === 0xdb;
  for (let at = 4; at < segment.length;) {
    const codes = segment.subarray(at + 1, at + 17).reduce((sum, count) => sum + count, 0);
    const length = isQuantization ? 64 : 16 + codes;
    const kind = isQuantization ? 0xdb : 0xc40 + (segment[at]! >> 4);
    tables.push({ kind, data: segment.slice(at + 1, at + 1 + length) });
    at += 1 + length;
  }
  return tables;
}
