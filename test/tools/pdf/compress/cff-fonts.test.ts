import { describe, expect, test } from "vitest";
import { createSharpCodec } from "../../../../adapters/workers/image-sharp.ts";
import { compressPdf } from "../../../../tools/pdf-compress.ts";
import { type CffFont, readCff } from "../../../../tools/pdf/fonts/cff-read.ts";
import { subsetCff } from "../../../../tools/pdf/fonts/cff-subset.ts";
import { testWith } from "../../../machine/skips.ts";
import { fc, runs } from "../../../support/properties.ts";
import { assertClean, clearText, pageTexts } from "../support/judges.ts";
import { bytesOf, makePdf, stream } from "../support/pdf-made.ts";
import { cffFont, charString } from "./support/cff-font.ts";
import { likeness, render } from "./support/image-pdf.ts";

const codec = createSharpCodec();
const allowance = () => ({ left: 100_000 });

const box = (width: number, height: number) =>
  `50 0 rmoveto ${width} hlineto 0 ${height} rlineto ${-width} hlineto endchar`;
/** More than what a new name takes. */
const FILL = Object.fromEntries(
  Array.from({ length: 60 }, (_, i) => [`fill${i}`, box(100 + 7 * i, 90 + 11 * i)]),
);
const GLYPHS = {
  ".notdef": "endchar",
  A: box(500, 700),
  acute: "200 750 rmoveto 100 hlineto 0 100 rlineto endchar",
  Aacute: "150 50 65 194 endchar",
  quotesingle: box(90, 300),
  quoteright: box(80, 310),
  ...FILL,
};
const ROMAN = cffFont({ glyphs: GLYPHS, codes: { 1: "A", 2: "acute", 65: "Aacute" } });
const STANDARD = cffFont({ glyphs: GLYPHS });

function fontOf(program: string): CffFont {
  const font = readCff(bytesOf(program));
  if (!font) throw new Error("The font cannot be read.");
  return font;
}

interface Document {
  readonly program?: string;
  readonly content?: string;
  readonly name?: string;
  /** More entries of the font. */
  readonly font?: string;
  readonly descriptor?: string;
  readonly more?: Readonly<Record<number, string>>;
}

function pdfWith({ program = STANDARD, content = "(A)", name = "MADEUP+Made", ...document }: Document) {
  const { font = "", descriptor = "", more = {} } = document;
  return makePdf({
    1: "<</Type/Catalog/Pages 2 0 R>>",
    2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 200 100]/Resources<</Font<</F 4 0 R>>>>>>",
    3: "<</Type/Page/Parent 2 0 R/Contents 7 0 R>>",
    4: `<</Type/Font/Subtype/Type1/BaseFont/${name}/FirstChar 0/LastChar 255/Widths[${"600 ".repeat(256)}]/FontDescriptor 5 0 R${font}>>`,
    5: `<</Type/FontDescriptor/FontName/${name}/Flags 4/FontBBox[0 0 700 850]/ItalicAngle 0/Ascent 850/Descent 0/CapHeight 700/StemV 70/CharSet(/A)/FontFile3 6 0 R${descriptor}>>`,
    6: stream(program, "/Subtype/Type1C"),
    7: stream(`BT /F 40 Tf 10 20 Td ${content} Tj ET`),
    ...more,
  });
}

/** The font that is left in a document. */
async function fontLeft(document: Document): Promise<CffFont> {
  const { bytes } = await compressPdf(pdfWith(document), { codec });
  assertClean(bytes);
  const [, program = ""] = /stream\n(\x01\0\x04[^]*?)\nendstream/.exec(clearText(bytes)) ?? [];
  return fontOf(program);
}

async function namesLeft(document: Document): Promise<string[]> {
  return [...(await fontLeft(document)).named.keys()].toSorted();
}

const ALL = Object.keys(GLYPHS).toSorted();

