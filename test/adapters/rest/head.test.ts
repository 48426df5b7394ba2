// slow
import { expect, test } from "vitest";
import { endpoints, procedures } from "../../../adapters/service/endpoints.ts";
import { methodsOf } from "../../../adapters/trpc/endpoints.ts";
import { PAGE_NAMES, pathOf } from "../../../wire/pages.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { addMember, call } from "../../support/members.ts";
import { shareSecret } from "../../support/requests.ts";
import { withServer } from "../../support/with-server.ts";

const service = withServer();

const GATE = "g".repeat(43);
const OWN_PAGE = { "sec-fetch-site": "same-origin" };

/** Every path of REST that GET answers, with the ids of these. */
function restPaths(ids: Readonly<Record<string, string>>): string[] {
  return endpoints
    .filter((endpoint) => methodsOf(endpoint).includes("GET"))
    .flatMap(({ paths }) => paths)
    .map((path) => path.replace("{id}", ids[path.split("/")[2] ?? ""] ?? "x"));
}

// The head of a stream of tRPC leaves before its call is judged.
const RPC = Object.entries(procedures)
  .filter(([, { _def }]) => _def.type !== "subscription")
  .map(([path]) => `/trpc/${path}`);

const PLAIN = [
  ...PAGE_NAMES.map(pathOf),
  ...["/s/x", "/r/x", "/r/x/collect", "/nowhere", "/robots.txt", "/favicon.svg", "/assets/nothing.js"],
  ...["/healthz", "/readyz", "/version", "/logo", "/api/openapi.json", "/api/nowhere", "/api/tools/nothing"],
];

// What differs from call to call or is of the connection, and what only the whole answer could tell.
const OWN = ["date", "request-id", "connection", "content-length"];

async function headersOf(method: string, path: string, init: { headers: HeadersInit; ip: string }) {
  const response = await service.request(path, { method, ...init });
  await response.body?.cancel();
  const headers = [...response.headers].filter(([name]) => !OWN.includes(name));
  // A call of GET counts.
  const told = headers.map(([name, value]) => [name, value.replace(/;r=\d+;/, ";r=…;")]);
  return { path, status: response.status, ...Object.fromEntries(told) };
}

test("HEAD has every header that GET has, on every path, whoever asks", async () => {
  const { cookie, bearer } = await addMember(service);
  const admin = await addMember(service);
  await service.db.query.updateTable("member").set({ role: "admin" }).where("id", "=", admin.id).execute();
  const { id: secret, key } = await shareSecret(service);
  const { body } = await call(service, "/api/requests", { json: { gate: GATE } });
  const rest = restPaths({ secrets: secret, requests: String(body["id"]) });
  expect(rest.length).toBeGreaterThan(15);
  const asked = [...rest, ...rest.map((path) => `${path}?what=1&raw`), ...RPC, ...PLAIN];
  const callers: Record<string, string>[] = [
    {},
    { accept: "text/html", "accept-encoding": "gzip" },
    { accept: "text/plain", "secret-proof": key },
    { "secret-proof": GATE },
    { cookie, ...OWN_PAGE },
    { cookie: "service_user_session=ended", ...OWN_PAGE },
    { cookie, "sec-fetch-site": "cross-site" },
    { cookie: admin.cookie, ...OWN_PAGE },
    { authorization: bearer, origin: "https://other.example" },
    { authorization: "Bearer nonsense" },
  ];
  for (const headers of callers)
    for (const path of asked) {
      const init = { headers, ip: freshIp() };
      const [head, get] = [await headersOf("HEAD", path, init), await headersOf("GET", path, init)];
      // What is asked for may be wrong or not there, which is known when it is looked for.
      if (head.status !== 200 || ![400, 404].includes(get.status)) expect(head).toEqual(get);
      else expect(Object.keys(get).filter((name) => !(name in head))).toEqual([]);
    }
});
