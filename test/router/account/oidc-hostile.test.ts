// process
import { generateKeyPairSync } from "node:crypto";
import { createServer, type AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { readConfig } from "../../../adapters/config/config.ts";
import { tieIdentity } from "../../../db/accounts/identities.ts";
import { organizationOf } from "../../../adapters/service/login/provider.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { call, register } from "../../support/members.ts";
import { CLIENT } from "../../support/oidc/start.ts";
import { json, logoutToken, startHostile, tokens, type HostileProvider } from "../../support/oidc/hostile.ts";
import type { Harness } from "../../support/harness.ts";
import { startForTest } from "../../support/with-server.ts";

const LOGOUT = "http://schemas.openid.net/event/backchannel-logout";
const NOW = () => Math.floor(Date.now() / 1000);

/** Logs in at a provider that says what it likes. */
async function logIn(
  tell: (provider: HostileProvider, nonce: string, service: Harness) => void,
  {
    path = "/api/account/oidc",
    settings = {},
    metadata = {},
  }: {
    path?: string;
    settings?: Record<string, string>;
    metadata?: HostileProvider["metadata"];
  } = {},
) {
  const provider = await startHostile();
  provider.metadata = metadata;
  const service = await startForTest({
    settings: { OIDC_ISSUER: provider.issuer, OIDC_NAME: "ACME", ...CLIENT, ...settings },
  });
  const begun = await service.request(path, { ip: freshIp() });
  const cookie = begun.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const sent = new URL(begun.headers.get("location") ?? "").searchParams;
  const nonce = sent.get("nonce") ?? "";
  provider.claims = { nonce };
  tell(provider, nonce, service);
  const query = new URLSearchParams({ code: "c", state: sent.get("state") ?? "" });
  const answer = await service.request(`/api/account/oidc/callback?${query}`, {
    headers: { cookie, accept: "application/json" },
    ip: freshIp(),
  });
  const hasSession = answer.headers.getSetCookie().some((each) => each.startsWith("service_user_session="));
  const members = await service.db.query.selectFrom("member").select("id").execute();
  const lines = service.lines.join("");
  return { provider, service, answer, hasSession, members, lines };
}

async function expectRefused(
  { answer, hasSession, members, lines }: Awaited<ReturnType<typeof logIn>>,
  refusal: { status: number; code: string },
): Promise<void> {
  const body: unknown = await answer.json();
  expect(body).toMatchObject({ ...refusal, error: expect.stringContaining("The login by ACME") });
  expect([hasSession, members]).toEqual([false, []]);
  expect(lines).toContain('"requestId":"oidc"');
  expect(lines).not.toMatch(/canary|hushkit\.test/);
}

test("a provider that says what is right logs in, with a clock that is 40 seconds off", async () => {
  for (const seconds of [-40, 40]) {
    const { answer, hasSession } = await logIn((provider) => {
      const [exp, nbf] = seconds < 0 ? [NOW() + seconds, NOW() - 600] : [NOW() + 600, NOW() + seconds];
      provider.claims = { ...provider.claims, exp, nbf };
    });
    expect([answer.status, hasSession]).toEqual([302, true]);
  }
});

test("proves itself to a provider as that offers, and by a header where it offers nothing", async () => {
  const { provider } = await logIn(() => {});
  const { authorization = "" } = provider.asked["/token"] ?? {};
  const [name, secret] = Buffer.from(authorization.replace("Basic ", ""), "base64").toString().split(":");
  // RFC 6749, 2.3.1: as in a form.
  const read = new URLSearchParams(`secret=${secret}`).get("secret");
  expect([name, read]).toEqual([CLIENT.OIDC_CLIENT_ID, CLIENT.OIDC_CLIENT_SECRET]);
});

describe("an ID token is refused with", () => {
  test.each<[string, object]>([
    ["another nonce", { nonce: "canary" }],
    ["no nonce", { nonce: undefined }],
    ["another issuer", { iss: "https://canary.example" }],
    ["no issuer", { iss: undefined }],
    ["another audience", { aud: "canary" }],
    ["several audiences, and another that it was issued to", { aud: ["hushkit", "canary"], azp: "canary" }],
    ["no audience", { aud: undefined }],
    ["an expiry ten minutes ago", { exp: NOW() - 600 }],
    ["an expiry as a text", { exp: "never" }],
    ["no expiry", { exp: undefined }],
    ["a beginning in ten minutes", { nbf: NOW() + 600 }],
    ["a beginning as a text", { nbf: "now" }],
    ["a time of issue as a text", { iat: "now" }],
    ["no time of issue", { iat: undefined }],
    ["no subject", { sub: undefined }],
    ["a number as its subject", { sub: 7 }],
    ["an empty subject", { sub: "" }],
    ["a subject with a character that no database takes", { sub: "h\u00001" }],
    ["a subject that is too long", { sub: "h".repeat(256) }],
  ])("%s", async (_, claims) => {
    const login = await logIn((provider) => {
      provider.claims = { ...provider.claims, ...claims };
      const { sub } = provider.claims;
      if (typeof sub === "string") provider.answers = { "/userinfo": json({ sub }) };
    });
    await expectRefused(login, { status: 400, code: "oidc_failed" });
  });

  test.each([
    ["no signature", { alg: "none" }],
    ["a signature by the client's own secret", { alg: "HS256" }],
    ["extensions that must be understood", { crit: ["canary"], canary: true }],
  ])("%s", async (_, header) => {
    const login = await logIn((provider) => void (provider.header = header));
    await expectRefused(login, { status: 400, code: "oidc_failed" });
  });

  test("nothing in it, or in its place", async () => {
    for (const answer of [tokens(), tokens("canary")]) {
      const login = await logIn((provider) => void (provider.answers = { "/token": answer }));
      await expectRefused(login, { status: 400, code: "oidc_failed" });
    }
  });
});

test("takes an answer that is as long and as deep as one may be", async () => {
  for (const answer of [long(MEBIBYTE - 100), json(nested(19))]) {
    const { answer: made, hasSession } = await logIn((provider) => {
      provider.answers = { "/userinfo": answer };
    });
    expect([made.status, hasSession]).toEqual([302, true]);
  }
});

test("an ID token with claims that are nested too deep is no answer of a provider", async () => {
  const login = await logIn((provider) => {
    provider.claims = { ...provider.claims, deep: nested(20) };
  });
  await expectRefused(login, { status: 503, code: "oidc_unavailable" });
});

test("an ID token that another key has signed is refused, however well it is addressed", async () => {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const other = { ...publicKey.export({ format: "jwk" }), use: "sig", alg: "RS256" };
  const login = await logIn((provider) => void (provider.answers = { "/jwks": json({ keys: [other] }) }));
  await expectRefused(login, { status: 400, code: "oidc_failed" });
});

test.each(["none", "HS256"])("an ID token by %s is refused also where the metadata has it", async (alg) => {
  const login = await logIn((provider) => void (provider.header = { alg }), {
    metadata: {
      id_token_signing_alg_values_supported: ["RS256", alg],
    },
  });
  await expectRefused(login, { status: 400, code: "oidc_failed" });
});

describe("metadata is refused by the endpoint's name that", () => {
  test.each<[string, object, string]>([
    ["has no place to log in", { authorization_endpoint: undefined }, "has no authorization_endpoint"],
    ["has no place for codes", { token_endpoint: undefined }, "has no token_endpoint"],
    ["has no keys", { jwks_uri: undefined }, "has no jwks_uri"],
    ["is not encrypted", { token_endpoint: "http://canary.example/token" }, "the token_endpoint"],
    ["runs code", { authorization_endpoint: "javascript:alert(1)" }, "the authorization_endpoint"],
    ["is no URL", { userinfo_endpoint: "canary" }, "the userinfo_endpoint"],
    ["logs out elsewhere", { end_session_endpoint: "ftp://canary.example" }, "the end_session_endpoint"],
  ])("%s", async (_, metadata, what) => {
    const provider = await startHostile();
    provider.metadata = { ...metadata };
    const settings = { OIDC_ISSUER: provider.issuer, OIDC_NAME: "ACME", ...CLIENT };
    const service = await startForTest({ settings });
    const answer = await service.request("/api/account/oidc", { ip: freshIp() });
    expect([answer.status, await answer.json()]).toMatchObject([
      503,
      { code: "oidc_unavailable", error: expect.stringContaining(what) },
    ]);
    expect(service.lines.join("")).not.toContain("canary");
    const { provider: checked } = organizationOf(readConfig(settings), () => {}) ?? {};
    expect(await checked?.findFault()).toContain(what);
    provider.metadata = {};
    expect(await checked?.findFault()).toBeUndefined();
  });
});

test("many who begin at once share one question, and who has begun too often asks none", async () => {
  const provider = await startHostile();
  const settings = { OIDC_ISSUER: provider.issuer, ...CLIENT };
  const service = await startForTest({ settings });
  const begin = (ip: string) => service.request("/api/account/oidc", { ip });
  const answers = await Promise.all(Array.from({ length: 12 }, () => begin(freshIp())));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([302]));
  expect(provider.counts).toEqual({ "/.well-known/openid-configuration": 1 });
  const other = await startForTest({ settings });
  // What is refused asks anew each time.
  provider.metadata = { jwks_uri: undefined };
  const ip = freshIp();
  const tried: number[] = [];
  for (let i = 0; i < 25; i++) tried.push((await other.request("/api/account/oidc", { ip })).status);
  expect([tried.filter((status) => status === 503).length, tried.at(-1)]).toEqual([20, 429]);
  expect(provider.counts).toEqual({ "/.well-known/openid-configuration": 21 });
});