describe("fonts of CFF", () => {
  testWith("poppler")("keep what is shown, look the same and say the same", async () => {
    const file = pdfWith({ content: "(A\\302)" });
    const { bytes, warnings } = await compressPdf(file, { codec });
    expect(warnings).toEqual([]);
    assertClean(bytes);
    expect(await pageTexts(bytes)).toEqual(await pageTexts(file));
    expect(render(bytes)).toEqual(render(file));
    expect(likeness(render(file), render(pdfWith({ content: "()" })))).toBeLessThan(30);
    expect(clearText(bytes)).not.toContain("/CharSet");
    expect(bytes.length).toBeLessThan(file.length - 1_000);
  });

  test.each<[string, Document, string[]]>([
    ["of the standard encoding", {}, ["A"]],
    // Some programs take the standard encoding where the dictionary has none.
    ["of the font's own encoding", { program: ROMAN, content: "(\\002A)" }, ["A", "Aacute", "acute"]],
    [
      "of accents with their parts",
      { font: "/Encoding/WinAnsiEncoding", content: "(\\301)" },
      ["A", "Aacute", "acute"],
    ],
    [
      "of an encoding, and of the one that others may take",
      { font: "/Encoding/MacRomanEncoding", content: "(')" },
      ["quoteright", "quotesingle"],
    ],
    ["of names for codes", { font: "/Encoding<</Differences[9/fill3/fill4]>>", content: "<0a>" }, ["fill4"]],
    ["of blanks that it does not have", { font: "/Encoding/WinAnsiEncoding", content: "( A)" }, ["A"]],
    ["whose licence allows it", { name: "Made", program: licensed(8) }, ["A"]],
  ])("keep the glyphs %s", async (_, document, names) => {
    expect(await namesLeft(document)).toEqual([".notdef", ...names]);
  });

  test("keep the codes of glyphs that have several", async () => {
    const codes = { 72: "A", 70: "acute", 73: "A", 65: "A" };
    const { encoding, named } = await fontLeft({ program: cffFont({ glyphs: GLYPHS, codes }) });
    const glyph = named.get("A");
    expect([...(encoding ?? [])].toSorted(([a], [b]) => a - b)).toEqual([
      [65, glyph],
      [72, glyph],
      [73, glyph],
    ]);
  });

  test.each<[string, Document]>([
    ["the licence forbids subsets", { program: licensed(0x100) }],
    ["nothing is said of the licence", { name: "Made" }],
    ["a code has a name that the font does not have", { font: "/Encoding<</Differences[65/B]>>" }],
    ["a code has no glyph", { content: "(AB)" }],
    ["the encoding is of experts", { font: "/Encoding/MacExpertEncoding" }],
    ["something else uses it too", { more: { 4: "<</Type/Font/Subtype/Type1/FontDescriptor 5 0 R>>" } }],
    ["a charstring computes", { program: cffFont({ glyphs: { ...GLYPHS, A: "1 2 add hlineto endchar" } }) }],
    ["a charstring calls nothing", { program: cffFont({ glyphs: { ...GLYPHS, A: "9 callsubr endchar" } }) }],
    ["a charstring has no end", { program: cffFont({ glyphs: { ...GLYPHS, A: "9 hlineto" } }) }],
    [
      "a subroutine calls itself",
      {
        program: cffFont({
          glyphs: { ...GLYPHS, A: "-107 callsubr endchar" },
          subrs: [["-107 callsubr return"]],
        }),
      },
    ],
  ])("stay whole where %s", async (_, document) => {
    expect(await namesLeft(document)).toEqual(ALL);
  });
});

function licensed(bits: number): string {
  return cffFont({ glyphs: GLYPHS, postScript: `/FSType ${bits} def` });
}

/** Of two parts with subroutines of their own: CIDs 0, 10, 20 … 110. */
const CIDS = cffFont({
  hasCids: true,
  globalSubrs: ["0 90 rlineto return", "0 95 rlineto return"],
  subrs: [
    ["10 hlineto return", "-106 callgsubr return", "9 hlineto return"],
    ["20 hlineto return", "21 hlineto return"],
  ],
  glyphs: Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [
      String(10 * i),
      i === 0
        ? "endchar"
        : `${i} 5 rmoveto ${i < 6 ? "-106 callsubr" : "-107 callsubr -107 callgsubr"} endchar`,
    ]),
  ),
});

