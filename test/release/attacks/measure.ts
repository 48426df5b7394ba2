import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { processesOf, residentOf } from "../../../bench/support/memory.ts";
import { startServer, type RunningServer } from "../../process/support/server.ts";
import { nodePath, type Runtime } from "../../support/runtimes.ts";
import type { Attack } from "./attack.ts";
import { callLightly, createVictim, type Lights, summarize } from "./lights.ts";

const RUN_ATTACK = fileURLToPath(new URL("run-attack.ts", import.meta.url));
const WATCH_HEALTH = fileURLToPath(new URL("watch-health.ts", import.meta.url));
const SAMPLE_MS = 200;
/** How long others call before the attack. */
const CALM_MS = 2000;
/** How long to wait for light calls to take as long as before. */
const RECOVERY_MS = 20_000;

/** The server that is attacked: told to believe the address that the attacker's requests name. */
export const VICTIM = { TRUST_PROXY: "1", MEMORY_BUDGET: "512MiB" };

export interface Outcome {
  readonly attack: string;
  readonly runtime: string;
  readonly before: Lights;
  readonly during: Lights;
  /** Milliseconds that a health check waited at most, before the attack and beside it. */
  readonly healthBefore: number;
  readonly healthDuring: number;
  /** MiB of the server and its workers together, at most. */
  readonly peakMiB: number;
  /** Until light calls take as long as before. */
  readonly secondsToRecover: number;
  readonly hasSurvived: boolean;
  /** Lines of the log about what nobody expected. */
  readonly faults: readonly string[];
}

export interface Bounds {
  readonly seconds: number;
  /** Requests of the attacker at most. */
  readonly most: number;
}

/** Runs one attack against a server process of its own, with other callers' calls beside it. */
export async function measureAttack(
  attack: Attack,
  { runtime, ...bounds }: Bounds & { runtime: Runtime },
): Promise<Outcome> {
  const server = await startServer(runtime, VICTIM);
  try {
    await createVictim(server.url);
    const calm = await watchHealth(server.url);
    const before = await callLightly(server.url, { forMs: CALM_MS });
    const healthBefore = await calm.end();
    const memory = watchMemory(server);
    const health = await watchHealth(server.url);
    const attacker = startAttack(attack, { url: server.url, ...bounds });
    const during = await callLightly(server.url, { until: attacker.ended });
    const healthDuring = await health.end();
    const secondsToRecover = await timeRecovery(server.url, summarize(before));
    const hasSurvived = memory.isAlive();
    return {
      ...{ attack: attack.name, runtime: runtime.name, before: summarize(before) },
      ...{
        during: summarize(during),
        healthBefore,
        healthDuring,
        peakMiB: memory.end(),
        secondsToRecover,
        hasSurvived,
        faults: listFaults(server),
      },
    };
  } finally {
    await server.kill();
  }
}

/** Lines of the log about what nobody expected. */
export function listFaults(server: RunningServer): string[] {
  const lines = server.output().split("\n");
  return lines.filter((line) => line.includes('"event":"fault"'));
}

/** Attacks from a process of its own, or it would hold up the calls that are measured. */
export function startAttack({ name }: Attack, { url, seconds, most }: Bounds & { url: string }) {
  const args = ["--no-warnings", RUN_ATTACK, name, url, String(seconds), String(most)];
  const child = spawn(nodePath(), args, { stdio: ["ignore", "ignore", "inherit"] });
  return { ended: once(child, "exit") };
}

// A process of its own too, which does nothing else, so that it waits for the server only.
async function watchHealth(url: string) {
  const child = spawn(nodePath(), ["--no-warnings", WATCH_HEALTH, url], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await once(child, "message");
  const end = async () => {
    child.send("end");
    const [longest] = (await once(child, "message")) as [number];
    return Math.round(longest);
  };
  return { end };
}

/** Looks again and again how much memory a server takes with its workers, until told to end. */
export function watchMemory({ pid }: RunningServer) {
  let peak = 0;
  let isAlive = true;
  const sample = () => {
    try {
      peak = Math.max(peak, processesOf(pid).reduce((sum, each) => sum + residentOf(each), 0) || 0);
    } catch {
      isAlive = isRunning(pid);
    }
  };
  const timer = setInterval(sample, SAMPLE_MS);
  const end = () => {
    clearInterval(timer);
    return Math.round(peak);
  };
  return { end, isAlive: () => isAlive && isRunning(pid) };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function timeRecovery(url: string, before: Lights): Promise<number> {
  const usual = Math.max(50, 2 * before.light.p99);
  const start = performance.now();
  while (performance.now() - start < RECOVERY_MS) {
    const { light } = summarize(await callLightly(url, { forMs: 500 }));
    if (light.refused === 0 && light.p50 <= usual) break;
  }
  return Math.max(0, (performance.now() - start) / 1000 - 0.5);
}
