import { describe, expect, test } from "vitest";
import type { Bytes } from "../../../../wire/bytes.ts";
import { countPages } from "../../../../tools/pdf/count-pages.ts";
import { lockPdf } from "../../../../tools/pdf-lock.ts";
import { mergePdf } from "../../../../tools/pdf-merge.ts";
import { rotatePdf } from "../../../../tools/pdf-rotate.ts";
import { splitPdf } from "../../../../tools/pdf-split.ts";
import { unlockPdf } from "../../../../tools/pdf-unlock.ts";
import { assertClean, clearText, pageTexts } from "../support/judges.ts";
import { bytesOf, makePdf, pagesPdf, refusal, stream, textOf } from "../support/pdf-made.ts";

const sound = textOf(pagesPdf(2));
const SEARCHED = { code: "pages_found" };

/** Its cross-reference does not fit any more, which is found out as well. */
const damage = (from: string, to: string) => bytesOf(sound.replace(from, to));

test("an object whose number and keyword have a comment between them is found in a search", async () => {
  const { bytes, warnings } = await rotatePdf(damage("6 0 obj\n", "6 0 % a page\nobj\n"), { angle: 90 });
  expect(await pageTexts(bytes)).toEqual(["Page 1", "Page 2"]);
  expect(warnings).toEqual([{ code: "xref_rebuilt" }]);
  assertClean(bytes);
});

test("a single page in the place of the list of kids is read", async () => {
  const { bytes, pages, warnings } = await rotatePdf(damage("/Kids[4 0 R 6 0 R]", "/Kids   4 0 R     "), {
    angle: 90,
  });
  expect({ pages, warnings }).toEqual({ pages: 1, warnings: [] });
  expect(await pageTexts(bytes)).toEqual(["Page 1"]);
  assertClean(bytes);
});

test.each([
  ["the root is below itself", "/Parent 2 0 R", "/Parent 2 0 R"],
  ["a page is below itself", "", "/Parent 4 0 R"],
  ["a page is below another node", "", "/Parent 3 0 R"],
  ["a page has itself as a kid", "", "/Parent 2 0 R/Kids[4 0 R]/Count 1"],
])("a page tree that leads in a circle is made anew: %s", async (_, root, page) => {
  const file = makePdf({
    1: "<</Type/Catalog/Pages 2 0 R>>",
    2: `<</Type/Pages/Count 1/Kids[4 0 R]${root}>>`,
    3: "<</Type/Pages/Count 0/Kids[]/Parent 3 0 R>>",
    4: `<</Type/Page/MediaBox[0 0 200 100]/Contents 5 0 R/Resources<</Font<</F1 6 0 R>>>>${page}>>`,
    5: stream("BT /F1 18 Tf 20 40 Td (Page 1) Tj ET"),
    6: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  });
  const locked = await lockPdf(file, { password: "x" });
  const { bytes } = await unlockPdf(locked.bytes, { password: "x" });
  assertClean(bytes);
  expect(await pageTexts(bytes)).toEqual(["Page 1"]);
  const text = clearText(bytes);
  expect([text.match(/\/Kids/g)?.length, text.match(/\/Parent/g)?.length]).toEqual([1, 1]);
  const [, parent] = /\/Parent (\d+) 0 R/.exec(text) ?? [];
  expect(text).toMatch(new RegExp(`/Pages ${parent} 0 R`));
});

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

  test.each([
    ["it has none", "/Count 0/Kids[]"],
    ["it has not even a list", "/Count 0"],
    ["it counts some, but has none", "/Count 2/Kids[]"],
    ["only empty nodes are in it", "/Count 0/Kids[<</Type/Pages/Count 0/Kids[]>>]"],
  ])("do not come back where %s, and every tool says so", async (_, tree) => {
    const file = makePdf({
      1: "<</Type/Catalog/Pages 2 0 R>>",
      2: `<</Type/Pages${tree}>>`,
    });
    for (const work of [
      () => rotatePdf(file, { angle: 90 }),
      () => splitPdf(file, { mode: "each" }),
      () => splitPdf(file, { mode: "keep", range: "1" }),
      () => splitPdf(file, { mode: "drop", range: "1" }),
      () => unlockPdf(file),
      () => countPages({ file }),
    ]) {
      expect(await refusal(work)).toMatchObject({ code: "no_pages", fields: {} });
    }
    const merging = () => mergePdf([{ data: bytesOf(sound) }, { data: file }]);
    expect(await refusal(merging)).toMatchObject({ code: "no_pages", fields: { file: 1 } });
  });

  test("are not made up", async () => {
    const file = bytesOf(sound.replaceAll("/Type/Page/", "/Type/Pagx/").replace("/Kids", "/Kiss"));
    expect((await refusal(() => rotatePdf(file, { angle: 90 }))).code).toBe("damaged_file");
  });
});

describe("a page tree of many levels", () => {
  /** Nodes in each other, each with a page before the next node; the outermost says how large pages are. */
  function deepPdf(levels: number): Bytes {
    const objects: Record<number, string> = { 1: "<</Type/Catalog/Pages 10 0 R>>" };
    for (let level = 0; level < levels; level++) {
      const num = 10 + 2 * level;
      const next = level === levels - 1 ? "" : ` ${num + 2} 0 R`;
      const above = level === 0 ? "/MediaBox[0 0 9 9]" : `/Parent ${num - 2} 0 R`;
      objects[num] = `<</Type/Pages${above}/Count ${levels - level}/Kids[${num + 1} 0 R${next}]>>`;
      objects[num + 1] = `<</Type/Page/Parent ${num} 0 R>>`;
    }
    return makePdf(objects);
  }

  test("is read by every tool", async () => {
    const file = deepPdf(600);
    const rotated = await rotatePdf(file, { angle: 90 });
    const kept = await splitPdf(file, { mode: "keep", range: "599-600" });
    const merged = await mergePdf([{ data: file, range: "end" }, { data: file }]);
    expect(await unlockPdf(file)).toMatchObject({ pages: 600, warnings: [] });
    expect([rotated.pages, merged.pages]).toEqual([600, 601]);
    for (const { bytes, warnings } of [rotated, kept, merged]) {
      expect(warnings).toEqual([]);
      assertClean(bytes);
    }
    expect(await pageTexts(kept.bytes)).toHaveLength(2);
  });

  test("has at most ten thousand of them", async () => {
    expect((await rotatePdf(deepPdf(10_000), { angle: 90 })).pages).toBe(10_000);
    expect(await refusal(() => rotatePdf(deepPdf(10_001), { angle: 90 }))).toMatchObject({
      code: "too_complex",
      fields: { limit: "depth", value: 10_000 },
    });
  });
});