describe("fonts of CFF with CIDs", () => {
  const composite = (part: string, program: string) => ({
    program,
    more: {
      4: "<</Type/Font/Subtype/Type0/BaseFont/MADEUP+Made/Encoding/Identity-H/DescendantFonts[9 0 R]>>",
      6: stream(program, "/Subtype/CIDFontType0C"),
      9: `<</Type/Font/Subtype/${part}/BaseFont/MADEUP+Made/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor 5 0 R/DW 600>>`,
    },
  });
  const filled = cffFont({
    hasCids: true,
    glyphs: Object.fromEntries(
      Object.values(GLYPHS).map((program, i) => [String(3 * i), program.replace(/^150.*/, "endchar")]),
    ),
  });

  test("keep the glyphs of shown CIDs", async () => {
    const document = { ...composite("CIDFontType0", filled), content: "<00030009>" };
    const { charset, charStrings } = await fontLeft(document);
    expect(charset).toEqual([0, 3, 9]);
    expect(charStrings[1]).toEqual(charString(GLYPHS.A));
  });

  test("without CIDs keep the numbers of glyphs", async () => {
    const document = { ...composite("CIDFontType0", STANDARD), content: "<0004>" };
    const { charset, charStrings, textOf } = await fontLeft(document);
    expect(charset.map(textOf)).toEqual([".notdef", "A", "acute", "Aacute", "quotesingle"]);
    expect(charStrings.map(({ length }) => length > 1)).toEqual([false, false, false, false, true]);
  });

  test("stay whole where the dictionary is of another kind", async () => {
    const document = { ...composite("CIDFontType2", STANDARD), content: "<0004>" };
    expect((await fontLeft(document)).charset.length).toBe(ALL.length);
  });

  test("keep the subroutines that are called, under their numbers", () => {
    const font = fontOf(CIDS);
    const bytes = subsetCff(font, { glyphs: [2, 3, 8], areNumbersKept: false, allowance: allowance() });
    const subset = readCff(bytes ?? new Uint8Array());
    expect(subset?.charset).toEqual([0, 20, 30, 80]);
    const lengths = (subrs: readonly Uint8Array[] = []) => subrs.map(({ length }) => length);
    expect(lengths(subset?.globalSubrs)).toEqual([4, 4]);
    expect(subset?.hints.map(({ subrs }) => lengths(subrs))).toEqual([[0, 3], [3]]);
    expect([0, 1, 2, 3].map((glyph) => subset?.select(glyph))).toEqual([0, 0, 0, 1]);
    const [first] = subset?.hints ?? [];
    expect([...(first?.about.keys() ?? [])]).toEqual([256 + 38, 18]);
  });

  test("know how long masks are, whose bytes look like commands", () => {
    const glyphs = {
      "0": "endchar",
      // Nine stems: a mask of two bytes, here calls.
      "1": `${"1 2 ".repeat(4)}hstemhm ${"3 4 ".repeat(5)}hintmask #10 #29 5 5 rmoveto 9 hlineto endchar`,
      "2": "1 2 3 4 5 6 7 8 9 10 11 12 50 flex -107 callsubr",
    };
    const font = fontOf(cffFont({ hasCids: true, glyphs, subrs: [["endchar"]] }));
    const ask = (glyph: number) =>
      subsetCff(font, { glyphs: [glyph], areNumbersKept: false, allowance: allowance() });
    expect(readCff(ask(1) ?? new Uint8Array())?.hints[0]?.subrs).toEqual([]);
    expect(readCff(ask(2) ?? new Uint8Array())?.hints[0]?.subrs).toEqual([Uint8Array.of(14)]);
  });
});

test("a font that would take very long is left as it is, and ends at once", () => {
  const calls = (index: number) => `${`${index - 107} callsubr `.repeat(20)}return`;
  const subrs = ["5 hlineto return", ...[0, 1, 2, 3, 4, 5, 6].map(calls)];
  const glyphs = { ".notdef": "endchar", A: "-100 callsubr endchar" };
  const allowed = allowance();
  const font = fontOf(cffFont({ glyphs, subrs: [subrs] }));
  expect(subsetCff(font, { glyphs: [1], areNumbersKept: false, allowance: allowed })).toBeUndefined();
  expect(allowed.left).toBeLessThanOrEqual(0);
});

test("a damaged font program is never more than undefined", () => {
  const programs = [ROMAN, CIDS].map(bytesOf);
  fc.assert(
    fc.property(
      fc.constantFrom(...programs),
      fc.array(fc.tuple(fc.nat(4_000), fc.nat(255)), { minLength: 1, maxLength: 8 }),
      fc.nat(4_000),
      (program, changes, length) => {
        const damaged = program.slice(0, Math.max(length, program.length / 2));
        for (const [at, byte] of changes) damaged[at % damaged.length] = byte;
        const font = readCff(damaged);
        if (!font) return;
        for (const areNumbersKept of [false, true])
          subsetCff(font, { glyphs: [1, 3, 7], areNumbersKept, allowance: allowance() });
      },
    ),
    runs(2_000),
  );
});

test("several parts may have the same subroutines, but not ones that lie over one another", () => {
  const glyphs = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [String(i), "endchar"]));
  const subrs = Object.keys(glyphs).map(() => ["return"]);
  // Wherever one reads among these bytes, there is a list of 257 empty items.
  const ones = Array.from({ length: 2_000 }, () => "#1").join(" ");
  const font = cffFont({ hasCids: true, glyphs, subrs, globalSubrs: [ones] });
  expect(readCff(bytesOf(font))?.hints.length).toBe(200);
  const start = font.indexOf("\x01".repeat(2_000));
  const pointing = (step: number) => {
    const bytes = bytesOf(font);
    const view = new DataView(bytes.buffer);
    // Behind four bytes of a width; the distance is counted from there.
    for (const [i, { index }] of [...font.matchAll(/\x1d[^]{4}\x13/g)].entries())
      view.setInt32(index + 1, start + i * step - (index - 4));
    return readCff(bytes);
  };
  expect(pointing(0)?.hints.map((hints) => hints.subrs.length)).toEqual(Array(200).fill(257));
  expect(pointing(3)).toBeUndefined();
});
