import type { Services } from "../../router/context.ts";
import type { ImageJobs, jobs } from "../../tools/entries/jobs.ts";
import { PLACES } from "../places.ts";
import { withWorkCounted, createLane, type LaneOptions, type WatchedLane } from "./lanes.ts";
import { WorkerPool } from "./worker-pool.ts";

/** How much memory one call may fill with objects: a million of them, as the PDF engine allows, and some more. */
const HEAP_MEGABYTES = 4096;

// Key derivations and images: running more at once only makes each of them slower. An address may try twenty passwords
// a minute, even all at once; one of them runs at a time, so that somebody else's login has a core.
const DERIVATIONS = { maxWaiting: 64, maxWaitingPerCaller: 20, typicalSeconds: 0.3 };
const PASSWORDS: LaneOptions = { ...DERIVATIONS, width: 1, spare: 1 };
const FILE_LOCKS: LaneOptions = { ...DERIVATIONS, width: 2, spare: 1 };
// JSON bodies are parsed before a tool has its turn, and must not wait behind the documents of others.
const BODIES: LaneOptions = { width: 1, maxWaiting: 32, maxWaitingPerCaller: 8, typicalSeconds: 0.5 };
const READING: ReadonlySet<string> = new Set<keyof typeof jobs>([
  "parseFiles",
  "parseTexts",
  "parseCalls",
  "parseFrame",
]);
const IMAGES: LaneOptions = {
  width: 2,
  spare: 1,
  maxWaiting: 24,
  maxWaitingPerCaller: 8,
  typicalSeconds: 3,
};

// Eight calls of one caller may wait. How long a document takes is unknown before it is opened.
function documentLane(workers: number): LaneOptions {
  return { width: workers, spare: 1, maxWaiting: workers * 16, maxWaitingPerCaller: 8, typicalSeconds: 1 };
}

/** All work that takes long, each kind in its own lane, so that none blocks another. */
export interface Workers extends Pick<Services, "lanes" | "runJob" | "runImageJob"> {
  /** Jobs in worker processes, and those that wait for one. */
  readonly busy: number;
  readonly waiting: number;
  /** For each lane by its name: what is running, and what is waiting. */
  readonly load: Readonly<Record<string, Pick<WatchedLane, "running" | "waiting">>>;
  /** A worker's round trip. When all are at work it returns at once, because the deadline watches them. */
  ping(): Promise<void>;
  /** Starts a worker and loads the PDF tools where none has, before the first caller has to wait for that. */
  warmUp(): Promise<void>;
  /** Stops all workers; running jobs are rejected. */
  close(): Promise<void>;
}

/**
 * Works on `workers` documents at a time, on each for at most `workSeconds`. `onLost` is called for a worker that ended by
 * itself or that others ended.
 */
export function createWorkers({
  workers,
  workSeconds,
  onLost = () => {},
}: {
  workers: number;
  workSeconds: number;
  onLost?: (error: Error) => void;
}): Workers {
  const limits = { deadlineSeconds: workSeconds, heapMegabytes: HEAP_MEGABYTES, onLost };
  const pool = new WorkerPool({ ...limits, warmUp: { name: "warmUp", args: [] } });
  const imagePool = new WorkerPool<ImageJobs>({
    ...limits,
    jobsModule: PLACES.imageJobs,
    isNative: true,
  });
  const documents = createLane(documentLane(workers));
  const bodies = createLane(BODIES);
  const images = createLane(IMAGES);
  const fileLocks = createLane(FILE_LOCKS);
  const passwords = createLane(PASSWORDS);
  const laneOf = (name: string) =>
    name === "unlockFile" ? fileLocks : READING.has(name) ? bodies : documents;
  return {
    lanes: {
      passwords: withWorkCounted(passwords, PASSWORDS),
      fileLocks: withWorkCounted(fileLocks, FILE_LOCKS),
    },
    load: { documents, bodies, images, passwords, file_locks: fileLocks },
    runJob: (name, args, requester) =>
      laneOf(name).run(requester, () => pool.run(name, args, { signal: requester.signal })),
    runImageJob: (name, args, { reserve, ...requester }) => {
      const { signal } = requester;
      return images.run(requester, () => imagePool.run(name, args, { signal, reserve }));
    },
    get busy() {
      return bodies.running + documents.running + images.running;
    },
    get waiting() {
      return bodies.waiting + documents.waiting + images.waiting;
    },
    async ping() {
      if (documents.running < workers) await pool.ping();
    },
    warmUp: () => pool.warmUp(),
    async close() {
      await Promise.all([pool.close(), imagePool.close()]);
    },
  };
}
