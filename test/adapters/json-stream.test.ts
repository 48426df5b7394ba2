import { expect, test } from "vitest";
import { jsonStream } from "../../adapters/json-stream.ts";

const list = (length: number) => Array.from({ length }, (_, i) => ({ i, text: `"é\n${i}` }));

test.each([10_001, 12_000, 12_001])("writes a list of %i entries as JSON.stringify would", async (length) => {
  const record = { first: 1, none: undefined, empty: [], rows: list(length), nested: { a: [1] }, last: "x" };
  expect(await new Response(jsonStream(record)).text()).toBe(JSON.stringify(record));
});

test("leaves a record without a long list to JSON.stringify", () => {
  expect(jsonStream({ rows: list(10_000) })).toBeUndefined();
});
