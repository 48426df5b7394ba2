// slow
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createSharpCodec } from "../../../../adapters/workers/image-sharp.ts";
import { compressPdf, type CompressPdfOptions } from "../../../../tools/pdf-compress.ts";
import type { Bytes } from "../../../../wire/bytes.ts";
import { testWith } from "../../../machine/skips.ts";
import { assertClean, clearText, pageTexts } from "../support/judges.ts";
import { makePdf, pagesPdf, refusal, stream, textOf } from "../support/pdf-made.ts";
import {
  imagePdf,
  jpegImage,
  likeness,
  listImages,
  photograph,
  rawImage,
  render,
} from "./support/image-pdf.ts";

const codec = createSharpCodec();
const [W, H] = [400, 300];
const GRAY = photograph(W, H, 1);
const RGB = photograph(W, H, 3);
const jpeg = await jpegImage(RGB, { width: W, height: H, channels: 3 });
const gray = await jpegImage(GRAY, { width: W, height: H, channels: 1 });

function compress(file: Bytes, options: CompressPdfOptions = {}) {
  return compressPdf(file, { codec, ...options });
}

const withPoppler = testWith("poppler");

withPoppler("makes photographs as large as they are shown, and leaves the text", async () => {
  const file = imagePdf(jpeg);
  const { bytes, ...facts } = await compress(file);
  expect(facts).toEqual({
    sizeBefore: file.length,
    images: 1,
    pages: 1,
    passwordNeeded: false,
    warnings: [],
  });
  expect(bytes.length).toBeLessThan(file.length / 3);
  assertClean(bytes);
  expect(await pageTexts(bytes)).toEqual(["here"]);
  // 400 dpi wide, 300 high: with 150 in both directions it would look half as high.
  expect(listImages(bytes)).toMatchObject([{ width: 200, color: "rgb", encoding: "jpeg" }]);
  expect(likeness(render(file), render(bytes))).toBeGreaterThan(30);
});

withPoppler(
  "makes soft masks smaller with their images, and leaves both where colors were made for the mask",
  async () => {
    const mask = (more: string) => {
      const { entries, data } = rawImage(GRAY, { width: W, height: H, space: "/DeviceGray", more });
      return stream(textOf(data), `/Subtype/Image${entries}`);
    };
    const over = { ...jpeg, entries: `${jpeg.entries}/SMask 11 0 R` };
    const file = imagePdf(over, { objects: { 11: mask("") } });
    const { bytes } = await compress(file);
    expect(listImages(bytes).map(({ type, width }) => [type, width])).toEqual([
      ["image", 200],
      ["smask", 200],
    ]);
    expect(likeness(render(file), render(bytes))).toBeGreaterThan(30);
    const matted = await compress(imagePdf(over, { objects: { 11: mask("/Matte[0 0 0]") } }));
    expect(listImages(matted.bytes).map(({ width }) => width)).toEqual([W, W]);
  },
);

withPoppler("leaves a JPEG that was made at the quality asked for, and one of another kind", async () => {
  const low = await jpegImage(RGB, { width: W, height: H, channels: 3, quality: 78 });
  const content = "q 190 0 0 150 0 0 cm /I Do Q";
  expect((await compress(imagePdf(low, { content }))).images).toBe(0);
  expect((await compress(imagePdf(jpeg, { content }))).images).toBe(1);
  const odd = { ...jpeg, entries: `${jpeg.entries}/DecodeParms<</ColorTransform 0>>` };
  expect((await compress(imagePdf(odd))).images).toBe(0);
  const claimed = { ...gray, entries: gray.entries.replace("Gray", "RGB") };
  expect((await compress(imagePdf(claimed))).images).toBe(0);
});

test("stores equal streams once, and objects in streams", async () => {
  const font = stream("x".repeat(500), "/Length1 500");
  const objects = { 10: font, 11: font, 12: "<</FontFile2 10 0 R>>", 13: "<</FontFile2 11 0 R>>" };
  const file = imagePdf(jpeg, { page: "/Own[12 0 R 13 0 R]", objects });
  const { bytes } = await compress(file);
  assertClean(bytes);
  expect(clearText(bytes).match(/\/Length1 500/g)).toHaveLength(1);
  expect(textOf(bytes)).toMatch(/^%PDF-1\.5\n/);
  expect(textOf(bytes)).toContain("/Type /ObjStm");
});

