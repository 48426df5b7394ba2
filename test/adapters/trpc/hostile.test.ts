import { expect, test } from "vitest";
import { FRAME_TYPE } from "../../../wire/rpc.ts";
import { HIDDEN, serveSample } from "./sample-router.ts";

const { request, errors } = serveSample({ maxBodyBytes: 100_000 });

const DEEP = `${"[".repeat(5000)}${"]".repeat(5000)}`;
const BODIES: [string, BodyInit][] = [
  ["nothing", ""],
  ["no JSON", "{"],
  ["null", "null"],
  ["a list", "[]"],
  ["a text", '"x"'],
  ["deep JSON", DEEP],
  ["a prototype", '{"__proto__":{"id":1},"constructor":{"prototype":{}},"about":{"name":"n"}}'],
  ["a wrong batch", '{"0":{"id":1},"1":null,"length":5}'],
  ["bytes that are no text", new Uint8Array([0xff, 0xfe, 0x00, 0xc3])],
  ["a frame with a long head", new Uint8Array([0xff, 0xff, 0xff, 0xff, 1])],
  ["a frame with a wrong mark", frameOf('{"data":{"$bytes":[0,9]}}')],
  ["a frame of nothing", frameOf("")],
  ["many commas", `[${"0,".repeat(20_000)}0]`],
  ["a form without an end", '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc'],
];
const TYPES = [
  ...["application/json", "text/plain", "", FRAME_TYPE, "application/octet-stream"],
  ...["multipart/form-data", 'multipart/form-data; boundary="x"', "application/x-www-form-urlencoded"],
];
const PATHS = [
  ...[
    "/save/x",
    "/save/%00",
    "/save/..%2f",
    "/join",
    "/numbers?of=%ff",
    "/numbers?of",
    "/numbers?__proto__=1&of=a",
  ],
  ...[
    "/rpc/save",
    "/rpc/form",
    "/rpc/octets",
    "/rpc/double",
    "/rpc/save,save?batch=1",
    "/rpc/nothing?input={",
  ],
  ...[
    "/rpc/",
    "/rpc/%ff",
    "/rpc/constructor",
    "/rpc/__proto__",
    "/rpc/save?batch=1",
    "/%ff",
    "/openapi.json?x=%ff",
  ],
];

function frameOf(head: string): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(head);
  const frame = new Uint8Array(4 + bytes.length);
  new DataView(frame.buffer).setUint32(0, bytes.length);
  frame.set(bytes, 4);
  return frame;
}

test.each(PATHS)("%s answers whatever is sent without failing", async (path) => {
  for (const method of ["GET", "POST", "DELETE"])
    for (const [what, body] of method === "GET" ? [BODIES[0]!] : BODIES)
      for (const type of TYPES) {
        const headers = type === "" ? {} : { "content-type": type };
        const response = await request(path, { method, headers, ...(method !== "GET" && { body }) });
        const text = await response.text();
        const told = `${method} ${path} with ${what} as "${type}": ${response.status} ${text.slice(0, 200)}`;
        expect(response.status, told).toBeLessThan(500);
        expect(text.includes(HIDDEN) || text.includes("node_modules"), told).toBe(false);
      }
  expect(errors.splice(0)).toEqual([]);
});
