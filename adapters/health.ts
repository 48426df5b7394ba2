import { FastResponse } from "srvx";
import { Refusal } from "../router/problem.ts";
import type { Route } from "./app.ts";
import { baseHeaders } from "./write.ts";

const CACHE_MS = 2000;
const DRAIN_RETRY_SECONDS = 5;

/** Whether the server can work, and whether it still takes work. */
export interface Health {
  readonly version: string;
  /** Throws while the server ends, except for the paths that tell so. */
  readonly checkAccepting: (pattern: string | undefined) => void;
  readonly isReady: () => Promise<boolean>;
  readonly startDraining: () => void;
}

interface Checks {
  readonly version: string;
  /** Rejects when a part of the server does not work. */
  readonly probes: readonly (() => Promise<void>)[];
}

/** Readiness is asked at most every two seconds, however often a balancer asks. */
export function createHealth({ version, probes }: Checks): Health {
  let draining = false;
  let known: { at: number; ready: Promise<boolean> } | undefined;
  return {
    version,
    checkAccepting(pattern) {
      if (!draining || HEALTH_PATHS.includes(pattern ?? "")) return;
      throw new Refusal("draining", "The server is ending; send the request again", {
        retryAfter: DRAIN_RETRY_SECONDS,
      });
    },
    isReady() {
      if (draining) return Promise.resolve(false);
      if (!known || performance.now() - known.at > CACHE_MS)
        known = { at: performance.now(), ready: probeAll(probes) };
      return known.ready;
    },
    startDraining() {
      draining = true;
    },
  };
}

const HEALTH_PATHS = ["/healthz", "/readyz", "/version"];

function probeAll(probes: Checks["probes"]): Promise<boolean> {
  return Promise.all(probes.map((probe) => probe())).then(
    () => true,
    () => false,
  );
}

export function healthRoutes(health: Health): Route[] {
  return [
    route("/healthz", () => ({ body: { status: "ok" } })),
    route("/readyz", async () => ({ body: { status: (await health.isReady()) ? "ready" : "not ready" } })),
    route("/version", () => ({ body: { version: health.version } })),
  ];
}

function route(
  path: string,
  tell: () => { body: Record<string, string> } | Promise<{ body: Record<string, string> }>,
): Route {
  return {
    path,
    cors: false,
    methods: {
      GET: async (exchange) => {
        const { body } = await tell();
        const headers = baseHeaders(exchange);
        headers.set("Content-Type", "application/json; charset=utf-8");
        return new FastResponse(JSON.stringify(body), {
          status: body.status === "not ready" ? 503 : 200,
          headers,
        });
      },
    },
  };
}
