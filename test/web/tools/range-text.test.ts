// slow
import { describe, expect, test } from "vitest";
import { listPages, readPageRange } from "../../../tools/page-range.ts";
import { addPage, writeRange } from "../../../web/pdf/range-text.ts";

describe("chosen pages", () => {
  test.each([
    ["", []],
    ["4", [4]],
    ["1-3,7", [1, 2, 3, 7]],
    ["3-1", [3, 2, 1]],
    ["5,2,7,4", [5, 2, 7, 4]],
    ["1-2,1-2", [1, 2, 1, 2]],
    ["2,2", [2, 2]],
    ["1-3,2-1", [1, 2, 3, 2, 1]],
  ])("are written as %j, which reads as the same pages", (text, pages) => {
    expect(writeRange(pages)).toBe(text);
    const range = readPageRange(text);
    expect(range ? listPages(range, 9) : []).toEqual(pages);
  });

  test("take another in its place while they ascend, and at the end when they have an order of their own", () => {
    expect(addPage([], 3)).toEqual([3]);
    expect(addPage([2, 5], 3)).toEqual([2, 3, 5]);
    expect(addPage([5, 2], 3)).toEqual([5, 2, 3]);
  });
});
