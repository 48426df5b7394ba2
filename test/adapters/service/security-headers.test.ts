import { expect, test } from "vitest";
import { refuseUnparsed } from "../../../adapters/http/connections.ts";
import { securityHeaders } from "../../../adapters/service/server.ts";
import { startForTest, withServer } from "../../support/with-server.ts";

const HTTPS = "https://hush.example";
const atHttps = withServer({ publicUrl: HTTPS });
const BASE = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
};

test.each([
  ["the help", "/", {}, 200],
  ["what robots read", "/robots.txt", {}, 200],
  ["the document", "/api/openapi.json", {}, 200],
  ["the catalogue", "/api/tools", {}, 200],
  ["its HEAD", "/api/tools", { method: "HEAD" }, 200],
  ["its OPTIONS", "/api/tools", { method: "OPTIONS" }, 204],
  ["a call without its file", "/api/tools/pdf-rotate", { method: "POST" }, 400],
  ["a method that is not there", "/api/tools", { method: "DELETE" }, 405],
  ["no path", "/%ff", {}, 404],
  ["RPC", "/trpc/tools.catalogue", {}, 200],
  ["a batch", "/trpc/tools.catalogue,nothing?batch=1", {}, 207],
  ["an account", "/api/users/me", {}, 401],
  ["health", "/healthz", {}, 200],
  ["readiness", "/readyz", {}, 200],
] as const)("%s can be framed, opened and embedded by nobody else", async (_, path, init, status) => {
  let headers = new Headers();
  const ask = async () => {
    const answer = await atHttps.request(path, init);
    headers = answer.headers;
    return answer.status;
  };
  // On a busy machine the server is ready only when its first worker has started.
  await expect.poll(ask).toBe(status);
  expect(Object.fromEntries(headers)).toMatchObject({
    ...BASE,
    "cross-origin-resource-policy": "same-origin",
  });
  expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
  expect(headers.get("strict-transport-security")).toBe("max-age=31536000");
});

test("files, from a tool and from a secret, say it too, and stay in a sandbox", async () => {
  const service = await startForTest();
  const made = await service.request("/api/tools/file-encrypt", {
    method: "POST",
    body: "content",
    headers: { "Content-Type": "application/octet-stream", "Tool-Password": "correct horse battery" },
  });
  expect(made.status).toBe(200);
  expect(made.headers.get("content-security-policy")).toBe(
    "default-src 'none'; sandbox; frame-ancestors 'none'",
  );
  expect(made.headers.get("cross-origin-resource-policy")).toBe("same-origin");
});

test.each([
  ["http://hush.example", {}, null],
  [HTTPS, {}, "max-age=31536000"],
  [HTTPS, { HSTS: "host" }, "max-age=31536000"],
  [HTTPS, { HSTS: "subdomains" }, "max-age=31536000; includeSubDomains"],
  [HTTPS, { HSTS: "off" }, null],
] as const)("at %s with %o browsers are told %s", async (publicUrl, settings, told) => {
  const service = await startForTest({ publicUrl, settings });
  const { headers } = await service.request("/healthz");
  expect(headers.get("strict-transport-security")).toBe(told);
});

test("what Node's parser refuses says it as well", () => {
  for (const code of ["HPE_INVALID_METHOD", "HPE_HEADER_OVERFLOW", undefined]) {
    const answer = refuseUnparsed(code, securityHeaders({ publicUrl: HTTPS, hsts: "host" }));
    expect(answer).toMatch(/\r\ncontent-security-policy: default-src 'none'; frame-ancestors 'none'\r\n/);
    expect(answer).toMatch(/\r\nstrict-transport-security: max-age=31536000\r\n/);
    expect(answer).toMatch(/\r\nAccess-Control-Allow-Origin: \*\r\n/);
    expect(answer).toMatch(/\r\nConnection: close\r\n\r\n/);
  }
});
