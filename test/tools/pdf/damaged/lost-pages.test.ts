import { describe, expect, test } from "vitest";
import { mergePdf } from "../../../../tools/pdf-merge.ts";
import { rotatePdf } from "../../../../tools/pdf-rotate.ts";
import { splitPdf } from "../../../../tools/pdf-split.ts";
import { unlockPdf } from "../../../../tools/pdf-unlock.ts";
import { assertClean, pageTexts } from "../support/judges.ts";
import { bytesOf, pagesPdf, refusal, textOf } from "../support/pdf-made.ts";

const sound = textOf(pagesPdf(2));
const SEARCHED = { code: "pages_found" };

/** Its cross-reference does not fit any more, which is found out as well. */
const damage = (from: string, to: string) => bytesOf(sound.replace(from, to));

describe("pages that the page tree does not lead to", () => {
  test.each([
    ["its kids are no references", damage("/Kids[4 0 R 6 0 R]", "/Kids[(4 0 R 6 0 R)]")],
    ["its kids are elsewhere", damage("/Kids[4 0 R 6 0 R]", "/Kids[94 0 R 96 0 R]")],
    ["the catalog names no tree", damage("/Pages 2 0 R", "/Sages 2 0 R")],
    ["there is no catalog", damage("1 0 obj\n<</Type/Catalog", "1 0 xxx\n<</Type/Xatalog")],
  ])("are looked for where %s", async (_, file) => {
    const { bytes, pages, warnings } = await rotatePdf(file, { angle: 90 });
    expect(pages).toBe(2);
    expect(warnings).toContainEqual(SEARCHED);
    expect(await pageTexts(bytes)).toEqual(["Page 1", "Page 2"]);
    assertClean(bytes);
  });

  test("are found by every tool", async () => {
    const file = damage("/Kids[4 0 R 6 0 R]", "/Kids[(4 0 R 6 0 R)]");
    const results = [
      await splitPdf(file, { mode: "keep", range: "2" }),
      await splitPdf(file, { mode: "each" }),
      await mergePdf([{ data: file }]),
    ];
    for (const { warnings } of results) expect(warnings).toContainEqual(SEARCHED);
    expect((await unlockPdf(file)).warnings).toEqual([{ code: "damage_left" }]);
  });

  test("are told as missing where it leads to others", async () => {
    const { pages, warnings } = await rotatePdf(damage("/Kids[4 0 R 6 0 R]", "/Kids[4 0 R 9 0 R]"), {
      angle: 90,
    });
    expect(pages).toBe(1);
    expect(warnings).toContainEqual({ code: "pages_lost" });
  });

  test("do not come back where it has none", async () => {
    const file = damage("/Count 2/Kids[4 0 R 6 0 R]", "/Count 0/Kids[]           ");
    const { pages, warnings } = await rotatePdf(file, { angle: 90 });
    expect({ pages, warnings }).toEqual({ pages: 0, warnings: [] });
  });

  test("are not made up", async () => {
    const file = bytesOf(sound.replaceAll("/Type/Page/", "/Type/Pagx/").replace("/Kids", "/Kiss"));
    expect((await refusal(() => rotatePdf(file, { angle: 90 }))).code).toBe("damaged_file");
  });
});