test("what is said of somebody else is refused", async () => {
  const login = await logIn((provider) => {
    provider.answers = { "/userinfo": json({ sub: "h-2", groups: ["staff"] }) };
  });
  await expectRefused(login, { status: 400, code: "oidc_failed" });
});

test.each(["invalid_grant", "invalid_client"])(
  "a provider's %s is told to the operator by its word, and to nobody else",
  async (error) => {
    const login = await logIn((provider) => {
      provider.answers = { "/token": json({ error, error_description: "canary" }, 400) };
    });
    await expectRefused(login, { status: 400, code: "oidc_failed" });
    expect(login.lines).toContain(`"code":"OAUTH_${error.toUpperCase()}"`);
  },
);

/** Deadlines of so many milliseconds pass when the test says so. */
function giveDeadlines(milliseconds: number): (() => void)[] {
  const deadlines: (() => void)[] = [];
  const real = AbortSignal.timeout.bind(AbortSignal);
  const spy = vi.spyOn(AbortSignal, "timeout").mockImplementation((given) => {
    if (given !== milliseconds) return real(given);
    const deadline = new AbortController();
    deadlines.push(() => deadline.abort(new DOMException("It took too long", "TimeoutError")));
    return deadline.signal;
  });
  onTestFinished(() => spy.mockRestore());
  return deadlines;
}

