// npm run soak -- --hours 8 [--runtime node] [--database sqlite] [--fault WORDS]
// Everything that callers do, while processes are killed, files are locked, disks fill up, PostgreSQL restarts and
// clocks jump; all on this machine. Callers keep a book of what was acknowledged: each secret opens once, unchanged.
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { startServer, type RunningServer } from "../process/support/server.ts";
import { findRuntimes, type Runtime } from "../support/runtimes.ts";
import { Book } from "./book.ts";
import { openOne, workOnce, type World } from "./calls.ts";
import { makeFolder, soakPostgres, soakSqlite, type Fault, type SoakDatabase } from "./databases.ts";

const LANES = 6;
const INSTANCES = 2;
/** Calls of one lane stand so far apart, so that two cores have time for servers too. */
const PAUSE_MS = 20;
const BETWEEN_MS = 12_000;
const YEAR_MS = 365 * 86_400_000;
/** Longer than the time between two sweeps. */
const JUMP_SECONDS = 70;
const CLOCK = fileURLToPath(new URL("clock.mjs", import.meta.url));
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const { values } = parseArgs({
  options: {
    hours: { type: "string", default: "8" },
    runtime: { type: "string" },
    database: { type: "string" },
    fault: { type: "string", default: "" },
  },
});
const runtimes = findRuntimes().filter(({ name }) => (values.runtime ?? name) === name);
const kinds = ["sqlite", "postgres"].filter((kind) => (values.database ?? kind) === kind);
const each = (Number(values.hours) * 3_600_000) / (runtimes.length * kinds.length);
for (const kind of kinds)
  for (const runtime of runtimes) {
    const database = kind === "sqlite" ? soakSqlite() : await soakPostgres();
    if (database) await soak({ runtime, database, milliseconds: each });
    else console.log("skipped PostgreSQL: its programs are not found");
  }

interface Soak {
  readonly runtime: Runtime;
  readonly database: SoakDatabase;
  readonly milliseconds: number;
}

async function soak({ runtime, database, milliseconds }: Soak): Promise<void> {
  console.log(`${runtime.name} on ${database.name}, ${Math.round(milliseconds / 60_000)} minutes`);
  const place = await startInstances(runtime, database);
  const book = new Book();
  const world: World = { book, pickUrl: () => place.pick().url };
  const state: State = { isOver: false, isPaused: false, busy: 0 };
  const lanes = Array.from({ length: LANES }, () => workOn(world, state));
  const faults = [...place.faults, ...database.faults].filter(({ name }) => RegExp(values.fault).test(name));
  const struck = new Map<string, number>();
  const end = performance.now() + milliseconds;
  for (let i = 0; performance.now() < end; i++) {
    await sleep(Math.min(BETWEEN_MS, end - performance.now()));
    if (performance.now() >= end) break;
    // The clock stands still for everybody else: what is read in that time is rightly over.
    if (i % (faults.length * 3) === faults.length && RegExp(values.fault).test("clock"))
      await jump(place, { state, database });
    const fault = faults[i % faults.length];
    if (!fault) continue;
    await strike(fault);
    struck.set(fault.name, (struck.get(fault.name) ?? 0) + 1);
  }
  state.isOver = true;
  await Promise.all(lanes);
  const left = book.unread;
  while (book.unread > 0) await Promise.all(Array.from({ length: LANES }, () => openOne(world, 1)));
  report(book, { left, struck });
  await place.end();
  await database.end();
}

interface State {
  isOver: boolean;
  isPaused: boolean;
  /** How many lanes are at something now. */
  busy: number;
}

async function workOn(world: World, state: State): Promise<void> {
  while (!state.isOver) {
    if (!state.isPaused) {
      state.busy++;
      await workOnce(world);
      state.busy--;
    }
    await sleep(PAUSE_MS);
  }
}

async function strike({ strike: begin, heal, seconds }: Fault): Promise<void> {
  await begin();
  await sleep(seconds * 1000);
  await heal();
}

interface Place {
  readonly pick: () => RunningServer;
  readonly faults: readonly Fault[];
  readonly setClock: (aheadMs: number) => void;
  readonly end: () => Promise<void>;
}

/** Some instances on one database, whose clock can be set. */
async function startInstances(runtime: Runtime, { url }: SoakDatabase): Promise<Place> {
  const folder = makeFolder();
  const clock = join(folder, "clock");
  const setClock = (aheadMs: number) => writeFileSync(clock, String(aheadMs));
  setClock(0);
  const flag = { node: "--import", deno: "--preload", bun: "--preload" }[runtime.name];
  const changed = {
    ...runtime,
    args: [...runtime.args, flag, runtime.name === "node" ? pathToFileURL(CLOCK).href : CLOCK],
  };
  const start = () =>
    startServer(changed, {
      DATABASE_URL: url,
      TRUST_PROXY: "1",
      WORKERS: "1",
      DRAIN_SECONDS: "1",
      SOAK_CLOCK: clock,
    });
  const instances: RunningServer[] = [];
  for (let i = 0; i < INSTANCES; i++) instances.push(await start());
  const replace = (name: string, end: (server: RunningServer) => Promise<unknown>): Fault => ({
    name,
    seconds: 0,
    strike: async () => {
      const at = Math.floor(Math.random() * INSTANCES);
      const server = instances[at];
      if (server) await end(server);
      instances[at] = await start();
    },
    heal: () => {},
  });
  return {
    // There are as many as were started.
    pick: () => instances[Math.floor(Math.random() * INSTANCES)]!,
    faults: [
      replace("an instance is killed", (server) => server.kill()),
      replace("an instance is told to end", (server) => server.stop()),
    ],
    setClock,
    end: async () => {
      await Promise.all(instances.map((server) => server.stop()));
      rmSync(folder, { recursive: true });
    },
  };
}

interface Jump {
  readonly state: State;
  readonly database: SoakDatabase;
}

/** The clock is a year ahead for longer than a sweep takes to come, then right again and confirmed. */
async function jump({ setClock }: Place, { state, database }: Jump): Promise<void> {
  state.isPaused = true;
  while (state.busy > 0) await sleep(PAUSE_MS);
  setClock(YEAR_MS);
  await sleep(JUMP_SECONDS * 1000);
  setClock(0);
  const { status, stdout } = spawnSync("npm", ["run", "-s", "admin", "--", "check"], {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: database.url },
    encoding: "utf8",
  });
  console.log(`  the clock was a year ahead for ${JUMP_SECONDS} s; admin check ended with ${status}`);
  if (status !== 0) console.log(stdout);
  state.isPaused = false;
}

function report(book: Book, { left, struck }: { left: number; struck: ReadonlyMap<string, number> }): void {
  for (const [name, times] of struck) console.log(`  ${times} x ${name}`);
  for (const [answer, times] of [...book.answers].toSorted()) console.log(`  ${times} x ${answer}`);
  const { milliseconds, call } = book.longest;
  console.log(`  ${book.written} secrets acknowledged, ${book.opened} opened, ${left} of them at the end`);
  console.log(`  the longest call: ${Math.round(milliseconds)} ms (${call})`);
  console.log(`  ${book.violations.length} violations`);
  if (book.violations.length > 0) process.exitCode = 1;
}
