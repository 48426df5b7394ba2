import { expect, test } from "vitest";
import { normalized } from "../../wire/nfc.ts";

test("a text is put in its form", () => {
  expect(normalized("e\u0301")).toBe("\u00e9");
  expect(normalized("e\u0301".repeat(2048))).toBe("\u00e9".repeat(2048));
});

test.each([
  ["a text that is longer than any", "e\u0301".repeat(40_000)],
  ["a long run of marks", `e${"\u0301\u0316".repeat(16)}`],
])("%s is left as it is", (_, text) => {
  expect(normalized(text)).toBe(text);
});