const MEBIBYTE = 1024 * 1024;

/** An answer of so many bytes, and a few that are around them. */
function long(bytes: number): HostileProvider["answers"][string] {
  return json({ sub: "h-1", filling: "x".repeat(bytes) });
}

/** So many lists in each other, in an object. */
function nested(levels: number): { sub: string; deep: unknown } {
  let deep: unknown = [];
  for (let i = 1; i < levels; i++) deep = [deep];
  return { sub: "h-1", deep };
}

const halfOfJson: HostileProvider["answers"][string] = (response) =>
  response.writeHead(200, { "content-type": "application/json" }).end('{"sub":');

describe("a provider is taken for down that", () => {
  const unavailable = { status: 503, code: "oidc_unavailable" };

  test.each<[string, HostileProvider["answers"]]>([
    ["fails", { "/token": (response) => response.writeHead(500).end("canary") }],
    ["answers with a page", { "/token": (response) => response.end("<p>canary") }],
    ["answers with half of its JSON", { "/userinfo": halfOfJson }],
    ["cuts the connection", { "/token": (response) => response.destroy() }],
    ["has no keys", { "/jwks": (response) => response.writeHead(500).end() }],
    ["answers with a megabyte and more", { "/userinfo": long(MEBIBYTE) }],
    ["answers with what is nested deeper than twenty levels", { "/userinfo": json(nested(20)) }],
    ["has keys that are nested as deep", { "/jwks": json(nested(20)) }],
    ["says nothing of who it is", { "/userinfo": (response) => response.writeHead(502).end() }],
  ])("%s", async (_, answers) => {
    await expectRefused(await logIn((provider) => void (provider.answers = answers)), unavailable);
  });

  test("does not answer for ten seconds", async () => {
    const deadlines = giveDeadlines(10_000);
    const login = await logIn((provider) => {
      provider.answers = { "/token": () => deadlines.forEach((pass) => pass()) };
    });
    await expectRefused(login, unavailable);
  });

  test("stops in the middle of an answer, for ten seconds in all", async () => {
    const deadlines = giveDeadlines(10_000);
    const login = await logIn((provider) => {
      const answer: HostileProvider["answers"][string] = (response) => {
        response.writeHead(200, { "content-type": "application/json" }).write('{"sub":');
        setImmediate(() => deadlines.forEach((pass) => pass()));
      };
      provider.answers = { "/userinfo": answer };
    });
    await expectRefused(login, unavailable);
  });

  test("sends the code to somebody else, who does not get it", async () => {
    const login = await logIn((provider) => {
      const to = (response: Parameters<HostileProvider["answers"][string]>[0]) =>
        response.writeHead(307, { location: `${provider.issuer}/elsewhere` }).end();
      provider.answers = { "/token": to };
    });
    await expectRefused(login, unavailable);
    expect(login.provider.asked["/elsewhere"]).toBeUndefined();
  });

  test("calls itself another issuer", async () => {
    const provider = await startHostile();
    const issuer = "https://canary.example";
    provider.metadata = { issuer };
    const service = await startForTest({ settings: { OIDC_ISSUER: provider.issuer, ...CLIENT } });
    const answer = await service.request("/api/account/oidc", { ip: freshIp() });
    expect([answer.status, answer.headers.get("location")]).toEqual([503, null]);
    expect(service.lines.join("")).toContain('"requestId":"oidc"');
  });
});

