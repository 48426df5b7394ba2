import type { Database } from "../../db/open.ts";
import type { Services } from "../../router/context.ts";
import { makeServices } from "../../router/services.ts";
import type { SweepOptions } from "../../router/sweep.ts";
import { createSweeping } from "../../router/sweeping.ts";
import type { Trust } from "./address.ts";
import { Budgets } from "./call-budget.ts";
import { explainError } from "./errors/explain-error.ts";
import { createApp, type ServiceApp } from "./app.ts";
import { createHealth, shareProbe, type Health } from "../operations/health.ts";
import { createGauges } from "../operations/gauges.ts";
import { createLog, type Log, type LogLevel } from "../operations/log.ts";
import { createMetrics, type Metrics } from "../operations/metrics.ts";
import { openPages } from "./pages/files.ts";
import { createPasswords, type ScryptCost } from "../workers/passwords.ts";
import { createWorkers, type Workers } from "../workers/workers.ts";
import { makeCatalogue } from "./catalogue.ts";
import { VERSION } from "../operations/version.ts";

export interface ServiceOptions {
  readonly db: Database;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Milliseconds of a clock that nobody can set; a test has one of its own. */
  readonly monotonic?: () => number;
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
  readonly app: ServiceApp;
  readonly health: Health;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly workers: Workers;
  readonly services: Services;
  readonly budgets: Budgets;
  /** Deletes what has expired, unless the clock is doubted. */
  readonly sweep: (options: SweepOptions) => Promise<void>;
}

/** Puts the parts of a server together; the caller opens and closes the database. */
export async function createService(parts: ServiceOptions): Promise<Server> {
  const { db, clock, publicUrl, trust, maxSecretBytes, registration } = parts;
  const log = createLog({ write: parts.write, clock, level: parts.logLevel });
  db.onUnavailable((error) => log.outage(error, "database"));
  const sweeping = createSweeping({
    db,
    clock,
    monotonic: parts.monotonic ?? (() => performance.now()),
    onDoubt: (error) => log.fault(error, "sweep"),
  });
  const workers = createWorkers({ ...parts, onLost: (error) => log.outage(error, "worker") });
  const budgets = new Budgets(parts.memoryBudget);
  const health = createHealth({
    version: VERSION,
    probes: { database: shareProbe(() => db.ping()), worker: () => workers.ping() },
  });
  const metrics = createMetrics(
    createGauges({
      ...{ ...parts, health, workers, sweeping, budgets },
      // Nobody asks before the server is made.
      storedBytes: () => services.storedBytes(),
      deliveries: () => services.countDeliveries(),
    }),
  );
  db.onCall(metrics.databaseCall);
  const { lanes, runJob, runImageJob } = workers;
  const services = await makeServices({
    db,
    clock,
    publicUrl,
    registration,
    anonymous: parts.anonymous,
    passwords: createPasswords({ lane: lanes.passwords, cost: parts.passwordCost }),
    lanes,
    runJob,
    runImageJob,
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
    sweep: sweeping.sweep,
  };
}
