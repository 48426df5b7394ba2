import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { createSharpCodec } from "../../../adapters/workers/image-sharp.ts";
import { convertImage } from "../../../tools/image-convert.ts";
import { readImageHeader } from "../../../tools/image/header.ts";
import { concatBytes, utf8, type Bytes } from "../../../wire/bytes.ts";
import { bytesOf } from "./support/made.ts";

const codec = createSharpCodec();
const [WIDTH, HEIGHT] = [5, 3];
type Color = readonly [red: number, green: number, blue: number, alpha: number];
/** Other values in each pixel, on scales that all layouts below can hold. */
const at = (x: number, y: number): Color => [
  x % 2 === 0 ? 255 : 0,
  y === 1 ? 255 : 0,
  (x + y) % 2 === 0 ? 255 : 0,
  255,
];

async function pixelsOf(image: Bytes) {
  const made = await convertImage(image, { format: "png", codec });
  const { data, info } = await sharp(made.bytes)
    .toColourspace("srgb")
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const rows = Array.from({ length: info.width * info.height }, (_, i) => [
    ...data.subarray(4 * i, 4 * i + 4),
  ]);
  return { ...made, rows };
}

function expected(of = at, [width, height] = [WIDTH, HEIGHT]): number[][] {
  return Array.from({ length: width * height }, (_, i) => [...of(i % width, Math.floor(i / width))]);
}

interface Layout {
  readonly bits: number;
  readonly headerBytes?: number;
  readonly compression?: number;
  readonly isTopDown?: boolean | undefined;
  readonly masks?: readonly number[];
  readonly palette?: readonly Color[];
  /** The number that stands for a pixel. */
  readonly pixel: (x: number, y: number) => number;
  readonly data?: Uint8Array;
}

function le(value: number, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, i) => Math.floor(value / 256 ** i) % 256);
}

/** A bitmap without the header of a file (Win32, BITMAPINFOHEADER and its successors). */
function bitmap({
  bits,
  headerBytes = 40,
  compression = 0,
  isTopDown,
  masks = [],
  palette = [],
  pixel,
  data,
}: Layout) {
  const signed = (value: number) => (value < 0 ? 2 ** 32 + value : value);
  const core = headerBytes === 12;
  const head = core
    ? [...le(12, 4), ...le(WIDTH, 2), ...le(HEIGHT, 2), ...le(1, 2), ...le(bits, 2)]
    : [
        ...[
          ...le(headerBytes, 4),
          ...le(WIDTH, 4),
          ...le(signed(isTopDown ? -HEIGHT : HEIGHT), 4),
          ...le(1, 2),
        ],
        ...[...le(bits, 2), ...le(compression, 4), ...le(0, 12), ...le(palette.length, 4), ...le(0, 4)],
      ];
  const fields = masks.flatMap((mask) => le(mask, 4));
  const header = Uint8Array.from([
    ...head,
    ...fields,
    ...new Array<number>(Math.max(0, headerBytes - head.length - fields.length)).fill(0),
  ]);
  const colors = palette.flatMap(([red, green, blue]) => [blue, green, red, ...(core ? [] : [0])]);
  return concatBytes(header, Uint8Array.from(colors), data ?? rowsOf({ bits, pixel, isTopDown }));
}

function rowsOf({ bits, pixel, isTopDown }: Pick<Layout, "bits" | "pixel" | "isTopDown">): Uint8Array {
  const rowBytes = Math.ceil((WIDTH * bits) / 32) * 4;
  const rows = new Uint8Array(rowBytes * HEIGHT);
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) {
      const start = (isTopDown ? y : HEIGHT - 1 - y) * rowBytes * 8 + x * bits;
      const value = pixel(x, y);
      if (bits < 8) rows[start >> 3]! |= value << (8 - bits - (start & 7));
      else rows.set(le(value, bits / 8), start >> 3);
    }
  return rows;
}

function bmp(layout: Layout): Bytes {
  const body = bitmap(layout);
  const pixels = layout.data ?? rowsOf(layout);
  const start = 14 + body.length - pixels.length;
  return concatBytes(
    utf8("BM"),
    Uint8Array.from([...le(14 + body.length, 4), 0, 0, 0, 0, ...le(start, 4)]),
    body,
  );
}

const PALETTE: readonly Color[] = Array.from({ length: 8 }, (_, i) => [
  (i & 4) * 63.75,
  (i & 2) * 127.5,
  (i & 1) * 255,
  255,
]);
const indexOf = (x: number, y: number) => {
  const [red, green, blue] = at(x, y);
  return (red ? 4 : 0) + (green ? 2 : 0) + (blue ? 1 : 0);
};
const masked = (masks: readonly number[]) => (x: number, y: number) =>
  at(x, y).reduce((sum, value, i) => (value ? sum + (masks[i] ?? 0) : sum), 0);
