// How long a light call takes while other callers keep every worker busy: passwords beside splits, conversions,
// comparisons and key derivations. Run alone: node bin/start.mjs bench/service/light.ts [load ...]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { startServer } from "../../test/process/support/server.ts";
import { findRuntimes } from "../../test/support/runtimes.ts";
import { type LoadName, LOADS } from "../support/busy.ts";
import { sendAll } from "../support/load.ts";
import { row } from "../support/measure.ts";

const CALLS = 1000;
const PACE_MS = 10;
const WARM_MS = 3000;

/** Milliseconds of a call for a password, in the middle and at the 99th percentile, under each load. */
export async function benchLight(
  loads: readonly (readonly LoadName[])[] = [[], ...names().map((name) => [name]), names()],
): Promise<string[]> {
  const [node] = findRuntimes();
  const server = await startServer(node!, { TRUST_PROXY: "1" });
  const lines: string[] = [];
  let idle: number | undefined;
  for (const load of loads) {
    const clients = await keepBusy(server.url, load);
    const sorted = (await askPasswords(server.url)).toSorted((a, b) => a - b);
    const served = await clients.end();
    const [middle, late] = [sorted[CALLS / 2]!, sorted[Math.floor(CALLS * 0.99)]!];
    const what = load.length === 0 ? "an idle server" : served;
    lines.push(
      row(`password beside ${what}`, { value: middle, unit: "ms" }),
      row("  at the 99th percentile", {
        value: late,
        unit: "ms",
        ...(idle !== undefined && { peer: idle }),
      }),
    );
    idle ??= late;
  }
  await server.stop();
  return lines;
}

function names(): LoadName[] {
  return Object.keys(LOADS) as LoadName[];
}

async function askPasswords(url: string): Promise<number[]> {
  const calls = Array.from({ length: CALLS }, (_, i) => ({
    path: "/api/tools/password",
    body: {},
    from: `10.8.${i >> 8}.${i & 255}`,
  }));
  const { milliseconds } = await sendAll(calls, {
    urls: [url],
    connections: 1,
    status: 200,
    paceMs: PACE_MS,
  });
  return milliseconds;
}

interface Clients {
  /** Says how many calls they made meanwhile. */
  readonly end: () => Promise<string>;
}

/** The clients are a process of their own, or they would hold up the one that measures. */
async function keepBusy(url: string, load: readonly LoadName[]): Promise<Clients> {
  if (load.length === 0) return { end: async () => "" };
  const busy = fileURLToPath(new URL("../support/busy.ts", import.meta.url));
  const child = spawn(process.execPath, ["--no-warnings", busy, url, ...load], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (data: Buffer) => (said += String(data)));
  await once(child.stdout, "data");
  await new Promise((resolve) => setTimeout(resolve, WARM_MS));
  const end = async () => {
    if (child.exitCode !== null) throw new Error("The load ended before the measurement did");
    child.kill("SIGTERM");
    await once(child, "exit");
    return said.split("\n")[1] ?? "";
  };
  return { end };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const asked = process.argv.slice(2) as LoadName[];
  for (const line of await benchLight(asked.length > 0 ? [[], asked] : undefined)) console.log(line);
}
