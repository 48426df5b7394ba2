// process
import { expect, onTestFinished, test } from "vitest";
import { makePostgres } from "../../db/support/harness.ts";
import { describeEach, runtimesHere, testWith } from "../../machine/skips.ts";
import { freePort } from "../../support/free-port.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { CLIENT, startProvider, type TestProvider } from "../../support/oidc/start.ts";
import type { Runtime } from "../../support/runtimes.ts";
import type { RunningServer } from "../support/server.ts";
import { startForTest } from "../support/with-process.ts";

const BASE = "/base";
const PUBLIC_URL = `https://hush.example${BASE}`;
const OIDC = "/api/account/oidc";

async function startProviderAt(port?: number, logoutUri?: string): Promise<TestProvider> {
  const provider = await startProvider(`${PUBLIC_URL}${OIDC}/callback`, port, logoutUri);
  onTestFinished(provider.stop);
  return provider;
}

function start(runtime: Runtime, issuer: string, env: Record<string, string> = {}): Promise<RunningServer> {
  return startForTest(runtime, {
    ...{ PUBLIC_URL, TRUST_PROXY: "1", WORKERS: "1", OIDC_ISSUER: issuer, ...CLIENT },
    ...{ OIDC_REQUIRE: "groups=staff", OIDC_NAME: "ACME", PASSWORDS: "off", ...env },
  });
}

/** A request as a proxy passes it on. What it says of a host is in no URL. */
function get({ url }: RunningServer, path: string, headers: Record<string, string> = {}) {
  const proxied = { "x-forwarded-for": freshIp(), "x-forwarded-proto": "https" };
  return fetch(url + BASE + path, {
    redirect: "manual",
    headers: { ...proxied, "x-forwarded-host": "canary.example", ...headers },
  });
}

/** The cookie whose name begins so, behind its prefix. */
function cookieOf(response: Response, name: string): string {
  const set = response.headers.getSetCookie().find((each) => each.startsWith(`__Secure-${name}`)) ?? "";
  expect(set).toContain("; Secure");
  return set.split(";")[0] ?? "";
}

/** Goes the whole way, which may begin at one instance and end at another. */
async function logIn(provider: TestProvider, [first, last]: readonly [RunningServer, RunningServer]) {
  const begun = await get(first, `${OIDC}?next=/ask`);
  expect(begun.status).toBe(302);
  const back = await provider.follow(begun.headers.get("location") ?? "");
  expect(back.origin + back.pathname).toBe(`${PUBLIC_URL}${OIDC}/callback`);
  const cookie = cookieOf(begun, "service_oidc_");
  return get(last, OIDC + "/callback" + back.search, { cookie, accept: "text/html" });
}

async function whoIs(server: RunningServer, answer: Response): Promise<unknown> {
  expect([answer.status, answer.headers.get("location")]).toEqual([302, `${BASE}/ask`]);
  const cookie = cookieOf(answer, "service_user_session");
  return (await get(server, "/api/users/me", { cookie })).json();
}

describeEach("on $name behind a proxy, below a base path", (runtime) => {
  test("a server starts without the provider, logs in at it once it is there, and out when it says so", async () => {
    const port = await freePort();
    const server = await start(runtime, `http://127.0.0.1:${port}`);
    const away = await get(server, OIDC);
    expect([away.status, away.headers.get("retry-after")]).toEqual([503, "10"]);
    const provider = await startProviderAt(port, `${server.url}${BASE}${OIDC}/backchannel`);
    await provider.logIn({ sub: "canary-sub", preferred_username: "ann", groups: ["staff"] });
    const answer = await logIn(provider, [server, server]);
    expect(await whoIs(server, answer)).toMatchObject({ name: "ann", hasIdentity: true });
    const cookie = cookieOf(answer, "service_user_session");
    expect(await provider.logOut("canary-nobody")).toBe("told");
    expect((await get(server, "/api/users/me", { cookie })).status).toBe(200);
    expect(await provider.logOut("canary-sub")).toBe("told");
    expect((await get(server, "/api/users/me", { cookie })).status).toBe(401);
    await provider.logIn({ sub: "canary-other", groups: ["guests"] });
    const refused = await logIn(provider, [server, server]);
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining("groups=staff")]);
    expect(refused.headers.getSetCookie().join()).not.toContain("service_user_session");
    await expect.poll(server.output).toContain("oidc_refused");
    expect(server.output()).not.toContain("canary");
  });
});

testWith("PostgreSQL")("a login that was begun at one of two instances ends at the other", async () => {
  const place = await makePostgres();
  const runtimes = runtimesHere();
  const [node = runtimes[0]!, other = node] = runtimes;
  const env = { DATABASE_URL: place.url };
  const provider = await startProviderAt();
  const [one, two] = [await start(node, provider.issuer, env), await start(other, provider.issuer, env)];
  await provider.logIn({ sub: "u-1", preferred_username: "ann", groups: ["staff"] });
  const there = await whoIs(one, await logIn(provider, [one, two]));
  const back = await whoIs(two, await logIn(provider, [two, one]));
  expect(there).toMatchObject({ name: "ann" });
  expect(back).toEqual(there);
  await Promise.all([one.stop(), two.stop()]);
  await place.drop();
});
