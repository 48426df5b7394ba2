import { describe, expect, test } from "vitest";
import { deleteToken, listTokens } from "../../../db/accounts/tokens.ts";
import { makeApiToken } from "../../../tools/crypto/api-token.ts";
import { randomBase62 } from "../../../tools/crypto/base62.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { ORIGIN } from "../../support/harness.ts";
import { addMember, call } from "../../support/members.ts";
import { startForTest, withServer } from "../../support/with-server.ts";

const TOKEN_SECONDS = 60 * 86_400;

const service = withServer();

const makeMember = () => addMember(service, { tokenSeconds: TOKEN_SECONDS });

type Headed = Record<string, string>;

async function tierOf(headers: Headed, ip = freshIp()): Promise<number | string> {
  const response = await service.request("/api/tools", { headers, ip });
  const body = (await response.json()) as { caller?: { tier: string }; code?: string };
  return body.caller?.tier ?? body.code ?? response.status;
}

test("knows a member by a token and by a session", async () => {
  const { bearer, cookie, token } = await makeMember();
  expect(await tierOf({ authorization: bearer })).toBe("member");
  expect(await tierOf({ authorization: `bearer   ${token} ` })).toBe("member");
  expect(await tierOf({ cookie })).toBe("member");
  expect(await tierOf({})).toBe("anonymous");
});

test("refuses a bad token in the same words, whatever is wrong with it", async () => {
  const { bearer, token, id, tokenId } = await makeMember();
  const unknown = makeApiToken(randomBase62(32));
  const typo = token.replace(/.$/, (last) => (last === "a" ? "b" : "a"));
  const credentials = [
    "Bearer",
    "Bearer nonsense",
    `Basic ${token}`,
    token,
    `Bearer ${unknown}`,
    `Bearer ${typo}`,
    `Bearer ${token} ${token}`,
  ];
  const ask = async (authorization: string, path = "/api/tools") => {
    const response = await service.request(path, { headers: { authorization } });
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    return { ...((await response.json()) as object), requestId: "" };
  };
  const answers = await Promise.all(credentials.map((each) => ask(each)));
  await deleteToken(service.db, id, tokenId);
  answers.push(await ask(bearer), await ask(bearer, "/api/instance"));
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect(answers[0]).toMatchObject({ code: "invalid_token", status: 401 });
});

test("lets a token in until the second in which it expires", async () => {
  const { bearer } = await makeMember();
  const { clock } = service;
  const began = clock.now;
  clock.now = began + TOKEN_SECONDS - 1;
  expect(await tierOf({ authorization: bearer })).toBe("member");
  clock.now += 1;
  expect(await tierOf({ authorization: bearer })).toBe("invalid_token");
  clock.now = began;
});

test("notes the last use of a token to the minute, at most every ten minutes", async () => {
  const { bearer, id } = await makeMember();
  const used = async () => (await listTokens(service.db, id))[0]?.lastUsedAt;
  const { clock } = service;
  const began = clock.now;
  expect(await used()).toBeNull();
  await tierOf({ authorization: bearer });
  expect(await used()).toBe(began - (began % 60));
  clock.now = began + 500;
  await tierOf({ authorization: bearer });
  expect(await used()).toBe(began - (began % 60));
  clock.now = began + 725;
  await tierOf({ authorization: bearer });
  expect(await used()).toBe(began + 725 - ((began + 725) % 60));
  clock.now = began;
});

test("lets a session live thirty days, and seven without use", async () => {
  const { clock } = service;
  const began = clock.now;
  const DAY = 86_400;
  const used = await makeMember();
  for (const day of [6, 12, 18, 24, 29.99]) {
    clock.now = began + day * DAY;
    expect(await tierOf({ cookie: used.cookie })).toBe("member");
  }
  clock.now = began + 30 * DAY;
  expect(await tierOf({ cookie: used.cookie })).toBe("login_required");
  clock.now = began;
  const idle = await makeMember();
  clock.now = began + 7 * DAY - 1;
  expect(await tierOf({ cookie: idle.cookie })).toBe("member");
  clock.now += 7 * DAY;
  expect(await tierOf({ cookie: idle.cookie })).toBe("login_required");
  clock.now = began;
});

test.each([
  ["unknown", randomBase62(43)],
  ["misshapen", "x"],
  ["empty", ""],
])("refuses an %s session rather than taking it for nobody, and clears its cookie", async (_, value) => {
  const headers = { cookie: `service_user_session=${value}` };
  const response = await service.request("/api/secrets", { method: "POST", body: "x", headers });
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
    401,
    "login_required",
  ]);
  expect(response.headers.get("set-cookie")).toMatch(/^service_user_session=; Path=\/; Max-Age=0; HttpOnly/);
});

test("takes two cookies of the name for none, and other cookies for nothing", async () => {
  const { cookie } = await makeMember();
  expect(await tierOf({ cookie: `${cookie}; ${cookie}` })).toBe("anonymous");
  expect(await tierOf({ cookie: `${cookie}; service_user_session=planted` })).toBe("anonymous");
  expect(await tierOf({ cookie: `theme=dark; ${cookie}; x` })).toBe("member");
  expect(await tierOf({ cookie: `x${cookie}` })).toBe("anonymous");
});

