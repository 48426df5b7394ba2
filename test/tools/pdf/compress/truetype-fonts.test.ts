import { fc, runs } from "../../../support/properties.ts";
import { describe, expect, test } from "vitest";
import { createSharpCodec } from "../../../../adapters/workers/image-sharp.ts";
import { compressPdf } from "../../../../tools/pdf-compress.ts";
import { allowsSubset, readTrueType, subsetTrueType } from "../../../../tools/pdf/fonts/truetype.ts";
import { readCodes } from "../../../../tools/pdf/fonts/cmap.ts";
import { testWith } from "../../../machine/skips.ts";
import { ask, assertClean, clearText, pageTexts } from "../support/judges.ts";
import { bytesOf, makePdf, stream, textOf } from "../support/pdf-made.ts";
import { likeness, render } from "./support/image-pdf.ts";
import { GLYPHS, truetypeFont } from "./support/truetype-font.ts";

const codec = createSharpCodec();

function madeFont(program = truetypeFont()) {
  const font = readTrueType(bytesOf(program));
  if (!font) throw new Error("The font cannot be read.");
  return font;
}

/** The numbers of the glyphs that have an outline. */
function outlines({ offsets }: { readonly offsets: readonly number[] }): number[] {
  return offsets.flatMap((at, glyph) => ((offsets[glyph + 1] ?? at) > at ? [glyph] : []));
}

interface Document {
  readonly program?: string;
  readonly content?: string;
  /** More entries of the font, the page, the catalog. */
  readonly font?: string;
  readonly page?: string;
  readonly catalog?: string;
  readonly more?: Readonly<Record<number, string>>;
}

