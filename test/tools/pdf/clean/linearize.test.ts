import { describe, expect, test } from "vitest";
import { cleanPdf } from "../../../../tools/pdf-clean.ts";
import { testWith } from "../../../machine/skips.ts";
import { ask, assertClean, pageTexts } from "../support/judges.ts";
import { bytesOf, makePdf, pagesPdf, stream, textOf } from "../support/pdf-made.ts";

const lay = (file: ReturnType<typeof pagesPdf>) => cleanPdf(file, { remove: ["none"], linearize: true });

/** Pages with things of their own and in common, an outline, thumbnails, and attributes of the tree. */
function variedPdf(mode: string) {
  return makePdf(
    {
      1: `<</Type/Catalog/Pages 2 0 R/Outlines 20 0 R/PageMode/${mode}/OpenAction[4 0 R/Fit]/ViewerPreferences 24 0 R>>`,
      2: "<</Type/Pages/Count 3/Kids[3 0 R 4 0 R 5 0 R]/MediaBox[0 0 200 100]/Rotate 0/Resources 6 0 R>>",
      3: "<</Type/Page/Parent 2 0 R/Contents 10 0 R/Thumb 25 0 R>>",
      4: "<</Type/Page/Parent 2 0 R/Contents[11 0 R 13 0 R]/Annots[14 0 R]/Thumb 25 0 R>>",
      5: "<</Type/Page/Parent 2 0 R/Contents[12 0 R 13 0 R]/Empty 26 0 R>>",
      6: "<</Font<</F1 7 0 R>>>>",
      7: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
      10: stream("BT /F1 9 Tf 9 9 Td (first) Tj ET"),
      11: stream("BT /F1 9 Tf 9 9 Td (second) Tj ET"),
      12: stream("BT /F1 9 Tf 9 9 Td (third) Tj ET"),
      13: stream("BT /F1 9 Tf 9 30 Td (both) Tj ET"),
      14: "<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest[3 0 R/Fit]>>",
      20: "<</Type/Outlines/First 21 0 R/Last 22 0 R/Count 2>>",
      21: "<</Title(a)/Parent 20 0 R/Next 22 0 R/Dest[3 0 R/Fit]>>",
      22: "<</Title(b)/Parent 20 0 R/Prev 21 0 R/Dest[5 0 R/Fit]>>",
      24: "<</DisplayDocTitle true>>",
      25: stream("x", "/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray"),
      26: "null",
      30: "<</Title(a title)>>",
    },
    { trailer: "/Info 30 0 R/ID[(one)(two)]" },
  );
}

describe("a document that is laid out for the web", () => {
  testWith("qpdf").each([
    ["one page", pagesPdf(1)],
    ["many pages", pagesPdf(300)],
    ["an outline in the background", variedPdf("UseNone")],
    ["an outline that is shown", variedPdf("UseOutlines")],
  ])("has hints that are right: %s", async (_, file) => {
    const { bytes, pages } = await lay(file);
    const said = ask(bytes, ["qpdf", "--check-linearization", "@"]);
    expect(said).toContain("no linearization errors");
    assertClean(bytes);
    expect(await pageTexts(bytes)).toEqual(await pageTexts(file));
    expect(pages).toBe((await pageTexts(file)).length);
  });

  test("keeps an identifier of any length", async () => {
    const id = "x".repeat(300_000);
    const file = makePdf(
      {
        1: "<</Type/Catalog/Pages 2 0 R>>",
        2: "<</Type/Pages/Count 1/Kids[3 0 R]>>",
        3: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>",
      },
      { trailer: `/ID[(${id})(two)]` },
    );
    expect((await lay(file)).bytes.length).toBeGreaterThan(300_000);
  });

  test.each(["on its first page", "in its outline"])("may have 200,000 objects %s", async (where) => {
    const count = 200_000;
    const all = Array.from({ length: count }, (_, i) => i + 10);
    const refs = all.map((num) => `${num} 0 R`).join(" ");
    const [outlines, things] =
      where === "in its outline" ? [`/Outlines<</Type/Outlines/X[${refs}]>>`, ""] : ["", `/X[${refs}]`];
    const objects = [
      `1 0 obj<</Type/Catalog/Pages 2 0 R${outlines}>>endobj`,
      "2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj",
      `3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]${things}>>endobj`,
      ...all.map((num) => `${num} 0 obj[1]endobj`),
    ];
    // Without a table of its objects, which is made anew.
    const { bytes } = await lay(bytesOf(`%PDF-1.7\n${objects.join("\n")}\ntrailer<</Root 1 0 R>>\n`));
    expect(textOf(bytes.subarray(0, 200))).toContain("/Linearized 1");
  });

  test("has its first page before all others", async () => {
    const { bytes } = await lay(pagesPdf(3));
    const text = textOf(bytes);
    expect(text.indexOf("/Linearized 1")).toBeLessThan(100);
    const end = Number(/\/E (\d+)/.exec(text)![1]);
    expect(text.slice(0, end)).toContain("(Page 1)");
    expect(text.slice(0, end)).not.toContain("(Page 2)");
    expect(Number(/\/L (\d+)/.exec(text)![1])).toBe(bytes.length);
  });

  testWith("poppler")("is known as such to other programs, and the plain one is not", async () => {
    const optimized = (bytes: Uint8Array) => /Optimized: +(\w+)/.exec(ask(bytes, ["pdfinfo", "@"]))?.[1];
    expect(optimized((await lay(variedPdf("UseNone"))).bytes)).toBe("yes");
    expect(optimized((await cleanPdf(variedPdf("UseNone"))).bytes)).toBe("no");
  });
});
