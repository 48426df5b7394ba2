import { H3 } from "h3";
import { freshIp } from "../../test/support/fresh-ip.ts";
import { startHarness, type Harness } from "../../test/support/harness.ts";
import { addMember } from "../../test/support/members.ts";
import { microseconds, row } from "../support/measure.ts";

const TYPED_CALL = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
const ORIGIN = "http://hushkit.test";

function bareApp(): H3 {
  const app = new H3({ silent: true });
  app.get("/bare", () => ({ length: 20, passwords: ["x".repeat(20)] }));
  app.post("/bare", async (event) => ({ length: ((await event.req.json()) as { length: number }).length }));
  return app;
}

/** Calls in process: what this service adds to an h3 route that only reads and writes JSON. */
export async function benchCalls(): Promise<string[]> {
  const service = await startHarness();
  const bare = bareApp();
  const get = await microseconds(async () => (await bare.fetch(new Request(`${ORIGIN}/bare`))).text());
  const post = await microseconds(async () =>
    (await bare.fetch(jsonRequest("/bare", { length: 20 }))).text(),
  );
  const rest = await microseconds(async () =>
    (await service.request("/api/tools/password", { ip: freshIp() })).text(),
  );
  const catalogue = await microseconds(async () =>
    (await service.request("/version", { ip: freshIp() })).text(),
  );
  // As tRPC's httpLink sends it; a link that joins calls to a batch first waits for a timer, of a millisecond.
  const typed = await microseconds(async () =>
    (await service.request("/trpc/tools.password", { ...TYPED_CALL, ip: freshIp() })).text(),
  );
  const secret = await microseconds(() => shareAndReveal(service), { calls: 200 });
  const check = await benchCredentials(service);
  await service.close();
  return [
    row("bare h3, GET", { value: get, unit: "us" }),
    row("bare h3, POST of JSON", { value: post, unit: "us" }),
    row("a route of ours without a procedure", { value: catalogue, unit: "us", peer: get }),
    row("REST call, GET password (2 rows written)", { value: rest, unit: "us", peer: get }),
    row("typed call, password (2 rows written)", { value: typed, unit: "us", peer: post }),
    row("secret created and revealed (2 calls, 5 writes)", { value: secret, unit: "us", peer: 2 * post }),
    ...check,
  ];
}

/** The same call by nobody, by a token and by a session; it counts for nobody, so that none meets a limit. */
async function benchCredentials(service: Harness): Promise<string[]> {
  const { bearer, cookie } = await addMember(service);
  const ask = (headers: Record<string, string>) =>
    microseconds(async () => (await service.request("/api/tools", { headers, ip: freshIp() })).text());
  const nobody = await ask({});
  const token = await ask({ authorization: bearer });
  const session = await ask({ cookie });
  return [
    row("what the check of a token adds", { value: token - nobody, unit: "us", peer: nobody }),
    row("what the check of a session adds", { value: session - nobody, unit: "us", peer: nobody }),
  ];
}

function jsonRequest(path: string, body: unknown): Request {
  const headers = { "content-type": "application/json" };
  return new Request(ORIGIN + path, { method: "POST", body: JSON.stringify(body), headers });
}

async function shareAndReveal(service: Harness): Promise<void> {
  const ip = freshIp();
  const made = await service.request("/", { method: "POST", body: "hush", ip });
  const { id, key } = (await made.json()) as { id: string; key: string };
  const read = await service.request(`/api/secrets/${id}/reveal`, {
    method: "POST",
    body: new URLSearchParams({ key }),
    ip,
  });
  await read.text();
}
