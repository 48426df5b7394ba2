import { createTRPCClient, httpBatchStreamLink } from "@trpc/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AppRouter } from "../../router/app.ts";
import { decodeBase64Tree, encodeBase64Tree } from "../../tools/base64-tree.ts";
import { encodeFrame } from "../../tools/frame.ts";
import { freshIp, ORIGIN, startHarness, type Harness, type Sent } from "../harness.ts";

let service: Harness;
beforeAll(async () => void (service = await startHarness()));
afterAll(() => service.close());

const PROMISED = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "request-id": expect.stringMatching(/^[a-z2-7]{26}$/),
};

test.each<[string, Sent]>([
  ["/nowhere", {}],
  ["/nowhere", { method: "OPTIONS" }],
  ["/nowhere", { method: "HEAD" }],
  ["/s/%E0%A4%A", {}],
  ["/api/secrets", { method: "DELETE" }],
  ["/api/secrets", { method: "OPTIONS" }],
  ["/api/tools/password", { method: "HEAD" }],
  ["/api/tools/password", { headers: { authorization: "Bearer x" } }],
  ["/trpc/nothing", {}],
  ["/trpc/tools.password", { method: "PUT" }],
  ["/healthz", {}],
])("carries the promised headers on %s %o", async (path, init) => {
  const { headers } = await service.request(path, init);
  expect(Object.fromEntries(headers)).toMatchObject(PROMISED);
});

test("takes a method named like a member of every object for what it is", async () => {
  const response = await service.request("/api/tools", { method: "constructor" });
  expect(response.status).toBe(405);
  expect(await response.json()).toMatchObject({ code: "method_not_allowed" });
});

test("knows a typed call by its path however that is encoded, for log and origins alike", async () => {
  const before = service.lines.length;
  const call = { method: "POST", body: "{}", headers: { "content-type": "application/json" } };
  expect((await service.request("/%74rpc/tools.password", call)).status).toBe(200);
  expect((await service.request("/api/%74ools/sing", call)).status).toBe(404);
  expect(service.lines.slice(before)).toEqual([]);
  const own = await service.request("/%74rpc/secrets.list", { method: "OPTIONS" });
  expect(own.headers.get("access-control-allow-origin")).toBeNull();
});

const JSON_CALL = { method: "POST", headers: { "content-type": "application/json" } };

function frame(value: unknown): Sent {
  const headers = { "content-type": "application/vnd.hushkit.frame" };
  return { method: "POST", headers, body: encodeFrame(value) };
}

test("says a refused credential and a full quota in headers through every door", async () => {
  const headers = { authorization: "Bearer wrong" };
  const refused = [
    await service.request("/api/tools/password", { headers }),
    await service.request("/trpc/tools.catalogue?input=%7B%7D", { headers }),
    await service.request("/trpc/tools.password", {
      ...frame({}),
      headers: { ...frame({}).headers, ...headers },
    }),
  ];
  expect(refused.map((answer) => [answer.status, answer.headers.get("www-authenticate")])).toEqual(
    refused.map(() => [401, "Bearer"]),
  );
  const ip = freshIp();
  for (let i = 0; i < 60; i++) await service.request("/api/tools/password", { ip });
  const full = [
    await service.request("/api/tools/password", { ip }),
    await service.request("/trpc/tools.password", { ...JSON_CALL, body: "{}", ip }),
    await service.request("/trpc/tools.password", { ...frame({}), ip }),
  ];
  expect(full.map((answer) => [answer.status, answer.headers.get("retry-after")])).toEqual(
    full.map(() => [429, "900"]),
  );
  const get = await service.request("/trpc/tools.password", { headers: frame({}).headers ?? {} });
  expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
});

test("names the request in the refusal of a batch of eleven", async () => {
  const path = `/trpc/${Array<string>(11).fill("tools.password").join(",")}?batch=1`;
  const response = await service.request(path, { ...JSON_CALL, body: "{}" });
  const { error } = (await response.json()) as { error: { data: { requestId: string } } };
  expect(error.data.requestId).toBe(response.headers.get("request-id"));
});

test("answers a client that streams its batches", async () => {
  const client = createTRPCClient<AppRouter>({
    links: [
      httpBatchStreamLink({
        url: `${ORIGIN}/trpc`,
        transformer: { serialize: encodeBase64Tree, deserialize: decodeBase64Tree },
        fetch: (input, init) =>
          service.request(String(input).slice(ORIGIN.length), (init ?? {}) as RequestInit),
      }),
    ],
  });
  const [short, long] = await Promise.all([
    client.tools.password.mutate({ length: 5 }),
    client.tools.password.mutate({ length: 50 }),
  ]);
  expect([short.passwords[0]?.length, long.passwords[0]?.length]).toEqual([5, 50]);
});

test.each([
  ["", "The input is missing; it must be an object with mode, length"],
  ["[]", "The input must be an object with mode, length"],
])("says what a typed call takes that sends %j", async (body, sentence) => {
  const response = await service.request("/trpc/tools.password", { ...JSON_CALL, body });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(sentence);
});

test("quotes no content that stands where a file belongs", async () => {
  const body = JSON.stringify({ file: "canary" });
  const response = await service.request("/trpc/tools.fileHash", { ...JSON_CALL, body });
  expect(response.status).toBe(400);
  expect(await response.text()).not.toContain("canary");
});
