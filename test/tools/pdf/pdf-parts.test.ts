import { unzipSync, zlibSync } from "fflate";
import { describe, expect, test } from "vitest";
import { testWith } from "../../machine/skips.ts";
import { mergePdf } from "../../../tools/pdf-merge.ts";
import { splitPdf } from "../../../tools/pdf-split.ts";
import { ask, assertClean } from "./support/judges.ts";
import { makePdf, pagesPdf, stream, textOf } from "./support/pdf-made.ts";

/** A page with a field, a pop-up and a group of buttons. */
function formPdf() {
  return makePdf({
    1: "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R 7 0 R]/DA(/Helv 9 Tf)>>>>",
    2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 99 99]>>",
    3: "<</Type/Page/Parent 2 0 R/Annots[4 0 R 5 0 R 6 0 R 8 0 R]>>",
    4: "<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(value)/Rect[0 0 9 9]/P 3 0 R>>",
    5: "<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/P 3 0 R/Popup 6 0 R>>",
    6: "<</Type/Annot/Subtype/Popup/Rect[0 0 9 9]/P 3 0 R/Parent 5 0 R>>",
    7: "<</FT/Btn/T(group)/Kids[8 0 R]>>",
    8: "<</Type/Annot/Subtype/Widget/Parent 7 0 R/Rect[9 9 20 20]/P 3 0 R>>",
  });
}

describe("a page taken twice", () => {
  testWith("qpdf")("has annotations and fields of its own the second time", async () => {
    const { bytes } = await splitPdf(formPdf(), { mode: "keep", range: "1,1" });
    assertClean(bytes);
    const { acroform, pages } = JSON.parse(
      ask(bytes, ["qpdf", "--json", "--json-key=acroform", "--json-key=pages", "@"]),
    );
    const fields = acroform.fields.map((field: { fullname: string; pageposfrom1: number }) => [
      field.fullname,
      field.pageposfrom1,
    ]);
    expect(fields.sort()).toEqual([
      ["group", 1],
      ["group", 2],
      ["name", 1],
      ["name_2", 2],
    ]);
    const [first, second] = pages.map(({ object }: { object: string }) =>
      ask(bytes, ["qpdf", `--show-object=${object.replace(" R", "").replace(" ", ",")}`, "@"]),
    );
    const annotations = (page: string): string[] =>
      /\/Annots \[([^\]]*)\]/.exec(page)![1]!.match(/\d+ 0 R/g)!;
    expect(annotations(second).length).toBe(4);
    expect(annotations(second).filter((each) => annotations(first).includes(each))).toEqual([]);
  });

  testWith("qpdf")("does so in a merge too, where both files may be the same", async () => {
    const data = formPdf();
    const { bytes } = await mergePdf([{ data, range: "1,1" }, { data }]);
    assertClean(bytes);
    const { acroform } = JSON.parse(ask(bytes, ["qpdf", "--json", "--json-key=acroform", "@"]));
    const names = acroform.fields.map(({ fullname }: { fullname: string }) => fullname);
    expect(new Set(names)).toEqual(new Set(["group", "group_2", "name", "name_2", "name_3"]));
  });

  test("may be one of thousands that have a field each", async () => {
    const pages = 4000;
    const numbers = Array.from({ length: pages }, (_, i) => 4 + 2 * i);
    const { bytes } = await splitPdf(
      makePdf({
        1: `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${numbers.map((num) => `${num} 0 R`).join(" ")}]>>>>`,
        2: `<</Type/Pages/Count ${pages}/Kids[${numbers.map((num) => `${num - 1} 0 R`).join(" ")}]/MediaBox[0 0 9 9]>>`,
        ...Object.fromEntries(
          numbers.flatMap((num) => [
            [num - 1, `<</Type/Page/Parent 2 0 R/Annots[${num} 0 R]>>`],
            [num, `<</Type/Annot/Subtype/Widget/FT/Tx/T(field${num})/Rect[0 0 9 9]>>`],
          ]),
        ),
      }),
      { mode: "keep", range: "1-z,1-z" },
    );
    const text = textOf(bytes);
    expect(new Set(text.match(/\/T ?\(field\d+\)/g)).size).toBe(pages);
    expect(new Set(text.match(/\/T ?(<[0-9a-f]+>|\(field\d+_2\))/g)).size).toBe(pages);
  });
});

