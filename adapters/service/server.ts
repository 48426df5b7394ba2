import type { Database } from "../../db/open.ts";
import type { Services } from "../../router/context.ts";
import { makeServices, sweep } from "../../router/services.ts";
import type { Trust } from "./address.ts";
import { Budgets } from "./call-budget.ts";
import { explainError } from "./errors/explain-error.ts";
import { createApp, type App } from "./app.ts";
import { createHealth, shareProbe, type Health } from "../operations/health.ts";
import { watchEventLoop } from "../operations/event-loop.ts";
import { createLog, type Log, type LogLevel } from "../operations/log.ts";
import { createMetrics, type Metrics } from "../operations/metrics.ts";
import { openPages } from "./pages/files.ts";
import { createPasswords, type ScryptCost } from "../workers/passwords.ts";
import { createWorkers, type Workers } from "../workers/workers.ts";
import { makeCatalogue } from "./catalogue.ts";
import { VERSION } from "../operations/version.ts";

export interface ServerOptions {
  readonly db: Database;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly publicUrl: string;
  readonly trust: Trust;
  readonly workers: number;
  readonly workSeconds: number;
  readonly memoryBudget: number;
  readonly maxSecretBytes: number;
  readonly registration: Services["registration"];
  readonly anonymous: Services["anonymous"];
  /** Of new password hashes; a test makes them cheap. */
  readonly passwordCost?: ScryptCost;
  /** Whether to build the pages where they are missing or older than their sources. */
  readonly buildPages?: boolean;
  readonly write: (line: string) => void;
  /** "info" where it is absent. */
  readonly logLevel?: LogLevel;
}

/** A service on its database, not yet listening. */
export interface Server {
  readonly app: App;
  readonly health: Health;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly workers: Workers;
  readonly services: Services;
  readonly budgets: Budgets;
  /** Deletes what has expired. */
  readonly sweep: (
    days: { receiptDays: number; usageDays: number } & { signal?: AbortSignal },
  ) => Promise<void>;
}

/** Puts the parts of a server together; the caller opens and closes the database. */
export async function createServer(parts: ServerOptions): Promise<Server> {
  const { db, clock, publicUrl, trust, maxSecretBytes, registration } = parts;
  const log = createLog({ write: parts.write, clock, level: parts.logLevel });
  db.onUnavailable((error) => log.outage(error, "database"));
  const workers = createWorkers({ ...parts, onLost: (error) => log.outage(error, "worker") });
  const budgets = new Budgets(parts.memoryBudget);
  const health = createHealth({
    version: VERSION,
    probes: { database: shareProbe(() => db.ping()), worker: () => workers.ping() },
  });
  const metrics = createMetrics({
    ready: {
      help: "1 while /readyz answers 200.",
      read: async () => ((await health.failing()).length === 0 ? 1 : 0),
    },
    pool_busy: { help: "Jobs that run in workers.", read: () => workers.busy },
    pool_waiting: { help: "Jobs that wait for a worker.", read: () => workers.waiting },
    event_loop_delay_seconds: {
      help: "The longest wait of a timer that was due, since this was last read.",
      read: watchEventLoop(),
    },
    memory_reserved_ratio: {
      help: "The part of MEMORY_BUDGET that calls hold, in steps of 0.05.",
      // In steps, because the bytes of one call alone would tell the size of its file.
      read: () => Math.ceil((20 * budgets.claimedBytes) / parts.memoryBudget) / 20,
    },
  });
  const { lanes, runJob, convertImage } = workers;
  const services = await makeServices({
    db,
    clock,
    publicUrl,
    registration,
    anonymous: parts.anonymous,
    passwords: createPasswords({ lane: lanes.passwords, cost: parts.passwordCost }),
    lanes,
    runJob,
    convertImage,
    catalogue: makeCatalogue(),
    explainError,
    onToolCall: metrics.toolCall,
    onSecurityEvent: log.security,
    maxSecretBytes,
  });
  const pages = await openPages({ build: parts.buildPages ?? false, note: log.info });
  const app = createApp({ services, budgets, trust, log, health, metrics, pages });
  return {
    app,
    health,
    log,
    metrics,
    workers,
    services,
    budgets,
    sweep: (days) => sweep(db, { ...days, now: services.now() }),
  };
}
