import { expect, test } from "vitest";
import { mergePdf } from "../../../../tools/pdf-merge.ts";
import { testWith } from "../../../machine/skips.ts";
import { ask, assertClean, clearText } from "../support/judges.ts";
import { makePdf, stream } from "../support/pdf-made.ts";

/** A page with a line of each layer, of which the second is hidden. */
function layeredPdf(intent = "") {
  const line = (layer: string, y: number, text: string) =>
    `/OC /${layer} BDC BT /F1 12 Tf 10 ${y} Td (${text}) Tj ET EMC`;
  return makePdf(
    {
      1: "<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[6 0 R 7 0 R]/D<</OFF[7 0 R]/Order[6 0 R 7 0 R]>>>>>>",
      2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 99 99]>>",
      3: "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>/Properties<</A 6 0 R/B 7 0 R>>>>>>",
      4: stream(`${line("A", 20, "shown")} ${line("B", 50, "hidden")}`),
      5: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
      6: `<</Type/OCG/Name(Plan)${intent}>>`,
      7: `<</Type/OCG/Name(Cables)${intent}>>`,
    },
    { version: "1.5" },
  );
}

testWith("mutool", "qpdf")("layers that two files call the same stay hidden in MuPDF", async () => {
  const files = [layeredPdf(), layeredPdf(), layeredPdf()];
  const { bytes, pages } = await mergePdf(files.map((data) => ({ data })));
  assertClean(bytes);
  const text = ask(bytes, ["mutool", "draw", "-q", "-F", "txt", "@"]);
  expect(text.match(/\w+/g)).toEqual(Array.from({ length: pages }, () => "shown"));
});

test("an intent of their own keeps its meaning", async () => {
  const { bytes } = await mergePdf([{ data: layeredPdf() }, { data: layeredPdf("/Intent/Design") }]);
  const intents = [...clearText(bytes).matchAll(/\/Intent ?(\[[^\]]*\]|\/\w+)/g)].map(([, value]) => value);
  expect(intents.map((value) => value?.match(/\w+/g))).toEqual([
    ["Design", "Design"],
    ["Design", "Design"],
  ]);
});
