// process
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { freshIp } from "../../support/fresh-ip.ts";
import { CLIENT } from "../../support/oidc/start.ts";
import { json, startHostile, tokens, type HostileProvider } from "../../support/oidc/hostile.ts";
import { startForTest } from "../../support/with-server.ts";

const NOW = () => Math.floor(Date.now() / 1000);

/** Logs in at a provider that says what it likes. */
async function logIn(
  tell: (provider: HostileProvider, nonce: string) => void,
  { path = "/api/account/oidc", settings = {} }: { path?: string; settings?: Record<string, string> } = {},
) {
  const provider = await startHostile();
  const service = await startForTest({
    settings: { OIDC_ISSUER: provider.issuer, OIDC_NAME: "ACME", ...CLIENT, ...settings },
  });
  const begun = await service.request(path, { ip: freshIp() });
  const cookie = begun.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const sent = new URL(begun.headers.get("location") ?? "").searchParams;
  const nonce = sent.get("nonce") ?? "";
  provider.claims = { nonce };
  tell(provider, nonce);
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

const halfOfJson: HostileProvider["answers"][string] = (response) =>
  response.writeHead(200, { "content-type": "application/json" }).end('{"sub":');

describe("a provider is taken for down that", () => {
  const unavailable = { status: 503, code: "oidc_unavailable" };

  test.each<[string, HostileProvider["answers"]]>([
    ["fails", { "/token": (response) => response.writeHead(500).end("canary") }],
    ["answers with a page", { "/token": (response) => response.end("<p>canary") }],
    ["answers with half of its JSON", { "/userinfo": halfOfJson }],
    ["cuts the connection", { "/token": (response) => response.destroy() }],
    ["says nothing of who it is", { "/userinfo": (response) => response.writeHead(502).end() }],
  ])("%s", async (_, answers) => {
    await expectRefused(await logIn((provider) => void (provider.answers = answers)), unavailable);
  });

  test("does not answer for eight seconds", async () => {
    const deadlines = giveDeadlines(8_000);
    const login = await logIn((provider) => {
      provider.answers = { "/token": () => deadlines.forEach((pass) => pass()) };
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
    const document = { issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` };
    provider.answers = { "/.well-known/openid-configuration": json(document) };
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
  ["no word that is known", ["federated"], null],
])("a login whose amr says %s is worth that", async (_, amr, isStrong) => {
  const { service } = await logIn((provider) => {
    provider.claims = { ...provider.claims, ...(amr && { amr }) };
  });
  const { is_strong } = await service.db.query.selectFrom("session").selectAll().executeTakeFirstOrThrow();
  expect(is_strong).toBe(isStrong);
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
