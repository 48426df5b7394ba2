// A real provider of OpenID Connect, in a process of its own: `node provider.ts`. It prints its issuer. Whoever comes is
// logged in without a form as the account that was last sent to /next, as JSON of its claims.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

const server = createServer().listen(Number(process.env["PROVIDER_PORT"] ?? 0), "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Claims of tests about rules, as other providers name theirs. */
const OTHERS = ["realm_access", "resource_access", "realm_access.roles", "roles", "memberOf"];

let next: Record<string, unknown> = { sub: "alice" };
const accounts = new Map<string, Record<string, unknown>>();

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: "hushkit",
      client_secret: "a secret of thirty-two characters",
      redirect_uris: String(process.env["REDIRECT_URI"]).split(" "),
      post_logout_redirect_uris: [],
      ...(process.env["LOGOUT_URI"] && { backchannel_logout_uri: process.env["LOGOUT_URI"] }),
    },
  ],
  claims: {
    openid: ["sub"],
    profile: ["preferred_username", "groups", ...OTHERS],
    email: ["email", "email_verified"],
  },
  cookies: { keys: ["for tests"] },
  features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
  interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
  // It keeps from addresses of its own network, where the server of a test is.
  fetch: (url: string, options: RequestInit & { dispatcher?: unknown }) => {
    const { dispatcher: _, ...rest } = options;
    return fetch(url, rest);
  },
  pkce: { required: () => true },
  findAccount: (_: unknown, id: string) => ({
    accountId: id,
    claims: () => ({ ...accounts.get(id), sub: id }),
  }),
  loadExistingGrant: async (ctx: {
    oidc: { client: { clientId: string }; session: { accountId: string } };
  }) => {
    const grant = new provider.Grant({
      clientId: ctx.oidc.client.clientId,
      accountId: ctx.oidc.session.accountId,
    });
    grant.addOIDCScope("openid profile email");
    await grant.save();
    return grant;
  },
});

const answer = provider.callback();
const logOut = async (sub: string) => (await provider.Client.find("hushkit")).backchannelLogout(sub);
server.on("request", (request, response) => {
  if (request.url?.startsWith("/log-out/")) {
    void logOut(request.url.slice("/log-out/".length)).then(
      () => response.end("told"),
      (error: unknown) => response.writeHead(502).end(String(error)),
    );
  } else if (request.url === "/next") {
    let text = "";
    request.on("data", (data) => (text += data));
    request.on("end", () => {
      next = JSON.parse(text) as Record<string, unknown>;
      accounts.set(String(next["sub"]), next);
      response.end();
    });
  } else if (request.url?.startsWith("/interaction/")) {
    void provider.interactionFinished(request, response, { login: { accountId: String(next["sub"]) } });
  } else {
    setTimeout(() => void answer(request, response), Number(process.env["PROVIDER_DELAY_MS"] ?? 0));
  }
});
console.log(issuer);
