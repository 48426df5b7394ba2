import type { ServiceApp } from "../../adapters/service/app.ts";
import type { Metrics } from "../../adapters/operations/metrics.ts";
import type { Health } from "../../adapters/operations/health.ts";
import type { ScryptCost } from "../../adapters/workers/passwords.ts";
import type { Workers } from "../../adapters/workers/workers.ts";
import type { Budgets } from "../../adapters/service/call-budget.ts";
import { readConfig } from "../../adapters/config/config.ts";
import type { Config } from "../../adapters/config/settings.ts";
import { readLogo } from "../../adapters/service/pages/instance.ts";
import { createService } from "../../adapters/service/server.ts";
import { promisify } from "node:util";
import pg from "pg";
import { createClient, type Client } from "../../client/client.ts";
import { openDatabase, type Database } from "../../db/open.ts";
import { recordEvents } from "../../db/outbox/triggers.ts";
import type { Services } from "../../router/context.ts";
import { listErrors } from "../../router/errors/error-codes.ts";
import { freshIp } from "./fresh-ip.ts";

/** The real one, whatever a test sets for itself. */
const nextTurn = promisify(setImmediate);

export const ORIGIN = "http://hushkit.test";
const START = 1_800_000_000;
const MIB = 1024 * 1024;

/** A whole service with a real database, a clock that the test sets, and no socket. */
export interface Harness {
  readonly app: ServiceApp;
  readonly db: Database;
  readonly services: Services;
  readonly budgets: Budgets;
  readonly workers: Workers;
  readonly health: Health;
  /** Unix seconds; a test moves it. */
  readonly clock: { now: number };
  /** Seconds of the clock that nobody can set; a test moves it too where sweeps compare the two. */
  readonly uptime: { now: number };
  /** Deletes what has expired, as the server does every minute. */
  readonly sweep: () => Promise<void>;
  readonly metrics: Metrics;
  /** Every line that the log has written. */
  readonly lines: string[];
  readonly request: (path: string, init?: Sent) => Promise<Response>;
  readonly client: (options?: { token?: string; ip?: string }) => Client;
  readonly close: () => Promise<void>;
}

export interface Sent extends RequestInit {
  /** The socket's address. */
  ip?: string;
}

type Set = Partial<
  Pick<Config, "databaseUrl" | "maxSecretBytes" | "memoryBudget" | "publicUrl" | "registration" | "anonymous">
>;

export interface HarnessOptions extends Set {
  /** Of the environment. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly passwordCost?: ScryptCost;
  /** The same for all that share a database, unless a test says otherwise. */
  readonly instanceKey?: Uint8Array<ArrayBuffer>;
  /** Whether it is written down who did what; `takeActs` of acts.ts reads it. */
  readonly isAudited?: boolean;
}

/** Of every service that is given no other one. */
export const INSTANCE_KEY = new Uint8Array(32).fill(7);

/** Hashing a password is slow on purpose, and tests have many members. */
export const CHEAP: ScryptCost = { ln: 4, r: 8, p: 1 };

/** Starts a service for one test file; end it with `close`. */
export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const { settings, isAudited, instanceKey = INSTANCE_KEY, passwordCost = CHEAP, ...set } = options;
  const place = await makePlace(set.databaseUrl);
  const db = await openDatabase(place.url);
  if (isAudited) await recordEvents(db, ["audit"]);
  const clock = { now: START };
  const uptime = { now: 0 };
  const lines: string[] = [];
  const config = {
    ...readConfig({ PUBLIC_URL: ORIGIN, WORKERS: "2", ...settings }),
    memoryBudget: 1024 * MIB,
    maxSecretBytes: 64 * MIB,
    ...set,
  };
  const { sweep, ...server } = await createService({
    db,
    clock: () => clock.now * 1000,
    monotonic: () => uptime.now * 1000,
    config,
    logo: readLogo(config.instanceLogo),
    instanceKey,
    passwordCost,
    write: (line) => void lines.push(line),
  });
  const { app } = server;
  const request = (path: string, init: Sent = {}) => send(app, { url: ORIGIN + path, init });
  const client = ({ token, ip }: { token?: string; ip?: string } = {}) =>
    createClient(ORIGIN, {
      ...(token === undefined ? {} : { token }),
      fetch: (input, init) =>
        send(app, { url: String(input), init: { ...init, ...(ip === undefined ? {} : { ip }) } }),
    });
  const close = async () => {
    await server.close();
    await db.close();
    await place.drop();
  };
  const sweepAll = () => sweep({ receiptDays: 30, usageDays: 90 });
  return { ...server, db, clock, uptime, lines, sweep: sweepAll, request, client, close };
}

interface Place {
  readonly url: string;
  readonly drop: () => Promise<void>;
}

/** Memory, unless TEST_DATABASE_URL names a PostgreSQL: then a schema of this harness's own there. */
async function makePlace(given: string | undefined): Promise<Place> {
  const server = process.env["TEST_DATABASE_URL"];
  if (given !== undefined || !server) return { url: given ?? ":memory:", drop: async () => {} };
  const schema = `hushkit_${crypto.randomUUID().replaceAll("-", "")}`;
  await runOn(server, `create schema ${schema}`);
  const url = new URL(server);
  url.searchParams.set("options", `-csearch_path=${schema}`);
  return { url: url.href, drop: () => runOn(server, `drop schema ${schema} cascade`) };
}

async function runOn(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** A body without an end. The server has come to it when there is one more in `ends`, and each of them ends one. */
export function openBody(ends: (() => void)[]): ReadableStream {
  const pull = (controller: ReadableStreamDefaultController) =>
    new Promise<void>((resolve) => {
      ends.push(() => {
        controller.close();
        resolve();
      });
    });
  // Without a buffer the stream calls `pull` only when the server reads.
  return new ReadableStream({ pull }, { highWaterMark: 0 });
}

async function send(app: ServiceApp, { url, init }: { url: string; init: Sent }): Promise<Response> {
  const { ip, ...rest } = init;
  const request = new Request(url, { ...rest, ...(rest.body ? { duplex: "half" } : {}) } as RequestInit);
  // From a socket each comes in a turn of the loop, and waits since that one or the one before (arrivedAt). Here both
  // would be those of the calls before, and of what a test has worked on since.
  await nextTurn();
  await nextTurn();
  // srvx puts the socket's address there on a real server.
  Object.defineProperty(request, "ip", { value: ip ?? freshIp() });
  const response = await app.fetch(request);
  // A real fetch rejects when its signal fires, whatever the server had to say.
  init.signal?.throwIfAborted();
  await checkErrorFields(response);
  return response;
}

/** Fails the test that gets an error with a field that the table of errors does not list for its code. */
async function checkErrorFields(response: Response): Promise<void> {
  const isJson = response.headers.get("content-type")?.includes("json") ?? false;
  if (response.status < 400 || !isJson || !response.body) return;
  const body: unknown = await response.clone().json();
  if (typeof body !== "object" || body === null || !("code" in body)) return;
  const {
    error: _,
    code,
    status: __,
    requestId: ___,
    ...fields
  } = { error: "", status: 0, requestId: "", ...body };
  const row = listErrors().find((each) => each.code === code);
  const listed = new Set<string>([...(row?.fields ?? []), "type", "title", "detail", "instance"]);
  const unlisted = Object.keys(fields).filter((name) => !listed.has(name));
  if (!row || unlisted.length > 0)
    throw new Error(`${String(code)} has the unlisted fields ${unlisted.join(", ")}`);
}
