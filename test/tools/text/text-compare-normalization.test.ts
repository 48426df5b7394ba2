import { expect, test } from "vitest";
import { compareTexts } from "../../../tools/text-compare.ts";
import { makePatch } from "./support/text-checks.ts";
import type { IgnoreOptions } from "./support/text-checks.ts";

const NFD = "cafe\u0301\nA\u030angstro\u0308m\n\u1112\u1161\u11ab\n";
const NFC = NFD.normalize("NFC");

async function codesOf([a, b]: readonly [string, string], options: IgnoreOptions = {}) {
  const rules = { ignoreCase: false, ignoreWhitespace: "none", format: "json", ...options } as const;
  const units = options.ignoreBlankLines ? (["line"] as const) : (["line", "word", "character"] as const);
  const answers = await Promise.all(
    units.map((granularity) => compareTexts({ a, b }, { ...rules, granularity })),
  );
  const codes = answers.map(({ warnings }) => warnings?.map(({ code }) => code).join() ?? "");
  return new Set(codes);
}

test.each([
  ["all letters", NFC, NFD, {}],
  ["some lines", `x\n${NFC}y\n`, `x\n${NFD}y\n`, {}],
  ["some letters, each way", "é e\u0301\n", "e\u0301 é\n", {}],
  ["lines in another order of forms", "é\ne\u0301\n", "e\u0301\né\n", {}],
  ["what is no composed form on either side", "q\u0323\u0307", "q\u0307\u0323", {}],
  ["letters beside ignored case", "CAFÉ", "cafe\u0301", { ignoreCase: true }],
  ["letters beside ignored blanks", "é  é ", "e\u0301 é", { ignoreWhitespace: "amount" }],
  ["letters beside all blanks", "é é", "e\u0301é\n", { ignoreWhitespace: "all" }],
  ["letters beside ignored blank lines", "é\na\n", "e\u0301\na\n\n", { ignoreBlankLines: true }],
] as const)("tells that only the normalization differs: %s", async (_, a, b, options) => {
  expect(await codesOf([a, b], options)).toEqual(new Set(["only_normalization_differs"]));
  expect(await codesOf([b, a], options)).toEqual(new Set(["only_normalization_differs"]));
});

test.each([
  ["nothing differs", NFD, NFD, {}],
  ["a letter differs too", NFC, NFD.replace("c", "k"), {}],
  ["another line differs too", `${NFC}x\n`, `${NFD}y\n`, {}],
  ["a line is missing", NFC, `${NFD}x\n`, {}],
  ["the last line feed is missing", "é\n", "e\u0301", {}],
  ["only compatibility forms differ", "ﬁ", "fi", {}],
  ["what differs is ignored", "É", "é", { ignoreCase: true }],
  ["lines have moved", "x\ny\n", "y\nx\n", {}],
  ["many have, and some are there twice", "a\na\nx\nb\n", "x\nb\na\na\n", {}],
  ["lines in other forms have moved", "é\nx\n", "x\ne\u0301\n", {}],
] as const)("is silent where %s", async (_, a, b, options) => {
  expect(await codesOf([a, b], options)).toEqual(new Set([""]));
});

test("tells it beside a patch", async () => {
  const { warnings } = await makePatch({ a: NFC, b: NFD });
  expect(warnings).toEqual([{ code: "only_normalization_differs" }]);
});
