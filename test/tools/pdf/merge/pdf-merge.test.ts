import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { testWith } from "../../../machine/skips.ts";
import type { Bytes } from "../../../../wire/bytes.ts";
import { mergePdf } from "../../../../tools/pdf-merge.ts";
import { splitPdf } from "../../../../tools/pdf-split.ts";
import { ask, assertClean, clearText, pageTexts } from "../support/judges.ts";
import { bytesOf, makePdf, pagesPdf, refusal, stream, textOf } from "../support/pdf-made.ts";

/** Two pages with one of everything; `mark` tells two such files apart, all names are the same. */
function richPdf(mark: string, { role = "P", tags = true } = {}): Bytes {
  const tree = tags ? "/StructTreeRoot 20 0 R/MarkInfo<</Marked true>>" : "";
  return makePdf(
    {
      1:
        `<</Type/Catalog/Pages 2 0 R/Outlines 10 0 R/Names<</Dests 12 0 R/EmbeddedFiles 13 0 R>>/AcroForm 14 0 R${tree}` +
        `/PageLabels<</Nums[0<</S/r>>]>>/OCProperties<</OCGs[18 0 R]/D<</Order[18 0 R]/OFF[18 0 R]>>>>>>`,
      2: "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/MediaBox[0 0 200 100]/Resources<</Font<</F1 5 0 R>>/Properties<</L 18 0 R>>>>>>",
      3: "<</Type/Page/Parent 2 0 R/Contents 6 0 R/Annots[8 0 R 9 0 R]/StructParents 0>>",
      4: "<</Type/Page/Parent 2 0 R/Contents 7 0 R/StructParents 1>>",
      5: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
      6: stream(`BT /F1 18 Tf 20 40 Td (${mark} one) Tj ET`),
      7: stream(`BT /F1 18 Tf 20 40 Td (${mark} two) Tj ET`),
      8: "<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/P 3 0 R/Dest(chapter)>>",
      9: `<</Type/Annot/Subtype/Widget/FT/Tx/Rect[9 9 99 20]/P 3 0 R/T(name)/V(${mark} value)>>`,
      10: "<</Type/Outlines/First 11 0 R/Last 11 0 R/Count 1>>",
      11: `<</Title(${mark} bookmark)/Parent 10 0 R/Dest(chapter)>>`,
      12: "<</Names[(chapter)[4 0 R/Fit]]>>",
      13: "<</Names[(notes.txt)<</Type/Filespec/F(notes.txt)/EF<</F 17 0 R>>>>]>>",
      14: "<</Fields[9 0 R]/DA(/Helv 9 Tf 0 g)/DR<</Font<</Helv 5 0 R>>>>>>",
      17: stream(`${mark} attachment`, "/Type/EmbeddedFile"),
      18: `<</Type/OCG/Name(${mark} layer)>>`,
      20: `<</Type/StructTreeRoot/K[21 0 R 22 0 R]/ParentTree<</Nums[0[21 0 R]1[22 0 R]]>>/RoleMap<</Own/${role}>>>>`,
      21: `<</Type/StructElem/S/Own/P 20 0 R/Pg 3 0 R/K 0/Alt(${mark} alt)>>`,
      22: "<</Type/StructElem/S/Own/P 20 0 R/Pg 4 0 R/K 0>>",
    },
    { trailer: `/Info<</Title(${mark} title)>>` },
  );
}

/** The text around a word, white space made single. */
function around(text: string, word: string): string {
  const object = text.split("endobj").find((each) => each.includes(word)) ?? "";
  return object.replace(/\s+/g, " ");
}

