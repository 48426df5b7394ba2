import type { JobResult, Jobs, jobs, RunJob } from "../../tools/jobs.ts";
import { ToolFailure, unpackFailure } from "../../wire/tool-failure.ts";
import { Overloaded } from "./overloaded.ts";
import { startWorker, type WorkerHandle } from "./worker-handle.ts";
import type { Reply, Task } from "./worker.ts";

export type WorkerPoolOptions = {
  workers: number;
  /** A job that takes longer is stopped with its worker. */
  deadlineSeconds: number;
  /** Jobs that may wait for a worker; one more is refused. */
  maxWaiting?: number;
  /** Heap of one worker; byte arrays are not counted, and Bun does not keep to it. */
  heapMegabytes?: number;
  /** The module whose `jobs` the workers run; without one it is tools/jobs.ts. */
  jobsModule?: URL;
};

export type WorkerPool<Known extends Jobs = typeof jobs> = {
  /**
   * Runs a job in a worker. All bytes in `args` are given away: once the job starts, the caller's arrays are empty,
   * or still being sent. An abort takes a waiting job from the queue and stops a running one with its worker.
   * @throws ToolFailure what the tool threw, or `too_complex` past the deadline; Overloaded when the queue is full;
   * a bare Error, whose stack is the worker's, for everything else.
   */
  run: RunJob<Known>;
  /** A worker's round trip. When all are at work it answers at once: the deadline watches them already. */
  ping(): Promise<void>;
  /** Stops all workers; what runs or waits is rejected. */
  close(): Promise<void>;
  readonly busy: number;
  readonly waiting: number;
};

/** Makes a pool of worker processes that start when they are first needed and, idle, do not keep the server alive. */
export function createWorkerPool<Known extends Jobs = typeof jobs>(
  options: WorkerPoolOptions,
): WorkerPool<Known> {
  return new Pool<Known>(options);
}

type Job = {
  task: Task;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
  timer?: ReturnType<typeof setTimeout>;
};

// How V8 ends a process whose heap is full, on Node and on Deno; SIGKILL is the kernel's word, ours cancels the job first.
const OUT_OF_MEMORY = /^(SIGABRT|SIGTRAP|SIGILL|SIGKILL|exit code 13[34])$/;

const JOBS_MODULE = new URL("../../tools/jobs.ts", import.meta.url);

class Pool<Known extends Jobs> implements WorkerPool<Known> {
  readonly #options: WorkerPoolOptions & { maxWaiting: number; jobsModule: URL };
  readonly #idle = new Set<WorkerHandle>();
  readonly #running = new Map<WorkerHandle, Job>();
  readonly #queue: Job[] = [];
  #isClosed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = { maxWaiting: options.workers * 8, jobsModule: JOBS_MODULE, ...options };
  }

  get busy(): number {
    return this.#running.size;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  async run<Name extends keyof Known & string>(
    name: Name,
    args: Parameters<Known[Name]>,
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): Promise<JobResult<Known[Name]>> {
    const result = await this.#enqueue({ name, args }, signal);
    // The worker ran the function that the name stands for.
    return result as JobResult<Known[Name]>;
  }

  async ping(): Promise<void> {
    if (this.#isClosed || this.busy < this.#options.workers) await this.#enqueue({});
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const error = new Error("The pool is closed");
    const workers = [...this.#idle, ...this.#running.keys()];
    for (const job of [...this.#queue, ...this.#running.values()]) this.#cancel(job, error);
    this.#idle.clear();
    await Promise.all(workers.map((worker) => worker.kill()));
  }

  async #enqueue(task: Task, signal?: AbortSignal): Promise<unknown> {
    if (this.#isClosed) throw new Error("The pool is closed");
    signal?.throwIfAborted();
    const { workers, maxWaiting } = this.#options;
    // At about a second for a job: nobody knows better before having opened the files.
    if (this.busy >= workers && this.waiting >= maxWaiting)
      throw new Overloaded(1 + Math.ceil(maxWaiting / workers));
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const job: Job = { task, resolve, reject };
    const cancel = () => this.#cancel(job, signal?.reason);
    signal?.addEventListener("abort", cancel);
    this.#queue.push(job);
    this.#startNext();
    return promise.finally(() => signal?.removeEventListener("abort", cancel));
  }

  #startNext(): void {
    while (this.busy < this.#options.workers) {
      const job = this.#queue.shift();
      if (!job) return;
      this.#start(job);
    }
  }

  #start(job: Job): void {
    try {
      const [worker = this.#startWorker()] = this.#idle;
      this.#idle.add(worker);
      worker.post(job.task);
      this.#idle.delete(worker);
      this.#running.set(worker, job);
      worker.hold(true);
    } catch (error) {
      return job.reject(error);
    }
    const { deadlineSeconds } = this.#options;
    job.timer = setTimeout(
      () => this.#cancel(job, describeDeadline(deadlineSeconds)),
      deadlineSeconds * 1000,
    );
  }

  #startWorker(): WorkerHandle {
    const worker = startWorker({
      ...this.#options,
      // The worker is this program's own, so the shape of its reply is known.
      onReply: (value) => this.#onReply(worker, value as Reply),
      onExit: (reason) => this.#onExit(worker, reason),
    });
    worker.hold(false);
    return worker;
  }

  #onReply(worker: WorkerHandle, reply: Reply): void {
    const job = this.#running.get(worker);
    // A reply can still arrive from a worker that has just been stopped.
    if (!job) return;
    this.#running.delete(worker);
    this.#idle.add(worker);
    worker.hold(false);
    settle(job, reply);
    this.#startNext();
  }

  #onExit(worker: WorkerHandle, reason: string): void {
    this.#idle.delete(worker);
    const job = this.#running.get(worker);
    this.#running.delete(worker);
    if (job && OUT_OF_MEMORY.test(reason)) this.#cancel(job, describeHeap(this.#options.heapMegabytes));
    else if (job) settle(job, { error: { name: "WorkerDied", frames: [reason] } });
    this.#startNext();
  }

  /** Ends a job from this side: out of the queue, or together with the worker that is busy with it. */
  #cancel(job: Job, reason: unknown): void {
    clearTimeout(job.timer);
    job.reject(reason);
    const place = this.#queue.indexOf(job);
    if (place >= 0) return void this.#queue.splice(place, 1);
    for (const [worker, running] of this.#running) {
      if (running !== job) continue;
      this.#running.delete(worker);
      void worker.kill();
    }
    this.#startNext();
  }
}

function settle(job: Job, reply: Reply): void {
  clearTimeout(job.timer);
  if ("failure" in reply) job.reject(unpackFailure(reply.failure));
  else if ("error" in reply) job.reject(rebuildError(reply.error));
  else job.resolve(reply.result);
}

function rebuildError({ name, frames }: { name: string; frames: string[] }): Error {
  const error = new Error("A tool stopped unexpectedly");
  error.name = name;
  error.stack = [`${name}: ${error.message}`, ...frames].join("\n    ");
  return error;
}

function describeHeap(heapMegabytes: number | undefined): ToolFailure {
  const bound = heapMegabytes === undefined ? {} : { value: heapMegabytes, unit: "MiB" };
  return new ToolFailure("too_complex", "The file needs more memory than one call may take", {
    limit: "memory",
    ...bound,
  });
}

function describeDeadline(seconds: number): ToolFailure {
  const message = `The work did not end within ${seconds} seconds, the longest one call may take`;
  return new ToolFailure("too_complex", message, { limit: "seconds", value: seconds, unit: "seconds" });
}
