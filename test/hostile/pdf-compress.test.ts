// slow
import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { createSharpCodec } from "../../adapters/workers/image-sharp.ts";
import { cleanPdf } from "../../tools/pdf-clean.ts";
import { compressPdf } from "../../tools/pdf-compress.ts";
import type { Bytes } from "../../wire/bytes.ts";
import { assertClean } from "../tools/pdf/support/judges.ts";
import { makePdf, stream, textOf } from "../tools/pdf/support/pdf-made.ts";
import { imagePdf, jpegImage, photograph, rawImage } from "../tools/pdf/compress/support/image-pdf.ts";

// Files made to harm. Each ends within the test's own limit, and holds no more than one image.
const codec = createSharpCodec();
const small = rawImage(photograph(300, 300, 1), { width: 300, height: 300, space: "/DeviceGray" });

function compress(file: Bytes) {
  return compressPdf(file, { codec });
}

const FORM = "/Subtype/Form/BBox[0 0 9 9]";

test("forms that draw each other without end are looked at a few times", async () => {
  const other = "/Resources<</XObject<</A 10 0 R/B 11 0 R/I 5 0 R>>>>";
  const content = "1.01 0 0 1.01 0 0 cm /A Do /B Do /B Do 0.9 0 0 0.9 0 0 cm /A Do /I Do";
  const objects = { 10: stream(content, FORM + other), 11: stream(content, FORM + other) };
  const { bytes, images } = await compress(imagePdf(small, { content: "/Fo Do", objects }));
  // Drawn larger and larger without end, it keeps its pixels.
  expect([images, textOf(bytes)]).toEqual([1, expect.stringMatching(/\/Width 300\b/)]);
});

test("thirty forms that draw the next ten times are not ten to the thirty visits", async () => {
  const objects: Record<number, string> = {};
  for (let num = 10; num < 40; num++) {
    const next = num === 39 ? 5 : num + 1;
    const draws = Array.from({ length: 10 }, (_, i) => `q 1 0 0 1.0${i} 0 0 cm /N Do Q`).join(" ");
    objects[num] = stream(draws, `${FORM}/Resources<</XObject<</N ${next} 0 R>>>>`);
  }
  expect(await compress(imagePdf(small, { content: "/Fo Do", objects }))).toMatchObject({ images: 1 });
});

test("one image drawn 50,000 times in different sizes is one image", async () => {
  const content = Array.from({ length: 50_000 }, (_, i) => `q ${1 + i / 1e6} 0 0 9 0 0 cm /I Do Q`).join(
    "\n",
  );
  const { images, bytes } = await compress(imagePdf(small, { content }));
  expect(images).toBe(1);
  assertClean(bytes);
});

test("30 million annotations of 3,000 pages that share one list are too many to look at", async () => {
  const pages = Array.from({ length: 3_000 }, (_, i) => i + 10);
  const refs = pages.map((num) => `${num} 0 R`).join(" ");
  const file = makePdf({
    1: "<</Type/Catalog/Pages 2 0 R>>",
    2: `<</Type/Pages/Kids[${refs}]/Count 3000/MediaBox[0 0 9 9]>>`,
    4: `[${"5 0 R ".repeat(10_000)}]`,
    5: "<</Type/Annot/Subtype/Link/Rect[0 0 1 1]/A<</S/URI/URI(http://x.example)>>>>",
    ...Object.fromEntries(pages.map((num) => [num, "<</Type/Page/Parent 2 0 R/Annots 4 0 R>>"])),
  });
  await expect(compress(file)).rejects.toMatchObject({ code: "too_complex" });
  await expect(cleanPdf(file, { remove: ["scripts"] })).rejects.toMatchObject({ code: "too_complex" });
});

test("samples that go on for gigabytes end where the image does", async () => {
  const bomb = deflateSync(new Uint8Array(64 * 1024 * 1024));
  const twice = deflateSync(bomb);
  const entries = "/Width 10/Height 10/BitsPerComponent 8/ColorSpace/DeviceGray";
  for (const [data, filter] of [
    [bomb, "/Filter/FlateDecode"],
    [twice, "/Filter[/FlateDecode/FlateDecode]"],
  ] as const) {
    const { images, pages } = await compress(imagePdf({ entries: entries + filter, data }));
    expect([images, pages]).toEqual([0, 1]);
  }
});

test("5,000 images are worked on one at a time", async () => {
  const objects: Record<number, string> = {};
  for (let num = 10; num < 5010; num++)
    objects[num] = stream(
      `${num}`.repeat(30),
      "/Subtype/Image/Width 12/Height 10/BitsPerComponent 8/ColorSpace/DeviceGray",
    );
  const page = `/Own[${Object.keys(objects).join(" 0 R ")} 0 R]`;
  expect(await compress(imagePdf(small, { page, objects }))).toMatchObject({ pages: 1 });
});

test("a color space that is based on itself, and an image that masks itself, are left", async () => {
  const ring = {
    entries: "/Width 9/Height 9/BitsPerComponent 8/ColorSpace 11 0 R/SMask 5 0 R",
    data: photograph(9, 9, 1),
  };
  const objects = { 11: "[/Indexed 11 0 R 255 11 0 R]" };
  expect(await compress(imagePdf(ring, { objects }))).toMatchObject({ pages: 1 });
});

test("a JPEG that is cut, or says another size, is left as it is", async () => {
  const jpeg = await jpegImage(photograph(300, 300, 3), { width: 300, height: 300, channels: 3 });
  const cut = { ...jpeg, data: jpeg.data.subarray(0, 2000) };
  expect((await compress(imagePdf(cut))).images).toBe(0);
  const other = { ...jpeg, entries: jpeg.entries.replace("/Height 300", "/Height 30000") };
  expect((await compress(imagePdf(other))).images).toBe(0);
});
