import { expect, test } from "vitest";
import { mergePdf } from "../../../../tools/pdf-merge.ts";
import { assertClean, clearText } from "../support/judges.ts";
import { makePdf, stream } from "../support/pdf-made.ts";

/** A tagged page whose elements are of classes. */
function classedPdf(classes: string, { of = "/C", more = "" }: { of?: string; more?: string } = {}) {
  return makePdf({
    1: "<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked true>>/StructTreeRoot 6 0 R>>",
    2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 9 9]>>",
    3: "<</Type/Page/Parent 2 0 R/Contents 4 0 R/StructParents 0>>",
    4: stream("/P <</MCID 0>> BDC EMC"),
    6: `<</Type/StructTreeRoot/K[7 0 R]/ClassMap<<${classes}>>/ParentTree<</Nums[0[7 0 R]]>>>>`,
    7: `<</Type/StructElem/S/P/P 6 0 R/Pg 3 0 R/C ${of}/K[0<</S/Span/P 7 0 R/C ${of}/Pg 3 0 R>>]>>`,
    8: more || "null",
  });
}

async function merged(...files: readonly ReturnType<typeof classedPdf>[]) {
  const { bytes, warnings } = await mergePdf(files.map((data) => ({ data })));
  assertClean(bytes);
  expect(warnings).toEqual([]);
  // Programs write the same with other spaces.
  return clearText(bytes)
    .replace(/\s+/g, " ")
    .replace(/ ?(<<|>>|[[\]()/]) ?/g, "$1");
}

const LEFT = "/C<</O/Layout/TextAlign/Start/SpaceAfter 1.5>>";

test("classes of equal names and contents are shared, also in the same file twice", async () => {
  const file = classedPdf(LEFT);
  for (const text of [
    await merged(file, file),
    await merged(file, classedPdf("/C 8 0 R", { more: "<</SpaceAfter 1.50/O/Layout/TextAlign/Start>>" })),
  ]) {
    expect(text.match(/\/TextAlign/g)).toHaveLength(1);
    expect(text.match(/\/C\/C(?![\w])/g)).toHaveLength(4);
  }
});

test("different classes of one name are renamed, and elements follow", async () => {
  const other = "/C<</O/Layout/TextAlign/End>>/D<</O/Layout/TextAlign/Center>>";
  const text = await merged(classedPdf(LEFT), classedPdf(other, { of: "[/C 1/D]" }));
  expect(text).toMatch(/\/C_2<<\/O\/Layout\/TextAlign\/End/);
  expect(text.match(/\[\/C_2 1\/D\]/g)).toHaveLength(2);
  expect(text.match(/\/C\/C(?![\w])/g)).toHaveLength(2);
});

test("classes that name cells as headers mean those of their own file", async () => {
  const file = classedPdf("/C<</O/Table/Headers[(a)]>>");
  expect(await merged(file, file)).toMatch(/\/C_2<</);
});
