import { setInterval } from "node:timers";
import type { Database } from "../../db/open.ts";
import type { Sweeper } from "../../router/sweeper.ts";
import type { Workers } from "../workers/workers.ts";
import type { Health } from "./health.ts";
import type { Gauges } from "./metrics.ts";

/** In large steps: the exact number would be the size of a single file that is being stored or deleted. */
const STEP_BYTES = 64 * 1024 * 1024;
const LOG_STEP_BYTES = 16 * 1024 * 1024;
const EVERY_MS = 20;

/** The sources of the numbers. */
interface GaugeSources {
  readonly db: Database;
  readonly health: Health;
  readonly workers: Workers;
  readonly sweeper: Sweeper;
  readonly budgets: { readonly claimedBytes: number; readonly streams: number };
  readonly memoryBudget: number;
  readonly maxSecretBytes: number;
  readonly storedBytes: () => Promise<number>;
  readonly deliveries: () => Promise<number>;
  /** By sink. */
  readonly pendingEvents: () => Promise<Readonly<Record<string, number>>>;
}

/** The numbers that are read on demand, by name. */
export function createGauges(parts: GaugeSources): Gauges {
  return { ...serverGauges(parts), ...databaseGauges(parts), ...sweepGauges(parts), ...storedGauges(parts) };
}

function serverGauges({ health, workers, budgets, memoryBudget }: GaugeSources): Gauges {
  return {
    ready: {
      help: "1 while /readyz answers 200.",
      read: async () => ((await health.failing()).length === 0 ? 1 : 0),
    },
    pool_busy: { help: "Jobs that run in workers.", read: () => workers.busy },
    pool_waiting: { help: "Jobs that wait for a worker.", read: () => workers.waiting },
    lane_running: {
      help: "Work that runs, by lane.",
      label: "lane",
      read: () => mapValues(workers.load, ({ running }) => running),
    },
    lane_waiting: {
      help: "Work that waits for its turn, by lane.",
      label: "lane",
      read: () => mapValues(workers.load, ({ waiting }) => waiting),
    },
    event_streams: {
      help: "Streams of events of secrets and requests that are open.",
      read: () => budgets.streams,
    },
    event_loop_delay_seconds: {
      help: "The longest wait of a timer that was due, since this was last read.",
      read: watchEventLoop(),
    },
    memory_reserved_ratio: {
      help: "The part of MEMORY_BUDGET that calls hold, in steps of 0.05.",
      // In steps, because the bytes of one call alone would tell the size of its file.
      read: () => Math.ceil((20 * budgets.claimedBytes) / memoryBudget) / 20,
    },
  };
}

function databaseGauges({ db, pendingEvents }: GaugeSources): Gauges {
  let failures = 0;
  db.onUnavailable(() => failures++);
  const disk = async () => (await db.numbers()).disk;
  return {
    database_failures_total: {
      help: "Calls that found the database unavailable.",
      type: "counter",
      read: () => failures,
    },
    database_connections: {
      help: "Connections of this process, by what they do.",
      label: "state",
      async read() {
        const { open, busy } = (await db.numbers()).connections;
        return { busy, idle: Math.max(open - busy, 0) };
      },
    },
    database_waiting: {
      help: "Callers who wait for a connection to the database.",
      read: async () => (await db.numbers()).connections.waiting,
    },
    database_log_bytes: {
      help: "The write-ahead log of a SQLite file, in steps of 16 MiB.",
      read: async () => inSteps((await disk())?.logBytes, LOG_STEP_BYTES),
    },
    outbox_waiting: {
      help: "Events that are still to be sent or written to the audit log, of all instances.",
      label: "sink",
      read: pendingEvents,
    },
    disk_free_bytes: {
      help: "Free bytes on the disk of a SQLite file, in steps of 64 MiB.",
      async read() {
        const free = (await disk())?.freeBytes;
        return free === undefined ? undefined : Math.floor(free / STEP_BYTES) * STEP_BYTES;
      },
    },
  };
}

function sweepGauges({ sweeper }: GaugeSources): Gauges {
  return {
    sweep_lag_seconds: {
      help: "Since this server has last finished a sweep.",
      read: () => sweeper.lagSeconds,
    },
    swept_rows_total: {
      help: "Rows that sweeps have closed or deleted.",
      type: "counter",
      read: () => sweeper.rows,
    },
    clock_doubted: {
      help: "1 while nothing is swept because the clock has jumped.",
      read: () => (sweeper.clock.isDoubted ? 1 : 0),
    },
    clock_difference_seconds: {
      help: "How far the clock has moved too far since the last sweep.",
      read: () => sweeper.clock.difference,
    },
  };
}

function storedGauges({ storedBytes, maxSecretBytes, deliveries }: GaugeSources): Gauges {
  return {
    stored_bytes: {
      help: "Stored contents together, at most, in steps of 64 MiB.",
      read: async () => inSteps(await storedBytes(), STEP_BYTES),
    },
    stored_bytes_limit: { help: "MAX_SECRET_BYTES.", read: () => maxSecretBytes },
    deliveries: { help: "Contents that were claimed and are still kept for their ticket.", read: deliveries },
  };
}

function inSteps(bytes: number | undefined, step: number): number | undefined {
  return bytes === undefined ? undefined : Math.ceil(bytes / step) * step;
}

function mapValues<T>(of: Readonly<Record<string, T>>, get: (value: T) => number): Record<string, number> {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, get(value)]));
}

/**
 * The longest time, in seconds, for which the event loop has kept a timer waiting since the last reading. It is
 * measured from the first reading on, so it costs nothing where nobody reads it. Uses a timer, because
 * monitorEventLoopDelay of Deno 2.9 sees no delay.
 */
export function watchEventLoop(): () => number {
  let [last, longestMs] = [0, 0];
  const look = () => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - last - EVERY_MS);
    last = now;
  };
  let timer: NodeJS.Timeout | undefined;
  return () => {
    if (timer) look();
    else last = performance.now();
    timer ??= setInterval(look, EVERY_MS).unref();
    const seconds = Math.round(longestMs) / 1000;
    longestMs = 0;
    return seconds;
  };
}
