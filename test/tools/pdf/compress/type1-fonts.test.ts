import { describe, expect, test } from "vitest";
import { createSharpCodec } from "../../../../adapters/workers/image-sharp.ts";
import { compressPdf } from "../../../../tools/pdf-compress.ts";
import { readGlyph } from "../../../../tools/pdf/fonts/charstrings.ts";
import { toCff } from "../../../../tools/pdf/fonts/cff.ts";
import { readType1, type Type1Font } from "../../../../tools/pdf/fonts/type1.ts";
import type { Bytes } from "../../../../wire/bytes.ts";
import { testWith } from "../../../machine/skips.ts";
import { assertClean, clearText, pageTexts } from "../support/judges.ts";
import { bytesOf, makePdf, stream } from "../support/pdf-made.ts";
import { likeness, render } from "./support/image-pdf.ts";
import { SUBRS, type1Font, type MadeFont } from "./support/type1-font.ts";

const codec = createSharpCodec();
const allowance = () => ({ left: 100_000 });

const NOTDEF = "0 250 hsbw endchar";
const SQUARE =
  "50 600 hsbw 0 60 hstem 0 70 vstem 0 0 rmoveto 500 hlineto 700 vlineto -500 hlineto closepath endchar";
const MARK =
  "20 200 hsbw 0 40 hstem 10 500 rmoveto 60 40 rlineto 30 -80 20 -10 15 -5 rrcurveto closepath endchar";
/** Two curves that are nearly a line: a reference point, six points, and where it ends. */
const FLEX =
  "10 500 hsbw 100 100 rmoveto 1 callsubr 50 0 rmoveto 2 callsubr -50 0 rmoveto 2 callsubr 30 -5 rmoveto 2 callsubr " +
  "20 0 rmoveto 2 callsubr 20 0 rmoveto 2 callsubr 30 5 rmoveto 2 callsubr 0 0 rmoveto 2 callsubr 50 210 100 0 callsubr " +
  "200 vlineto closepath endchar";
const GLYPHS = { ".notdef": NOTDEF, A: SQUARE, acute: MARK, Aacute: "50 600 hsbw 20 180 40 65 194 seac" };
const GLYPHS_OF_FONT: MadeFont = { charStrings: { ...GLYPHS, flexed: FLEX } };

function fontOf(made: MadeFont): Type1Font {
  const font = readType1(bytesOf(type1Font(made).text));
  if (!font) throw new Error("The font cannot be read.");
  return font;
}

function stepsOf(program: string, more: Partial<MadeFont> = {}) {
  const font = fontOf({ ...more, charStrings: { ...GLYPHS, glyph: program } });
  return readGlyph(font, "glyph", allowance())?.steps;
}

/** A page that shows a text in such a font, twice with the same program. */
function pdfWith(made: MadeFont, text = "AB"): Bytes {
  const { text: program, entries } = type1Font(made);
  const descriptor = (file: number) =>
    `<</Type/FontDescriptor/FontName/Made/Flags 4/FontBBox[-10 -200 1000 900]/ItalicAngle 0/Ascent 700/Descent 0/CapHeight 700/StemV 70/FontFile ${file} 0 R>>`;
  const font = (own: number) =>
    `<</Type/Font/Subtype/Type1/BaseFont/Made/FirstChar 65/LastChar 66/Widths[600 600]/FontDescriptor ${own} 0 R/ToUnicode 10 0 R>>`;
  return makePdf({
    1: "<</Type/Catalog/Pages 2 0 R>>",
    2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 200 100]/Resources<</Font<</F 4 0 R/G 7 0 R>>>>>>",
    3: "<</Type/Page/Parent 2 0 R/Contents 9 0 R>>",
    4: font(5),
    5: descriptor(6),
    6: stream(program, entries),
    7: font(8),
    8: descriptor(6),
    9: stream(`BT /F 40 Tf 10 40 Td (${text}) Tj /G 20 Tf (A) Tj ET`),
    10: stream(
      "/CIDInit/ProcSet findresource begin begincmap 1 begincodespacerange<00><ff>endcodespacerange 2 beginbfchar<41><0041><42><00c1>endbfchar endcmap end",
    ),
  });
}

