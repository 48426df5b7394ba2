import { FastResponse } from "srvx";
import { ApiError } from "../../router/errors.ts";
import type { Route } from "../http/route.ts";
import { baseHeaders } from "../rest/results.ts";

const CACHE_MS = 2000;
const DRAIN_RETRY_SECONDS = 5;
/** A part that is silent for so long does not work; a lost network is silent for half a minute. */
const PROBE_MS = 5000;

/** Whether the server can work, and whether it still takes work. */
export interface Health {
  readonly version: string;
  /** Throws while the server ends, except on the health paths. */
  readonly checkAccepting: (pattern: string | undefined) => void;
  /** Which parts do not work; empty while all do. */
  readonly failing: () => Promise<string[]>;
  readonly startDraining: () => void;
}

interface Checks {
  readonly version: string;
  /** By the name of a part of the server, what rejects when that part does not work. */
  readonly probes: Readonly<Record<string, () => Promise<void>>>;
}

/** Readiness is asked at most every two seconds, however often a balancer asks. */
export function createHealth({ version, probes }: Checks): Health {
  let draining = false;
  let known: { at: number; failing: Promise<string[]> } | undefined;
  return {
    version,
    checkAccepting(pattern) {
      if (!draining || HEALTH_PATHS.includes(pattern ?? "")) return;
      throw new ApiError("draining", "The server is ending; send the request again", {
        retryAfter: DRAIN_RETRY_SECONDS,
      });
    },
    failing() {
      if (draining) return Promise.resolve(["draining"]);
      if (!known || performance.now() - known.at > CACHE_MS)
        known = { at: performance.now(), failing: probeAll(probes) };
      return known.failing;
    },
    startDraining() {
      draining = true;
    },
  };
}

const HEALTH_PATHS = ["/healthz", "/readyz", "/version"];

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

export function healthRoutes(health: Health): Route[] {
  return [
    route("/healthz", () => ({ status: "ok" })),
    route("/readyz", async () => {
      const failing = await health.failing();
      return failing.length === 0 ? { status: "ready" } : { status: "not ready", failing };
    }),
    route("/version", () => ({ version: health.version })),
  ];
}

interface HealthAnswer {
  readonly status?: string;
  readonly version?: string;
  readonly failing?: readonly string[];
}

function route(path: string, read: () => HealthAnswer | Promise<HealthAnswer>): Route {
  return {
    path,
    cors: false,
    methods: {
      GET: async (context) => {
        const body = await read();
        const headers = baseHeaders(context);
        headers.set("Content-Type", "application/json; charset=utf-8");
        return new FastResponse(JSON.stringify(body), { status: body.failing ? 503 : 200, headers });
      },
    },
  };
}
