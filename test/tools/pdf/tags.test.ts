import { describe, expect, test } from "vitest";
import type { Bytes } from "../../../wire/bytes.ts";
import { mergePdf } from "../../../tools/pdf-merge.ts";
import { splitPdf } from "../../../tools/pdf-split.ts";
import { assertClean } from "./support/judges.ts";
import { bytesOf, makePdf, stream, textOf } from "./support/pdf-made.ts";

/** Two pages with a piece of tagged content each; `elements` from object 20 on, of which 20 is in the root. */
function taggedPdf(elements: Readonly<Record<number, string>>): Bytes {
  return makePdf({
    1: "<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked true>>/StructTreeRoot 10 0 R>>",
    2: "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/MediaBox[0 0 9 9]>>",
    3: "<</Type/Page/Parent 2 0 R/Contents 5 0 R/StructParents 0>>",
    4: "<</Type/Page/Parent 2 0 R/Contents 5 0 R/StructParents 1>>",
    5: stream("/Span <</MCID 0>> BDC EMC"),
    10: "<</Type/StructTreeRoot/K 20 0 R>>",
    ...elements,
  });
}

async function keep(data: Bytes, range: string): Promise<string> {
  const { bytes } = await splitPdf(data, { mode: "keep", range });
  assertClean(bytes);
  return textOf(bytes);
}

/** The elements that are left, by their titles of one letter. */
function titlesIn(text: string): string {
  const titles = [...text.matchAll(/\/T ?\((\w)\)/g)].map(([, letter]) => letter);
  return titles.sort().join("");
}

describe("an element without content", () => {
  /** Of two rows, each on its page, cells are empty; the third row has no content at all. */
  const table = taggedPdf({
    20: "<</Type/StructElem/S/Table/P 10 0 R/Pg 3 0 R/K[21 0 R 22 0 R 23 0 R]/T(t)>>",
    21: "<</Type/StructElem/S/TR/P 20 0 R/K[24 0 R 25 0 R]/T(a)>>",
    22: "<</Type/StructElem/S/TR/P 20 0 R/K[26 0 R 27 0 R 28 0 R]/T(b)>>",
    23: "<</Type/StructElem/S/TR/P 20 0 R/K[29 0 R]/T(c)>>",
    24: "<</Type/StructElem/S/TD/P 21 0 R/Pg 3 0 R/K 0/T(d)>>",
    25: "<</Type/StructElem/S/TD/P 21 0 R/T(e)>>",
    26: "<</Type/StructElem/S/TD/P 22 0 R/K[]/T(f)>>",
    27: "<</Type/StructElem/S/TD/P 22 0 R/Pg 4 0 R/K 0/T(g)>>",
    28: "<</Type/StructElem/S/TD/P 22 0 R/Pg 4 0 R/K 30 0 R/T(h)>>",
    29: "<</Type/StructElem/S/TD/P 23 0 R/T(i)>>",
    30: "<</Type/StructElem/S/P/P 28 0 R/T(j)>>",
  });

  test("stays with what it is in", async () => {
    expect(titlesIn(await keep(table, "1"))).toBe("acdeit");
    expect(titlesIn(await keep(table, "2"))).toBe("bcfghijt");
    expect(titlesIn(await keep(table, "2,1"))).toBe("abcdefghijt");
  });

  test("goes where it names a page that is none of the document's", async () => {
    const file = taggedPdf({
      20: "<</Type/StructElem/S/Document/P 10 0 R/K[21 0 R 22 0 R]/T(a)>>",
      21: "<</Type/StructElem/S/P/P 20 0 R/Pg 3 0 R/K 0/T(b)>>",
      22: "<</Type/StructElem/S/P/P 20 0 R/Pg 30 0 R/K[23 0 R]/T(c)>>",
      23: "<</Type/StructElem/S/Span/P 22 0 R/T(d)>>",
      30: "<</Type/Page>>",
    });
    expect(titlesIn(await keep(file, "1"))).toBe("ab");
  });
});

describe("the elements that an element refers to", () => {
  const file = taggedPdf({
    20: "<</Type/StructElem/S/Document/P 10 0 R/K[21 0 R 22 0 R 23 0 R]>>",
    21: "<</Type/StructElem/S/Reference/P 20 0 R/Pg 3 0 R/K 0/T(a)/Ref[22 0 R 23 0 R]>>",
    22: "<</Type/StructElem/S/FENote/P 20 0 R/Pg 3 0 R/K 1/T(b)/Ref 21 0 R>>",
    23: "<</Type/StructElem/S/FENote/P 20 0 R/Pg 4 0 R/K 0/T(c)/Ref[21 0 R 24 0 R]>>",
    24: "<</Type/StructElem/S/P/Pg 3 0 R/K 1/T(d)/ActualText(OUTSIDE)>>",
  });
  const refsIn = (text: string) =>
    [...text.matchAll(/\/T ?\((\w)\)[^>]*?\/Ref ?(\[[^\]]*\]|\d+ 0 R)/g)].map(([, title, refs]) => [
      title,
      refs!.match(/\d+ 0 R/g)?.map((ref) => titleOf(text, Number.parseInt(ref, 10))),
    ]);
  const titleOf = (text: string, num: number) =>
    new RegExp(`\\n${num} 0 obj\\n[^]*?/T ?\\((\\w)\\)`).exec(text)?.[1];

  test("are those that stay, and in the tree", async () => {
    expect(refsIn(await keep(file, "1"))).toEqual([
      ["a", ["b"]],
      ["b", ["a"]],
    ]);
    expect(refsIn(await keep(file, "2"))).toEqual([]);
    const both = await keep(file, "1-2");
    expect(refsIn(both)).toEqual([
      ["a", ["b", "c"]],
      ["b", ["a"]],
      ["c", ["a"]],
    ]);
    expect(both).not.toContain("OUTSIDE");
  });
});

