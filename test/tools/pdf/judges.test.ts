import { expect } from "vitest";
import { testWith } from "../../machine/skips.ts";
import { pdfjsTexts, popplerTexts } from "./support/judges.ts";
import { pagesPdf } from "./support/pdf-made.ts";

testWith("poppler")("poppler and pdf.js, which stands in for it, read the same words", async () => {
  const texts = await popplerTexts(pagesPdf(3));
  expect(texts).toEqual(["Page 1", "Page 2", "Page 3"]);
  expect(await pdfjsTexts(pagesPdf(3))).toEqual(texts);
});
