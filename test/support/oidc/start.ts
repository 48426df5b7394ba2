import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { nodePath } from "../runtimes.ts";

/** A provider of OpenID Connect that runs beside the test. */
export interface TestProvider {
  readonly issuer: string;
  /** Who logs in next. */
  readonly logIn: (claims: { readonly sub: string } & Record<string, unknown>) => Promise<void>;
  /** Tells who has asked for it that somebody is logged out; what came of it. */
  readonly logOut: (sub: string) => Promise<string>;
  /** Follows the redirects of the provider, from where it was asked, to the one that leads back. */
  readonly follow: (url: string) => Promise<URL>;
  readonly stop: () => Promise<void>;
}

export const CLIENT = { OIDC_CLIENT_ID: "hushkit", OIDC_CLIENT_SECRET: "a secret of thirty-two characters" };

/** Starts it, on a port of its own where none is named; `logoutUri` is told of those who are logged out. */
export async function startProvider(redirectUri: string, port = 0, logoutUri = ""): Promise<TestProvider> {
  const file = fileURLToPath(new URL("provider.ts", import.meta.url));
  const env = {
    ...process.env,
    REDIRECT_URI: redirectUri,
    LOGOUT_URI: logoutUri,
    PROVIDER_PORT: String(port),
  };
  const child: ChildProcess = spawn(nodePath(), ["--no-warnings", file], {
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const issuer = await new Promise<string>((resolve, reject) => {
    child.stdout?.on("data", (data) => {
      const line = /http:\/\/127\.0\.0\.1:\d+/.exec(String(data))?.[0];
      if (line) resolve(line);
    });
    child.once("exit", () => reject(new Error("The provider did not start")));
  });
  return {
    issuer,
    logIn: async (claims) => {
      await fetch(`${issuer}/next`, { method: "POST", body: JSON.stringify(claims) });
    },
    logOut: async (sub) => (await fetch(`${issuer}/log-out/${sub}`)).text(),
    follow: (url) => follow(url, issuer),
    stop: async () => {
      child.kill();
      await once(child, "exit");
    },
  };
}

async function follow(url: string, issuer: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let at = new URL(url);
  for (let steps = 0; at.origin === issuer && steps < 10; steps++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(at, { redirect: "manual", headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const to = response.headers.get("location");
    if (to === null) throw new Error(`The provider answered ${response.status}: ${await response.text()}`);
    at = new URL(to, at);
  }
  return at;
}
