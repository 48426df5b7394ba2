import { expect, test } from "vitest";
import { testIf } from "../../machine/skips.ts";
import { startForTest, withServer } from "../../support/with-server.ts";

const service = withServer();

test("answers methods of one path that come from different places in the table", async () => {
  const page = await service.request("/", { headers: { accept: "text/plain" } });
  const made = await service.request("/", { method: "POST", body: "hush" });
  const options = await service.request("/", { method: "OPTIONS" });
  expect([page.status, made.status, options.headers.get("allow")]).toEqual([
    200,
    201,
    "POST, GET, HEAD, OPTIONS",
  ]);
  const refused = await service.request("/", { method: "DELETE" });
  expect([refused.status, await refused.json()]).toMatchObject([
    405,
    { error: "This path takes POST and GET" },
  ]);
});

test.each(["constructor", "OPTIONS", "DELETE"])("answers %s on an unknown path with 404", async (method) => {
  const response = await service.request("/nowhere", { method });
  expect([response.status, response.headers.get("allow")]).toEqual([404, null]);
});

test("names every tool where there is none of that name", async () => {
  const response = await service.request("/api/tools/pdf-sing");
  expect(await response.json()).toMatchObject({
    code: "unknown_tool",
    tools: expect.arrayContaining(["pdf-merge", "password"]),
  });
});

test("logs no line about a file tool, whatever comes of it", async () => {
  const before = service.lines.length;
  await service.request("/api/tools/password");
  await service.request("/api/tools/password", { method: "PATCH" });
  await service.request("/api/tools/nowhere");
  await service.request("/trpc/tools.nowhere");
  expect(service.lines.slice(before)).toEqual([]);
  await service.request("/nowhere");
  expect(service.lines.slice(before).map((line) => (JSON.parse(line) as { route: string }).route)).toEqual([
    "(none)",
  ]);
});

testIf(!process.versions.bun, "Bun makes a GET of every method it does not know")(
  "logs no word that a caller has sent as a method",
  async () => {
    const before = service.lines.length;
    await service.request("/nowhere", { method: "HUNTER2" });
    expect(service.lines.slice(before).join()).toContain('"method":"_OTHER"');
    expect(service.lines.slice(before).join()).not.toContain("HUNTER2");
  },
);

test("answers only the paths of its health while it ends", async () => {
  const ending = await startForTest();
  ending.health.startDraining();
  const paths = ["/healthz", "/version", "/readyz", "/", "/nowhere", "/api/tools"];
  const statuses = paths.map(async (path) => (await ending.request(path)).status);
  expect(await Promise.all(statuses)).toEqual([200, 200, 503, 503, 503, 503]);
});

test("gives every answer a random UUID and the same headers", async () => {
  const answers = await Promise.all(
    ["/healthz", "/nowhere", "/trpc/nothing"].map((path) => service.request(path)),
  );
  const ids = answers.map(({ headers }) => headers.get("request-id"));
  expect(new Set(ids).size).toBe(3);
  for (const [index, { headers }] of answers.entries()) {
    expect(ids[index]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([headers.get("cache-control"), headers.get("x-content-type-options")]).toEqual([
      "no-store",
      "nosniff",
    ]);
  }
});
