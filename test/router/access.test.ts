import { expect, test } from "vitest";
import { failureOf } from "../../client/client.ts";
import { procedures, serviceMetaOf } from "../../adapters/service/endpoints.ts";
import { freshIp } from "../support/fresh-ip.ts";
import type { Harness } from "../support/harness.ts";
import { addMember, call } from "../support/members.ts";
import { shareSecret } from "../support/requests.ts";
import { startForTest, withServer } from "../support/with-server.ts";

const service = withServer();

async function codeOf(answer: Promise<unknown>): Promise<string> {
  return failureOf(await answer.catch((error: unknown) => error))?.code ?? "ok";
}

/** What callers without an account are told who start a secret and a tool, over REST and over RPC. */
async function starting(at: Harness): Promise<unknown[]> {
  const secret = await call(at, "/api/secrets", { json: { content: "hush" } });
  const tool = await call(at, "/api/tools/password");
  const client = at.client();
  return [
    secret.body.code ?? "ok",
    await codeOf(client.secrets.create.mutate({ content: "hush" })),
    tool.body.code ?? "ok",
    await codeOf(client.tools.password.mutate({})),
  ];
}

const NO = "login_required";

test.each([
  ["all", ["ok", "ok", "ok", "ok"]],
  ["secrets", ["ok", "ok", NO, NO]],
  ["tools", [NO, NO, "ok", "ok"]],
  ["none", [NO, NO, NO, NO]],
] as const)(
  "with ANONYMOUS=%s lets callers without an account start that alone",
  async (anonymous, answers) => {
    const at = await startForTest({ anonymous });
    expect(await starting(at)).toEqual(answers);
    expect((await call(at, "/api/tools")).body).toMatchObject({ anonymous });
  },
);

test("lets everybody open, look at and revoke a secret where only members may share", async () => {
  const at = await startForTest({ anonymous: "none" });
  const { bearer, token } = await addMember(at);
  const headers = { authorization: bearer };
  const [read, revoked] = [await shareSecret(at, { headers }), await shareSecret(at, { headers })];
  const post = async (path: string, json: object) => (await call(at, path, { json })).status;
  expect(await post(`/api/secrets/${read.id}/status`, { key: read.key })).toBe(200);
  expect(await post(`/api/secrets/${read.id}/reveal`, { key: read.key })).toBe(200);
  const { id, revokeToken } = revoked;
  expect(await post(`/api/secrets/${id}/revoke`, { revokeToken })).toBe(200);
  const tools = at.client({ token }).tools;
  expect(await codeOf(tools.password.mutate({}))).toBe("ok");
  const json = { name: "a-new-one", password: "correct horse" };
  expect((await call(at, "/api/account/register", { json })).status).toBe(201);
});

test("says that the instance is for members, before anything of the body is read", async () => {
  const at = await startForTest({ anonymous: "none" });
  const answer = await at.request("/api/secrets", { method: "POST", body: "{" });
  expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  const { error } = (await answer.json()) as { error: string };
  expect(error).toContain("This server is for members");
  expect(answer.headers.get("ratelimit")).toBeNull();
});

async function counters(): Promise<unknown[]> {
  await service.services.usage.flush();
  const { query } = service.db;
  const order = ["bucket", "key"] as const;
  return [
    await query.selectFrom("allowance").selectAll().orderBy(order[0]).orderBy(order[1]).execute(),
    await query.selectFrom("usage").selectAll().execute(),
  ];
}

test("runs nothing for HEAD, and tells who may call alone", async () => {
  const { cookie, bearer } = await addMember(service);
  const before = await counters();
  const head = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await service.request(path, { method: "HEAD", headers });
    expect(await answer.text()).toBe("");
    return answer.status;
  };
  const rpc = (path: string) => `/trpc/${path}?input=%7B%7D`;
  expect(await head("/api/tools/password")).toBe(200);
  expect(await head("/api/tools/password?length=nonsense")).toBe(200);
  expect(await head("/api/tools/pdf-rotate")).toBe(405);
  expect(await head("/api/users/me/secrets")).toBe(401);
  expect(await head("/api/users/me/secrets", { authorization: bearer })).toBe(200);
  expect(await head("/api/users/me", { authorization: bearer })).toBe(403);
  expect(await head("/api/users/me", { cookie })).toBe(200);
  expect(await head("/api/users/me", { cookie, "sec-fetch-site": "cross-site" })).toBe(403);
  expect(await head("/api/admin/members", { cookie })).toBe(403);
  expect([await head(rpc("secrets.list")), await head(rpc("account.me"))]).toEqual([401, 401]);
  expect([await head(rpc("tools.password")), await head(rpc("nothing"))]).toEqual([405, 404]);
  expect(await head(`/trpc/${Array<string>(11).fill("secrets.list").join()}?batch=1`)).toBe(400);
  expect(await counters()).toEqual(before);
});

test("counts a wrong token that comes with HEAD, which must be no way to guess", async () => {
  const ip = freshIp();
  const init = { method: "HEAD", ip, headers: { authorization: "Bearer nonsense" } };
  for (let i = 0; i < 30; i++) expect((await service.request("/api/tools", init)).status).toBe(401);
  expect((await service.request("/api/tools", init)).status).toBe(429);
});

// That one costs less than a health check.
test.each(Object.entries(procedures).filter(([path]) => path !== "instance"))(
  "%s has a rate",
  (_path, procedure) => {
    expect(serviceMetaOf(procedure).rate).toBeDefined();
  },
);

test("limits the catalogue by address, and everything in an account by account", async () => {
  const ip = freshIp();
  for (let i = 0; i < 120; i++) expect((await service.request("/api/tools", { ip })).status).toBe(200);
  expect(await call(service, "/api/tools", { ip })).toMatchObject({
    status: 429,
    body: { limit: "catalogue", value: 120, window: 60 },
  });
  const { cookie } = await addMember(service);
  const me = () => call(service, "/api/users/me", { headers: { cookie } });
  for (let i = 0; i < 119; i++) expect((await me()).status).toBe(200);
  const list = () => call(service, "/api/users/me/secrets", { headers: { cookie } });
  expect((await list()).status).toBe(200);
  expect(await list()).toMatchObject({ status: 429, body: { limit: "accountCalls", value: 120 } });
});
