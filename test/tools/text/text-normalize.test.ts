import * as fc from "fast-check";
import { expect, test } from "vitest";
import { hashLoosely, isSameLoosely, looseToken } from "../../../tools/text/tokens/normalize.ts";
import { tokenKey, type Reading } from "../../../tools/text/tokens/tokens.ts";

const numRuns = Number(process.env["TEXT_RUNS"] ?? 5000);
const secret = Int32Array.of(1_234_567, -7_654_321);

// Few signs, so that tokens are often alike; the Kelvin sign is a k, a dotted I becomes two signs, sigma has two forms.
const signs = fc.constantFrom(..." \t\r\u00a0aAkKéÉ\u212aİiΣσς@[`{Z");
const token = fc
  .tuple(fc.string({ unit: signs, maxLength: 8 }), fc.constantFrom("", "\n", "\r\n", " \r\n", "\r \n"))
  .map((parts) => parts.join(""))
  .filter((text) => text !== "");
const reading: fc.Arbitrary<Reading> = fc.record({
  granularity: fc.constantFrom("line", "word", "character"),
  ignoreCase: fc.boolean(),
  ignoreWhitespace: fc.boolean(),
});

test("tells tokens apart just as their keys do, wherever they stand", () => {
  fc.assert(
    fc.property(token, token, reading, (a, b, how) => {
      const one = looseToken({ text: a, start: 0, end: a.length }, how);
      const text = `x${b}x`;
      const two = looseToken({ text, start: 1, end: text.length - 1 }, how);
      const isSame = tokenKey(a, how) === tokenKey(b, how);
      expect(isSameLoosely(one, two, how)).toBe(isSame);
      if (!isSame) return;
      expect(hashLoosely(one, { reading: how, secret })).toBe(hashLoosely(two, { reading: how, secret }));
    }),
    { numRuns },
  );
});