test.each([
  ["nothing", undefined, 1],
  ["a password", ["pwd"], null],
  ["a password and a code", ["pwd", "otp"], 1],
  ["several factors", ["mfa"], 1],
  ["two things that somebody knows", ["pwd", "pin"], null],
  ["a password, in a text", "pwd", null],
  ["a password and a code, in a text", "pwd otp", 1],
  ["no word that is known", ["federated"], null],
  ["a password and a word that objects know", ["pwd", "constructor"], null],
])("a login whose amr says %s is worth that", async (_, amr, isStrong) => {
  const { service } = await logIn((provider) => {
    provider.claims = { ...provider.claims, ...(amr && { amr }) };
  });
  const { is_strong } = await service.db.query.selectFrom("session").selectAll().executeTakeFirstOrThrow();
  expect(is_strong).toBe(isStrong);
});

test.each([
  ["says nothing", undefined],
  ["has asked just now", 30],
  ["has not asked since an hour", 3600.5],
])("a login by a provider that %s is a proof of then", async (_, age) => {
  const { service } = await logIn((provider) => {
    provider.claims = { ...provider.claims, ...(age !== undefined && { auth_time: NOW() - age }) };
  });
  const row = await service.db.query.selectFrom("session").selectAll().executeTakeFirstOrThrow();
  expect(Math.abs(Number(row.created_at) - Number(row.proved_at) - (age ?? 0))).toBeLessThan(60);
});

describe("a login that is to be fresh", () => {
  const fresh = (claims: object) =>
    logIn((provider) => void (provider.claims = { ...provider.claims, ...claims }), {
      path: "/api/account/oidc?fresh",
    });

  test("is one of this minute", async () => {
    expect((await fresh({ auth_time: NOW() - 30 })).answer.status).toBe(302);
  });

  test.each([
    ["five minutes ago", { auth_time: NOW() - 300 }],
    ["yesterday", { auth_time: NOW() - 86_400 }],
    ["at no time", {}],
    ["at a time that is none", { auth_time: "now" }],
  ])("is refused where the provider says that it was %s", async (_, claims) => {
    await expectRefused(await fresh(claims), { status: 400, code: "oidc_failed" });
  });
});

