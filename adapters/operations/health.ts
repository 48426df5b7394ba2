import { FastResponse } from "srvx";
import type { Route } from "../trpc/request.ts";

const CACHE_MS = 1000;
/** A part that takes longer counts as failing; a locked table and a lost network do. */
const PROBE_MS = 2000;
const RETRY_SECONDS = "5";

/** Whether the server can work, and whether it still takes work. */
export interface Health {
  readonly version: string;
  /** True once the server was told to stop. */
  readonly isDraining: boolean;
  /** Names the parts that do not work; empty while all do. */
  readonly failing: () => Promise<string[]>;
  readonly startDraining: () => void;
}

interface Checks {
  readonly version: string;
  /** By the name of a part, a function that rejects while it does not work. */
  readonly probes: Readonly<Record<string, () => Promise<void>>>;
  /** Called when the server begins to stop. */
  readonly onDraining?: () => void;
}

/** Readiness is checked at most every second, however often a balancer asks. */
export function createHealth({ version, probes, onDraining }: Checks): Health {
  let known: { at: number; failing: Promise<string[]> } | undefined;
  const health = {
    version,
    isDraining: false,
    failing() {
      if (health.isDraining) return Promise.resolve(["draining"]);
      if (!known || performance.now() - known.at > CACHE_MS)
        known = { at: performance.now(), failing: probeAll(probes) };
      return known.failing;
    },
    startDraining() {
      health.isDraining = true;
      onDraining?.();
    },
  };
  return health;
}

/** Lets callers share a probe that is running: many waiting ones would take all connections. */
export function shareProbe(probe: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= probe().finally(() => (running = undefined)));
}

async function probeAll(probes: Checks["probes"]): Promise<string[]> {
  const failing = Object.entries(probes).map(async ([part, probe]) => ((await works(probe)) ? [] : [part]));
  return (await Promise.all(failing)).flat();
}

function works(probe: () => Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(false), PROBE_MS);
    probe()
      .then(() => resolve(true))
      .catch(() => resolve(false))
      .finally(() => clearTimeout(late));
  });
}

interface HealthRoute extends Route {
  readonly whileDraining: true;
}

export function healthRoutes(health: Health): HealthRoute[] {
  return [
    route("/healthz", async () => ({ status: "ok" })),
    route("/readyz", async () => {
      const failing = await health.failing();
      return failing.length === 0 ? { status: "ready" } : { status: "not ready", failing };
    }),
    route("/version", async () => ({ version: health.version })),
  ];
}

function route(path: string, read: () => Promise<object & { failing?: string[] }>): HealthRoute {
  return {
    method: "GET",
    path,
    whileDraining: true,
    handle: async (context) => {
      const state = await read();
      const headers = new Headers(context.responseHeaders);
      headers.set("Content-Type", "application/json; charset=utf-8");
      if (state.failing) headers.set("Retry-After", RETRY_SECONDS);
      return new FastResponse(JSON.stringify(state), { status: state.failing ? 503 : 200, headers });
    },
  };
}
