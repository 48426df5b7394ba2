import { describe, expect, test } from "vitest";
import { createSharpCodec } from "../../../adapters/workers/image-sharp.ts";
import { cleanPdf } from "../../../tools/pdf-clean.ts";
import { compressPdf } from "../../../tools/pdf-compress.ts";
import { mergePdf } from "../../../tools/pdf-merge.ts";
import { splitPdf } from "../../../tools/pdf-split.ts";
import { readTrueType } from "../../../tools/pdf/fonts/truetype.ts";
import { photograph, rawImage } from "./compress/support/image-pdf.ts";
import { GLYPHS, truetypeFont } from "./compress/support/truetype-font.ts";
import { assertClean, clearText } from "./support/judges.ts";
import { pdfWithDrawn, PLACES, RESOURCES } from "./support/drawing-places.ts";
import { bytesOf, stream, textOf } from "./support/pdf-made.ts";

const codec = createSharpCodec();

// The fonts of a form belong to no page.
const ofForm = (place: string) => place.endsWith("of the form");
const CASES = Object.keys(PLACES).flatMap((place) =>
  RESOURCES.filter((from) => from.startsWith("its own") || !ofForm(place)).map(
    (from) => [place, from] as const,
  ),
);
const image = (data: string) =>
  stream(
    data,
    `/Type/XObject/Subtype/Image/Width ${data.length}/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray`,
  );

