import { expect, test } from "vitest";
import { jsonPost } from "../../support/requests.ts";
import { startForTest, withServer } from "../../support/with-server.ts";

const service = withServer();
const ORIGIN = { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" };

interface Refused {
  readonly status: number;
  readonly path: string;
  readonly init?: RequestInit;
}

/** Refusals of every step. */
const REFUSED: readonly (readonly [what: string, refused: Refused])[] = [
  ["an unknown tool", { status: 404, path: "/api/tools/pdf-fold" }],
  ["an unknown path", { status: 404, path: "/api/nowhere" }],
  ["a path that is not UTF-8", { status: 404, path: "/api/tools/%FF" }],
  ["another method", { status: 405, path: "/api/tools/password", init: { method: "PUT" } }],
  ["a long URL", { status: 414, path: `/api/tools/password?x=${"x".repeat(8200)}` }],
  [
    "a coding that nobody reads",
    {
      status: 415,
      path: "/api/tools/file-hash",
      init: { method: "POST", body: "x", headers: { "content-encoding": "br" } },
    },
  ],
  [
    "a wrong token",
    {
      status: 401,
      path: "/api/secrets",
      init: { ...jsonPost({ content: "x" }), headers: { authorization: "Bearer no-token" } },
    },
  ],
  ["an unknown secret", { status: 404, path: "/api/secrets/x/reveal", init: jsonPost({ key: "x" }) }],
];

test.each(REFUSED)("a page of another origin reads that %s is refused", async (_, { status, path, init }) => {
  const response = await service.request(path, { ...init, headers: { ...init?.headers, ...ORIGIN } });
  expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([status, "*"]);
  expect(response.headers.get("access-control-expose-headers")).toContain("Request-Id");
  expect(await response.json()).toMatchObject({ status });
});

test("it reads the refusal of a typed call too", async () => {
  const response = await service.request("/trpc/nowhere", { headers: ORIGIN });
  expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([404, "*"]);
});

test.each(REFUSED)("its browser may ask before %s", async (_, { path }) => {
  const headers = {
    ...ORIGIN,
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization,baggage,content-type,sentry-trace,x-requested-with",
  };
  const response = await service.request(path, { method: "OPTIONS", headers });
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  // What h3 cannot route has no other answer.
  if (path.includes("%FF")) return;
  expect(response.status).toBe(204);
  const allowed = (response.headers.get("access-control-allow-headers") ?? "").toLowerCase().split(", ");
  for (const name of headers["access-control-request-headers"].split(",")) expect(allowed).toContain(name);
});

test("of a server that ends it reads 503, and may ask before", async () => {
  const ending = await startForTest();
  ending.health.startDraining();
  const asked = { ...ORIGIN, "access-control-request-method": "POST" };
  const options = await ending.request("/api/secrets", { method: "OPTIONS", headers: asked });
  expect(options.status).toBe(204);
  const sent = jsonPost({ content: "x" });
  const refused = await ending.request("/api/secrets", { ...sent, headers: { ...sent.headers, ...ORIGIN } });
  expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([503, "*"]);
  expect(refused.headers.get("access-control-expose-headers")).toContain("Retry-After");
});

test.each(["/api/account/nowhere", "/api/users/me", "/api/account/login", "/nowhere", "/"])(
  "%s is for pages of this service alone",
  async (path) => {
    const response = await service.request(path, { headers: { ...ORIGIN, accept: "application/json" } });
    const preflight = { ...ORIGIN, "access-control-request-method": "POST" };
    const options = await service.request(path, { method: "OPTIONS", headers: preflight });
    // Which is an alias of the path where secrets are created.
    if (path === "/") return expect(options.status).toBe(204);
    expect(response.headers.get("access-control-allow-origin")).toBe(null);
    expect(options.headers.get("access-control-allow-origin")).toBe(null);
  },
);
