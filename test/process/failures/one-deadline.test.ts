// slow
import type pg from "pg";
import { test } from "vitest";
import { describeEach } from "../../machine/skips.ts";
import type { Runtime } from "../../support/runtimes.ts";
import { makeOwnPostgres, type OwnPostgres } from "../support/postgres.ts";
import { startServer } from "../support/server.ts";

/** The deadline itself is what is promised: ten seconds, half a one for a silent server, and a busy machine. */
const LONGEST_MS = 12_500;
const WAVES = 3;
const WAVE_MS = 1_000;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const END_OTHERS = "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()";

/** Every runtime meets these; the others take the driver's same way. */
const SILENT = ["has its secrets locked", "is frozen"];

/** What can happen to a PostgreSQL, each with its end. */
const FAULTS: Record<string, (database: OwnPostgres) => Promise<() => Promise<void>>> = {
  "has its secrets locked": (database) => lock(database, "secret"),
  "has its counters locked": (database) => lock(database, "allowance"),
  "is frozen": async ({ freeze, thaw }) => {
    freeze();
    return async () => thaw();
  },
  "has no connection left": async (database) => {
    await database.run(`${END_OTHERS} and backend_type = 'client backend'`);
    const held: pg.Client[] = [];
    for (let last: pg.Client | undefined; (last = await database.connect().catch(() => undefined));)
      held.push(last);
    return async () => void (await Promise.all(held.map((client) => client.end())));
  },
  "takes no writes": async ({ run }) => {
    await run("alter system set default_transaction_read_only = on", "select pg_reload_conf()");
    const writable = "set default_transaction_read_only = off";
    return () => run(writable, "alter system reset default_transaction_read_only", "select pg_reload_conf()");
  },
  "is stopped and started again": async ({ stop, start }) => {
    stop();
    return async () => start();
  },
};

async function lock({ connect }: OwnPostgres, table: string): Promise<() => Promise<void>> {
  const client = await connect();
  await client.query(`begin; lock table ${table} in access exclusive mode`);
  return () => client.end();
}

describeEach("on $name, a PostgreSQL that", meetFaults, { things: ["initdb"] });

const JSON_BODY = { "content-type": "application/json" };

type Post = (path: string, body: BodyInit, headers?: Record<string, string>) => Promise<Response>;
interface Shared {
  readonly id: string;
  readonly key: string;
  readonly revokeToken: string;
}

function meetFaults(runtime: Runtime): void {
  // They mostly wait, so they do it side by side, each with a database of its own.
  test.concurrent.for(runtime.name === "node" ? Object.keys(FAULTS) : SILENT)(
    "%s costs no call more than its deadline, and no secret",
    { timeout: 120_000 },
    async (name, { expect, onTestFinished }) => {
      const database = await makeOwnPostgres();
      onTestFinished(database.drop);
      const settings = { DATABASE_URL: database.url, WORKERS: "1", TRUST_PROXY: "1" };
      const server = await startServer(runtime, settings);
      onTestFinished(async () => void (await server.stop()));
      const post = poster(server.url);
      const readiness = async () => (await fetch(`${server.url}/readyz`)).status;

      const [kept, ...asked] = await Promise.all(Array.from({ length: WAVES + 1 }, () => share(post)));
      await expect.poll(readiness, { timeout: 5_000 }).toBe(200);
      const mend = await FAULTS[name]?.(database);
      const notReady = expect.poll(readiness, { timeout: 6_000 }).toBe(503);
      const calls: ReturnType<typeof timed>[] = [];
      for (const shared of asked) {
        calls.push(...everyCall(post, shared).map(timed));
        await pause(WAVE_MS);
      }
      await notReady;
      for (const { status, text, milliseconds } of await Promise.all(calls)) {
        expect(milliseconds).toBeLessThan(LONGEST_MS);
        // What does not need what is locked goes on.
        if (status >= 500)
          expect([status, text]).toEqual([503, expect.stringMatching(/"code":"(database_un|overl)/)]);
      }
      expect((await Promise.all(calls)).some(({ status }) => status === 503)).toBe(true);
      await mend?.();
      const isBack = async () => [(await post("/", "hush")).status, await readiness()];
      await expect.poll(isBack, { timeout: 5_000 }).toEqual([201, 200]);
      // Nobody had asked for it.
      const answer = kept && (await timed(reveal(post, kept)));
      expect(answer).toMatchObject({ status: 200, text: "hush" });
    },
  );
}

/** Each call comes from an address of its own, so that no rate is in the way. */
function poster(url: string): Post {
  let callers = 0;
  return (path, body, headers = {}) => {
    const from = `10.7.${callers >> 8}.${callers++ & 255}`;
    return fetch(url + path, { method: "POST", body, headers: { "x-forwarded-for": from, ...headers } });
  };
}

async function share(post: Post): Promise<Shared> {
  return (await (await post("/", "hush")).json()) as Shared;
}

function reveal(post: Post, { id, key }: Shared): Promise<Response> {
  return post(`/api/secrets/${id}/reveal?raw=true`, new URLSearchParams({ key }));
}

/** Calls of several statements and transactions, with lanes between them. */
function everyCall(post: Post, shared: Shared): Promise<Response>[] {
  const { id, revokeToken } = shared;
  return [
    post("/", "hush"),
    reveal(post, shared),
    post(`/api/secrets/${id}/revoke`, new URLSearchParams({ revokeToken })),
    post("/", JSON.stringify({ content: "hush", passphrase: "correct horse" }), JSON_BODY),
    post("/api/secrets/file?filename=a.bin", new Uint8Array(1_500_000)),
    post("/api/account/login", JSON.stringify({ name: "somebody", password: "correct horse" }), JSON_BODY),
    // Names are taken once; an id is as good as any.
    post(
      "/api/account/register",
      JSON.stringify({ name: `m-${id.toLowerCase()}`, password: "correct horse" }),
      JSON_BODY,
    ),
    post("/api/tools/file-hash", new Uint8Array(100_000)),
    post("/trpc/tools.password,tools.password?batch=1", '{"0":{},"1":{}}', JSON_BODY),
  ];
}

async function timed(call: Promise<Response>) {
  const started = performance.now();
  const response = await call;
  const text = await response.text();
  return { status: response.status, text, milliseconds: performance.now() - started };
}
