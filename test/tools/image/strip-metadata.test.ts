import { deflateSync, inflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { readImageHeader } from "../../../tools/image/header.ts";
import { pngChunk } from "../../../tools/image/png/write.ts";
import { pngChunks } from "../../../tools/image/readers/png.ts";
import { stripMetadata } from "../../../tools/image/strip-metadata.ts";
import { concatBytes, utf8, type Bytes } from "../../../wire/bytes.ts";
import { bytesOf, picture, SECRETS, withEverything } from "./support/made.ts";

async function pixelsOf(image: Bytes): Promise<Buffer> {
  return sharp(image, { pages: -1 }).raw().toBuffer();
}

function holds(bytes: Bytes, word: string): boolean {
  return Buffer.from(bytes).includes(word);
}

const FORMATS = ["jpeg", "png", "webp"] as const;

describe.each(FORMATS)("of a %s", (format) => {
  test("nothing is left that says anything, and each pixel stays", async () => {
    const image = (await withEverything())[format];
    expect(SECRETS.filter((word) => holds(image, word)).length).toBeGreaterThan(1);
    const tailed = concatBytes(image, utf8("SecretTail"));
    const stripped = stripMetadata(tailed);
    for (const word of [...SECRETS, "SecretTail"])
      expect([word, holds(stripped.bytes, word)]).toEqual([word, false]);
    expect(await pixelsOf(stripped.bytes)).toEqual(await pixelsOf(image));
    expect(stripped.metadataRemoved).toEqual(expect.arrayContaining(["exif", "xmp"]));
    expect(stripped.bytes.length).toBeLessThan(image.length);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "orientation %i stays, as the only field of Exif",
    async (orientation) => {
      const image = await bytesOf(
        picture(40, 30)
          .toFormat(format)
          .withMetadata({ orientation, exif: { IFD0: { Make: "SecretCamera" } } }),
      );
      const { bytes, width, height } = stripMetadata(image);
      expect(holds(bytes, "SecretCamera")).toBe(false);
      expect((await sharp(bytes).metadata()).orientation ?? 1).toBe(orientation);
      expect([width, height]).toEqual(orientation >= 5 ? [30, 40] : [40, 30]);
      expect([...readImageHeader(bytes).metadata].filter((kind) => kind === "exif")).toEqual(
        orientation > 1 ? ["exif"] : [],
      );
      expect(await pixelsOf(bytes)).toEqual(await pixelsOf(image));
    },
  );

  test("the color profile stays", async () => {
    const image = await bytesOf(picture(40, 30).toFormat(format).withIccProfile("p3"));
    const { bytes, metadataRemoved } = stripMetadata(image);
    expect((await sharp(bytes).metadata()).icc).toEqual((await sharp(image).metadata()).icc);
    expect(metadataRemoved).not.toContain("icc");
  });

  test("a second time the same bytes come", async () => {
    const { bytes } = stripMetadata((await withEverything())[format]);
    expect(stripMetadata(bytes).bytes).toEqual(bytes);
    expect(stripMetadata(bytes).metadataRemoved.filter((kind) => kind !== "exif")).toEqual([]);
  });
});

test("what stands behind the color transform of a JPEG goes, which itself stays", async () => {
  const image = await bytesOf(picture(16, 8).jpeg());
  const transform = [0x41, 0x64, 0x6f, 0x62, 0x65, 0, 100, 0, 0, 0, 0, 1];
  const segment = (length: number) => Uint8Array.of(0xff, 0xee, 0, length, ...transform);
  const rest = image.subarray(2);
  const withTail = concatBytes(image.subarray(0, 2), segment(24), utf8("SecretTail"), rest);
  const { bytes } = stripMetadata(withTail);
  expect(holds(bytes, "SecretTail")).toBe(false);
  expect(Buffer.from(bytes).includes(Buffer.from(segment(14)))).toBe(true);
  expect(await pixelsOf(bytes)).toEqual(await pixelsOf(withTail));
});

test.each([
  ["the lines that follow a scan", [0xdc, 0, 14, 0, 8]],
  ["a reserved segment", [0xf0, 0, 12]],
])("what stands in %s of a JPEG goes", async (_, head) => {
  const image = await bytesOf(picture(16, 8).jpeg());
  const segment = concatBytes(Uint8Array.of(0xff, ...head), utf8("SecretTail"));
  const at = head[0] === 0xf0 ? 2 : image.length - 2;
  const { bytes } = stripMetadata(concatBytes(image.subarray(0, at), segment, image.subarray(at)));
  expect(holds(bytes, "Secret")).toBe(false);
  expect(await pixelsOf(bytes)).toEqual(await pixelsOf(image));
});

// libpng takes none of these chunks where they are longer, but for IEND.
test.each([
  ["gAMA", 4],
  ["cHRM", 32],
  ["sRGB", 1],
  ["bKGD", 6],
  ["pHYs", 9],
  ["IEND", 0],
])("what stands behind the data of %s in a PNG goes", async (type, length) => {
  const image = await bytesOf(picture(16, 8).png());
  const withTail = pngChunk(type, concatBytes(new Uint8Array(length).fill(1), utf8("SecretTail")));
  const at = type === "IEND" ? image.length - 12 : 33;
  const rest = image.subarray(type === "IEND" ? image.length : at);
  const { bytes, metadataRemoved } = stripMetadata(concatBytes(image.subarray(0, at), withTail, rest));
  expect(holds(bytes, "Secret")).toBe(false);
  expect(await pixelsOf(bytes)).toEqual(await pixelsOf(image));
  if (type !== "pHYs") expect(metadataRemoved).toEqual(["other"]);
});

// Decoders go on to the next marker behind these, and skip the conditions of another coding.
test.each([0xd0, 0xd7, 0xd8, 0x01, 0xcc])(
  "what stands behind the marker %i of a JPEG goes, which has no data here",
  async (marker) => {
    const image = await bytesOf(picture(16, 8).jpeg());
    const segment = concatBytes(Uint8Array.of(0xff, marker, 0, 12), utf8("SecretTail"));
    const { bytes } = stripMetadata(concatBytes(image.subarray(0, 2), segment, image.subarray(2)));
    expect(bytes).toEqual(stripMetadata(image).bytes);
  },
);

// In a bad block of a memory card; one JPEG of a camera had 16 KiB of FF and then 1F in its pixels.
test.each([0x01, 0x1f, 0xbf])(
  "the pixels of a JPEG go on at the restart behind the marker %i",
  async (marker) => {
    const image = await bytesOf(picture(16, 8).jpeg());
    const [pixels, end] = [image.subarray(0, -2), image.subarray(-2)];
    const more = Uint8Array.of(0xff, 0xd0, 1, 0xff, 0, 2);
    const bad = concatBytes(Uint8Array.of(0xff, marker, 0, 12), utf8("Secret"), Uint8Array.of(0xff, 0, 3));
    const whole = concatBytes(pixels, more, end);
    for (const damaged of [
      concatBytes(pixels, bad, more, end),
      concatBytes(pixels, bad, bad, more, bad, end),
    ])
      expect(stripMetadata(damaged).bytes).toEqual(whole);
  },
);

interface Chunk {
  readonly type: string;
  readonly data: Uint8Array;
}

/** A PNG with its chunks changed, each with the others of its type so far. */
function withChunks(image: Bytes, change: (chunk: Chunk) => Chunk[]): Bytes {
  const chunks = [...pngChunks(image)].flatMap(change);
  return concatBytes(image.subarray(0, 8), ...chunks.map(({ type, data }) => pngChunk(type, data)));
}

const inflated = (image: Bytes) =>
  inflateSync(
    Buffer.concat([...pngChunks(image)].filter(({ type }) => type === "IDAT").map(({ data }) => data)),
  );

describe("what shows nothing among the pixels of a PNG goes", () => {
  const tail = utf8("SecretTail");
  test.each<[string, (chunk: Chunk) => Chunk[]]>([
    ["behind their end", ({ type, data }) => [{ type, data: concatBytes(data, tail) }]],
    ["in a chunk behind their end", (chunk) => [chunk, { ...chunk, data: tail }]],
    [
      "behind their end, which is in the second of three chunks",
      ({ type, data }) =>
        [data.subarray(0, 9), concatBytes(data.subarray(9), tail), tail].map((each) => ({
          type,
          data: each,
        })),
    ],
    [
      "behind the last row",
      ({ type, data }) => [{ type, data: deflateSync(concatBytes(inflateSync(data), tail)) }],
    ],
  ])("%s", async (_, change) => {
    for (const progressive of [false, true]) {
      const image = await bytesOf(picture(21, 13).png({ progressive }));
      const hiding = withChunks(image, (chunk) => (chunk.type === "IDAT" ? change(chunk) : [chunk]));
      const { bytes } = stripMetadata(hiding);
      expect(holds(bytes, "Secret")).toBe(false);
      expect(inflated(bytes)).toEqual(inflated(image));
      expect(await pixelsOf(bytes)).toEqual(await pixelsOf(image));
      expect(stripMetadata(image).bytes).toEqual(image);
    }
  });

  test("in the frames of an animation, whose chunks keep their numbers", async () => {
    const image = await bytesOf(picture(16, 8).png());
    const pixels = [...pngChunks(image)].find(({ type }) => type === "IDAT")?.data ?? tail;
    const numbered = (number: number, ...data: Uint8Array[]) =>
      concatBytes(Uint8Array.of(0, 0, 0, number), ...data);
    const size = Uint8Array.of(0, 0, 0, 16, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 9, 0, 0);
    const frames = (hidden: Uint8Array) => [
      { type: "fcTL", data: numbered(1, size) },
      { type: "fdAT", data: numbered(2, pixels, hidden) },
      { type: "fdAT", data: numbered(3, hidden) },
    ];
    const animation = (hidden: Uint8Array) =>
      withChunks(image, (chunk) => {
        if (chunk.type === "IHDR")
          return [chunk, { type: "acTL", data: Uint8Array.of(0, 0, 0, 2, 0, 0, 0, 0) }];
        if (chunk.type !== "IDAT") return [chunk];
        return [{ type: "fcTL", data: numbered(0, size) }, chunk, ...frames(hidden)];
      });
    expect(stripMetadata(animation(tail)).bytes).toEqual(animation(new Uint8Array()));
  });

  test("in the name of a profile and behind it, and in a palette that is not needed", async () => {
    const image = await bytesOf(picture(16, 8).png().withIccProfile("p3"));
    const hiding = withChunks(image, ({ type, data }) => {
      if (type === "IDAT")
        return [
          { type: "PLTE", data: utf8("SecretSecretSecret") },
          { type, data },
        ];
      return [{ type, data: type === "iCCP" ? concatBytes(utf8("Secret"), data, tail) : data }];
    });
    const { bytes } = stripMetadata(hiding);
    expect(bytes).toEqual(stripMetadata(image).bytes);
    expect((await sharp(bytes).metadata()).icc).toEqual((await sharp(image).metadata()).icc);
  });
});

test.each(["jpeg", "webp"] as const)("what stands behind the profile of a %s goes", async (format) => {
  const image = await bytesOf(picture(16, 8).toFormat(format).withIccProfile("p3"));
  const [label, before] = format === "jpeg" ? ["ICC_PROFILE", 2] : ["ICCP", -4];
  const at = Buffer.from(image).indexOf(label) - before;
  const view = new DataView(image.buffer, image.byteOffset);
  const length = format === "jpeg" ? view.getUint16(at) : view.getUint32(at, true);
  const end = at + length + (format === "jpeg" ? 0 : 4);
  const hiding = concatBytes(image.subarray(0, end), utf8("SecretTail"), image.subarray(end));
  const changed = new DataView(hiding.buffer);
  if (format === "jpeg") changed.setUint16(at, length + 10);
  else {
    changed.setUint32(at, length + 10, true);
    changed.setUint32(4, hiding.length - 8, true);
  }
  expect(stripMetadata(hiding).bytes).toEqual(stripMetadata(image).bytes);
});

test.each(["VP8X", "ANIM"])("what stands behind the data of %s in a WebP goes", async (type) => {
  const frames = [picture(8, 8), picture(8, 8).negate()].map((frame) => frame.png().toBuffer());
  const made = sharp(await Promise.all(frames), { join: { animated: true } });
  const image = await bytesOf(made.webp({ lossless: true }));
  const at = Buffer.from(image).indexOf(type) + 4;
  const length = image[at]!;
  const [head, rest] = [image.subarray(0, at + 4 + length), image.subarray(at + 4 + length)];
  const longer = concatBytes(head, utf8("SecretTail"), rest);
  new DataView(longer.buffer).setUint32(at, length + 10, true);
  new DataView(longer.buffer).setUint32(4, longer.length - 8, true);
  expect(stripMetadata(longer).bytes).toEqual(image);
});

test("an animation keeps its frames, and what is hidden in one of them goes", async () => {
  const frames = [picture(8, 8), picture(8, 8).negate()].map((frame) => frame.png().toBuffer());
  const made = sharp(await Promise.all(frames), { join: { animated: true } });
  const image = await bytesOf(made.webp({ lossless: true }));
  const at = Buffer.from(image).lastIndexOf("ANMF");
  const view = new DataView(image.buffer, image.byteOffset, image.length);
  const length = view.getUint32(at + 4, true);
  const hidden = concatBytes(utf8("junk"), Uint8Array.of(10, 0, 0, 0), utf8("SecretNote"));
  const longer = concatBytes(image.subarray(0, at + 8 + length), hidden, image.subarray(at + 8 + length));
  const changed = new DataView(longer.buffer);
  changed.setUint32(at + 4, length + hidden.length, true);
  changed.setUint32(4, longer.length - 8, true);
  const { bytes } = stripMetadata(longer);
  expect(holds(bytes, "SecretNote")).toBe(false);
  expect(await pixelsOf(bytes)).toEqual(await pixelsOf(image));
  expect(bytes).toEqual(image);
});

test("a JPEG loses its thumbnails and further pictures", async () => {
  const image = await bytesOf(picture(40, 30).jpeg({ progressive: true }));
  const thumbnail = utf8("SecretThumb!");
  const jfif = concatBytes(
    Uint8Array.of(0xff, 0xe0, 0, 16 + thumbnail.length, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 2, 2),
    thumbnail,
  );
  const mpf = concatBytes(Uint8Array.of(0xff, 0xe2, 0, 14), utf8("MPF\0SecretMpf".slice(0, 12)));
  const start = image.subarray(2).indexOf(0xff) + 2;
  const whole = concatBytes(image.subarray(0, 2), jfif, mpf, image.subarray(start), image);
  const { bytes, warnings } = stripMetadata(whole);
  expect(holds(bytes, "Secret")).toBe(false);
  expect(warnings).toEqual([{ code: "first_picture_only" }]);
  expect(await pixelsOf(bytes)).toEqual(await pixelsOf(image));
});

test.each(["gif", "tiff", "avif"] as const)("a %s is refused, with what is taken", async (format) => {
  const image = await bytesOf(picture(20, 20).toFormat(format));
  expect(() => stripMetadata(image)).toThrow(expect.objectContaining({ code: "wrong_file_type" }));
});

test("one that is cut or made of very many parts is refused", async () => {
  const image = await bytesOf(picture(20, 20).jpeg());
  expect(() => stripMetadata(image.subarray(0, 300))).toThrow(
    expect.objectContaining({ code: "damaged_file" }),
  );
  const comments = concatBytes(...Array.from({ length: 10_001 }, () => Uint8Array.of(0xff, 0xfe, 0, 2)));
  const bad = concatBytes(...Array.from({ length: 10_001 }, () => Uint8Array.of(0xff, 1, 0xff, 0xd0)));
  const manyIn = (at: number, parts: Bytes) => concatBytes(image.subarray(0, at), parts, image.subarray(at));
  for (const many of [manyIn(2, comments), manyIn(-2, bad)])
    expect(() => stripMetadata(many)).toThrow(expect.objectContaining({ code: "too_complex" }));
});