describe("where the public URL is https", () => {
  const PREFIX = "__Host-service_oidc_";

  async function serve() {
    const provider = await startHostile();
    const settings = { OIDC_ISSUER: provider.issuer, OIDC_NAME: "ACME", ...CLIENT };
    const service = await startForTest({ publicUrl: "https://hush.example", settings });
    const begin = async (cookie = "") => {
      const headers = { "sec-fetch-site": "same-origin", ...(cookie && { cookie }) };
      const begun = await service.request("/api/account/oidc", { headers, ip: freshIp() });
      return { set: begun.headers.getSetCookie(), to: new URL(begun.headers.get("location") ?? "") };
    };
    return { provider, service, begin };
  }

  test("a flow that a neighbouring host has planted is none, and ours goes on", async () => {
    const { provider, service, begin } = await serve();
    const { set, to } = await begin();
    expect(set[0]).toMatch(
      /^__Host-service_oidc_[\w-]{16}=.*; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    );
    provider.claims = { nonce: to.searchParams.get("nonce") ?? "" };
    const query = new URLSearchParams({ code: "c", state: to.searchParams.get("state") ?? "" });
    const comeBack = (cookie: string) =>
      service.request(`/api/account/oidc/callback?${query}`, {
        headers: { cookie, "sec-fetch-site": "cross-site", accept: "application/json" },
        ip: freshIp(),
      });
    const cookie = set[0]?.split(";")[0] ?? "";
    expect((await comeBack(cookie.replace("__Host-", ""))).status).toBe(400);
    const back = await comeBack(cookie);
    expect(back.status).toBe(302);
    expect(back.headers.getSetCookie().join("\n")).toMatch(
      /^__Host-service_user_session=[0-9A-Za-z]{43}; Path=\/;/m,
    );
  });

  test("the oldest flow of a browser is dropped where it has eight", async () => {
    const { begin } = await serve();
    const nine = Array.from({ length: 9 }, (_, i) => `${PREFIX}${String(i).padStart(16, "a")}`);
    const { set } = await begin(["theme=x", ...nine.map((name) => `${name}=v`)].join("; "));
    expect(set).toHaveLength(3);
    expect(set.slice(0, 2).map((each) => each.split(";")[0])).toEqual([`${nine[0]}=`, `${nine[1]}=`]);
    expect(set[0]).toMatch(/; Path=\/; Max-Age=0; /);
    expect((await begin()).set).toHaveLength(1);
  });
});