const [FIVES, SIXES, EIGHTS] = [
  [0x7c00, 0x3e0, 0x1f],
  [0xf800, 0x7e0, 0x1f],
  [0xff0000, 0xff00, 0xff],
];

describe("a BMP is read", () => {
  test.each([
    ["24 bits", { bits: 24, pixel: masked(EIGHTS) }],
    ["24 bits from top to bottom", { bits: 24, pixel: masked(EIGHTS), isTopDown: true }],
    ["24 bits of OS/2", { bits: 24, pixel: masked(EIGHTS), headerBytes: 12 }],
    ["32 bits", { bits: 32, pixel: masked(EIGHTS) }],
    ["16 bits, five each", { bits: 16, pixel: masked(FIVES) }],
    ["16 bits with masks", { bits: 16, compression: 3, masks: SIXES, pixel: masked(SIXES) }],
    [
      "32 bits with masks and a long header",
      {
        bits: 32,
        compression: 3,
        headerBytes: 124,
        masks: [0xff, 0xff00, 0xff0000, 0],
        pixel: masked([0xff, 0xff00, 0xff0000]),
      },
    ],
    ["4 bits", { bits: 4, palette: PALETTE, pixel: indexOf }],
    ["8 bits", { bits: 8, palette: PALETTE, pixel: indexOf }],
    ["8 bits of version 4", { bits: 8, palette: PALETTE, pixel: indexOf, headerBytes: 108 }],
  ] as const)("of %s", async (_, layout) => {
    const { rows, sourceFormat, width, height } = await pixelsOf(bmp(layout));
    expect([sourceFormat, width, height]).toEqual(["bmp", WIDTH, HEIGHT]);
    expect(rows).toEqual(expected());
  });

  test("of 1 bit, and of 8 with all colors of OS/2", async () => {
    const [black, white]: readonly Color[] = [
      [0, 0, 0, 255],
      [255, 255, 255, 255],
    ];
    const chess = (x: number, y: number) => (x + y) % 2;
    const one = await pixelsOf(bmp({ bits: 1, palette: [black!, white!], pixel: chess }));
    expect(one.rows).toEqual(expected((x, y) => (chess(x, y) ? white! : black!)));
    const palette = Array.from({ length: 256 }, (_, i): Color => [i, 255 - i, 7, 255]);
    const os2 = await pixelsOf(bmp({ bits: 8, headerBytes: 12, palette, pixel: (x, y) => 10 * x + y }));
    expect(os2.rows).toEqual(expected((x, y) => palette[10 * x + y]!));
  });

  test("with transparency where a mask says so, but for one that is transparent everywhere", async () => {
    const masks = [...EIGHTS, 0xff000000];
    const half = (x: number, y: number) => masked(EIGHTS)(x, y) + (x === 0 ? 0 : 0x80000000);
    const layout = { bits: 32, compression: 3, headerBytes: 56, masks } as const;
    const { rows } = await pixelsOf(bmp({ ...layout, pixel: half }));
    expect(rows.map(([, , , alpha]) => alpha)).toEqual(
      expected((x) => [0, 0, 0, x === 0 ? 0 : 128]).map((each) => each[3]),
    );
    expect((await pixelsOf(bmp({ ...layout, pixel: masked(EIGHTS) }))).rows).toEqual(expected());
  });

  test("in runs, with jumps, and with a warning where they are damaged", async () => {
    // Bottom row: five of color 1. Middle: 2 3 4 as they are, end. Top: one to the right, then 6 twice.
    const runs = [5, 1, 0, 0, 0, 3, 2, 3, 4, 0, 0, 0, 0, 2, 1, 0, 2, 6, 0, 1];
    const layout = { bits: 8, compression: 1, palette: PALETTE, pixel: indexOf } as const;
    const made = await pixelsOf(bmp({ ...layout, data: Uint8Array.from(runs) }));
    const indexes = [0, 6, 6, 0, 0, 2, 3, 4, 0, 0, 1, 1, 1, 1, 1];
    expect(made.rows).toEqual(indexes.map((index) => [...PALETTE[index]!]));
    expect(made.warnings).toEqual([]);
    const cut = await pixelsOf(bmp({ ...layout, data: Uint8Array.from(runs.slice(0, 10)) }));
    expect(cut.warnings).toEqual([{ code: "image_damaged" }]);
    const nibbles = {
      ...layout,
      bits: 4,
      compression: 2,
      data: Uint8Array.from([5, 0x12, 0, 0, 5, 0x34, 0, 0, 0, 5, 0x56, 0x12, 0x30, 0, 0, 1]),
    };
    const four = await pixelsOf(bmp(nibbles));
    const expectedFour = [5, 6, 1, 2, 3, 3, 4, 3, 4, 3, 1, 2, 1, 2, 1];
    expect(four.rows).toEqual(expectedFour.map((index) => [...PALETTE[index]!]));
  });
});

