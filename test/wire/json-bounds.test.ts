import { expect, test } from "vitest";
import { utf8 } from "../../wire/bytes.ts";
import { exceededBound, MAX_JSON_DEPTH, MAX_JSON_VALUES } from "../../wire/json/json-bounds.ts";
import { fc, runs } from "../support/properties.ts";

function bound(json: string) {
  return exceededBound(utf8(json));
}

function nested(depth: number): string {
  return "[".repeat(depth) + "]".repeat(depth);
}

test.each([
  [MAX_JSON_DEPTH - 1, undefined],
  [MAX_JSON_DEPTH, undefined],
  [MAX_JSON_DEPTH + 1, "depth"],
])("finds %i levels %s", (depth, expected) => {
  expect(bound(nested(depth))).toBe(expected);
  expect(bound('{"a":'.repeat(depth))).toBe(expected);
});

test.each([
  [MAX_JSON_VALUES - 2, undefined],
  [MAX_JSON_VALUES - 1, undefined],
  [MAX_JSON_VALUES, "values"],
])("finds a list of %i values %s", (count, expected) => {
  expect(bound(`[${Array(count).fill("0").join(",")}]`)).toBe(expected);
});

test("counts keys as values", () => {
  const keys = Array.from({ length: MAX_JSON_VALUES }, (_, i) => `"${i}":0`);
  expect(bound(`{${keys.join(",")}}`)).toBe("values");
});

test.each([
  ["brackets", "[".repeat(1000)],
  ["commas", ",".repeat(20_000)],
  ["quotes and brackets", '"['.repeat(1000)],
  ["backslashes before the end", "[[\\".repeat(1000)],
])("passes %s in a text", (_, text) => {
  expect(bound(JSON.stringify({ text, more: [text] }))).toBe(undefined);
});

test("passes every JSON of few levels and values, and counts beside texts what it counts without", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), fc.string({ unit: "binary" }), (value, text) => {
      expect(bound(JSON.stringify(value))).toBe(undefined);
      expect(bound(`[${JSON.stringify(text)},${nested(MAX_JSON_DEPTH)}]`)).toBe("depth");
    }),
    runs(100),
  );
});

test.each(["", '"', '"\\', "]]]]", "[", '\\\\"', '{"a":"b\\\\'])("comes to an end of %j", (json) => {
  expect(bound(json)).toBe(undefined);
});
