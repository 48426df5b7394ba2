import { startServer, type RunningServer } from "../../test/process/support/server.ts";
import { findRuntimes, type Runtime } from "../../test/support/runtimes.ts";
import { freshAddress, sendAll, type Call } from "../support/load.ts";
import { row } from "../support/measure.ts";
import { cpuSeconds } from "../support/memory.ts";
import { makeDatabase, makeFolder } from "../support/places.ts";

const INSTANCES = [1, 2, 4];
const CALLS = 2000;
const ROUNDS = 3;
const CONNECTIONS = 16;
const CONTENT = "the password is hunter2";

/** Secrets made and revealed in a second, by 1, 2 and 4 instances, beside h3 with one durable SQLite write. */
export async function benchSecrets(): Promise<string[]> {
  const [node] = findRuntimes();
  // The program to run comes before the one that is run otherwise, which it ignores.
  const bare = { ...node!, args: [...node!.args, "bench/support/bare-writer.ts"] };
  const peer = await measure({ runtime: bare, instances: 1, databaseUrl: "", isBare: true });
  const lines = [
    ...rows("bare h3 and an insert, synchronous FULL", { of: peer.create }),
    ...rows("bare h3 and a delete, synchronous FULL", { of: peer.reveal }),
  ];
  for (const [name, make] of Object.entries({ SQLite: makeFolder, PostgreSQL: makeDatabase })) {
    for (const instances of INSTANCES) {
      const place = await make().catch(() => undefined);
      if (!place) {
        console.log(`skipped secrets on ${name}: none can be used here (TEST_POSTGRES_URL)`);
        break;
      }
      const ours = await measure({ runtime: node!, instances, databaseUrl: place.url, isBare: false });
      await place.drop();
      const many = `${instances} ${instances === 1 ? "instance" : "instances"} on ${name}`;
      lines.push(...rows(`create, ${many}`, { of: ours.create, peer: peer.create }));
      lines.push(...rows(`reveal, ${many}`, { of: ours.reveal, peer: peer.reveal }));
      lines.push(...rows(`reveal with a ticket, ${many}`, { of: ours.ticketed, peer: ours.reveal }));
    }
  }
  return lines;
}

interface Rate {
  /** By the clock: what else the machine does makes it less. */
  readonly perSecond: number;
  /** By the processor time of the servers alone, the database's own not counted. */
  readonly microseconds: number;
}

function rows(what: string, { of, peer }: { of: Rate; peer?: Rate }): string[] {
  const { perSecond, microseconds } = of;
  return [
    row(what, { value: perSecond, unit: "/s", ...(peer && { peer: peer.perSecond }) }),
    row("  CPU of the servers for each", {
      value: microseconds,
      unit: "us",
      ...(peer && { peer: peer.microseconds }),
    }),
  ];
}

interface Setup {
  readonly runtime: Runtime;
  readonly instances: number;
  readonly databaseUrl: string;
  readonly isBare: boolean;
}

async function measure({ runtime, instances, databaseUrl, isBare }: Setup) {
  const env = { TRUST_PROXY: "1", WORKERS: "1", ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) };
  const servers = await Promise.all(Array.from({ length: instances }, () => startServer(runtime, env)));
  const rounds: Awaited<ReturnType<typeof runRound>>[] = [];
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round++) rounds.push(await runRound(servers, isBare));
  const withTicket: typeof rounds = [];
  for (let round = 0; round < ROUNDS && !isBare; round++) {
    withTicket.push(await runRound(servers, isBare, true));
    // One after the other, so that what else the machine does weighs on both.
    rounds.push(await runRound(servers, isBare));
  }
  await Promise.all(servers.map((server) => server.stop()));
  const best = (of: typeof rounds, kind: "create" | "reveal"): Rate => ({
    perSecond: Math.max(...of.map((round) => round[kind].perSecond)),
    microseconds: Math.min(...of.map((round) => round[kind].microseconds)),
  });
  return {
    create: best(rounds, "create"),
    reveal: best(rounds, "reveal"),
    ticketed: best(withTicket, "reveal"),
  };
}

async function runRound(servers: readonly RunningServer[], isBare: boolean, withTicket = false) {
  const path = isBare ? "/create" : "/api/secrets";
  const creates = Array.from({ length: CALLS }, () => callTo(path, { content: CONTENT }));
  const create = await watch(servers, { calls: creates, status: isBare ? 200 : 201 });
  const reveals = create.bodies.map((body) => {
    const { id, key } = JSON.parse(body) as { id: string; key: string };
    return isBare
      ? callTo("/reveal", { id })
      : callTo(`/api/secrets/${id}/reveal`, { key, ...(withTicket && { ticket: id + id }) });
  });
  const reveal = await watch(servers, { calls: reveals, status: 200 });
  if (!reveal.bodies.every((body) => body.includes(CONTENT))) throw new Error("Not every content came back");
  return { create, reveal };
}

async function watch(
  servers: readonly RunningServer[],
  { calls, status }: { calls: readonly Call[]; status: number },
) {
  const urls = servers.map(({ url }) => url);
  const before = cpuSeconds(servers);
  const load = await sendAll(calls, { urls, connections: CONNECTIONS, status });
  return { ...load, microseconds: (1e6 * (cpuSeconds(servers) - before)) / calls.length };
}

function callTo(path: string, body: object): Call {
  return { path, body, from: freshAddress() };
}
