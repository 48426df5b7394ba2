// Secrets made and read once in a second, beside Enclosed where ENCLOSED names its server, built for Node
// (packages/app-server/dist-node/index.cjs): `npm run bench -- peers [CALLS [ROUNDS]]`. 16 connections, a text of 300 characters.
//
// What each promises. Ours: the text is sealed by the server, and on the disk (SQLite: fdatasync, PostgreSQL: its
// log) before the answer; callers and bytes are counted against limits; of many readers in many processes one gets
// it; who reads leaves a receipt. Enclosed: the client seals; one file is written, read and deleted, without a sync;
// nothing is counted, and two readers at once can both get it.
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../../test/process/support/server.ts";
import { findRuntimes } from "../../test/support/runtimes.ts";
import { freshAddress, sendAll, type Call } from "../support/load.ts";
import { row } from "../support/measure.ts";
import { cpuSeconds } from "../support/memory.ts";
import { pagesBuilt } from "../support/pages-built.ts";
import { makeDatabase, makeFolder } from "../support/places.ts";

const [CALLS = 2_000, ROUNDS = 4] = process.argv.slice(2).map(Number);
const CONNECTIONS = 16;
const CONTENT = "s3cret+word/".repeat(25);
const START_MS = 10_000;

const NOTHING: Rate = { perSecond: 0, microseconds: Infinity };

/** A server that hands a text out once. */
interface Contender {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly created: number;
  readonly create: () => Call;
  /** The reading of what an answer to `create` names. */
  readonly read: (answer: string) => Call;
  readonly stop: () => Promise<unknown>;
}

interface Rate {
  readonly perSecond: number;
  readonly microseconds: number;
}

const contenders = await startAll();
const best = contenders.map((contender) => ({ contender, create: NOTHING, read: NOTHING }));
// In turns, so that what else the machine does meets all of them; the first round warms up.
for (let round = 0; round <= ROUNDS; round++) {
  for (const each of best) {
    const { create, read } = await runRound(each.contender);
    each.create = better(each.create, create);
    each.read = better(each.read, read);
  }
}
for (const { contender } of best) await contender.stop();
const peer = best.find(({ contender }) => contender.name === "Enclosed");
for (const { contender, create, read } of best) {
  for (const line of rows(`create, ${contender.name}`, { of: create, peer: peer?.create })) console.log(line);
  for (const line of rows(`read once, ${contender.name}`, { of: read, peer: peer?.read })) console.log(line);
}

function better(a: Rate, b: Rate): Rate {
  return {
    perSecond: Math.max(a.perSecond, b.perSecond),
    microseconds: Math.min(a.microseconds, b.microseconds),
  };
}

function rows(what: string, { of, peer: other }: { of: Rate; peer: Rate | undefined }): string[] {
  const line = (name: string, key: keyof Rate, unit: string) =>
    row(name, { value: of[key], unit, ...(other && { peer: other[key] }) });
  return [line(what, "perSecond", "/s"), line("  CPU of the server for each", "microseconds", "us")];
}

async function runRound(contender: Contender): Promise<{ create: Rate; read: Rate }> {
  const create = await watch(contender, Array.from({ length: CALLS }, contender.create), contender.created);
  const read = await watch(contender, create.bodies.map(contender.read), 200);
  if (!read.bodies.every((body) => body.includes(CONTENT))) throw new Error("Not every text came back");
  return { create, read };
}

async function watch({ url, pid }: Contender, calls: readonly Call[], status: number) {
  const before = cpuSeconds([{ pid }]);
  const load = await sendAll(calls, { urls: [url], connections: CONNECTIONS, status });
  return { ...load, microseconds: (1e6 * (cpuSeconds([{ pid }]) - before)) / calls.length };
}

async function startAll(): Promise<Contender[]> {
  const started = [await startOurs("SQLite", await makeFolder())];
  const postgres = await makeDatabase().catch(() => undefined);
  if (postgres) started.push(await startOurs("PostgreSQL", postgres));
  else console.log("skipped PostgreSQL: none can be used here (TEST_POSTGRES_URL)");
  const program = process.env["ENCLOSED"];
  if (program) started.push(await startEnclosed(program));
  else console.log("skipped Enclosed: ENCLOSED does not name its built server (dist-node/index.cjs)");
  return started;
}

async function startOurs(
  kind: string,
  place: { url: string; drop: () => Promise<void> },
): Promise<Contender> {
  const [node] = findRuntimes();
  const env = { TRUST_PROXY: "1", WORKERS: "1", DATABASE_URL: place.url };
  const server = await startServer(node!, env);
  await pagesBuilt(server);
  return {
    name: `ours on ${kind}`,
    url: server.url,
    pid: server.pid,
    created: 201,
    create: () => ({ path: "/api/secrets", body: { content: CONTENT }, from: freshAddress() }),
    read: (answer) => {
      const { id, key } = JSON.parse(answer) as { id: string; key: string };
      return { path: `/api/secrets/${id}/reveal`, body: { key }, from: freshAddress() };
    },
    stop: async () => {
      await server.stop();
      await place.drop();
    },
  };
}

async function startEnclosed(program: string): Promise<Contender> {
  const [node] = findRuntimes();
  const folder = mkdtempSync(join(tmpdir(), "hushkit-bench-"));
  const port = await freePort();
  const child = spawn(node!.command, [program], {
    env: {
      PORT: String(port),
      STORAGE_DRIVER_FS_LITE_PATH: folder,
      TASK_DELETE_EXPIRED_NOTES_ENABLED: "false",
    },
    // Its log is read here, as ours is.
    stdio: ["ignore", "pipe", "ignore"],
  });
  child.stdout.resume();
  const url = `http://127.0.0.1:${port}`;
  await answers(url);
  const sealed = { encryptionAlgorithm: "aes-256-gcm", serializationFormat: "cbor-array" };
  return {
    name: "Enclosed",
    url,
    pid: child.pid ?? 0,
    created: 200,
    create: () => ({
      path: "/api/notes",
      body: { payload: CONTENT, deleteAfterReading: true, ttlInSeconds: 3600, ...sealed },
      from: freshAddress(),
    }),
    read: (answer) => {
      const { noteId } = JSON.parse(answer) as { noteId: string };
      return { path: `/api/notes/${noteId}`, from: freshAddress() };
    },
    stop: async () => {
      child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await new Promise<number>((resolve, reject) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (typeof address === "object" && address) resolve(address.port);
      else reject(new Error("No port"));
    });
  });
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function answers(url: string): Promise<void> {
  const end = performance.now() + START_MS;
  for (;;) {
    try {
      return void (await (await fetch(`${url}/api/ping`)).text());
    } catch (error) {
      if (performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
