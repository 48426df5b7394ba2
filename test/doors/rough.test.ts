import { afterAll, beforeAll, expect, test } from "vitest";
import { startHarness, type Harness, type Sent } from "../harness.ts";

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
