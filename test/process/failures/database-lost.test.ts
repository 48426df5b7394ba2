// process
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient, failureOf } from "../../../client/client.ts";
import { makePostgres, type TestDatabase } from "../../db/support/harness.ts";
import { layWire, type Wire } from "../../db/support/proxy.ts";
import { describeEach } from "../../machine/skips.ts";
import type { Runtime } from "../../support/runtimes.ts";
import { startServer, type RunningServer } from "../support/server.ts";

describeEach("on $name, a PostgreSQL that goes away", loseDatabase, { things: ["PostgreSQL"] });

function loseDatabase(runtime: Runtime): void {
  let place: TestDatabase;
  let wire: Wire;
  let server: RunningServer;
  beforeAll(async () => {
    place = await makePostgres();
    wire = await layWire(place.url);
    server = await startServer(runtime, { DATABASE_URL: wire.url, WORKERS: "1" });
  });
  afterAll(async () => {
    await server?.stop();
    await wire?.cut();
    await place?.drop();
  });

  const post = (path: string, body: BodyInit, headers: Record<string, string> = {}) =>
    fetch(server.url + path, { method: "POST", body, headers });
  const json = { "content-type": "application/json" };
  const share = async () => {
    const response = await post("/", "hush");
    return (await response.json()) as { id: string; key: string; revokeToken: string };
  };
  const reveal = ({ id, key }: { id: string; key: string }) =>
    post(`/api/secrets/${id}/reveal?raw=true`, new URLSearchParams({ key }));

  /** A call over REST and RPC and with every credential that the database is asked about. */
  function everyCall({ id, key, revokeToken }: { id: string; key: string; revokeToken: string }) {
    const token = "service_token_0123456789ABCDEFGHIJKLMNOPQRSTUV4OZVgp";
    const cookie = `service_user_session=${"a".repeat(43)}`;
    const account = JSON.stringify({ name: "somebody", password: "correct horse" });
    return {
      create: post("/", "hush"),
      reveal: reveal({ id, key }),
      status: post(`/api/secrets/${id}/status`, new URLSearchParams({ key })),
      revoke: post(`/api/secrets/${id}/revoke`, new URLSearchParams({ revokeToken })),
      tool: fetch(`${server.url}/api/tools/password`),
      upload: post("/api/tools/file-hash", new Uint8Array(3_000_000)),
      catalogue: fetch(`${server.url}/api/tools`),
      bearer: fetch(`${server.url}/api/tools`, { headers: { authorization: `Bearer ${token}` } }),
      session: fetch(`${server.url}/api/users/me`, { headers: { cookie, "sec-fetch-site": "same-origin" } }),
      login: post("/api/account/login", account, json),
      register: post("/api/account/register", account, json),
      rpc: post("/trpc/tools.password", "{}", json),
    };
  }

  test("is answered with 503 for every call while it is away, and works again by itself", async () => {
    const [before, kept] = [await share(), await share()];
    await wire.cut();
    for (const [name, answer] of Object.entries(everyCall(before))) {
      const response = await answer;
      expect({ name, status: response.status }).toEqual({ name, status: 503 });
      expect(response.headers.get("retry-after")).toBe("5");
      const body = (await response.json()) as { error: { data: object } } & object;
      expect("code" in body ? body : body.error.data).toMatchObject({
        code: "database_unavailable",
        retryAfter: 5,
      });
    }
    await wire.mend();
    expect(await (await reveal(kept)).text()).toBe("hush");
    expect((await reveal(kept)).status).toBe(410);
    expect((await reveal(before)).status).toBe(200);
    expect((await fetch(`${server.url}/api/tools/password`)).status).toBe(200);
  });

  test("is a failure with code and pause in the typed client, over JSON and frame", async () => {
    const client = createClient(server.url);
    await wire.cut();
    const calls = [
      () => client.tools.password.mutate({}),
      () => client.tools.fileHash.mutate({ file: new Uint8Array(3) }),
    ];
    for (const call of calls) {
      const failure = failureOf(await call().catch((error: unknown) => error));
      expect(failure).toMatchObject({ code: "database_unavailable", status: 503, retryAfter: 5 });
    }
    await wire.mend();
    expect((await client.tools.password.mutate({})).passwords).toHaveLength(1);
  });

  const readiness = async () => {
    const response = await fetch(`${server.url}/readyz`);
    return { status: response.status, body: await response.json() };
  };
  const READY = { status: 200, body: { status: "ready" } };
  const NOT_READY = { status: 503, body: { status: "not ready", failing: ["database"] } };
  test("makes the server not ready but leaves it alive, until it is back", async () => {
    await expect.poll(readiness).toEqual(READY);
    await wire.cut();
    await expect.poll(readiness).toEqual(NOT_READY);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    await wire.mend();
    await expect.poll(readiness).toEqual(READY);
  });

  test("in silence makes the server not ready, until it answers again", async () => {
    wire.lose();
    await expect.poll(readiness).toEqual(NOT_READY);
    await wire.mend();
    // A call may still meet a connection of before.
    await expect.poll(async () => (await post("/", "hush")).status).toBe(201);
    await expect.poll(readiness).toEqual(READY);
  });

  test("leaves no address, statement or content of it in what the server prints", () => {
    const { port } = new URL(wire.url);
    for (const word of [port, "insert into", 'hush"', "correct horse"]) {
      expect(server.output().split('"listening"')[1]).not.toContain(word);
    }
  });
}
