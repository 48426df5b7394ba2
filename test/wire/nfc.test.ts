import { expect, test } from "vitest";
import { normalized } from "../../wire/nfc.ts";

test("a text as long as any that is compared is put in its form, and a longer one is left alone", () => {
  expect(normalized("e\u0301")).toBe("\u00e9");
  expect(normalized("e\u0301".repeat(2048))).toBe("\u00e9".repeat(2048));
  expect(normalized("\ufb01", "NFKC")).toBe("fi");
  const long = "e\u0301".repeat(2049);
  expect(normalized(long)).toBe(long);
});
