import { expect, test } from "vitest";
import { utf8 } from "../../wire/bytes.ts";
import {
  exceededBound,
  inspectJson,
  MAX_JSON_DEPTH,
  MAX_JSON_VALUES,
  parseJson,
} from "../../wire/json/json-bounds.ts";
import { fc, runs } from "../support/properties.ts";

const faultOf = (json: Uint8Array<ArrayBuffer>) => inspectJson(json).fault;
const repeated = (parameter: string) => ({ fault: "repeated_parameter", parameter });

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

test.each([
  ['{"a":1,"a":1}', repeated("a")],
  ['{"a" \t\r\n:1, "b":2, "a"\n:1}', repeated("a")],
  ['{"a":{"b":[0,{"c":1,"c":2}]}}', repeated("a.b[1].c")],
  ['{"é":1,"\\u00e9":2}', repeated("é")],
  ['{"\\"":1,"\\u0022":2}', repeated('"')],
  ['{"":1,"":2}', repeated("")],
  ['{"__proto__":1,"__proto__":2}', repeated("__proto__")],
  ['{"a":{"a":"a"},"b":["a","a"],"c":{"a":1}}', undefined],
  ['[{"a":1},{"a":1}]', undefined],
  ['{"a":"\\",\\"a\\":","b":1}', undefined],
])("looks for a name twice in %s", (json, fault) => {
  expect(faultOf(utf8(json))).toEqual(fault);
});

test("finds a name twice among many, and a number beyond the largest wherever it stands", () => {
  const many = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`name ${i}`, { a: i, b: [i] }]));
  const json = JSON.stringify(many);
  expect(faultOf(utf8(json))).toBe(undefined);
  for (const name of ["name 0", "name 17", "name 399"])
    expect(faultOf(utf8(`${json.slice(0, -1)},"${name}":1}`))).toEqual(repeated(name));
  for (const number of ["1e999", "-1E999", "9".repeat(309), `0.1e${"9".repeat(9)}`])
    for (const place of [number, `[0,${number}]`, `{"a":{"b":[true,"e",${number}]}}`, ` ${number} `])
      expect(parseJson(utf8(place))).toMatchObject({ fault: "invalid_parameter" });
  for (const number of ["1e-999", "1e308", "9".repeat(308), "0.".padEnd(400, "1"), '"1e999"', "true"])
    expect(parseJson(utf8(number))).toEqual({ value: JSON.parse(number) });
});

test("finds no name twice in what JSON.stringify writes, and any that is added", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 4 })), (value) => {
      const json = JSON.stringify(value);
      expect(faultOf(utf8(json))).toBe(undefined);
      for (const name of Object.keys(value)) {
        const twice = `${json.slice(0, -1)},${JSON.stringify(name)}:0}`;
        expect(faultOf(utf8(`{"list":[0,${twice}]}`))).toMatchObject({ fault: "repeated_parameter" });
      }
    }),
    runs(200),
  );
});
