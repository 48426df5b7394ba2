// Everything at once at twice what the server can do: npm run bench -- mixed [MINUTES [RUNTIME [MIB]]]. Each minute one
// line of statuses and memory. It fails when a status is none that a full server may answer, when the server ends, or
// when it holds over a tenth more memory or open files after the load than before.
// With MIB the server has only so much memory, which takes root.
import { setTimeout as sleep } from "node:timers/promises";
import { findRuntimes, type Runtime } from "../../test/support/runtimes.ts";
import { startServer, type RunningServer } from "../../test/process/support/server.ts";
import { makeShares, type MixedRequest } from "./mixed/requests.ts";
import { isAllowed, Senders, type Statuses } from "./mixed/send.ts";
import { limitMemory } from "../support/memory-limit.ts";
import { openFilesOf, processesOf, proportionalOf } from "../support/memory.ts";

const CLIENTS = 16;
const CAPACITY_SECONDS = 20;
const SAMPLE_MS = 500;
/** From this minute on memory may not grow by more than this, from the first half of what is left to the second. */
const WARM_MINUTES = 3;
const GROWTH = 1.15;
/** Longer than idle connections and workers stay. */
const QUIET_MS = 60_000;
/** What a server may hold after load, as a factor of what it held before. */
const BACK = 1.1;

const [minutes = "10", wanted, mebibytes] = process.argv.slice(2).filter((word) => word !== "mixed");
for (const runtime of findRuntimes().filter(({ name }) => wanted === undefined || name === wanted)) {
  if (mebibytes === undefined) await load(runtime);
  else {
    const limited = limitMemory(runtime, Number(mebibytes));
    await load(limited.runtime).finally(() => console.log(`  ended by the kernel: ${limited.kills()}`));
    await limited.remove();
  }
}

async function load(runtime: Runtime): Promise<void> {
  const server = await startServer(runtime, { TRUST_PROXY: "1", MEMORY_BUDGET: budget() });
  try {
    const next = await makeNext();
    const capacity = await new Senders(server.url, next).measureCapacity(CLIENTS, CAPACITY_SECONDS);
    console.log(`${runtime.name}: ${capacity.toFixed(0)} requests a second, now twice as many`);
    const before = await hold(server);
    console.log(`  quiet before: ${describe(before)}`);
    const means: number[] = [];
    for (let minute = 1; minute <= Number(minutes); minute++)
      means.push(await loadMinute(server, { minute, next, perSecond: 2 * capacity }));
    const after = await hold(server);
    console.log(`  quiet after: ${describe(after)}`);
    if (after.memory > BACK * before.memory || after.files > BACK * before.files) fail("  it keeps too much");
    if (hasGrown(means.slice(WARM_MINUTES))) fail("  memory grew");
  } finally {
    await server.stop();
  }
}

interface HeldResources {
  readonly memory: number;
  readonly files: number;
}

/** What a server holds once nobody has called for a while. */
async function hold({ pid }: RunningServer): Promise<HeldResources> {
  await sleep(QUIET_MS);
  const processes = processesOf(pid);
  const sum = (of: (pid: number) => number) => processes.reduce((total, each) => total + of(each), 0);
  return { memory: sum(proportionalOf), files: sum(openFilesOf) };
}

function describe({ memory, files }: HeldResources): string {
  return `${memory.toFixed(0)} MiB, ${files} open files`;
}

function hasGrown(means: readonly number[]): boolean {
  const half = Math.floor(means.length / 2);
  return half > 0 && meanOf(means.slice(-half)) > GROWTH * meanOf(means.slice(0, half));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function budget(): string {
  return mebibytes === undefined ? "512MiB" : `${Math.floor(Number(mebibytes) * 0.4)}MiB`;
}

interface Minute {
  readonly minute: number;
  readonly next: () => MixedRequest;
  readonly perSecond: number;
}

/** The mean of the memory, in MiB. */
async function loadMinute(server: RunningServer, { minute, next, perSecond }: Minute): Promise<number> {
  const senders = new Senders(server.url, next);
  const memory = watchMemory(server.pid);
  await senders.sendFor(60, perSecond);
  await senders.settled();
  const { mean, most, main } = memory.end();
  const faults = server.output().split('"event":"fault"').length - 1;
  const memoryText = `memory ${mean} MiB, at most ${most}, the server alone ${main}`;
  console.log(`  minute ${minute}: ${formatStatuses(senders.statuses)} | ${memoryText} | ${faults} faults`);
  const wrong = [...senders.statuses.keys()].filter((status) => !isAllowed(status));
  if (wrong.length > 0) fail(`  wrong: ${wrong.join(", ")} ${[...senders.refusals].join(", ")}`);
  return mean;
}

function fail(why: string): void {
  console.log(why);
  process.exitCode = 1;
}

function formatStatuses(statuses: Statuses): string {
  const sorted = [...statuses].toSorted(([a], [b]) => a - b);
  return sorted.map(([status, times]) => `${status} ${times}×`).join(", ");
}

async function makeNext(): Promise<() => MixedRequest> {
  const shares = await makeShares();
  const makers = shares.flatMap(({ parts, make }) => Array.from({ length: parts }, () => make));
  return () => makers[Math.floor(Math.random() * makers.length)]!();
}

function watchMemory(pid: number) {
  const samples: { all: number; main: number }[] = [];
  const timer = setInterval(() => {
    const sizes = processesOf(pid).map(memoryIfAlive);
    samples.push({ all: sizes.reduce((sum, size) => sum + size, 0), main: sizes[0] ?? 0 });
  }, SAMPLE_MS);
  const mean = (values: number[]) => Math.round(meanOf(values));
  return {
    end() {
      clearInterval(timer);
      const all = samples.map((sample) => sample.all);
      return {
        mean: mean(all),
        most: Math.round(Math.max(...all)),
        main: mean(samples.map(({ main }) => main)),
      };
    },
  };
}

// A worker can end between being listed and being asked.
function memoryIfAlive(pid: number): number {
  try {
    return proportionalOf(pid) || 0;
  } catch {
    return 0;
  }
}