describe("merging PDFs", () => {
  test("joins pages in the order of the files and of their ranges", async () => {
    const result = await mergePdf([
      { name: "a.pdf", data: pagesPdf(3) },
      { data: pagesPdf(5), range: "end,2-1" },
      { name: "c.pdf", data: pagesPdf(1) },
    ]);
    expect(result).toMatchObject({
      pages: 7,
      files: [
        { name: "a.pdf", pages: 3, taken: 3, passwordNeeded: false },
        { name: undefined, pages: 5, taken: 3, passwordNeeded: false },
        { name: "c.pdf", pages: 1, taken: 1, passwordNeeded: false },
      ],
      warnings: [],
    });
    assertClean(result.bytes);
    const numbers = [1, 2, 3, 5, 2, 1, 1];
    expect(await pageTexts(result.bytes)).toEqual(numbers.map((n) => `Page ${n}`));
  });

  test("keeps bookmarks, attachments, layers and labels of all, the title of the first", async () => {
    const { bytes, warnings } = await mergePdf([{ data: richPdf("FIRST") }, { data: richPdf("SECOND") }]);
    const text = clearText(bytes);
    for (const kind of ["one", "two", "bookmark", "attachment", "layer", "value", "alt"]) {
      for (const mark of ["FIRST", "SECOND"]) expect(text).toContain(`${mark} ${kind}`);
    }
    expect(text).toContain("FIRST title");
    expect(text).not.toContain("SECOND title");
    expect(text).toContain("notes.txt_2");
    expect(warnings).toEqual([]);
    assertClean(bytes);
  });

  testWith("qpdf")("links and bookmarks lead into their own file though names clash", async () => {
    const { bytes } = await mergePdf([{ data: richPdf("FIRST") }, { data: richPdf("SECOND") }]);
    const { outlines } = JSON.parse(ask(bytes, ["qpdf", "--json", "--json-key=outlines", "@"]));
    const found = outlines.map(({ title, destpageposfrom1 }: { title: string; destpageposfrom1: number }) => [
      title,
      destpageposfrom1,
    ]);
    expect(found).toEqual([
      ["FIRST bookmark", 2],
      ["SECOND bookmark", 4],
    ]);
    expect(clearText(bytes)).toContain("(chapter_2)");
  });

  testWith("qpdf")("fields stay apart though their names clash, each with its own font", async () => {
    const { bytes } = await mergePdf([{ data: richPdf("FIRST") }, { data: richPdf("SECOND") }]);
    const { acroform } = JSON.parse(ask(bytes, ["qpdf", "--json", "--json-key=acroform", "@"]));
    const found = acroform.fields.map(({ fullname, value }: { fullname: string; value: string }) => [
      fullname,
      value,
    ]);
    expect(found).toEqual(
      [
        ["name", "u:FIRST value"],
        ["name_2", "u:SECOND value"],
      ].map(([name, value]) => [name, expect.stringContaining(value!.slice(2))]),
    );
    expect(around(clearText(bytes), "SECOND value")).toContain("/DA (/Helv_2 9 Tf 0 g)");
  });

  test("tags of two files become one tree", async () => {
    const { bytes, warnings } = await mergePdf([{ data: richPdf("FIRST") }, { data: richPdf("SECOND") }]);
    expect(warnings).toEqual([]);
    const text = clearText(bytes).replace(/\s+/g, " ");
    expect(text.match(/\/StructParents \d+/g)?.toSorted()).toEqual(
      [0, 1, 2, 3].map((key) => `/StructParents ${key}`),
    );
  });

  test("a type that has another role in a later file gets a name of its own there", async () => {
    const { bytes, warnings } = await mergePdf([
      { data: richPdf("FIRST") },
      { data: richPdf("SECOND", { role: "H1" }) },
      { data: richPdf("THIRD", { role: "H1" }) },
      { data: richPdf("LAST") },
    ]);
    expect(warnings).toEqual([]);
    const text = clearText(bytes);
    for (const mark of ["FIRST", "LAST"]) expect(around(text, `${mark} alt`)).toMatch(/\/S \/Own\b(?!_)/);
    expect(around(text, "SECOND alt")).toContain("/S /Own_2");
    expect(around(text, "THIRD alt")).toContain("/S /Own_3");
    expect(around(text, "/RoleMap")).toMatch(
      /\/RoleMap <<(?=.*\/Own \/P)(?=.*\/Own_2 \/H1)(?=.*\/Own_3 \/H1)/,
    );
    assertClean(bytes);
  });

  test("a type has another role too where that of its role differs, and types of namespaces are left", async () => {
    const tagged = (mark: string, roles: string): Bytes =>
      makePdf({
        1: "<</Type/Catalog/Pages 2 0 R/StructTreeRoot 5 0 R/MarkInfo<</Marked true>>>>",
        2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 9 9]>>",
        3: "<</Type/Page/Parent 2 0 R/Contents 4 0 R/StructParents 0>>",
        4: stream("/Outer <</MCID 0>> BDC 0 0 9 9 re f EMC"),
        5: `<</Type/StructTreeRoot/K 6 0 R/ParentTree<</Nums[0[6 0 R]]>>/RoleMap<<${roles}>>/Namespaces[8 0 R]>>`,
        6: `<</Type/StructElem/S/Outer/P 5 0 R/Pg 3 0 R/K[0 7 0 R]/Alt(${mark} outer)>>`,
        7: `<</Type/StructElem/S/Inner/NS 8 0 R/P 6 0 R/Pg 3 0 R/Alt(${mark} named)>>`,
        8: "<</Type/Namespace/NS(urn:own)/RoleMapNS<</Inner/P>>>>",
      });
    const { bytes } = await mergePdf([
      { data: tagged("FIRST", "/Outer/Inner/Inner/P/Same/Span") },
      { data: tagged("SECOND", "/Outer/Inner/Inner/H1/Same/Span/Loop/Loop") },
    ]);
    const text = clearText(bytes);
    expect(around(text, "SECOND outer")).toContain("/S /Outer_2");
    expect(around(text, "SECOND named")).toMatch(/\/S \/Inner\b(?!_)/);
    const roles = around(text, "/RoleMap");
    for (const [name, role] of Object.entries({
      Outer: "Inner",
      Inner: "P",
      Outer_2: "Inner_2",
      Inner_2: "H1",
    }))
      expect(roles).toContain(`/${name} /${role}`);
    expect(roles).not.toContain("/Same_2");
    assertClean(bytes);
  });

  test("pages that are not taken leave nothing", async () => {
    const { bytes } = await mergePdf([
      { data: richPdf("FIRST"), range: "2" },
      { data: richPdf("SECOND"), range: "1" },
    ]);
    const text = clearText(bytes);
    expect(text).toContain("FIRST two");
    expect(text).toContain("SECOND one");
    expect(text).not.toMatch(/FIRST (one|value|alt)|SECOND (two|bookmark)/);
    assertClean(bytes);
  });

  test("a single file, or one taken twice, merges too", async () => {
    const data = richPdf("FIRST");
    expect((await mergePdf([{ data }])).pages).toBe(2);
    const { bytes, pages } = await mergePdf([{ data, range: "1,1" }, { data }]);
    expect(pages).toBe(4);
    assertClean(bytes);
    const firstLines = (await pageTexts(bytes)).map((text) => text.split("\n")[0]);
    expect(firstLines).toEqual(["FIRST one", "FIRST one", "FIRST one", "FIRST two"]);
  });

  test("layers stay hidden or shown as each file has them", async () => {
    const shown = bytesOf(textOf(richPdf("SECOND")).replace("/OFF[18 0 R]", "/ON [18 0 R]"));
    const { bytes } = await mergePdf([{ data: richPdf("FIRST") }, { data: shown }]);
    const layers = around(clearText(bytes), "/OCProperties");
    expect(layers).toMatch(/\/OFF \[ \d+ 0 R \]/);
    expect(layers).toMatch(/\/OCGs \[ \d+ 0 R \d+ 0 R \]/);
  });

  test("what is merged can be split again", async () => {
    const { bytes } = await mergePdf([{ data: richPdf("FIRST") }, { data: richPdf("SECOND") }]);
    const again = await splitPdf(bytes, { mode: "keep", range: "3-4" });
    const text = clearText(again.bytes);
    expect(text).toContain("SECOND bookmark");
    expect(text).not.toMatch(/FIRST (one|two|bookmark|value|alt)/);
  });
});