describe("fonts of Type 1", () => {
  testWith("poppler")("become CFF, look the same and say the same", async () => {
    const file = pdfWith(GLYPHS_OF_FONT);
    const { bytes, warnings } = await compressPdf(file, { codec });
    expect(warnings).toEqual([]);
    expect(clearText(bytes)).toMatch(/\/Subtype ?\/Type1C/);
    expect(clearText(bytes)).not.toMatch(/\/FontFile /);
    assertClean(bytes);
    expect(await pageTexts(bytes)).toEqual(await pageTexts(file));
    expect(likeness(render(file), render(bytes))).toBeGreaterThan(50);
  });

  test.each([
    ["hexadecimal", { isHex: true }],
    ["without bytes before charstrings", { lenIV: 0 }],
    ["with charstrings in the clear", { lenIV: -1 }],
    ["of the standard encoding", { encoding: "StandardEncoding" }],
  ])("are read %s", async (_, more) => {
    const font = fontOf({ ...GLYPHS_OF_FONT, ...more });
    expect([...font.charStrings.keys()]).toEqual([".notdef", "A", "acute", "Aacute", "flexed"]);
    expect(toCff(font, allowance())?.length).toBeGreaterThan(100);
    const { bytes } = await compressPdf(pdfWith({ ...GLYPHS_OF_FONT, ...more }), { codec });
    expect(clearText(bytes)).toMatch(/\/Subtype ?\/Type1C/);
  });

  test("are what they say of themselves", () => {
    const { name, info, encoding, numbers } = fontOf(GLYPHS_OF_FONT);
    expect(name).toBe("Made");
    expect(info.get("Notice")).toBe("Made (for tests)");
    expect([...(encoding ?? [])]).toEqual([
      [65, "A"],
      [66, "Aacute"],
    ]);
    expect(numbers.get("BlueValues")).toEqual([-10, 0, 700, 710]);
    expect(numbers.get("FontBBox")).toEqual([-10, -200, 1000, 900]);
  });
});

describe("what a charstring draws", () => {
  test("begins at its side bearing, with its stems there", () => {
    expect(stepsOf("50 5 600 0 sbw 0 60 hstem 10 70 vstem 3 4 rmoveto 10 hlineto endchar")).toEqual([
      {
        kind: "hints",
        stems: [
          { isVertical: false, at: 5, width: 60 },
          { isVertical: true, at: 60, width: 70 },
        ],
      },
      { kind: "move", by: [53, 9] },
      { kind: "line", by: [10, 0] },
    ]);
  });

  test("goes on from where a closed path has ended", () => {
    const steps = stepsOf(
      "0 600 hsbw 5 hmoveto 10 vlineto closepath 7 hlineto closepath 1 vmoveto 2 hlineto endchar",
    );
    expect(steps).toEqual([
      { kind: "move", by: [5, 0] },
      { kind: "line", by: [0, 10] },
      { kind: "move", by: [0, 0] },
      { kind: "line", by: [7, 0] },
      { kind: "move", by: [0, 1] },
      { kind: "line", by: [2, 0] },
    ]);
  });

  test("is a flex where two curves are nearly a line", () => {
    const steps = stepsOf(FLEX);
    expect(steps).toContainEqual({ kind: "flex", by: [0, 0, 30, -5, 20, 0, 20, 0, 30, 5, 0, 0], depth: 50 });
  });

  test("is an accent over a letter, each from its own side bearing", () => {
    const steps = stepsOf("50 600 hsbw 20 180 40 65 194 seac") ?? [];
    expect(steps.filter(({ kind }) => kind === "move")).toEqual([
      { kind: "move", by: [50, 0] },
      // From (50, 700) to (50 - 20 + 180 + 20 + 10, 40 + 500).
      { kind: "move", by: [190, -160] },
    ]);
  });

  test("has other hints after they were replaced", () => {
    const subrs = [...SUBRS, "0 30 vstem return"];
    const steps = stepsOf(
      "10 600 hsbw 0 60 hstem 0 0 rmoveto 9 hlineto 4 1 3 callothersubr pop callsubr 9 vlineto closepath endchar",
      { subrs },
    );
    expect(steps?.filter(({ kind }) => kind === "hints")).toEqual([
      { kind: "hints", stems: [{ isVertical: false, at: 0, width: 60 }] },
      { kind: "hints", stems: [{ isVertical: true, at: 10, width: 30 }] },
    ]);
  });

  test("loses nothing to thirds, however many there are", () => {
    const thirds = Array.from({ length: 30 }, () => "100 3 div hlineto").join(" ");
    const steps = stepsOf(`0 600 hsbw 0 0 rmoveto ${thirds} endchar`) ?? [];
    const wide = steps.reduce((sum, step) => sum + (step.kind === "line" ? step.by[0] : 0), 0);
    expect(Math.abs(wide - 1_000)).toBeLessThan(1 / 65_536);
  });
});

