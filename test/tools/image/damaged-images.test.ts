import sharp from "sharp";
import { expect, test } from "vitest";
import { createSharpCodec } from "../../../adapters/workers/image-sharp.ts";
import { convertImage } from "../../../tools/image-convert.ts";
import { pngChunk } from "../../../tools/image/png/write.ts";
import { stripMetadata } from "../../../tools/image/strip-metadata.ts";
import { mergePdf } from "../../../tools/pdf-merge.ts";
import { type Bytes, concatBytes, utf8 } from "../../../wire/bytes.ts";
import { bytesOf } from "./support/made.ts";

const codec = createSharpCodec();
const DAMAGED = { code: "image_damaged" };
const IHDR_END = 33;
const CHUNK_FRAME_BYTES = 12;
const [STRIP_OFFSETS, STRIP_LENGTHS] = [273, 279];

const values = Uint8Array.from({ length: 64 * 64 * 3 }, (_, i) => (i * 37) % 251);
const drawn = () => sharp(values, { raw: { width: 64, height: 64, channels: 3 } });

async function toPng(image: Bytes) {
  const { bytes, warnings } = await convertImage(image, { format: "png", codec });
  return { pixels: await sharp(bytes).toColourspace("srgb").removeAlpha().raw().toBuffer(), warnings };
}

test("a PNG whose IEND has another name is taken, and this is said", async () => {
  const png = await bytesOf(drawn().png());
  const odd = concatBytes(png.subarray(0, -CHUNK_FRAME_BYTES), pngChunk("wEND", new Uint8Array(0)));
  expect(await toPng(odd)).toEqual({ pixels: Buffer.from(values), warnings: [DAMAGED] });
  await expect(toPng(odd.subarray(0, -CHUNK_FRAME_BYTES))).rejects.toMatchObject({ code: "damaged_file" });
});

test.each([
  ["IHDR", "refused"],
  ["PLTE", "refused"],
  ["IDAT", "refused"],
  ["tRNS", "left out"],
  ["tEXt", "left out"],
  ["IEND", "kept"],
])("a PNG's %s with a wrong check sum is %s by every tool", async (type, outcome) => {
  const image = await bytesOf(drawn().png({ palette: true, colours: 4 }));
  const chunks = [pngChunk("tRNS", Uint8Array.of(0, 0, 0, 0)), pngChunk("tEXt", utf8("Comment\0Secret"))];
  const pixelsAt = Buffer.from(image).indexOf("IDAT") - 4;
  const png = concatBytes(image.subarray(0, pixelsAt), ...chunks, image.subarray(pixelsAt));
  const start = Buffer.from(png).indexOf(type);
  const damaged = png.slice();
  const sum = start + 4 + new DataView(png.buffer).getUint32(start - 4);
  damaged[sum] = damaged[sum]! ^ 1;
  const [converted, merged] = [
    () => convertImage(damaged, { format: "png", codec }),
    () => mergePdf([{ data: damaged }, { data: damaged }]),
  ];
  if (outcome === "refused") {
    expect(() => stripMetadata(damaged)).toThrow(expect.objectContaining({ code: "damaged_file" }));
    await expect(converted()).rejects.toMatchObject({ code: "damaged_file" });
    return expect(merged()).rejects.toMatchObject({ code: "damaged_file" });
  }
  const isClear = type !== "tRNS";
  const [{ bytes }, { bytes: pdf }] = [await converted(), await merged()];
  expect((await sharp(bytes).metadata()).hasAlpha).toBe(isClear);
  expect((await sharp(stripMetadata(damaged).bytes).metadata()).hasAlpha).toBe(isClear);
  expect(Buffer.from(pdf).includes("/SMask")).toBe(isClear);
});

test.each([0, 3, 768])("a PNG of colors with a palette of %i bytes is the same without", async (length) => {
  const png = await bytesOf(drawn().png());
  const palette = pngChunk("PLTE", new Uint8Array(length));
  const odd = concatBytes(png.subarray(0, IHDR_END), palette, png.subarray(IHDR_END));
  expect(await toPng(odd)).toEqual({ pixels: Buffer.from(values), warnings: [] });
});

test.each([
  [0xc1, 12, "An image of JPEG with 12 bits a sample cannot be converted."],
  [0xc3, 8, "An image of lossless or hierarchical JPEG cannot be converted."],
])("a JPEG that decoders do not read is not called damaged: %i, %i bits", async (marker, bits, message) => {
  const jpeg = await bytesOf(drawn().jpeg());
  const frame = Buffer.from(jpeg).indexOf(Uint8Array.of(0xff, 0xc0));
  jpeg.set([marker], frame + 1);
  jpeg.set([bits], frame + 4);
  await expect(toPng(jpeg)).rejects.toMatchObject({ code: "unsupported_feature", message });
});

test("a JPEG with a cut segment between pixels and end is taken, and this is said", async () => {
  const jpeg = await bytesOf(drawn().jpeg());
  const stray = Uint8Array.of(0xff, 0xdc, 0x66, 0x59);
  const odd = concatBytes(jpeg.subarray(0, -2), stray, jpeg.subarray(-2));
  const { pixels, warnings } = await toPng(odd);
  expect(warnings).toEqual([DAMAGED]);
  expect(pixels).toEqual((await toPng(jpeg)).pixels);
  await expect(toPng(odd.subarray(0, -2))).rejects.toMatchObject({ code: "damaged_file" });
});

test("a fax with noise in some rows keeps the others, and this is said", async () => {
  const fax = await bytesOf(
    drawn().threshold(128).toColourspace("b-w").tiff({ compression: "ccittfax4", bitdepth: 1 }),
  );
  const view = new DataView(fax.buffer, fax.byteOffset);
  const directory = view.getUint32(4, true);
  const entries = Array.from({ length: view.getUint16(directory, true) }, (_, i) => directory + 2 + 12 * i);
  const valueOf = (tag: number) =>
    view.getUint32(entries.find((at) => view.getUint16(at, true) === tag)! + 8, true);
  const middle = valueOf(STRIP_OFFSETS) + (valueOf(STRIP_LENGTHS) >> 1);
  const sound = await toPng(fax);
  expect(sound.warnings).toEqual([]);
  fax.fill(0xff, middle, middle + 10);
  const { pixels, warnings } = await toPng(fax);
  expect(warnings).toEqual([DAMAGED]);
  const before = 64 * 3 * 8;
  expect(pixels.subarray(0, before)).toEqual(sound.pixels.subarray(0, before));
});

test("a GIF without its last byte is converted, and told", async () => {
  const gif = await bytesOf(drawn().gif());
  const { pixels, warnings } = await toPng(gif.subarray(0, -1).slice());
  expect(warnings).toEqual([DAMAGED]);
  expect(pixels).toEqual(await sharp(gif).removeAlpha().raw().toBuffer());
});
