import type { JobResult, Jobs, jobs, KeepingJob } from "../../tools/entries/jobs.ts";
import { PLACES } from "../places.ts";
import { unpackFailure } from "../../wire/tool-failure.ts";
import { joinResult } from "./splice.ts";
import { explainExit, lostWorker, pastDeadline, rebuildError, tooBusy } from "./worker-faults.ts";
import { startWorker, type KeptParts, type WorkerHandle } from "./worker-handle.ts";
import type { Permission, MemoryQuestion } from "./pipe.ts";
import type { Reply, Task } from "./worker.ts";

export type WorkerPoolOptions = {
  /** A job that takes longer is stopped together with its worker. */
  deadlineSeconds: number;
  /** The heap of one worker; byte arrays are not counted, and Bun does not enforce it. */
  heapMegabytes?: number;
  /** The module whose `jobs` the workers run; tools/entries/jobs.ts where it is absent. */
  jobsModule?: URL;
  /** Whether the jobs load native code, which one runtime has to be told. */
  isNative?: boolean;
  /** A task that a worker runs ahead of its first job. */
  warmUp?: Task;
  /** After so long without work only one worker is kept. */
  idleSeconds?: number;
  /** Called for each worker that ended by itself or that others ended; the error's `code` says how. */
  onLost?: (error: Error) => void;
};

interface JobOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Reserves the memory that the job asks for once it has read the file's headers; if it throws, the job ends with
   * that.
   */
  readonly reserve?: ((bytes: number) => void) | undefined;
}

type Job = {
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
  reserve: ((bytes: number) => void) | undefined;
  kept: KeptParts | undefined;
};

// Heaps are slow to return memory, and native libraries may never do it.
const GROWN_BYTES = 256 * 1024 * 1024;
const IDLE_SECONDS = 10;

/** The bytes of their input are kept meanwhile, so that the worker need not send them back. */
const KEEPING: Readonly<Record<KeepingJob, true>> = {
  cleanPdf: true,
  mergePdf: true,
  rotatePdf: true,
  splitPdf: true,
};

/** A job that got less than this part of one processor would have ended on a less busy machine. */
const STARVED_PART = 1 / 3;

/** A pool of worker processes that start when they are first needed and, when idle, do not keep the server alive. */
export class WorkerPool<Known extends Jobs = typeof jobs> {
  readonly #options: WorkerPoolOptions;
  /** The worker that worked last is last. */
  readonly #idle = new Map<WorkerHandle, NodeJS.Timeout>();
  readonly #running = new Map<WorkerHandle, Job>();
  #warming = Promise.resolve();
  #isClosed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /**
   * Runs a job in an idle worker or a new one; a lane limits how many run at a time. All bytes in `args` are
   * transferred: the caller's arrays are empty, or still being sent. An abort stops the job with its worker.
   * @throws ToolFailure what the tool threw, or `too_complex` after the deadline or with a full heap; ApiError
   * `overloaded` when others ended the worker; a bare Error with the worker's stack for everything else.
   */
  async run<Name extends keyof Known & string>(
    name: Name,
    args: Parameters<Known[Name]>,
    options: JobOptions = {},
  ): Promise<JobResult<Known, Name>> {
    const task: Task = { name, args, ...(Object.hasOwn(KEEPING, name) && { isKept: true }) };
    const result = await this.#run(task, options);
    // The worker ran the function with this name.
    return result as JobResult<Known, Name>;
  }

  /** A worker's round trip. */
  async ping(): Promise<void> {
    await this.#run({});
  }

