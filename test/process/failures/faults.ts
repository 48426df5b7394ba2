import type pg from "pg";
import type { OwnPostgres } from "../support/postgres.ts";

const END_OTHERS = "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()";
const JSON_BODY = { "content-type": "application/json" };

type Fault = (database: OwnPostgres) => Promise<() => Promise<void>>;

/** What can happen to a PostgreSQL, each with its end. */
const FAULTS = {
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
  "has none of the tables, as another server after a failover": async ({ run }) => {
    await run("alter schema public rename to elsewhere", "create schema public");
    return () => run("drop schema public", "alter schema elsewhere rename to public");
  },
  "looks for the tables in another schema": async ({ run }) => {
    await run("alter role postgres set search_path = nowhere", `${END_OTHERS} and usename = 'postgres'`);
    return () => run("alter role postgres reset search_path");
  },
  "lets nobody into its database": async ({ program }) => {
    const beside = (...statements: string[]) =>
      program("psql", "-d", "template1", ...statements.flatMap((statement) => ["-c", statement]));
    beside("alter database postgres allow_connections false", `${END_OTHERS} and datname = 'postgres'`);
    return async () => beside("alter database postgres allow_connections true");
  },
  "is stopped and started again": async ({ stop, start }) => {
    stop();
    return async () => start();
  },
} satisfies Record<string, Fault>;

type FaultName = keyof typeof FAULTS;

/** Those that let calls wait until their deadline: test/timing/call-deadlines.test.ts measures how long. */
export const SILENT: readonly FaultName[] = ["has its secrets locked", "is frozen"];
// The keys are those of the type.
export const OTHERS = (Object.keys(FAULTS) as FaultName[]).filter((name) => !SILENT.includes(name));

/** A test that fails ends its fault too, or the next one would meet both. */
export async function beginFault(name: FaultName, database: OwnPostgres): Promise<() => Promise<void>> {
  const end = await FAULTS[name](database);
  let ended: Promise<void> | undefined;
  return () => (ended ??= end());
}

async function lock({ connect }: OwnPostgres, table: string): Promise<() => Promise<void>> {
  const client = await connect();
  await client.query(`begin; lock table ${table} in access exclusive mode`);
  return () => client.end();
}

export type Post = (path: string, body: BodyInit, headers?: Record<string, string>) => Promise<Response>;

export interface Shared {
  readonly id: string;
  readonly key: string;
  readonly revokeToken: string;
}

let callers = 0;

/** Each call comes from an address of its own, so that no rate is in the way. */
export function poster(url: string): Post {
  return (path, body, headers = {}) => {
    const from = `10.7.${callers >> 8}.${callers++ & 255}`;
    return fetch(url + path, { method: "POST", body, headers: { "x-forwarded-for": from, ...headers } });
  };
}

export async function share(post: Post): Promise<Shared> {
  return (await (await post("/", "hush")).json()) as Shared;
}

export function reveal(post: Post, { id, key }: Shared): Promise<Response> {
  return post(`/api/secrets/${id}/reveal?raw=true`, new URLSearchParams({ key }));
}

/** Calls of several statements and transactions, with lanes between them. */
export function everyCall(post: Post, shared: Shared): Promise<Response>[] {
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

/** What a call was answered, and after how long. */
export async function timed(call: Promise<Response>) {
  const started = performance.now();
  const response = await call;
  const text = await response.text();
  return { status: response.status, text, milliseconds: performance.now() - started };
}