test("writes PDF/A-1 as that standard has it", async () => {
  const xmp = '<rdf:Description xmlns:pdfaid="x" pdfaid:part="1" pdfaid:conformance="B"/>';
  const objects = {
    1: "<</Type/Catalog/Pages 2 0 R/Metadata 11 0 R>>",
    11: stream(xmp.padEnd(3000), "/Type/Metadata/Subtype/XML"),
  };
  const file = imagePdf(jpeg, { objects, made: { trailer: "/ID[<00><00>]" } });
  const { bytes, warnings } = await compress(file);
  expect(warnings).toEqual([]);
  expect(textOf(bytes)).toMatch(/^%PDF-1\.4\n/);
  expect(textOf(bytes)).not.toContain("/ObjStm");
  expect(textOf(bytes)).toContain(xmp);
});

test("gives back byte for byte what does not become smaller", async () => {
  const once = (await compress(pagesPdf(30))).bytes;
  const again = await compress(once);
  expect(again).toMatchObject({ sizeBefore: once.length, images: 0, warnings: [] });
  expect(again.bytes).toEqual(once);
});

test("opens a locked document, which is then not locked", async () => {
  const locked = new Uint8Array(
    readFileSync(new URL("../../../files/encrypted/aes-256-r6.pdf", import.meta.url)),
  );
  const { bytes, passwordNeeded } = await compress(locked, { password: "geheim" });
  expect(passwordNeeded).toBe(true);
  expect(bytes.length).toBeLessThan(locked.length);
  expect(textOf(bytes)).not.toContain("/Encrypt");
  expect((await refusal(() => compress(locked))).code).toBe("password_required");
});

test("tells how many images are too large, and leaves them", async () => {
  const image = { entries: "/Width 10000/Height 5001/ColorSpace/DeviceGray/BitsPerComponent 8", data: GRAY };
  const { warnings, images } = await compress(imagePdf(image));
  expect({ warnings, images }).toEqual({ warnings: [{ code: "images_too_large", images: 1 }], images: 0 });
});

test("reserves memory for the largest image, before it is decoded", async () => {
  const asked: number[] = [];
  const file = imagePdf(jpeg, {
    page: "/Own 10 0 R",
    objects: { 10: stream(textOf(gray.data), `/Subtype/Image${gray.entries}`) },
  });
  await compressPdf(file, { codec, reserve: (bytes) => asked.push(bytes) });
  expect(asked).toEqual([W * H * 8]);
  const full = () =>
    compressPdf(file, {
      codec,
      reserve: () => {
        throw new Error("full");
      },
    });
  await expect(full).rejects.toThrow("full");
});

test.each([
  ["quality", 0, 1, 100],
  ["quality", 101, 1, 100],
  ["dpi", 35, 36, 600],
  ["dpi", 601, 36, 600],
  ["dpi", 72.5, 36, 600],
])("refuses %s of %d", async (parameter, value, minimum, maximum) => {
  const { code, fields } = await refusal(() => compress(pagesPdf(1), { [parameter]: value }));
  expect([code, fields]).toEqual(["invalid_parameter", { parameter, minimum, maximum }]);
});

test.each([
  ["quality", 1],
  ["quality", 100],
  ["dpi", 36],
  ["dpi", 600],
])("takes %s of %d", async (parameter, value) => {
  expect((await compress(imagePdf(jpeg), { [parameter]: value })).pages).toBe(1);
});

test("needs no page tree that is sound", async () => {
  const file = makePdf({
    1: "<</Type/Catalog/Pages 2 0 R>>",
    2: "<</Type/Pages/Kids[3 0 R]/Count 7>>",
    3: "<</Type/Page>>",
    4: stream("x".repeat(900)),
  });
  expect((await compress(file)).pages).toBe(1);
});