function pdfWith(document: Document) {
  const { program = truetypeFont(), content = "BT /F 40 Tf 10 20 Td (AB) Tj ET", more = {} } = document;
  const { font = "/Encoding/WinAnsiEncoding", page = "", catalog = "" } = document;
  return makePdf({
    1: `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 200 100]/Resources<</Font<</F 4 0 R>>/XObject<</X 8 0 R>>>>>>",
    3: `<</Type/Page/Parent 2 0 R/Contents 7 0 R${page}>>`,
    4: `<</Type/Font/Subtype/TrueType/BaseFont/Made/FirstChar 65/LastChar 66/Widths[600 600]/FontDescriptor 5 0 R${font}>>`,
    5: "<</Type/FontDescriptor/FontName/Made/Flags 32/FontBBox[0 0 700 850]/ItalicAngle 0/Ascent 850/Descent 0/CapHeight 700/StemV 70/FontFile2 6 0 R>>",
    6: stream(program, `/Length1 ${program.length}`),
    7: stream(content),
    8: stream("0 0 m", "/Type/XObject/Subtype/Form/BBox[0 0 200 100]"),
    ...more,
  });
}

/** The glyphs that are left in the font of a document. */
async function glyphsLeft(document: Document): Promise<number[]> {
  const { bytes } = await compressPdf(pdfWith(document), { codec });
  assertClean(bytes);
  // Before the program qpdf has its dictionary, whose length is behind it.
  const [, program = ""] =
    /\/Length1 [^]*?stream\n((?:\0\x01\0\0)[^]*?)\nendstream/.exec(clearText(bytes)) ?? [];
  return outlines(madeFont(program));
}

const ALL = outlines(madeFont());
const SHOWN = [0, GLYPHS.A, GLYPHS.B];
const ACCENTED = [0, GLYPHS.A, GLYPHS.accent, GLYPHS.Aacute];

describe("fonts of TrueType", () => {
  testWith("poppler")("keep what is shown, look the same and say the same", async () => {
    const file = pdfWith({});
    const { bytes, warnings } = await compressPdf(file, { codec });
    expect(warnings).toEqual([]);
    assertClean(bytes);
    expect(await pageTexts(bytes)).toEqual(await pageTexts(file));
    expect(render(bytes)).toEqual(render(file));
    expect(likeness(render(file), render(pdfWith({ content: "" })))).toBeLessThan(30);
    expect(ask(bytes, ["pdffonts", "@"])).toMatch(/^[A-Z]{6}\+Made +TrueType +WinAnsi +yes yes no/m);
    expect(bytes.length).toBeLessThan(file.length / 2);
  });

  test.each<[string, Document, number[]]>([
    ["of a page", {}, SHOWN],
    ["of accents with their parts", { content: "BT /F 9 Tf (\\301) Tj ET" }, ACCENTED],
    ["of arrays, and by other operators", { content: "BT /F 9 Tf [(A) 5 <42>] TJ (A) ' ET" }, SHOWN],
    ["of a font that was saved", { content: "BT /F 9 Tf q /G 9 Tf Q (AB) Tj ET" }, SHOWN],
    [
      "of drawings, in the font they are called with",
      { content: "BT /F 9 Tf ET /X Do", more: { 8: stream("BT (AB) Tj ET", "/Subtype/Form/BBox[0 0 9 9]") } },
      SHOWN,
    ],
    [
      "of appearances",
      {
        content: "BT /F 9 Tf (A) Tj ET",
        page: "/Annots[<</Type/Annot/Subtype/Stamp/Rect[0 0 9 9]/AP<</N 8 0 R>>>>]",
        more: { 8: stream("BT /F 9 Tf (B) Tj ET", "/Subtype/Form/BBox[0 0 9 9]") },
      },
      SHOWN,
    ],
    [
      "of contents in parts",
      { page: "/Contents[9 0 R 10 0 R]", more: { 9: stream("BT /F 9 Tf [(A)"), 10: stream("(B)] TJ ET") } },
      SHOWN,
    ],
  ])("keep the glyphs %s", async (_, document, glyphs) => {
    expect(await glyphsLeft(document)).toEqual(glyphs);
  });

  test("of two bytes a code keep the glyphs of these codes", async () => {
    const more = {
      4: "<</Type/Font/Subtype/Type0/BaseFont/Made/Encoding/Identity-H/DescendantFonts[9 0 R]>>",
      9: "<</Type/Font/Subtype/CIDFontType2/BaseFont/Made/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor 5 0 R/DW 600>>",
    };
    expect(await glyphsLeft({ more, content: "BT /F 9 Tf <0004> Tj ET" })).toEqual(ACCENTED);
    const stale = { ...more, 4: more[4].replace("Identity-H", "UniGB-UCS2-H") };
    expect(await glyphsLeft({ more: stale, content: "BT /F 9 Tf <0004> Tj ET" })).toEqual(ALL);
  });

  test.each<[string, Document]>([
    ["the licence forbids subsets", { program: truetypeFont(0x0100) }],
    ["the licence forbids changes", { program: truetypeFont(0x0002) }],
    ["nothing is said of the licence", { program: truetypeFont(null) }],
    ["fields may draw new text", { catalog: "/AcroForm<</Fields[]/DR<</Font<</F 4 0 R>>>>>>" }],
    ["a default appearance names it", { page: "/Annots[<</Subtype/FreeText/Rect[0 0 9 9]/DA(/F 9 Tf)>>]" }],
    [
      "a graphics state has it",
      { page: "/Resources<</ExtGState<</S<</Font[4 0 R 9]>>>>/Font<</F 4 0 R>>>>" },
    ],
    ["a form of XML may show more", { catalog: "/AcroForm<</Fields[]/XFA 8 0 R>>" }],
    ["codes have names of their own", { font: "/Encoding<</Differences[66/a]>>" }],
    ["no table has the code", { content: "BT /F 9 Tf (AB!) Tj ET" }],
    ["content is not what it says", { content: "BT /F 9 Tf (AB) Tj ET ]" }],
    ["content cannot be read", { more: { 7: stream("AB", "/Filter/DCTDecode") } }],
    [
      "nothing calls it by a name",
      { more: { 2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 9 9]>>" }, page: "/X 4 0 R" },
    ],
  ])("stay whole where %s", async (_, document) => {
    const { bytes } = await compressPdf(pdfWith(document), { codec });
    expect(clearText(bytes)).toContain("GSUB");
    expect(clearText(bytes)).not.toMatch(/[A-Z]{6}\+Made/);
  });
});

describe("a font program", () => {
  test("is written with sums of its tables", () => {
    const bytes = subsetTrueType(madeFont(), [GLYPHS.B], false);
    const view = new DataView(bytes?.buffer ?? new ArrayBuffer(0));
    const sum = Array.from({ length: view.byteLength / 4 }, (_, i) => view.getUint32(4 * i)).reduce(
      (a, b) => (a + b) >>> 0,
    );
    // Of the whole file, as ISO/IEC 14496-22, 5.2.2, asks.
    expect(sum).toBe(0xb1b0afba);
    expect(textOf(bytes ?? new Uint8Array(0))).not.toMatch(/GSUB|cmap|post/);
  });

  test("maps a code by the tables of all programs", () => {
    const glyphOf = readCodes(madeFont());
    expect([...(glyphOf?.(0x41) ?? [])]).toEqual([GLYPHS.A]);
    // Á of Windows, and the code that it has on a Mac.
    expect([...(glyphOf?.(0xc1) ?? [])]).toEqual([GLYPHS.Aacute]);
    expect([...(glyphOf?.(0xe7) ?? [])]).toEqual([GLYPHS.Aacute]);
    expect([...(glyphOf?.(0x21) ?? [])]).toEqual([]);
  });

  test.each([
    ["is cut off", truetypeFont().slice(0, -40)],
    ["has outlines of another kind", truetypeFont().replace("glyf", "CFF ")],
    ["is none", "OTTO" + truetypeFont().slice(4)],
  ])("is not read where it %s", (_, program) => {
    expect(readTrueType(bytesOf(program))).toBeUndefined();
  });
});

test("a damaged font program is never more than undefined", () => {
  const program = bytesOf(truetypeFont());
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(program.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
      fc.nat(program.length),
      (changes, length) => {
        const damaged = program.slice(0, Math.max(length, program.length / 2));
        for (const [at, byte] of changes) damaged[at % damaged.length] = byte;
        const font = readTrueType(damaged);
        if (!font) return;
        allowsSubset(font);
        readCodes(font)?.(65);
        subsetTrueType(font, [GLYPHS.A, GLYPHS.Aacute], true);
      },
    ),
    runs(1_000),
  );
  const short = program.slice();
  // The record of `head` says that it has two bytes.
  const record = textOf(short).indexOf("head");
  new DataView(short.buffer).setUint32(record + 12, 2);
  expect(readTrueType(short)).toBeUndefined();
});
