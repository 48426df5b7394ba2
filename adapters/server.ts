import type { Database } from "../db/open.ts";
import type { Services } from "../router/context.ts";
import { makeServices, sweep } from "../router/services.ts";
import type { Trust } from "./http/address.ts";
import { createAdmission, createConcurrency, createSemaphore } from "./workers/admission.ts";
import { createApp, type App } from "./http/app.ts";
import { createHealth, type Health } from "./operations/health.ts";
import { createLog, type Log } from "./operations/log.ts";
import { createMetrics, type Metrics } from "./operations/metrics.ts";
import { openPages } from "./pages/files.ts";
import { createPasswords, type ScryptCost } from "./workers/passwords.ts";
import { createWorkerPool, type WorkerPool } from "./workers/worker-pool.ts";
import { makeCatalogue } from "./rest/catalogue.ts";
import { VERSION } from "./operations/version.ts";

/** Key derivations and image work: more at once only make every one of them slower. */
const HEAVY_AT_ONCE = 2;
/** What one call may fill with objects: a million of them, as the PDF engine allows, and room beside. */
const HEAP_MEGABYTES = 4096;

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
  /** Of new password hashes; a test makes them cheap. */
  readonly passwordCost?: ScryptCost;
  /** Whether to build the pages where they are missing or older than their sources. */
  readonly buildPages?: boolean;
  readonly write: (line: string) => void;
}

/** A service on its database, not yet listening. */
export interface Server {
  readonly app: App;
  readonly health: Health;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly pool: WorkerPool;
  readonly services: Services;
  /** Deletes what has expired. */
  readonly sweep: (keeping: { receiptDays: number; usageDays: number }) => Promise<void>;
}

/** Puts the parts of a server together; the caller opens and closes the database. */
export async function createServer(parts: ServerOptions): Promise<Server> {
  const { db, clock, publicUrl, trust, maxSecretBytes, registration } = parts;
  const pool = createWorkerPool({
    workers: parts.workers,
    deadlineSeconds: parts.workSeconds,
    heapMegabytes: HEAP_MEGABYTES,
  });
  const log = createLog({ write: parts.write, clock });
  const heavy = createSemaphore(HEAVY_AT_ONCE);
  const admission = createAdmission({ budgetBytes: parts.memoryBudget });
  const health = createHealth({
    version: VERSION,
    probes: { database: () => db.ping(), worker: () => pool.ping() },
  });
  const metrics = createMetrics({
    ready: {
      help: "1 while /readyz answers 200.",
      read: async () => ((await health.failing()).length === 0 ? 1 : 0),
    },
    pool_busy: { help: "Jobs that run in workers.", read: () => pool.busy },
    pool_waiting: { help: "Jobs that wait for a worker.", read: () => pool.waiting },
    memory_reserved_ratio: {
      help: "The part of MEMORY_BUDGET that calls hold, in steps of 0.05.",
      // In steps, because the bytes of one call alone would tell the size of its file.
      read: () => Math.ceil((20 * admission.reservedBytes) / parts.memoryBudget) / 20,
    },
  });
  const services = await makeServices({
    db,
    clock,
    publicUrl,
    registration,
    passwords: createPasswords({ gate: heavy, cost: parts.passwordCost }),
    runJob: pool.run.bind(pool),
    heavyWork: heavy,
    images: createLazyCodec(),
    reserveMemory: admission.admit,
    catalogue: makeCatalogue(),
    startCall: createConcurrency().enter,
    onToolCall: metrics.toolCall,
    maxSecretBytes,
  });
  const pages = await openPages({ build: parts.buildPages ?? false, note: log.info });
  const app = createApp({ services, trust, log, health, metrics, pages });
  return {
    app,
    health,
    log,
    metrics,
    pool,
    services,
    sweep: (keeping) => sweep(db, { ...keeping, now: services.now() }),
  };
}

// sharp takes a tenth of a second to load, which a start need not wait for.
function createLazyCodec(): Services["images"] {
  let loaded: Promise<Services["images"]> | undefined;
  const load = async () => (await import("./workers/image-sharp.ts")).createSharpCodec();
  return { encode: async (image, job) => (await (loaded ??= load())).encode(image, job) };
}
