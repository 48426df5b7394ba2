import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { listPages, pageSet, readPageRange } from "../../tools/page-range.ts";

function select(text: string, pages = 10): number[] {
  const range = readPageRange(text);
  if (!range) throw new Error("expected a range");
  return listPages(range, pages);
}

function refusal(work: () => unknown): ToolFailure {
  try {
    work();
  } catch (error) {
    if (error instanceof ToolFailure) return error;
    throw error;
  }
  throw new Error("expected a refusal");
}

describe("a page range on ten pages", () => {
  test.each([
    ["1-3,7,end-2", [1, 2, 3, 7, 8, 9, 10]],
    ["5-end-2", [5, 6, 7, 8]],
    ["end-2-end", [8, 9, 10]],
    ["end-end", [10]],
    ["end-0", [10]],
    ["end", [10]],
    ["end-2-1", [8, 7, 6, 5, 4, 3, 2, 1]],
    ["end-4-end-2", [6, 7, 8]],
    ["end-2-end-2", [8]],
    ["2,2,1", [2, 2, 1]],
    ["10-8", [10, 9, 8]],
    ["end-9", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    ["007", [7]],
    [" 1 -\t3 , END - 1 ", [1, 2, 3, 9, 10]],
    ["End-8-2", [2]],
    ["1", [1]],
    ["10", [10]],
  ])("%s selects what it says", (text, pages) => {
    expect(select(text)).toEqual(pages);
  });

  test.each([
    ["end-10", 0],
    ["0", 0],
    ["11", 11],
    ["1-11", 11],
    ["end-11", -1],
    ["3,12-1", 12],
  ])("%s is refused with the page and the page count", (text, page) => {
    const failure = refusal(() => select(text));
    expect(failure.code).toBe("page_out_of_range");
    expect(failure.fields).toMatchObject({ page, pages: 10 });
    expect(failure.message).toContain("the document has 10 pages");
  });

  test.each([
    "1,,2",
    "1,",
    ",1",
    ",",
    "-3",
    "1-",
    "1--2",
    "1-end-end",
    "r",
    "r1r2",
    "z1",
    "r-1",
    "x1",
    "x1,2",
    "1,x",
    "1,xx2",
    "1x2",
    "1:both",
    "1:even:odd",
    "1:odd,2",
    ":odd",
    "1:",
    "z-1-2",
    "1 2",
    "1-2-3",
    "end-1-2-3",
    "end-",
    "1;2",
    "１",
    "1\n",
  ])("%j is refused before any document is opened", (text) => {
    const failure = refusal(() => readPageRange(text));
    expect(failure.code).toBe("invalid_range");
    expect(failure.fields).toMatchObject({ parameter: "range" });
  });
});

describe("a page range as qpdf has them, on ten pages", () => {
  test.each([
    ["r1", [10]],
    ["r3", [8]],
    ["r10", [1]],
    ["z", [10]],
    ["R2-Z", [9, 10]],
    ["z-r3", [10, 9, 8]],
    ["r3-r1", [8, 9, 10]],
    ["1-r8", [1, 2, 3]],
    ["end-1-z", [9, 10]],
    ["1-z:odd", [1, 3, 5, 7, 9]],
    ["1-z:even", [2, 4, 6, 8, 10]],
    ["z-1:even", [9, 7, 5, 3, 1]],
    ["5,7-9 : ODD", [5, 8]],
    ["2,2,2:even", [2]],
    ["1-9,x4-6", [1, 2, 3, 7, 8, 9]],
    ["1-9,x6-4,x1", [2, 3, 7, 8, 9]],
    ["1-3, x 2 ,2", [1, 3, 2]],
    ["4-8,xr5", [4, 5, 7, 8]],
    ["1-5,xend-7", [1, 2]],
    ["1-z,x1:odd", [2, 4, 6, 8, 10]],
    ["1-3,x1-3,7", [7]],
  ])("%s selects what it says", (text, pages) => {
    expect(select(text)).toEqual(pages);
  });

  test("takes pages out of the item before alone", () => {
    expect(select("4-10,x7-9,12-8,xr5", 15)).toEqual([4, 5, 6, 10, 12, 10, 9, 8]);
  });

  test.each([
    ["r0", 11],
    ["r11", 0],
    ["1-5,x11", 11],
  ])("%s is refused with the page", (text, page) => {
    const failure = refusal(() => select(text));
    expect(failure.code).toBe("page_out_of_range");
    expect(failure.fields).toMatchObject({ page, pages: 10 });
  });

  test.each(["1:even", "1-3,x1-3"])("%s selects nothing, which is refused", (text) => {
    const failure = refusal(() => select(text));
    expect(failure.code).toBe("page_out_of_range");
    expect(failure.message).toBe("The range selects no page.");
  });

  test("is laid on a long document at once, whatever is taken out", () => {
    const items = Array.from({ length: 500 }, () => "x1-z").join(",");
    expect(refusal(() => select(`1-z,${items}`, 50_000)).message).toBe("The range selects no page.");
  });
});

describe("the ranges of docs/tools/pdf.md", () => {
  const document = readFileSync(new URL("../../docs/tools/pdf.md", import.meta.url), "utf8");
  const examples = [...document.matchAll(/^\| `([^`]+)` \| ([0-9 ]+) \|/gm)].map(([, range, pages]) => [
    range!,
    pages!,
  ]);

  test("are there", () => expect(examples.length).toBeGreaterThan(8));

  test.each(examples)("%s", (range, pages) => expect(select(range!).join(" ")).toBe(pages));
});

describe("the borders of a page range", () => {
  test.each([undefined, "", "  ", "\t"])("%j is no range", (text) => {
    expect(readPageRange(text)).toBeUndefined();
  });

  test.each([
    [4095, true],
    [4096, true],
    [4097, false],
  ])("%i characters: accepted is %s", (length, accepted) => {
    const text = "1".padStart(length, "0");
    if (accepted) expect(readPageRange(text)?.groups).toHaveLength(1);
    else expect(refusal(() => readPageRange(text)).code).toBe("invalid_range");
  });

  test("selects up to 50,000 pages of a shorter document", () => {
    const items = Array.from({ length: 50 }, () => "1-1000").join(",");
    expect(select(items, 1000)).toHaveLength(50_000);
    const failure = refusal(() => select(`${items},1`, 1000));
    expect(failure.code).toBe("too_many_pages");
    expect(failure.fields).toMatchObject({ value: 50_000, unit: "pages", actual: 50_001 });
  });

  test("selects every page of a longer document once", () => {
    expect(select("1-end", 60_000)).toHaveLength(60_000);
    expect(refusal(() => select("1-end,1", 60_000)).code).toBe("too_many_pages");
  });

  test("quotes at most 64 characters of an item", () => {
    const failure = refusal(() => readPageRange("x".repeat(200)));
    expect(failure.fields["received"]).toBe("x".repeat(64));
  });

  test("an item is quoted with the line feed that is wrong with it, and without its blanks", () => {
    expect(refusal(() => select("1,\t 2\n ")).fields["received"]).toBe("2\n");
  });

  test("answers a number of any length with a refusal, not a slip", () => {
    expect(refusal(() => select("9".repeat(400))).code).toBe("page_out_of_range");
  });

  test("as a set holds each page once", () => {
    const range = readPageRange("2,2,1,3-1");
    expect(range && [...pageSet(range, 3)].sort()).toEqual([1, 2, 3]);
  });
});
