import { expect, test } from "vitest";
import { splitPdf, type SplitOptions } from "../../../tools/pdf-split.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { readDirectory, readForward } from "../support/read-zip.ts";
import { assertClean, clearText, pageTexts } from "./support/judges.ts";
import { chapters } from "./support/chapters.ts";
import { makePdf, stream, pagesPdf, refusal } from "./support/pdf-made.ts";

/** The files of a split, and the texts of the pages in each. */
async function split(file: Bytes, options: SplitOptions) {
  const result = await splitPdf(file, options);
  if (result.type !== "application/zip") throw new Error("expected a ZIP");
  const zip = Buffer.from(result.bytes);
  const files = readForward(zip).entries.map(({ name, data }) => ({ name, data: new Uint8Array(data) }));
  expect(readDirectory(zip).map(({ name }) => name)).toEqual(result.entries);
  const texts: Record<string, string[]> = {};
  for (const { name, data } of files) {
    assertClean(data);
    texts[name] = await pageTexts(data);
  }
  expect(result.entries).toEqual(Object.keys(texts));
  expect(result.parts).toBe(files.length);
  return { ...result, texts, files: files.map(({ data }) => data) };
}

const pageNames = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `Page ${from + i}`);

test("every so many pages are a file, and the rest one more", async () => {
  const { texts, mode, pages, warnings } = await split(pagesPdf(7), { mode: "every", count: 3 });
  expect(texts).toEqual({
    "pages-001-003.pdf": pageNames(1, 3),
    "pages-004-006.pdf": pageNames(4, 6),
    "page-007.pdf": pageNames(7, 7),
  });
  expect({ mode, pages, warnings }).toEqual({ mode: "every", pages: 7, warnings: [] });
});

test("more pages in a file than there are make one file", async () => {
  expect(Object.keys((await split(pagesPdf(2), { mode: "every", count: 50_000 })).texts)).toEqual([
    "pages-001-002.pdf",
  ]);
});

test("each bookmark of the first level is a file with its title, and nothing of the others", async () => {
  const { texts, files } = await split(chapters(), { mode: "bookmarks" });
  expect(texts).toEqual({
    "001.pdf": pageNames(1, 1),
    "002-One_ a_b.pdf": pageNames(2, 3),
    "003-Two – 2.pdf": pageNames(4, 5),
    "004-Übe.pdf": pageNames(6, 6),
  });
  const [front = new Uint8Array(), one = new Uint8Array()] = files;
  expect(clearText(front)).not.toContain("Two");
  expect(clearText(one)).toContain("One: a/b");
  expect(clearText(one)).not.toContain("Two");
});

test("a document without bookmarks that lead to pages is refused", async () => {
  expect((await refusal(() => splitPdf(pagesPdf(2), { mode: "bookmarks" }))).code).toBe("no_bookmarks");
});

/** Pages of which each has so many bytes that do not shrink. */
function heavyPages(sizes: readonly number[]): Bytes {
  const objects: Record<number, string> = {
    1: "<</Type/Catalog/Pages 2 0 R>>",
    2: `<</Type/Pages/Count ${sizes.length}/Kids[${sizes.map((_, i) => `${10 + 2 * i} 0 R`).join(" ")}]/MediaBox[0 0 200 100]/Resources 3 0 R>>`,
    3: "<</Font<</F1 4 0 R>>>>",
    4: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  };
  sizes.forEach((size, i) => {
    objects[10 + 2 * i] = `<</Type/Page/Parent 2 0 R/Contents ${11 + 2 * i} 0 R>>`;
    objects[11 + 2 * i] = stream(`BT /F1 18 Tf 20 40 Td (Page ${i + 1}) Tj ET\n%${"x".repeat(size)}`);
  });
  return makePdf(objects);
}

test.each([
  { sizes: Array.from({ length: 40 }, () => 1_000), bytes: 10_000 },
  { sizes: [100, 8_000, 100, 100, 5_000, 5_000, 100, 100, 100, 9_000], bytes: 10_000 },
  { sizes: [1], bytes: 1_000_000 },
])(
  "files of a size hold as many pages as fit, in order ($bytes bytes, case %#)",
  async ({ sizes, bytes }) => {
    const file = heavyPages(sizes);
    const { texts, files, warnings } = await split(file, { mode: "size", bytes });
    expect(Object.values(texts).flat()).toEqual(pageNames(1, sizes.length));
    expect(warnings).toEqual([]);
    for (const each of files) expect(each.length).toBeLessThanOrEqual(bytes);
    // The first page of the next file would not have fitted.
    let from = 1;
    for (const each of Object.values(texts).slice(0, -1)) {
      const more = await splitPdf(file, { mode: "keep", range: `${from}-${from + each.length}` });
      expect(more.bytes.length).toBeGreaterThan(bytes);
      from += each.length;
    }
  },
);

test("a page that is larger than asked is a file by itself, and told", async () => {
  const { texts, warnings } = await split(heavyPages([100, 6_000, 100]), { mode: "size", bytes: 3_000 });
  expect(texts).toEqual({
    "page-001.pdf": pageNames(1, 1),
    "page-002.pdf": pageNames(2, 2),
    "page-003.pdf": pageNames(3, 3),
  });
  expect(warnings).toEqual([{ code: "parts_too_large", files: 1 }]);
});

test("the limit of the whole result holds for what is in it, and not for what was tried", async () => {
  const file = heavyPages(Array.from({ length: 10 }, () => 1_000));
  const { parts, bytes } = await split(file, { mode: "size", bytes: 6_000 });
  expect(parts).toBeGreaterThan(1);
  const maxBytes = bytes.length + 500;
  expect((await splitPdf(file, { mode: "size", bytes: 6_000, maxBytes })).bytes).toEqual(bytes);
  const tooSmall = refusal(() => splitPdf(file, { mode: "size", bytes: 6_000, maxBytes: 5_000 }));
  expect((await tooSmall).code).toBe("result_too_large");
});

test.each([
  [{ mode: "every" }, "missing_parameter", "count"],
  [{ mode: "size" }, "missing_parameter", "bytes"],
  [{ mode: "size", bytes: 10, count: 1 }, "invalid_parameter", "count"],
  [{ mode: "each", bytes: 10 }, "invalid_parameter", "bytes"],
  [{ mode: "bookmarks", range: "1" }, "invalid_parameter", "range"],
  [{ mode: "keep", range: "1", count: 2 }, "invalid_parameter", "count"],
] as const)("%j is refused as %s", async (options, code, parameter) => {
  const failure = await refusal(() => splitPdf(pagesPdf(2), options));
  expect([failure.code, failure.fields.parameter]).toEqual([code, parameter]);
});
