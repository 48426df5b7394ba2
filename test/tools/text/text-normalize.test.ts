import { expect, test } from "vitest";
import { hashNormalized, isEqualNormalized, normalizedToken } from "../../../tools/text/tokens/normalize.ts";
import { normalizeToken, type TokenRules } from "../../../tools/text/tokens/tokens.ts";
import { fc, runs } from "../../support/properties.ts";

const numRuns = Number(process.env["TEXT_RUNS"] ?? runs(5000).numRuns);
const secret = Int32Array.of(1_234_567, -7_654_321);

// Few signs, so that tokens are often alike; the Kelvin sign is a k, a dotted I becomes two signs, sigma has two forms.
const signs = fc.constantFrom(..." \t\r\v\u00a0aAkKéÉ\u212aİiΣσς@[`{Z");
const token = fc
  .tuple(fc.string({ unit: signs, maxLength: 8 }), fc.constantFrom("", "\n", "\r\n", " \r\n", "\r \n"))
  .map((parts) => parts.join(""))
  .filter((text) => text !== "");
const rules: fc.Arbitrary<TokenRules> = fc.record({
  granularity: fc.constantFrom("line", "word", "character"),
  ignoreCase: fc.boolean(),
  ignoreWhitespace: fc.constantFrom("all", "amount", "none"),
});

test("tells tokens apart just as their keys do, wherever they stand", () => {
  fc.assert(
    fc.property(token, token, rules, (a, b, how) => {
      const one = normalizedToken({ text: a, start: 0, end: a.length }, how);
      const text = `x${b}x`;
      const two = normalizedToken({ text, start: 1, end: text.length - 1 }, how);
      const isSame = normalizeToken(a, how) === normalizeToken(b, how);
      expect(isEqualNormalized(one, two, how)).toBe(isSame);
      if (!isSame) return;
      expect(hashNormalized(one, how, secret)).toBe(hashNormalized(two, how, secret));
    }),
    { numRuns },
  );
});