describe("a BMP is refused", () => {
  const whole = bmp({ bits: 24, pixel: masked(EIGHTS) });
  const changed = (offset: number, ...bytes: number[]) => {
    const copy = whole.slice();
    copy.set(bytes, offset);
    return copy;
  };

  test.each([
    ["cut", whole.subarray(0, whole.length - 8), "damaged_file"],
    ["within its header", whole.subarray(0, 30), "damaged_file"],
    ["without a width", changed(18, 0, 0, 0, 0), "damaged_file"],
    ["of 7 bits", changed(28, 7), "damaged_file"],
    ["with a JPEG inside", changed(30, 4), "unsupported_feature"],
    ["of very many pixels", changed(18, ...le(30_000, 4), ...le(30_000, 4)), "too_many_pixels"],
  ])("%s", async (_, image, code) => {
    await expect(convertImage(image, { format: "png", codec })).rejects.toMatchObject({ code });
  });
});

/** An icon with these pictures (Win32, ICONDIR). */
function ico(pictures: readonly { size: number; bits: number; data: Uint8Array }[], type = 1): Bytes {
  let start = 6 + 16 * pictures.length;
  const entries = pictures.flatMap(({ size, bits, data }) => {
    const entry = [
      size % 256,
      size % 256,
      0,
      0,
      1,
      0,
      ...le(bits, 2),
      ...le(data.length, 4),
      ...le(start, 4),
    ];
    start += data.length;
    return entry;
  });
  const head = Uint8Array.from([0, 0, type, 0, ...le(pictures.length, 2), ...entries]);
  return concatBytes(head, ...pictures.map(({ data }) => data));
}

/** A picture of an icon: twice as high as it says, with a mask behind the colors. */
function iconBitmap(layout: Layout, mask: (x: number, y: number) => number): Bytes {
  const colors = bitmap(layout);
  new DataView(colors.buffer).setInt32(8, 2 * HEIGHT, true);
  return concatBytes(colors, rowsOf({ bits: 1, pixel: mask }));
}

describe("an ICO", () => {
  test("gives its largest picture, with the most bits", async () => {
    const png = (size: number, background: string) =>
      bytesOf(sharp({ create: { width: size, height: size, channels: 3, background } }).png());
    const pictures = [
      { size: 16, bits: 32, data: await png(16, "#ff0000") },
      { size: 256, bits: 8, data: await png(256, "#00ff00") },
      { size: 256, bits: 32, data: await png(256, "#0000ff") },
      { size: 32, bits: 32, data: await png(32, "#ff0000") },
    ];
    const { rows, width, sourceFormat, warnings } = await pixelsOf(ico(pictures));
    expect([sourceFormat, width, rows[0], warnings]).toEqual(["ico", 256, [0, 0, 255, 255], []]);
  });

  test("has the transparency of its mask, or its own", async () => {
    const mask = (x: number) => (x === 0 ? 1 : 0);
    const masked24 = iconBitmap({ bits: 24, pixel: masked(EIGHTS) }, mask);
    const { rows } = await pixelsOf(ico([{ size: 5, bits: 24, data: masked24 }], 2));
    expect(rows.map((pixel) => pixel[3])).toEqual(
      expected((x) => [0, 0, 0, x === 0 ? 0 : 255]).map((pixel) => pixel[3]),
    );
    const own = (x: number, y: number) => masked(EIGHTS)(x, y) + (x === 1 ? 0x40000000 : 0);
    const made = await pixelsOf(
      ico([{ size: 5, bits: 32, data: iconBitmap({ bits: 32, pixel: own }, mask) }]),
    );
    expect(made.rows.map((pixel) => pixel[3])).toEqual(
      expected((x) => [0, 0, 0, x === 1 ? 64 : 0]).map((pixel) => pixel[3]),
    );
  });

  test("of too many pictures, or cut, is refused", () => {
    const many = concatBytes(Uint8Array.from([0, 0, 1, 0, ...le(10_001, 2)]), new Uint8Array(16 * 10_001));
    expect(() => readImageHeader(many)).toThrow(expect.objectContaining({ code: "too_complex" }));
    const cut = ico([{ size: 5, bits: 24, data: new Uint8Array(40) }]).slice(0, 50);
    expect(() => readImageHeader(cut)).toThrow(expect.objectContaining({ code: "damaged_file" }));
  });
});