describe("what a later file of a merge says of itself", () => {
  const plain = pagesPdf(1);
  const tagged = (language: string) =>
    makePdf({
      1: `<</Type/Catalog/Pages 2 0 R/Lang(${language})/MarkInfo<</Marked true>>/StructTreeRoot 4 0 R/AF[6 0 R]>>`,
      2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 99 99]>>",
      3: "<</Type/Page/Parent 2 0 R/StructParents 0/Contents 7 0 R>>",
      4: "<</Type/StructTreeRoot/K[5 0 R]/ParentTree<</Nums[0[5 0 R]]>>>>",
      5: "<</Type/StructElem/S/P/P 4 0 R/Pg 3 0 R/K 0>>",
      6: `<</Type/Filespec/F(${language}.txt)/AFRelationship/Source>>`,
      7: stream("/P <</MCID 0>> BDC EMC"),
    });

  test("its language goes into its tags, its files stay associated", async () => {
    const { bytes, warnings } = await mergePdf([{ data: tagged("en") }, { data: tagged("de"), range: "1" }]);
    const text = textOf(bytes);
    expect(warnings).toEqual([]);
    expect(text).toMatch(/\/Catalog[^]*\/Lang ?\(en\)/);
    expect(text).toMatch(/\/StructElem[^>]*\/Lang ?\(de\)/);
    expect(text).toMatch(/\/AF ?\[ ?\d+ 0 R \d+ 0 R ?\]/);
    expect(text).toMatch(/\/MarkInfo ?<<\/Marked true>>/);
  });

  test("tags of some files only are marked as suspect", async () => {
    const { bytes } = await mergePdf([{ data: plain }, { data: tagged("de") }]);
    expect(textOf(bytes)).toMatch(/\/Marked true ?\/Suspects true/);
    expect(textOf(bytes)).toMatch(/\/Catalog[^]*\/Lang ?\(de\)/);
  });

  test("a language without tags to say it in is told", async () => {
    const french = pagesPdf(1, { extra: "/Lang(fr)" });
    const { warnings } = await mergePdf([{ data: tagged("en") }, { data: french }]);
    expect(warnings).toEqual([{ code: "language_left_out", file: { index: 1 } }]);
  });
});

describe("what all pages share is read once", () => {
  const PAGES = 600;
  const letterhead = `${Array.from({ length: 40_000 }, (_, i) => `${i} ${i} m 9 9 l`).join(" ")} /Logo Do`;

  /** Pages with a letterhead as content of their own or as a drawing. */
  function letters(isForm: boolean) {
    const packed = textOf(zlibSync(new TextEncoder().encode(letterhead)));
    const kids = Array.from({ length: PAGES }, (_, i) => 10 + 2 * i);
    const objects: Record<number, string> = {
      1: "<</Type/Catalog/Pages 2 0 R>>",
      2: `<</Type/Pages/Count ${PAGES}/Kids[${kids.map((num) => `${num} 0 R`).join(" ")}]/MediaBox[0 0 99 99]/Resources 3 0 R>>`,
      3: `<</XObject<</Head 4 0 R/Logo 5 0 R${kids.map((num) => `/Im${num} 5 0 R`).join("")}>>>>`,
      4: stream(packed, `${isForm ? "/Type/XObject/Subtype/Form/BBox[0 0 9 9]" : ""}/Filter/FlateDecode`),
      5: stream("x", "/Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray"),
    };
    for (const num of kids) {
      objects[num] = `<</Type/Page/Parent 2 0 R/Contents[${isForm ? "" : "4 0 R "}${num + 1} 0 R]>>`;
      objects[num + 1] = stream(isForm ? `/Head Do /Im${num} Do` : `/Im${num} Do`);
    }
    return makePdf(objects);
  }

  test.each([
    ["content", false],
    ["a drawing", true],
  ])("a large letterhead as %s of 600 pages", async (_, isForm) => {
    const result = await splitPdf(letters(isForm), { mode: "each", maxBytes: 1e9 });
    expect(result.mode === "each" && result.parts).toBe(PAGES);
    expect(result.warnings).toEqual([]);
  });
});

test("a part looks only at the names of its own pages, however many a long document has", async () => {
  const [pages, perPage] = [200, 30];
  const objects: Record<number, string> = {};
  const names: string[] = [];
  for (let page = 0; page < pages; page++) {
    objects[3 + page] = "<</Type/Page/Parent 2 0 R>>";
    for (let i = 0; i < perPage; i++) {
      const num = 3 + pages + names.length;
      objects[num] = `[${3 + page} 0 R/XYZ 0 ${i} null]`;
      names.push(`(${1000 + page}-${10 + i})${num} 0 R`);
    }
  }
  const kids = Array.from({ length: pages }, (_, i) => `${3 + i} 0 R`).join(" ");
  objects[1] = `<</Type/Catalog/Pages 2 0 R/Names<</Dests<</Names[${names.join("")}]>>>>>>`;
  objects[2] = `<</Type/Pages/Count ${pages}/Kids[${kids}]/MediaBox[0 0 99 99]>>`;
  const { bytes } = await splitPdf(makePdf(objects), { mode: "each" });
  const seventh = textOf(unzipSync(bytes)["page-007.pdf"]!);
  const found = [...seventh.matchAll(/\((\d{4})-(\d\d)\)/g)];
  expect(new Set(found.map(([, page]) => page))).toEqual(new Set(["1006"]));
  const places = found.map(([, , place]) => Number(place));
  expect(places).toEqual(Array.from({ length: perPage }, (_, i) => 10 + i));
});
