import { expect, test } from "vitest";
import { mergePdf } from "../../../../tools/pdf-merge.ts";
import { splitPdf } from "../../../../tools/pdf-split.ts";
import { assertClean } from "../support/judges.ts";
import { bytesOf, makePdf, pagesPdf, textOf } from "../support/pdf-made.ts";

/** Two pages that lead to each other by their numbers, as some programs write it. */
const byNumber = makePdf({
  1: "<</Type/Catalog/Pages 2 0 R/Outlines 5 0 R/Dests<</old[1/Fit]>>/Names<</Dests<</Names[(lost)[7/Fit](new)<</D[1/Fit]>>]>>>>>>",
  2: "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/MediaBox[0 0 9 9]>>",
  3: "<</Type/Page/Parent 2 0 R/Annots[8 0 R<</Subtype/Link/Rect[0 0 9 9]/Border[0 0 2]/A<</S/GoTo/D[1/Fit]>>>>]/AA<</O<</S/GoTo/D[1/Fit]>>>>>>",
  4: "<</Type/Page/Parent 2 0 R>>",
  5: "<</First 6 0 R/Last 7 0 R/Count 2>>",
  6: "<</Title(first)/Parent 5 0 R/Next 7 0 R/Dest[0/Fit]>>",
  7: "<</Title(second)/Parent 5 0 R/Prev 6 0 R/A<</S/URI/URI(x)/Next<</S/GoTo/D[1/Fit]>>>>>>",
  8: "<</Subtype/Link/Rect[0 0 9 9]/Border[0 0 1]/Dest[9/Fit]>>",
});

/** The pages that destinations lead to, by their place in the document. */
function targets(bytes: Uint8Array): number[] {
  const text = textOf(bytes);
  const pages = [.../\/Kids ?\[(.*?)\]/.exec(text)![1]!.matchAll(/(\d+) 0 R/g)].map(([, num]) => num);
  const found = [...text.matchAll(/\[ ?(\d+)( 0 R)? ?\/Fit ?\]/g)];
  return found.map(([, num, isRef]) => (isRef ? pages.indexOf(num) : -1)).sort();
}

test("destinations by page number lead to their own file's pages after a merge", async () => {
  const { bytes } = await mergePdf([{ data: pagesPdf(3) }, { data: byNumber }]);
  expect(targets(bytes)).toEqual([3, 4, 4, 4, 4, 4]);
  assertClean(bytes);
});

test("and to no page where the document never had it", async () => {
  const { bytes } = await mergePdf([{ data: pagesPdf(10) }, { data: byNumber }]);
  const text = textOf(bytes);
  expect(text).not.toContain("[ 9");
  expect(text).not.toContain("lost");
  expect(text).toMatch(/\/Border ?\[ ?0 0 1 ?\]/);
});

test("a part of a merge has them too", async () => {
  const { bytes } = await mergePdf([{ data: pagesPdf(3) }, { data: byNumber }]);
  const part = await splitPdf(bytes, { mode: "keep", range: "5" });
  expect(new Set(targets(part.bytes))).toEqual(new Set([0]));
});

test("a name that an earlier file has is replaced in chains and triggers as well", async () => {
  const named = bytesOf(
    textOf(byNumber).replaceAll("D[1/Fit]", "D(named)").replace("(new)<</D(named)>>", "(named)[4 0 R/Fit]"),
  );
  const { bytes } = await mergePdf([{ data: named }, { data: named }]);
  const text = textOf(bytes);
  expect(text.match(/\(named\)/g)?.length).toBe(3);
  assertClean(bytes);
});
