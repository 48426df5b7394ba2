import { describe, expect, test } from "vitest";
import { cleanPdf } from "../../../../tools/pdf-clean.ts";
import { lockPdf } from "../../../../tools/pdf-lock.ts";
import { rotatePdf } from "../../../../tools/pdf-rotate.ts";
import { unlockPdf } from "../../../../tools/pdf-unlock.ts";
import { testWith } from "../../../machine/skips.ts";
import { ask, assertClean, pageTexts } from "../support/judges.ts";
import { makePdf, stream, textOf } from "../support/pdf-made.ts";

const onePage = (objects: Readonly<Record<number, string>> = {}, version = "1.4") =>
  makePdf(
    {
      1: "<</Type/Catalog/Pages 2 0 R>>",
      2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 200 100]>>",
      3: "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F#00x 5 0 R/F#23y 5 0 R>>>>>>",
      4: stream("BT /F#00x 18 Tf 20 40 Td (page) Tj ET"),
      5: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
      ...objects,
    },
    { version },
  );

test("a name with a zero is written as it was", async () => {
  const { bytes } = await rotatePdf(onePage(), { angle: 180 });
  expect(textOf(bytes)).toContain("/F#00x ");
  expect(textOf(bytes)).toContain("/F#23y ");
  expect((await cleanPdf(onePage(), { remove: ["layers"] })).warnings).toEqual([]);
});

testWith("poppler")("and its font is found", async () => {
  expect(ask((await rotatePdf(onePage(), { angle: 180 })).bytes, ["pdffonts", "@"])).toContain("Helvetica");
});

test.each(["-", ""])("an integer past 64 bits stands where programs read it: %s", async (sign) => {
  const long = `${sign}99999999999999999999999`;
  const file = onePage(
    { 2: `<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 200 100]/Own[${long}]>>` },
    "1.7",
  );
  const { bytes } = await rotatePdf(file, { angle: 90 });
  expect(textOf(bytes)).toContain(long);
  expect(textOf(bytes)).toContain("/ObjStm");
});

describe("a page tree that leads into itself is made anew", () => {
  const ring = onePage({
    2: "<</Type/Pages/Count 1/Kids[2 0 R]/MediaBox[0 0 200 100]>>",
    3: "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
    4: stream("BT /F 18 Tf 20 40 Td (page) Tj ET"),
  });

  test("by pdf-lock and pdf-unlock", async () => {
    const locked = await lockPdf(ring, { password: "correct horse" });
    expect(locked.warnings).toContainEqual({ code: "pages_found" });
    const { bytes, pages } = await unlockPdf(locked.bytes, { password: "correct horse" });
    assertClean(bytes);
    expect(pages).toBe(1);
    expect(await pageTexts(bytes)).toEqual(["page"]);
  });
});

test.each([
  ["/Contents 9 0 R", ["objects_lost"]],
  ["/Contents[4 0 R 9 0 R]", ["objects_lost"]],
  ["/Contents 4 0 R", []],
  ["", []],
])("content that is nowhere is told: %s", async (contents, codes) => {
  const file = onePage({ 3: `<</Type/Page/Parent 2 0 R${contents}>>` });
  const { warnings } = await rotatePdf(file, { angle: 90 });
  expect(warnings.map(({ code }) => code)).toEqual(codes);
});