describe("a provider that tells that it has logged somebody out", () => {
  /** Somebody who has logged in at the provider, and with a password in another browser. */
  async function loggedIn(claims: object = {}) {
    const { provider, service, answer } = await logIn((at) => {
      at.claims = { ...at.claims, ...claims };
    });
    const byProvider = sessionOf(answer);
    const { cookie: byPassword } = await register(service);
    const member = await service.db.query.selectFrom("identity").select("member").executeTakeFirstOrThrow();
    await service.db.query.updateTable("session").set({ member: member.member }).execute();
    const tell = (body: string, type = "application/x-www-form-urlencoded") =>
      service.request("/api/account/oidc/backchannel", {
        method: "POST",
        headers: { "content-type": type },
        body,
        ip: freshIp(),
      });
    const living = async () => {
      const asked = [byProvider, byPassword].map((cookie) =>
        service.request("/api/users/me", { headers: { cookie } }),
      );
      return (await Promise.all(asked)).map(({ status }) => status);
    };
    return { provider, service, tell, living };
  }

  test.each([
    ["the session", { sid: "s-1" }, { sid: "s-1", sub: undefined }],
    ["the person and the session", { sid: "s-1" }, { sid: "s-1" }],
    ["the person, whose sessions have no name", {}, {}],
  ])("by %s ends what began with it, and no other login", async (_, login, logout) => {
    const { provider, tell, living } = await loggedIn(login);
    expect(await living()).toEqual([200, 200]);
    const told = await tell(`logout_token=${logoutToken(provider, logout)}`);
    expect([told.status, await told.text(), told.headers.get("cache-control")]).toEqual([
      200,
      "",
      "no-store",
    ]);
    expect(await living()).toEqual([401, 200]);
  });

  test.each([
    ["another session", { sid: "s-2" }],
    ["somebody else", { sub: "h-2", sid: undefined }],
  ])("ends nothing for %s", async (_, claims) => {
    const { provider, tell, living } = await loggedIn({ sid: "s-1" });
    expect((await tell(`logout_token=${logoutToken(provider, claims)}`)).status).toBe(200);
    expect(await living()).toEqual([200, 200]);
  });

  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["without the event", { events: {} }, {}],
    ["with an event that is no object", { events: { [LOGOUT]: true } }, {}],
    ["with a list of events", { events: [LOGOUT] }, {}],
    ["without its time", { iat: undefined }, {}],
    ["of the future", { iat: NOW() + 600 }, {}],
    ["with a nonce, as an ID token has", { nonce: "n" }, {}],
    ["for another client", { aud: "other" }, {}],
    ["of another issuer", { iss: "https://evil.example" }, {}],
    ["of twenty minutes ago", { iat: NOW() - 1200 }, {}],
    ["that has expired", { exp: NOW() - 300 }, {}],
    ["without an end", { exp: undefined }, {}],
    ["without a name of its own", { jti: undefined }, {}],
    ["that names nobody", { sub: undefined }, {}],
    ["that names somebody by an object", { sub: { $ne: null } }, {}],
    ["without a signature", {}, { alg: "none" }],
    ["signed by the client's secret", {}, { alg: "HS256" }],
    ["that is an access token by its type", {}, { typ: "at+jwt" }],
    ["of a type that is no text", {}, { typ: 5 }],
  ])("is refused with a token %s", async (_, claims, header) => {
    const { provider, tell, living } = await loggedIn();
    const told = await tell(`logout_token=${logoutToken(provider, claims, header)}`);
    expect([told.status, ((await told.json()) as { code: string }).code]).toEqual([400, "oidc_failed"]);
    expect(await living()).toEqual([200, 200]);
  });

  test.each(["logout+jwt", "application/LOGOUT+JWT", "JWT"])("is heard with the type %s", async (typ) => {
    const { provider, tell, living } = await loggedIn();
    expect((await tell(`logout_token=${logoutToken(provider, {}, { typ })}`)).status).toBe(200);
    expect(await living()).toEqual([401, 200]);
  });

  test("is heard once with one token, and refused without one, or with one that is too long", async () => {
    const { provider, service, tell } = await loggedIn();
    const token = `logout_token=${logoutToken(provider)}`;
    expect([(await tell(token)).status, (await tell(token)).status]).toEqual([200, 400]);
    const none = [
      ...[tell("token=a"), tell(`${token}&${token}`), tell(token, "text/plain"), tell("", "")],
      tell(JSON.stringify({ logout_token: "a" }), "application/json"),
    ];
    for (const told of await Promise.all(none))
      expect(await told.json()).toMatchObject({
        status: 400,
        code: "missing_parameter",
        parameter: "logout_token",
      });
    expect((await tell(`logout_token=${"a".repeat(20_000)}`)).status).toBe(400);
    expect(service.lines.join()).not.toContain("h-1");
  });

  test("is heard again where the database failed before the sessions had ended", async () => {
    const { provider, service, tell, living } = await loggedIn();
    const { schema } = service.db.query;
    const token = `logout_token=${logoutToken(provider)}`;
    await schema.alterTable("session").renameTo("session_away").execute();
    // PostgreSQL is asked then whether it is still the same (503).
    expect((await tell(token)).status).toBeGreaterThanOrEqual(500);
    await schema.alterTable("session_away").renameTo("session").execute();
    expect(await living()).toEqual([200, 200]);
    expect((await tell(token)).status).toBe(200);
    expect(await living()).toEqual([401, 200]);
    expect((await tell(token)).status).toBe(400);
  });

  test.each<[string, object, Record<string, unknown>, number]>([
    ["its session", { sid: "s-1" }, { sid: "s-1", sub: undefined }, 401],
    ["its person", { sid: "s-1" }, {}, 401],
    ["another session", { sid: "s-1" }, { sid: "s-2" }, 302],
    ["its session of a while ago", { sid: "s-1" }, { sid: "s-1", iat: NOW() - 30 }, 302],
    ["its person a while ago", {}, { iat: NOW() - 30 }, 302],
    // Times may have fractions of a second (RFC 7519, 2).
    ["its person within the same second", { iat: NOW() - 0.5 }, { iat: NOW() - 0.25 }, 401],
    ["its person half a minute ago", { iat: NOW() - 0.5 }, { iat: NOW() - 30.5 }, 302],
  ])("ends a login that is under way by %s", async (_, claims, logout, status) => {
    const { answer, hasSession, service } = await logIn((provider, __, at) => {
      provider.claims = { ...provider.claims, ...claims };
      const told = async () => {
        const body = new URLSearchParams({ logout_token: logoutToken(provider, logout) });
        const path = "/api/account/oidc/backchannel";
        expect((await at.request(path, { method: "POST", body, ip: freshIp() })).status).toBe(200);
      };
      // The code is exchanged, and no session stored.
      provider.answers = {
        "/userinfo": (response) => void told().then(() => json({ sub: "h-1" })(response)),
      };
    });
    expect([answer.status, hasSession]).toEqual([status, status === 302]);
    const sessions = await service.db.query.selectFrom("session").select("id").execute();
    expect(sessions).toHaveLength(hasSession ? 1 : 0);
  });

  test("is 503 where its keys cannot be had", async () => {
    const { provider, tell, living } = await loggedIn();
    provider.answers = { "/jwks": (response) => response.writeHead(500).end() };
    const told = await tell(`logout_token=${logoutToken(provider, {}, { kid: "new" })}`);
    expect([told.status, ((await told.json()) as { code: string }).code]).toEqual([503, "oidc_unavailable"]);
    expect(await living()).toEqual([200, 200]);
  });
});