describe("where the public URL is https", () => {
  const SAME = { "sec-fetch-site": "same-origin" };

  test.each([
    ["https://hush.example", "__Host-service_user_session", "/"],
    ["https://home.example/hush", "__Secure-service_user_session", "/hush"],
  ])("at %s the session's cookie is %s", async (publicUrl, name, path) => {
    const at = await startForTest({ publicUrl });
    const base = new URL(publicUrl).pathname.replace(/\/$/, "");
    const ask = (headers: Headed) => at.request(`${base}/api/users/me`, { headers });
    const json = { name: "ann", password: "correct horse" };
    const { headers: made } = await call(at, `${base}/api/account/register`, { json });
    const set = made.get("set-cookie") ?? "";
    expect(set).toMatch(/=[0-9A-Za-z]{43}; Path=[^;]*; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/);
    expect(set).toContain(`; Path=${path}; `);
    const value = set.split(";")[0]?.replace(`${name}=`, "");
    const cookie = `${name}=${value}`;
    expect((await ask({ ...SAME, cookie })).status).toBe(200);
    // A neighbouring host has planted a session of its own.
    const planted = `service_user_session=${randomBase62(43)}`;
    expect((await ask({ ...SAME, cookie: `${planted}; ${cookie}` })).status).toBe(200);
    expect((await ask({ ...SAME, cookie: `service_user_session=${value}` })).status).toBe(401);
    expect(
      (await ask({ origin: new URL(publicUrl).origin, cookie: `service_user_session=${value}` })).status,
    ).toBe(401);
    // A program names the cookie as the documents do.
    expect((await ask({ cookie: `service_user_session=${value}` })).status).toBe(200);
    const out = await at.request(`${base}/api/account/logout`, {
      method: "POST",
      headers: { ...SAME, cookie },
    });
    expect(out.headers.get("set-cookie")).toMatch(new RegExp(`^${name}=; Path=${path}; Max-Age=0; `));
  });
});

test("lets the bearer win over the cookie, also a bad one", async () => {
  const [one, other] = [await makeMember(), await makeMember()];
  const left = async (headers: Headed) =>
    (await service.request("/api/tools/password", { headers })).headers.get("ratelimit");
  expect(await left({ authorization: one.bearer })).toBe('"tools";r=599;t=900');
  expect(await left({ authorization: one.bearer, cookie: other.cookie })).toBe('"tools";r=598;t=900');
  expect(await left({ cookie: other.cookie })).toBe('"tools";r=599;t=900');
  expect(await tierOf({ authorization: "Bearer bad", cookie: other.cookie })).toBe("invalid_token");
});

test.each<[string, Headed, string]>([
  ["of the same origin by Sec-Fetch-Site", { "sec-fetch-site": "same-origin" }, "member"],
  ["typed into the address bar", { "sec-fetch-site": "none" }, "member"],
  ["of the same origin by Origin", { origin: ORIGIN }, "member"],
  ["of no browser", {}, "member"],
  ["of another site", { "sec-fetch-site": "cross-site" }, "anonymous"],
  ["of a neighbouring host", { "sec-fetch-site": "same-site" }, "anonymous"],
  ["of another site with our Origin", { "sec-fetch-site": "cross-site", origin: ORIGIN }, "anonymous"],
  ["of another origin", { origin: "http://hushkit.test:81" }, "anonymous"],
  ["of the same host without TLS", { origin: ORIGIN.replace("http", "https") }, "anonymous"],
  ["of a sandboxed frame", { origin: "null" }, "anonymous"],
])("on the tools a session of a call %s counts as %s", async (_, headers, tier) => {
  const { cookie, bearer } = await makeMember();
  expect(await tierOf({ ...headers, cookie })).toBe(tier);
  expect(await tierOf({ ...headers, authorization: bearer })).toBe("member");
});

test("looks for no token whose check digits are wrong, and for a well-formed one after thirty of them", async () => {
  const { bearer, token } = await makeMember();
  const ip = freshIp();
  const lookups: string[] = [];
  const { query } = service.db;
  const select = query.selectFrom.bind(query);
  query.selectFrom = ((table: never) => (lookups.push(table), select(table))) as typeof query.selectFrom;
  const typo = `Bearer ${token.slice(0, -1)}${token.endsWith("0") ? "1" : "0"}`;
  for (let i = 0; i < 30; i++) expect(await tierOf({ authorization: typo }, ip)).toBe("invalid_token");
  expect(lookups).not.toContain("token");
  expect(await tierOf({ authorization: typo }, ip)).toBe("rate_limited");
  expect(lookups).not.toContain("token");
  expect(await tierOf({ authorization: bearer }, ip)).toBe("member");
  expect(lookups.filter((table) => table === "token")).toHaveLength(1);
  query.selectFrom = select;
});

test("counts no right token as a try", async () => {
  const { bearer } = await makeMember();
  const ip = freshIp();
  for (let i = 0; i < 40; i++) expect(await tierOf({ authorization: bearer }, ip)).toBe("member");
});
