import { expect, test } from "vitest";
import { mergePdf, type MergeOptions } from "../../../../tools/pdf-merge.ts";
import type { Bytes } from "../../../../wire/bytes.ts";
import { assertClean, openWithPdfjs, pageTexts } from "../support/judges.ts";
import { makePdf, pagesPdf, stream } from "../support/pdf-made.ts";

interface Item {
  readonly title: string;
  /** From 1. */
  readonly page: number;
  readonly items: readonly Item[];
}

/** The bookmarks as a reader shows them. */
async function outlineOf(bytes: Bytes): Promise<Item[]> {
  const pdf = await openWithPdfjs(bytes);
  type Node = NonNullable<Awaited<ReturnType<typeof pdf.getOutline>>>[number];
  const read = async ({ title, dest, items }: Node): Promise<Item> => {
    if (!Array.isArray(dest)) throw new Error("expected a destination");
    const page = 1 + (await pdf.getPageIndex(dest[0]));
    return { title, page, items: await Promise.all(items.map(read)) };
  };
  return Promise.all(((await pdf.getOutline()) ?? []).map(read));
}

/** Two pages, the second of which has a bookmark. */
function chaptered(): Bytes {
  return makePdf({
    1: "<</Type/Catalog/Pages 2 0 R/Outlines 5 0 R>>",
    2: "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/MediaBox[0 0 300 200]/Rotate 90>>",
    3: "<</Type/Page/Parent 2 0 R>>",
    4: "<</Type/Page/Parent 2 0 R>>",
    5: "<</First 6 0 R/Last 6 0 R/Count 1>>",
    6: "<</Title(Chapter)/Parent 5 0 R/Dest[4 0 R/Fit]/First 7 0 R/Last 7 0 R/Count -1>>",
    7: "<</Title(Kid)/Parent 6 0 R/Dest[3 0 R/Fit]>>",
  });
}

test("with bookmarks each file has one with its name, above its own", async () => {
  const files = [
    { name: "Übersicht 1.PDF", data: pagesPdf(1) },
    { name: "text.pdf", data: chaptered() },
    { data: pagesPdf(2) },
    { name: "text.pdf", data: chaptered(), range: "2" },
  ];
  const { bytes, pages } = await mergePdf(files, { bookmarks: true });
  assertClean(bytes);
  expect(pages).toBe(6);
  const kid = { title: "Kid", page: 2, items: [] };
  expect(await outlineOf(bytes)).toEqual([
    { title: "Übersicht 1", page: 1, items: [] },
    { title: "text", page: 2, items: [{ title: "Chapter", page: 3, items: [kid] }] },
    { title: "3", page: 4, items: [] },
    { title: "text", page: 6, items: [{ title: "Chapter", page: 6, items: [] }] },
  ]);
});

test("without them nothing is added", async () => {
  const { bytes } = await mergePdf([{ name: "a.pdf", data: pagesPdf(1) }, { data: chaptered() }]);
  expect((await outlineOf(bytes)).map(({ title }) => title)).toEqual(["Chapter"]);
});

test.each<[MergeOptions, number[], string[]]>([
  [{ evenPages: true }, [1, 2, 3], ["Page 1", "", "Page 1", "Page 2", "Page 1", "Page 2", "Page 3"]],
  [{ evenPages: true }, [2, 2], ["Page 1", "Page 2", "Page 1", "Page 2"]],
  [{ evenPages: true }, [1], ["Page 1"]],
  [{ evenPages: false }, [1, 1], ["Page 1", "Page 1"]],
])(
  "%j puts blank pages behind odd numbers of pages (%j), but not at the end",
  async (options, counts, texts) => {
    const files = counts.map((count) => ({ data: pagesPdf(count) }));
    const { bytes, pages, files: taken } = await mergePdf(files, options);
    assertClean(bytes);
    expect(await pageTexts(bytes)).toEqual(texts);
    expect(pages).toBe(texts.length);
    expect(taken.map((each) => each.taken)).toEqual(counts);
  },
);

test("a blank page is as large and as turned as the one before it", async () => {
  const odd = makePdf({
    1: "<</Type/Catalog/Pages 2 0 R>>",
    2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 300 200]/Rotate 90>>",
    3: "<</Type/Page/Parent 2 0 R/CropBox[10 10 210 110]/Contents 4 0 R>>",
    4: stream("0 0 9 9 re f"),
  });
  const { bytes } = await mergePdf([{ data: odd }, { data: pagesPdf(1) }], { evenPages: true });
  const pdf = await openWithPdfjs(bytes);
  const [first, blank] = await Promise.all([pdf.getPage(1), pdf.getPage(2)]);
  expect([blank.view, blank.rotate]).toEqual([first.view, first.rotate]);
  expect((await blank.getOperatorList()).fnArray).toEqual([]);
});