test.each([
  ["several designs", { about: "/WeightVector [0.5 0.5] def\n" }],
  ["no .notdef", { charStrings: { A: SQUARE } }],
  [
    "an unknown question to PostScript",
    { charStrings: { ...GLYPHS, B: "0 600 hsbw 1 2 2 14 callothersubr pop endchar" } },
  ],
  ["a subroutine that is not there", { charStrings: { ...GLYPHS, B: "0 600 hsbw 99 callsubr endchar" } }],
  [
    "a subroutine that calls itself",
    { subrs: [...SUBRS, "4 callsubr return"], charStrings: { ...GLYPHS, B: "4 callsubr endchar" } },
  ],
  ["an accent over itself", { charStrings: { ...GLYPHS, A: "0 600 hsbw 0 0 0 65 65 seac" } }],
  ["a glyph without end", { charStrings: { ...GLYPHS, B: "0 600 hsbw 10 hlineto" } }],
  ["a division by nothing", { charStrings: { ...GLYPHS, B: "0 600 hsbw 1 0 div hlineto endchar" } }],
  ["a number that is too large", { charStrings: { ...GLYPHS, B: "0 600 hsbw 90000 hlineto endchar" } }],
  [
    "more numbers than a command takes",
    { charStrings: { ...GLYPHS, B: `0 600 hsbw ${"1 ".repeat(30)}hlineto endchar` } },
  ],
  [
    "half a flex",
    {
      charStrings: { ...GLYPHS, B: "0 600 hsbw 1 callsubr 5 5 rmoveto 2 callsubr 50 0 0 0 callsubr endchar" },
    },
  ],
  ["lines inside a flex", { charStrings: { ...GLYPHS, B: "0 600 hsbw 1 callsubr 5 hlineto endchar" } }],
] as const)("a font with %s stays as it is", async (_, more) => {
  const file = pdfWith({ ...GLYPHS_OF_FONT, ...more });
  const { bytes } = await compressPdf(file, { codec });
  expect(clearText(bytes)).not.toContain("Type1C");
  expect(clearText(bytes)).toContain("FontFile");
});

test("a font that would take very long stays as it is, and ends at once", () => {
  const calls = (index: number) => `${`${index} callsubr `.repeat(20)}return`;
  const subrs = [...SUBRS, "5 hlineto return", ...[4, 5, 6, 7, 8, 9].map(calls)];
  const font = fontOf({ subrs, charStrings: { ...GLYPHS, B: "0 600 hsbw 0 0 rmoveto 10 callsubr endchar" } });
  const allowed = allowance();
  expect(toCff(font, allowed)).toBeUndefined();
  expect(allowed.left).toBeLessThanOrEqual(0);
});

test("a font that calls for millions of lines stays as it is", async () => {
  const calls = (index: number) => `${`${index} callsubr `.repeat(20)}return`;
  const subrs = [...SUBRS, "5 hlineto return", ...[4, 5, 6, 7, 8, 9].map(calls)];
  const file = pdfWith({
    subrs,
    charStrings: { ...GLYPHS, B: "0 600 hsbw 0 0 rmoveto 10 callsubr endchar" },
  });
  const { bytes } = await compressPdf(file, { codec });
  expect(clearText(bytes)).not.toContain("Type1C");
});

test("what is cut short at any byte is refused or read, and nothing else", () => {
  const whole = bytesOf(type1Font(GLYPHS_OF_FONT).text);
  for (let length = 0; length < whole.length; length += 7) {
    const font = readType1(whole.subarray(0, length));
    if (font) toCff(font, allowance());
  }
  expect(readType1(whole)).toBeDefined();
});