function sessionOf(answer: Response): string {
  const set = answer.headers.getSetCookie().find((each) => each.startsWith("service_user_session="));
  return (set ?? "").split(";")[0] ?? "";
}

test("a logout does not wait for a provider that hangs", async () => {
  const hanging = createServer(() => {});
  await new Promise<void>((resolve) => hanging.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void hanging.close());
  // Listening on a port, a server has the address of one.
  const issuer = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
  const service = await startForTest({ settings: { OIDC_ISSUER: issuer, ...CLIENT } });
  const { id: member, cookie } = await register(service);
  await tieIdentity(service.db, { issuer, subject: "ann", name: "ann", member, now: service.clock.now });
  const begunAt = performance.now();
  const answer = await call(service, "/api/account/logout", { json: {}, headers: { cookie } });
  expect(answer).toMatchObject({ status: 200, cookie: "", body: { ended: true, providerLogout: null } });
  expect(performance.now() - begunAt).toBeLessThan(5000);
});

test("a provider whose endpoints have moved is asked for them again, once a login has failed there", async () => {
  const provider = await startHostile();
  const service = await startForTest({ settings: { OIDC_ISSUER: provider.issuer, ...CLIENT } });
  const logInThere = async () => {
    const begun = await service.request("/api/account/oidc", { ip: freshIp() });
    const sent = new URL(begun.headers.get("location") ?? "").searchParams;
    provider.claims = { nonce: sent.get("nonce") };
    const query = new URLSearchParams({ code: "c", state: sent.get("state") ?? "" });
    const cookie = begun.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    return service.request(`/api/account/oidc/callback?${query}`, { headers: { cookie }, ip: freshIp() });
  };
  expect((await logInThere()).status).toBe(302);
  provider.metadata = { token_endpoint: `${provider.issuer}/moved` };
  provider.answers = { "/token": (response) => response.writeHead(404).end("Moved") };
  const failed = await logInThere();
  expect([failed.status, await failed.json()]).toMatchObject([503, { code: "oidc_unavailable" }]);
  expect([(await logInThere()).status, provider.counts["/moved"]]).toEqual([503, 1]);
  expect(provider.counts["/.well-known/openid-configuration"]).toBe(2);
});