test("the texts that stand for an element go where only a part of it is left", async () => {
  const texts = ["Alt", "ActualText", "E", "Phoneme"].map((key) => `/${key}(whole-${key})`).join("");
  const file = taggedPdf({
    20: "<</Type/StructElem/S/Document/P 10 0 R/K[21 0 R 22 0 R]>>",
    21: `<</Type/StructElem/S/Span/P 20 0 R/K[<</Type/MCR/Pg 3 0 R/MCID 0>><</Type/MCR/Pg 4 0 R/MCID 0>>]/T(a)${texts}>>`,
    22: "<</Type/StructElem/S/Span/P 20 0 R/Pg 3 0 R/K 1/T(b)/E(own)>>",
  });
  const first = await keep(file, "1");
  expect(first).not.toContain("whole-");
  expect(first).toContain("own");
  expect(await keep(file, "1,2")).toContain("whole-Phoneme");
});

describe("the headers of a cell", () => {
  /** A header on each page, both named by a cell on each page: by itself, in a list and through a class. */
  const table = taggedPdf({
    10: "<</Type/StructTreeRoot/K 20 0 R/ClassMap<</C<</O/Table/Headers[(left)(right)]>>>>>>",
    20: "<</Type/StructElem/S/Table/P 10 0 R/K[21 0 R 22 0 R 23 0 R 24 0 R 25 0 R<</S/TD/Pg 3 0 R/K 3/A<</O/Table/Headers[(up)(left)]>>>>]>>",
    21: "<</Type/StructElem/S/TH/P 20 0 R/Pg 3 0 R/K 0/ID(left)>>",
    22: "<</Type/StructElem/S/TH/P 20 0 R/Pg 4 0 R/K 0/ID<7269676874>>>",
    23: "<</Type/StructElem/S/TD/P 20 0 R/Pg 3 0 R/K 1/C/C/A[<</O/Layout>> 0 26 0 R 0]>>",
    24: "<</Type/StructElem/S/TD/P 20 0 R/Pg 4 0 R/K 1/A<</O/Table/ColSpan 2/Headers[(right)(left)]>>>>",
    25: "<</Type/StructElem/S/TD/P 20 0 R/Pg 3 0 R/K 2/A<</O/Table/Headers[(right)]/RowSpan 2>>>>",
    26: "<</O/Table/Headers[(left)<7269676874>]>>",
  });

  test("are those that stay", async () => {
    const first = await keep(table, "1");
    expect(first).not.toMatch(/right|7269676874/);
    expect(first.match(/\/Headers ?\[ ?\(left\) ?\]/g)).toHaveLength(3);
    expect(first).toContain("/RowSpan 2");
    const second = await keep(table, "2");
    expect(second).not.toContain("left");
    expect(second).toMatch(/\/ColSpan 2 ?\/Headers ?\[ ?\(right\) ?\]/);
  });

  test("stay as they are while all are there", async () => {
    const all = await keep(table, "1,2");
    expect(all.match(/left/g)).toHaveLength(5);
    expect(all.match(/right|7269676874/g)).toHaveLength(5);
  });

  test("stay their own in a merge of files that use the same identifiers", async () => {
    const data = bytesOf(
      textOf(table).replace("/ClassMap", `/IDTree<</Names[(left)21 0 R(right)22 0 R]>>/ClassMap`),
    );
    const other = bytesOf(textOf(data).replaceAll("/C/C", "/C/D").replace("/ClassMap<</C", "/ClassMap<</D"));
    const { bytes, warnings } = await mergePdf([{ data }, { data: other }]);
    const text = textOf(bytes)
      .replaceAll("<7269676874>", "(right)")
      .replaceAll(/<([0-9a-f]{10,})>/g, (_, digits: string) => `(${Buffer.from(digits, "hex").toString()})`);
    expect(text.match(/\(left\)/g)).toHaveLength(6);
    expect(text.match(/\(left_2\)/g)).toHaveLength(6);
    expect(text.match(/\(right\)/g)).toHaveLength(6);
    expect(text.match(/\(right_2\)/g)).toHaveLength(6);
    expect(text).toMatch(
      /Names ?\[ ?\(left\) ?\d+ 0 R ?\(left_2\) ?\d+ 0 R ?\(right\) ?\d+ 0 R ?\(right_2\)/,
    );
    expect(warnings.filter(({ code }) => code !== "xref_rebuilt")).toEqual([]);
    assertClean(bytes);
  });
});
