import { expect, test } from "vitest";
import { decodeFrame } from "../../wire/frame.ts";
import { compareTexts } from "../../tools/text-compare.ts";
import { framePost, jsonPost } from "../support/requests.ts";
import { withServer } from "../support/with-server.ts";

const service = withServer();

// Long enough for a worker; a mark, a lone surrogate and a key that frames use stand in it as plain text.
const lines = Array.from({ length: 2000 }, (_, i) => `line ${i} "é😀\\ {"$bytes":[0,1]}\n`);
const a = lines.join("");
const b = lines.map((line, i) => (i % 500 === 7 ? `${line.slice(0, -1)} \ud800!\n` : line)).join("");
const STRICT = { ignoreCase: false, ignoreWhitespace: false };

const CASES = [
  { granularity: "line", format: "json" },
  { granularity: "line", format: "unified" },
  { granularity: "word", format: "json" },
  { granularity: "character", format: "json" },
] as const;

test.each(CASES)("answers a long comparison alike over REST, RPC and frames: %j", async (shape) => {
  const expected = await compareTexts({ a, b }, { ...STRICT, ...shape });
  expect(await service.client().tools.textCompare.mutate({ a, b, ...shape })).toEqual(expected);

  const rest = await service.request("/api/tools/text-compare", jsonPost({ a, b, ...shape }));
  const text = await rest.text();
  expect(JSON.parse(text)).toEqual(expected);
  expect(rest.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));

  const framed = await service.request("/trpc/tools.textCompare", framePost({ a, b, ...shape }));
  expect(decodeFrame(new Uint8Array(await framed.arrayBuffer()))).toEqual({ result: { data: expected } });
});

test("puts each of several long answers of a batch in its own place", async () => {
  const client = service.client();
  const [same, failed, word, password] = await Promise.allSettled([
    client.tools.textCompare.mutate({ a, b: a }),
    client.tools.textCompare.mutate({ a, b, granularity: "word", format: "unified" }),
    client.tools.textCompare.mutate({ a, b, granularity: "word" }),
    client.tools.password.mutate({ length: 12 }),
  ]);
  expect(same).toMatchObject({ value: { identical: true, stats: { equal: 2000 } } });
  expect(failed).toMatchObject({ reason: { data: { code: "invalid_parameter", parameter: "format" } } });
  expect(word).toMatchObject({
    value: await compareTexts({ a, b }, { ...STRICT, granularity: "word", format: "json" }),
  });
  expect(password).toMatchObject({ value: { length: 12 } });
});

test("streams a batch with a long answer line by line", async () => {
  const response = await service.request(
    "/trpc/tools.password,tools.textCompare?batch=1",
    jsonPost({ 0: { length: 12 }, 1: { a, b: a, format: "json" } }, { "trpc-accept": "application/jsonl" }),
  );
  expect(response.status).toBe(200);
  const lines = (await response.text()).trim().split("\n");
  for (const line of lines) JSON.parse(line);
  const rows = lines.find((line) => line.includes('"rows":['));
  expect(rows?.match(/"op":"equal"/g)).toHaveLength(2000);
  expect(lines.join()).toMatch(/"passwords":\["[A-Za-z0-9]{12}"\]/);
});