describe("a merge that cannot be done tells which file is meant", () => {
  const locked = new Uint8Array(
    readFileSync(new URL("../../../files/encrypted/aes-256-r6.pdf", import.meta.url)),
  );
  const good = { data: pagesPdf(2) };

  test.each([
    ["a bad range", { data: pagesPdf(1), range: "x" }, "invalid_range"],
    ["a page too many", { data: pagesPdf(1), range: "2" }, "page_out_of_range"],
    ["a missing password", { data: locked }, "password_required"],
    ["a wrong password", { data: locked, password: "x" }, "password_wrong"],
    ["no PDF", { data: bytesOf("hello") }, "wrong_file_type"],
    ["no pages", { data: bytesOf("%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\n") }, "damaged_file"],
  ])("%s", async (_, input, code) => {
    const failure = await refusal(() => mergePdf([good, input, good]));
    expect(failure.code).toBe(code);
    expect(failure.fields).toMatchObject({ file: 1 });
  });

  test("and opens each with its own password", async () => {
    const { files, bytes } = await mergePdf([good, { data: locked, password: "geheim" }]);
    expect(files.map(({ passwordNeeded }) => passwordNeeded)).toEqual([false, true]);
    expect(await pageTexts(bytes)).toEqual(["Page 1", "Page 2", "Locked words"]);
  });

  test("or that there is none", async () => {
    expect((await refusal(() => mergePdf([]))).code).toBe("missing_parameter");
  });
});