describe("what is drawn in a place", () => {
  const layered = {
    content: "/OC /Off BDC 11.25 0 77 99 re f EMC /OC /On BDC 22.25 0 77 99 re f EMC /Im Do",
    resources: { Properties: "/On 7 0 R/Off 8 0 R", XObject: "/Im 9 0 R" },
    catalog: "/OCProperties<</OCGs[7 0 R 8 0 R]/D<</OFF[8 0 R]>>>>",
    objects: {
      7: "<</Type/OCG/Name(on)>>",
      8: "<</Type/OCG/Name(gone-layer)>>",
      9: stream("0 0 33.25 99 re f", "/Type/XObject/Subtype/Form/BBox[0 0 99 99]/OC 8 0 R"),
    },
  };

  test.each(CASES)("is cleaned of hidden layers: %s, with %s", async (place, from) => {
    const { bytes } = await cleanPdf(pdfWithDrawn(place, from, layered), { remove: ["layers"] });
    assertClean(bytes);
    const text = clearText(bytes);
    for (const gone of ["11.25", "33.25", "gone-layer", "/OC /"]) expect.soft(text, gone).not.toContain(gone);
    expect.soft(text).toContain("22.25");
  });

  test.each(CASES)("stays with its page, and goes with it: %s, with %s", async (place, from) => {
    const file = pdfWithDrawn(place, from, {
      content: "/Im Do /OC /Off BDC EMC",
      resources: { XObject: "/Im 9 0 R/Other 10 0 R", Properties: "/Off 8 0 R" },
      objects: {
        8: "<</Type/OCG/Name(layer-mark)>>",
        9: image("image-mark"),
        10: image("never-mark"),
      },
      catalog: "/OCProperties<</OCGs[8 0 R]/D<</OFF[8 0 R]>>>>",
    });
    const first = clearText((await splitPdf(file, { mode: "keep", range: "1" })).bytes);
    for (const mark of ["image-mark", "layer-mark"]) expect.soft(first).toContain(mark);
    expect.soft(first).toMatch(/\/OFF\s*\[\s*\d/);
    expect.soft(first).not.toContain("never-mark");
    const second = clearText((await splitPdf(file, { mode: "keep", range: "2" })).bytes);
    for (const mark of ["image-mark", "layer-mark", "never-mark"]) expect.soft(second).not.toContain(mark);
  });

  test.each(CASES)("keeps its own resources when merged: %s, with %s", async (place, from) => {
    const files = ["first", "second"].map((name) => ({
      name: `${name}.pdf`,
      data: pdfWithDrawn(place, from, {
        content: `% of ${name}\n/OC /Off BDC /Im Do EMC`,
        resources: { XObject: "/Im 9 0 R", Properties: "/Off 8 0 R" },
        objects: { 8: `<</Type/OCG/Name(${name}-layer)>>`, 9: image(`${name}-image`) },
        catalog: "/OCProperties<</OCGs[8 0 R]/D<</OFF[8 0 R]>>>>",
      }),
    }));
    const { bytes } = await mergePdf(files);
    assertClean(bytes);
    for (const [i, name] of ["first", "second"].entries()) {
      // What a page draws is all that a part with only this page has.
      const { bytes: part } = await splitPdf(bytes, { mode: "keep", range: String(2 * i + 1) });
      const text = clearText(part);
      for (const mark of [`${name}-layer`, `${name}-image`, `of ${name}`]) expect.soft(text).toContain(mark);
      expect.soft(text).not.toContain(i === 0 ? "second-" : "first-");
      expect.soft(text).toMatch(/\/OFF\s*\[\s*\d/);
    }
  });

  test.each(CASES)("is cleaned of metadata: %s, with %s", async (place, from) => {
    const file = pdfWithDrawn(place, from, {
      content:
        "% gone-comment\n1 % gone-operand (\n(%kept) % gone (\r<25> 5 TJ BI /W 1 %gone\n/H 1/BPC 8/CS/G ID x EI /Span <</Author(gone-author)/MCID 0>> BDC /Im Do EMC",
      resources: { XObject: "/Im 9 0 R" },
      objects: {
        9: stream("/Span /A % gone-inner\nDP", "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Metadata 10 0 R"),
        10: stream("gone-stream"),
      },
    });
    const text = clearText((await cleanPdf(file)).bytes);
    expect(text).not.toContain("gone");
    expect(text).toContain("/Im Do");
  });

  test.each(CASES)("keeps pixels and glyphs that it shows: %s, with %s", async (place, from) => {
    const samples = rawImage(photograph(400, 300, 3), { width: 400, height: 300, space: "/DeviceRGB" });
    const program = truetypeFont();
    const file = pdfWithDrawn(place, from, {
      content: "q 72 0 0 72 9 9 cm /I Do Q BT /F 9 Tf 9 90 Td (B) Tj ET",
      resources: { XObject: "/I 9 0 R", Font: "/F 10 0 R" },
      page: {
        content: "q 9 0 0 9 0 0 cm /I Do Q BT /F 9 Tf (A) Tj ET",
        resources: { XObject: "/I 9 0 R", Font: "/F 10 0 R" },
      },
      objects: {
        9: stream(textOf(samples.data), `/Type/XObject/Subtype/Image${samples.entries}`),
        10: "<</Type/Font/Subtype/TrueType/BaseFont/Made/FirstChar 65/LastChar 66/Widths[600 600]/FontDescriptor 11 0 R/Encoding/WinAnsiEncoding>>",
        11: "<</Type/FontDescriptor/FontName/Made/Flags 32/FontBBox[0 0 700 850]/ItalicAngle 0/Ascent 850/Descent 0/CapHeight 700/StemV 70/FontFile2 12 0 R>>",
        12: stream(program, `/Length1 ${program.length}`),
      },
    });
    const { bytes } = await compressPdf(file, { codec });
    const text = clearText(bytes);
    const [, width] = /\/Width (\d+)/.exec(text) ?? [];
    expect(Number(width)).toBeGreaterThanOrEqual(200);
    const [, subset = ""] = /\/Length1 [^]*?stream\n(\0\x01\0\0[^]*?)\nendstream/.exec(text) ?? [];
    const { offsets = [] } = readTrueType(bytesOf(subset)) ?? {};
    for (const glyph of [GLYPHS.A, GLYPHS.B])
      expect(offsets[glyph + 1] ?? 0).toBeGreaterThan(offsets[glyph] ?? 0);
  });
});
