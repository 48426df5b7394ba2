import { beforeAll, expect, test } from "vitest";
import { FRAME_TYPE } from "../../wire/rpc.ts";
import type { Sent } from "../support/harness.ts";
import { addMember, type AddedMember } from "../support/members.ts";
import { withServer } from "../support/with-server.ts";

const service = withServer();
let member: AddedMember;
beforeAll(async () => {
  member = await addMember(service);
});

/** JSON that a worker parses. */
const LONG = "x".repeat(600 * 1024);

function json(body: string): Sent {
  return { method: "POST", body, headers: { "content-type": "application/json" } };
}

function form(fields: Record<string, string>): Sent {
  return { method: "POST", body: new URLSearchParams(fields) };
}

function frame(head: string): Sent {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(head));
  const body = new Uint8Array(Buffer.concat([length, Buffer.from(head)]));
  return { method: "POST", body, headers: { "content-type": FRAME_TYPE } };
}

function query(input: string): string {
  return `?input=${encodeURIComponent(input)}`;
}

/** Where a number is read, the call with this one in it, and the parameter that the answer names. */
const PLACES: Readonly<Record<string, (n: string) => [path: string, parameter: string, sent?: Sent]>> = {
  "a query": (n) => [`/api/tools/password?length=${n}`, "length"],
  "a query of a file": (n) => [`/api/tools/pdf-rotate?angle=${n}`, "angle", { method: "POST", body: "x" }],
  "a form": (n) => ["/", "expires", form({ content: "x", expires: n })],
  JSON: (n) => ["/api/tools/password", "length", json(`{"length":${n}}`)],
  "JSON where a text belongs": (n) => ["/api/secrets", "content", json(`{"content":${n}}`)],
  "JSON, by a name that nobody knows": (n) => ["/api/tools/password", "nope[0]", json(`{"nope":[${n}]}`)],
  "a list in JSON": (n) => ["/api/tools/pdf-merge", "files[0].range", json(`{"files":[{"range":${n}}]}`)],
  "long JSON": (n) => ["/api/tools/text-compare", "context", json(`{"a":"${LONG}","b":"","context":${n}}`)],
  "long JSON of files": (n) => [
    "/api/tools/pdf-merge",
    "files[0].range",
    json(`{"files":[{"data":"${LONG}","range":${n}}]}`),
  ],
  "a typed call": (n) => ["/trpc/tools.password", "length", json(`{"length":${n}}`)],
  "a long typed call": (n) => [
    "/trpc/tools.textCompare",
    "context",
    json(`{"a":"${LONG}","b":"","context":${n}}`),
  ],
  "a typed query": (n) => [
    `/trpc/secrets.list${query(`{"limit":${n}}`)}`,
    "limit",
    { headers: { authorization: member.bearer } },
  ],
  "a typed query whose answer is a frame": (n) => [
    `/trpc/secrets.list${query(`{"limit":${n}}`)}`,
    "limit",
    { headers: { authorization: member.bearer, accept: FRAME_TYPE } },
  ],
  "a frame": (n) => ["/trpc/tools.password", "length", frame(`{"length":${n}}`)],
  "a long frame": (n) => [
    "/trpc/tools.textCompare",
    "context",
    frame(`{"a":"${LONG}","b":"","context":${n}}`),
  ],
  "a frame with a stream": (n) => [
    "/trpc/tools.fileHash",
    "algorithms[0]",
    frame(`{"file":{"$bytes":[0,null,"stream"]},"algorithms":[${n}]}`),
  ],
  "what a browser says of a passkey": (n) => [
    "/api/account/passkey",
    "response.response.x",
    json(`{"response":{"id":"AAAA","type":"public-key","response":{"x":${n}}}}`),
  ],
};

const cases = Object.keys(PLACES).flatMap((place) =>
  ["1e999", "-1e999"].map((number) => ({ place, number })),
);

test.each(cases)("$number in $place is 400 with the parameter's name", async ({ place, number }) => {
  const [path, parameter, sent] = PLACES[place]?.(number) ?? ["", ""];
  const response = await service.request(path, sent);
  const text = await response.text();
  const [, code] = /"code":"(\w+)"/.exec(text) ?? [];
  const [, named] = /"parameter":"([^"]+)"/.exec(text) ?? [];
  // A frame is answered by a frame, whose status is that of its call.
  expect([response.status, code, named]).toEqual([400, "invalid_parameter", parameter]);
});

test("a batch is answered with it by the call that has it", async () => {
  const body = '{"0":{"length":1e999},"1":{"length":9}}';
  const response = await service.request("/trpc/tools.password,tools.password?batch=1", json(body));
  expect(await response.text()).toContain('"parameter":"length"');
});

test("the largest number there is, is a number", async () => {
  const answer = await service.request("/api/tools/password", json('{"length":1.7e308}'));
  expect(await answer.json()).toMatchObject({ parameter: "length", received: 1.7e308 });
});