test("fields with fonts of their own find them under the new name too", async () => {
  const form = (font: string) =>
    makePdf({
      1: "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]/DR<</Font<</F1 5 0 R>>>>>>>>",
      2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 9 9]>>",
      3: "<</Type/Page/Parent 2 0 R/Annots[4 0 R]>>",
      4: "<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/Rect[0 0 9 9]/DA(/F1 9 Tf)/DR<</Font<</F1 5 0 R>>/X 1>>>>",
      5: `<</Type/Font/Subtype/Type1/BaseFont/${font}>>`,
    });
  const { bytes } = await mergePdf([{ data: form("Times-Roman") }, { data: form("Courier") }]);
  const text = textOf(bytes);
  const courier = /(\d+) 0 obj\s*<<[^>]*\/Courier/.exec(text)?.[1];
  // In the form's resources, and in the field's own, which keep the old name as well.
  expect(text.match(new RegExp(`/F1_2 ${courier} 0 R`, "g"))).toHaveLength(2);
  expect(text).toMatch(new RegExp(`/F1 ${courier} 0 R`));
});

test("resources that many fields share stay shared under the new names", async () => {
  const fields = Array.from({ length: 300 }, (_, i) => 100 + i);
  const list = fields.map((num) => `${num} 0 R`).join(" ");
  const fonts = Array.from({ length: 300 }, (_, i) => `/A${i} 5 0 R`).join("");
  const form = (font: string) =>
    makePdf({
      1: `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${list}]/DR 6 0 R>>>>`,
      2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 9 9]>>",
      3: `<</Type/Page/Parent 2 0 R/Annots[${list}]>>`,
      5: `<</Type/Font/Subtype/Type1/BaseFont/${font}>>`,
      6: "<</Font 7 0 R>>",
      7: `<<${fonts}>>`,
      ...Object.fromEntries(
        fields.map((num, i) => [
          num,
          `<</Subtype/Widget/FT/Tx/T(f${num})/Rect[0 0 9 9]/DA(/A${i} 9 Tf)/DR ${i % 2 ? "6 0 R" : "<</Font 7 0 R>>"}>>`,
        ]),
      ),
    });
  const [one, two] = [form("Times-Roman"), form("Courier")];
  const { bytes } = await mergePdf([{ data: one }, { data: two }]);
  expect(bytes.length).toBeLessThan(1.5 * (one.length + two.length));
});
