import { createHash, randomBytes } from "node:crypto";
import { startServer } from "../../test/process/support/server.ts";
import { freePort } from "../../test/support/free-port.ts";
import { CLIENT, startProvider, type TestProvider } from "../../test/support/oidc/start.ts";
import { findRuntimes } from "../../test/support/runtimes.ts";
import { row } from "../support/measure.ts";

const ROUNDS = 40;
const WARM = 10;
/** How long the provider takes beyond its own work: beside the server, and elsewhere. */
const DELAYS_MS = [0, 20, 50];
const PATH = "/api/account/oidc";

/**
 * The two calls of a login at the server, beside the two that it makes to the provider, at the token and the userinfo
 * endpoint, made bare. They take turns, and the fastest of each counts: what else the machine does only ever adds.
 */
export async function benchOidcLogin(): Promise<string[]> {
  const lines: string[] = [];
  for (const delay of DELAYS_MS) {
    process.env["PROVIDER_DELAY_MS"] = String(delay);
    const { begun, ours, bare } = await measure();
    lines.push(
      row(`token and userinfo, ${delay} ms away`, { value: bare, unit: "ms" }),
      row("  a login through them", { value: ours, unit: "ms", peer: bare }),
      row("  its beginning, which asks the provider nothing", { value: begun, unit: "ms" }),
    );
  }
  return lines;
}

async function measure(): Promise<{ begun: number; ours: number; bare: number }> {
  const [node] = findRuntimes();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const provider = await startProvider(url + PATH + "/callback");
  const settings = { PORT: String(port), TRUST_PROXY: "1", WORKERS: "1", OIDC_ISSUER: provider.issuer };
  const server = await startServer(node!, { ...settings, ...CLIENT });
  await provider.logIn({ sub: "bench" });
  const [begun, ended, bare]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < WARM + ROUNDS; round++) {
    const { beginning, ending } = await logIn(url, { provider, round });
    begun.push(beginning);
    ended.push(ending);
    bare.push(await askBare(provider, url + PATH + "/callback"));
  }
  await server.stop();
  await provider.stop();
  return { begun: least(begun), ours: least(begun) + least(ended), bare: least(bare) };
}

/** Milliseconds of both calls at the server; what the person does at the provider lies between them. */
async function logIn(
  url: string,
  { provider, round }: { provider: TestProvider; round: number },
): Promise<{ beginning: number; ending: number }> {
  const from = { "x-forwarded-for": `10.9.0.${round}` };
  const [begun, beginning] = await timed(() => fetch(url + PATH, { redirect: "manual", headers: from }));
  const cookie = begun.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const { search } = await provider.follow(begun.headers.get("location") ?? "");
  const headers = { ...from, cookie };
  const [ended, ending] = await timed(() =>
    fetch(`${url}${PATH}/callback${search}`, { redirect: "manual", headers }),
  );
  if (ended.status !== 302) throw new Error(`The login was answered with ${ended.status}`);
  return { beginning, ending };
}

async function askBare({ issuer, follow }: TestProvider, redirectUri: string): Promise<number> {
  const verifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    response_type: "code",
    client_id: CLIENT.OIDC_CLIENT_ID,
    redirect_uri: redirectUri,
    state: "a",
    scope: "openid profile email",
    nonce: "a",
    code_challenge_method: "S256",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
  });
  const code = (await follow(`${issuer}/auth?${query}`)).searchParams.get("code") ?? "";
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    client_id: CLIENT.OIDC_CLIENT_ID,
    client_secret: CLIENT.OIDC_CLIENT_SECRET,
  });
  const [, milliseconds] = await timed(async () => {
    const answer = await fetch(`${issuer}/token`, { method: "POST", body });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    const who = await fetch(`${issuer}/me`, { headers: { authorization: `Bearer ${token}` } });
    if (!who.ok) throw new Error(`The provider answered ${who.status}`);
    return who.text();
  });
  return milliseconds;
}

async function timed<Result>(work: () => Promise<Result>): Promise<[Result, number]> {
  const start = performance.now();
  const result = await work();
  return [result, performance.now() - start];
}

function least(all: readonly number[]): number {
  return Math.min(...all.slice(WARM));
}
