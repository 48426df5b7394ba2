import { unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { testWith } from "../../machine/skips.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { splitPdf } from "../../../tools/pdf-split.ts";
import { unlockPdf } from "../../../tools/pdf-unlock.ts";
import { ask, assertClean, clearText, objectsOf, pageTexts } from "./support/judges.ts";
import { bytesOf, makePdf, pagesPdf, refusal, stream, textOf } from "./support/pdf-made.ts";

/** Three pages, each with everything that can belong to a page; what is of page n bears the mark "OFPAGEn". */
function richPdf(): Bytes {
  const page = (n: number, base: number): Record<number, string> => ({
    [base]:
      `<</Type/Page/Parent 2 0 R/Contents ${base + 1} 0 R/Annots[${base + 2} 0 R ${base + 3} 0 R]` +
      `/StructParents ${n}/Tabs/S>>`,
    [base + 1]: stream(`/P <</MCID 0>> BDC BT /F1 18 Tf 20 40 Td (OFPAGE${n} text) Tj ET EMC /Im${n} Do`),
    [base + 2]:
      `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/P ${base} 0 R/Dest(OFPAGE${(n % 3) + 1} dest)/Contents(OFPAGE${n} link)>>`,
    [base + 3]:
      `<</Type/Annot/Subtype/Widget/FT/Tx/Rect[9 9 99 20]/P ${base} 0 R/T(OFPAGE${n} field)/V(OFPAGE${n} value)>>`,
    [base + 4]: `<</Title(OFPAGE${n} bookmark)/Parent 60 0 R/Dest[${base} 0 R/Fit]` + links(n) + ">>",
    [base + 5]: `<</Type/StructElem/S/P/P 70 0 R/Pg ${base} 0 R/K 0/Alt(OFPAGE${n} alt)>>`,
    [base + 6]:
      `<</Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray/Length 13>>\nstream\nOFPAGE${n} image\nendstream`,
  });
  const links = (n: number): string =>
    (n > 1 ? `/Prev ${n * 10 - 6} 0 R` : "") + (n < 3 ? `/Next ${n * 10 + 14} 0 R` : "");
  return makePdf(
    {
      1:
        "<</Type/Catalog/Pages 2 0 R/Outlines 60 0 R/Names<</Dests 61 0 R/EmbeddedFiles 80 0 R>>/AcroForm<</Fields[13 0 R 23 0 R 33 0 R]/DA(/F1 9 Tf)>>" +
        "/StructTreeRoot 70 0 R/MarkInfo<</Marked true>>/PageLabels<</Nums[0<</S/r>>2<</P(OFPAGE3 label )/S/D>>]>>/Lang(en)/Metadata 81 0 R>>",
      2: "<</Type/Pages/Count 3/Kids[10 0 R 20 0 R 30 0 R]/MediaBox[0 0 200 100]/Resources 3 0 R>>",
      3: "<</Font<</F1 4 0 R>>/XObject<</Im1 16 0 R/Im2 26 0 R/Im3 36 0 R>>>>",
      4: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
      ...page(1, 10),
      ...page(2, 20),
      ...page(3, 30),
      60: "<</First 14 0 R/Last 34 0 R/Count 3>>",
      61: "<</Names[(OFPAGE1 dest)[10 0 R/Fit](OFPAGE2 dest)[20 0 R/Fit](OFPAGE3 dest)<</D[30 0 R/Fit]>>]>>",
      70: "<</Type/StructTreeRoot/K[15 0 R 25 0 R 35 0 R]/ParentTree 71 0 R>>",
      71: "<</Nums[1[15 0 R]2[25 0 R]3[35 0 R]]>>",
      80: "<</Names[(notes.txt)<</Type/Filespec/F(notes.txt)/EF<</F 82 0 R>>>>]>>",
      81: stream("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>", "/Type/Metadata/Subtype/XML"),
      82: stream("attached", "/Type/EmbeddedFile"),
    },
    { trailer: "/Info<</Title(The whole)>>" },
  );
}

describe("keeping and dropping pages", () => {
  test.each([
    ["keep", "2", [2]],
    ["keep", "3,1", [3, 1]],
    ["drop", "2", [1, 3]],
    ["drop", "2,1,2", [3]],
    ["keep", "1,1", [1, 1]],
  ] as const)("%s %s leaves pages %j and nothing of the others", async (mode, range, left) => {
    const result = await splitPdf(richPdf(), { mode, range });
    expect(result).toMatchObject({
      type: "application/pdf",
      mode,
      pages: 3,
      kept: left.length,
      warnings: range === "1,1" ? [{ code: "tags_not_repeated" }] : [],
    });
    const text = clearText(result.bytes);
    for (const n of [1, 2, 3]) {
      const marks = ["text", "link", "field", "value", "bookmark", "alt", "image", "dest"];
      const found = marks.filter((mark) => text.includes(`OFPAGE${n} ${mark}`));
      if (left.some((each) => each === n)) expect(found).toEqual(marks);
      else expect(text).not.toContain(`OFPAGE${n}`);
    }
    assertClean(result.bytes);
    expect((await pageTexts(result.bytes)).map((each) => each.split("\n")[0])).toEqual(
      left.map((n) => `OFPAGE${n} text`),
    );
  });

  test("keeps what belongs to the whole: attachments, metadata, title, language", async () => {
    const { bytes } = await splitPdf(richPdf(), { mode: "keep", range: "2" });
    const text = clearText(bytes);
    for (const each of ["attached", "xmpmeta", "The whole", "/Lang", "/Marked true"])
      expect(text).toContain(each);
  });

  test("works on a document that keeps its objects in streams", async () => {
    const packed = await splitPdf(richPdf(), { mode: "keep", range: "1-3" });
    const modern = bytesOf(textOf(packed.bytes).replace("%PDF-1.4", "%PDF-1.7"));
    const once = await splitPdf(modern, { mode: "keep", range: "1-3" });
    const { bytes } = await splitPdf(once.bytes, { mode: "drop", range: "1,3" });
    expect(textOf(once.bytes)).toContain("/ObjStm");
    assertClean(bytes);
    expect(clearText(bytes)).toContain("OFPAGE2 bookmark");
    expect(clearText(bytes)).not.toMatch(/OFPAGE[13]/);
  });

  testWith("qpdf")("labels follow their pages", async () => {
    const { bytes } = await splitPdf(richPdf(), { mode: "keep", range: "3,2,1" });
    const labels = JSON.parse(ask(bytes, ["qpdf", "--json", "--json-key=pagelabels", "@"]));
    const kinds = labels.pagelabels.map(
      ({ index, label }: { index: number; label: Record<string, unknown> }) => [
        index,
        label["/S"],
        label["/St"],
      ],
    );
    expect(kinds).toEqual([
      [0, "/D", 1],
      [1, "/r", 2],
      [2, "/r", 1],
    ]);
  });

  test("a parent bookmark stays while a kid does, and leads nowhere when its page is gone", async () => {
    const file = pagesWithOutline();
    const { bytes } = await splitPdf(file, { mode: "keep", range: "2" });
    const text = clearText(bytes);
    expect(text).toContain("parent of page 1");
    expect(text).toContain("kid on page 2");
    expect(text).toContain("a site");
    expect(text).not.toContain("other of page 1");
    assertClean(bytes);
  });

  test("a link to a dropped page becomes a dead area, not a wrong target", async () => {
    const { bytes } = await splitPdf(richPdf(), { mode: "keep", range: "1" });
    expect(clearText(bytes)).toContain("OFPAGE1 link");
    expect(clearText(bytes)).not.toMatch(/\/Dest ?\(/);
  });

  test.each([
    ["keep", undefined, "missing_parameter"],
    ["drop", " ", "missing_parameter"],
    ["each", "1", "invalid_parameter"],
    ["keep", "1,,2", "invalid_range"],
    ["keep", "4", "page_out_of_range"],
    ["drop", "1-end", "page_out_of_range"],
  ] as const)("%s with the range %j is refused as %s", async (mode, range, code) => {
    const failure = await refusal(() => splitPdf(richPdf(), { mode, range }));
    expect(failure.code).toBe(code);
    expect(failure.fields).toMatchObject({ parameter: "range" });
  });
});

function pagesWithOutline(): Bytes {
  const text = textOf(pagesPdf(2, { extra: "/Outlines 20 0 R" })).split("xref\n")[0]!;
  const extra = [
    "20 0 obj\n<</First 21 0 R/Last 23 0 R/Count 4>>\nendobj\n",
    "21 0 obj\n<</Title(parent of page 1)/Parent 20 0 R/Next 22 0 R/Dest[4 0 R/Fit]/First 24 0 R/Last 24 0 R/Count 1>>\nendobj\n",
    "22 0 obj\n<</Title(other of page 1)/Parent 20 0 R/Prev 21 0 R/Next 23 0 R/A<</S/GoTo/D[4 0 R/Fit]>>>>\nendobj\n",
    "23 0 obj\n<</Title(a site)/Parent 20 0 R/Prev 22 0 R/A<</S/URI/URI(https://example.org)>>>>\nendobj\n",
    "24 0 obj\n<</Title(kid on page 2)/Parent 21 0 R/Dest[6 0 R/Fit]>>\nendobj\n",
  ];
  return bytesOf(`${text}${extra.join("")}trailer\n<</Root 1 0 R>>\n`);
}

describe("splitting into single pages", () => {
  test("gives a ZIP of one PDF per page, stored, in order", async () => {
    const result = await splitPdf(pagesPdf(11), { mode: "each" });
    if (result.mode !== "each") throw new Error("expected a ZIP");
    expect(result).toMatchObject({ type: "application/zip", pages: 11, parts: 11, passwordNeeded: false });
    expect(result.entries).toEqual(
      Array.from({ length: 11 }, (_, i) => `page-${String(i + 1).padStart(3, "0")}.pdf`),
    );
    const files = unzipSync(result.bytes);
    expect(Object.keys(files)).toEqual(result.entries);
    for (const [i, name] of result.entries.entries()) {
      const file = files[name]!;
      assertClean(file);
      expect(await pageTexts(file)).toEqual([`Page ${i + 1}`]);
      expect(textOf(file)).toContain(`(Page ${i + 1})`);
    }
  });

  test("leaves in each file nothing of the other pages", async () => {
    const { bytes, warnings } = await splitPdf(richPdf(), { mode: "each" });
    Object.values(unzipSync(bytes)).forEach((file, i) => {
      for (const n of [1, 2, 3]) expect(clearText(file).includes(`OFPAGE${n} text`)).toBe(n === i + 1);
    });
    expect(warnings).toContainEqual({ code: "attachments_left_out" });
  });

  test("refuses a result over the limit it is given", async () => {
    expect((await refusal(() => splitPdf(pagesPdf(50), { mode: "each", maxBytes: 9000 }))).code).toBe(
      "result_too_large",
    );
  });
});

test("a button of several pages keeps what is of the pages that are left", async () => {
  const look = stream("", "/BBox[0 0 9 9]");
  const widget = (state: string) =>
    `<</Type/Annot/Subtype/Widget/Parent 5 0 R/Rect[9 9 18 18]/AP<</N<</${state} 8 0 R/Off 8 0 R>>>>/AS/Off>>`;
  const file = makePdf({
    1: "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R]>>>>",
    2: "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/MediaBox[0 0 99 99]>>",
    3: "<</Type/Page/Parent 2 0 R/Annots[6 0 R]>>",
    4: "<</Type/Page/Parent 2 0 R/Annots[7 0 R]>>",
    5: "<</T(choice)/FT/Btn/Ff 32768/Kids[6 0 R 7 0 R]/Opt[(of-first)(of-second)]/V/1/DV/0>>",
    6: widget("0"),
    7: widget("1"),
    8: look,
  });
  const keep = async (range: string) => clearText((await splitPdf(file, { mode: "keep", range })).bytes);
  const [first, second] = [await keep("1"), await keep("2")];
  expect(first).toMatch(/\/Opt\s*\[\s*\(of-first\)\s*\]/);
  expect(first).toMatch(/\/V ?\/Off/);
  expect(first).toMatch(/\/DV ?\/0/);
  expect(first).not.toContain("of-second");
  expect(second).toMatch(/\/Opt\s*\[\s*\(of-second\)\s*\]/);
  expect(second).toMatch(/\/V ?\/1/);
  expect(second).not.toContain("of-first");
});

testWith("qpdf")("qpdf agrees on the pages left of its own encrypted file", async () => {
  const { bytes } = await splitPdf(pagesPdf(3), { mode: "drop", range: "2" });
  expect(Object.keys(objectsOf(bytes)).length).toBeGreaterThan(5);
  expect((await unlockPdf(bytes)).pages).toBe(2);
});
