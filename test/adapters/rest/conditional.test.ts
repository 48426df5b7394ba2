import { expect, test } from "vitest";
import { freshIp } from "../../support/fresh-ip.ts";
import { addMember } from "../../support/members.ts";
import { jsonPost, shareSecret } from "../../support/requests.ts";
import { startForTest, withServer } from "../../support/with-server.ts";

const service = withServer();

const catalogue = (headers: Record<string, string> = {}, ip = freshIp()) =>
  service.request("/api/tools", { headers, ip });

test("tags the catalogue by what is the same for a caller, whatever is left of their limits", async () => {
  const ip = freshIp();
  const first = await catalogue({}, ip);
  const tag = first.headers.get("etag") ?? "";
  expect(tag).toMatch(/^W\/"[\w-]{43}"$/);
  const { limits } = (await first.json()) as { limits: { calls: { remaining: number } } };
  await service.request("/api/tools/password", { ...jsonPost({}), ip });
  const second = await catalogue({}, ip);
  const left = (await second.json()) as { limits: typeof limits };
  expect(left.limits.calls.remaining).toBe(limits.calls.remaining - 1);
  expect(second.headers.get("etag")).toBe(tag);
  const same = await catalogue({ "if-none-match": tag }, ip);
  expect([same.status, await same.text(), same.headers.get("etag")]).toEqual([304, "", tag]);
  expect(same.headers.get("request-id")).toMatch(/^[\w-]{36}$/);
});

test("gives a member and another instance a catalogue of its own", async () => {
  const tag = (await catalogue()).headers.get("etag") ?? "";
  const { bearer: authorization } = await addMember(service);
  const members = await catalogue({ authorization, "if-none-match": tag });
  expect(members.status).toBe(200);
  const other = await startForTest({ settings: { TOOL_CALLS: "5" } });
  const headers = { "if-none-match": tag };
  expect((await other.request("/api/tools", { headers })).status).toBe(200);
});

test("has no tag over RPC, where the answer is another one", async () => {
  const headers = { "if-none-match": "*" };
  const response = await service.request("/trpc/tools.catalogue", { headers });
  expect([response.status, response.headers.get("etag")]).toEqual([200, null]);
});

test.each([
  ["/api/secrets", { content: "hush" }, "/reveal"],
  ["/api/requests", { gate: "g".repeat(43) }, "/collect"],
])("says at the Location of %s what to do instead of reading it there", async (path, fields, verb) => {
  const made = await service.request(path, jsonPost(fields));
  const location = made.headers.get("location") ?? "";
  expect(location).toMatch(new RegExp(`^${path}/[0-9A-Za-z]{16}$`));
  for (const method of ["GET", "HEAD", "PUT"]) {
    const response = await service.request(location, { method });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "DELETE, OPTIONS"]);
    if (method === "HEAD") continue;
    const body = (await response.json()) as { error: string };
    expect(body).toMatchObject({ code: "method_not_allowed", allowed: ["DELETE", "OPTIONS"] });
    expect(body.error).toContain(`POST ${path}/{id}${verb}`);
    expect(body.error).toContain(`POST ${path}/{id}/status`);
    expect(body.error).not.toContain(location);
  }
});

test("changes nothing for whoever follows a Location", async () => {
  const { id, key } = await shareSecret(service);
  await service.request(`/api/secrets/${id}`);
  const { status } = await service.request(`/api/secrets/${id}/reveal`, jsonPost({ key }));
  expect(status).toBe(200);
});