  /** Prepares a worker for the next job; does nothing where one is at work. Never throws. */
  async warmUp(): Promise<void> {
    const { warmUp } = this.#options;
    if (!warmUp || this.#isClosed || this.#running.size > 0) return this.#warming;
    // If it fails, the first caller gets the error.
    this.#warming = this.#run(warmUp).then(ignore, ignore);
    await this.#warming;
  }

  /** Stops all workers; running jobs are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const workers = [...this.#idle.keys(), ...this.#running.keys()];
    for (const worker of this.#running.keys()) this.#stop(worker, closedPool());
    for (const worker of workers) this.#take(worker);
    await Promise.all(workers.map((worker) => worker.kill()));
  }

  async #run(task: Task, { signal, reserve }: JobOptions = {}): Promise<unknown> {
    if (this.#isClosed) throw closedPool();
    signal?.throwIfAborted();
    const { worker, kept } = this.#post(task);
    const before = worker.usage()?.cpuSeconds;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#running.set(worker, { resolve, reject, reserve, kept });
    const { deadlineSeconds } = this.#options;
    const endLate = () => {
      const used = (worker.usage()?.cpuSeconds ?? Infinity) - (before ?? 0);
      const isStarved = used < deadlineSeconds * STARVED_PART;
      this.#stop(worker, isStarved ? tooBusy() : pastDeadline(deadlineSeconds));
    };
    const timer = setTimeout(endLate, deadlineSeconds * 1000);
    const leave = () => this.#stop(worker, signal?.reason);
    signal?.addEventListener("abort", leave);
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", leave);
    });
  }

  /** Sends a task to a worker. Throws for what cannot be sent, and the worker is as free as before. */
  #post(task: Task): { worker: WorkerHandle; kept: KeptParts | undefined } {
    const worker = [...this.#idle.keys()].at(-1) ?? this.#startWorker();
    this.#keep(worker);
    const kept = worker.post(task, { isKept: task.isKept ?? false });
    this.#take(worker);
    worker.hold(true);
    return { worker, kept };
  }

  #startWorker(): WorkerHandle {
    const worker = startWorker({
      jobsModule: PLACES.jobs,
      ...this.#options,
      // The worker is this program's own, so the shape of its reply is known.
      onReply: (value) => this.#onReply(worker, value as Reply | MemoryQuestion),
      onExit: (reason) => this.#onExit(worker, reason),
    });
    worker.hold(false);
    return worker;
  }

  #onReply(worker: WorkerHandle, reply: Reply | MemoryQuestion): void {
    const job = this.#running.get(worker);
    // A reply can still arrive from a worker that was just stopped.
    if (!job) return;
    if ("asksBytes" in reply) return void worker.post(answerQuestion(reply, job));
    this.#running.delete(worker);
    worker.hold(false);
    if ((worker.usage()?.residentBytes ?? 0) > GROWN_BYTES) this.#replace(worker);
    else this.#keep(worker);
    settle(job, reply);
  }

  /** A waiting job starts a worker itself, in this turn. */
  #replace(worker: WorkerHandle): void {
    void worker.kill();
    setImmediate(() => {
      if (this.#idle.size === 0) void this.warmUp();
    });
  }

  #keep(worker: WorkerHandle): void {
    this.#take(worker);
    const end = () => {
      if (this.#idle.size > 1 && this.#take(worker)) void worker.kill();
    };
    const { idleSeconds = IDLE_SECONDS } = this.#options;
    this.#idle.set(worker, setTimeout(end, idleSeconds * 1000).unref());
  }

  /** True when it was idle. */
  #take(worker: WorkerHandle): boolean {
    clearTimeout(this.#idle.get(worker));
    return this.#idle.delete(worker);
  }

  #onExit(worker: WorkerHandle, reason: string): void {
    const job = this.#running.get(worker);
    const isOurs = this.#running.delete(worker) || this.#take(worker);
    if (isOurs) this.#options.onLost?.(lostWorker(reason));
    job?.reject(explainExit(reason, this.#options.heapMegabytes));
    job?.kept?.release();
  }

  /** Ends a job from this side, together with its worker. */
  #stop(worker: WorkerHandle, reason: unknown): void {
    const job = this.#running.get(worker);
    job?.reject(reason);
    job?.kept?.release();
    this.#running.delete(worker);
    void worker.kill();
  }
}

// What is thrown ends the job for its caller, and the worker can be used again.
function answerQuestion({ asksBytes }: MemoryQuestion, { reserve, reject }: Job): Permission {
  try {
    reserve?.(asksBytes);
    return { isGranted: true };
  } catch (error) {
    reject(error);
    return { isGranted: false };
  }
}

function settle(job: Job, reply: Reply): void {
  const { kept } = job;
  if ("failure" in reply) job.reject(unpackFailure(reply.failure));
  else if ("error" in reply) job.reject(rebuildError(reply.error));
  else if (kept && reply.isSpliced) return settleSpliced(job, reply.result, kept);
  else job.resolve(reply.result);
  kept?.release();
}

function settleSpliced({ resolve, reject }: Job, result: unknown, kept: KeptParts): void {
  try {
    resolve(joinResult(result, kept.parts));
  } catch {
    reject(rebuildError({ name: "WorkerReply", frames: [] }));
  }
}

function ignore(): void {}

function closedPool(): Error {
  return new Error("The pool is closed");
}
