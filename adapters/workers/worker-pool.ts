import { ToolFailure, type FailureCode } from "../../wire/tool-failure.ts";
import type { WithBytes } from "../../wire/byte-parts.ts";
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
  /**
   * Processes instead of threads, for 60 ms more with 25 MB. On Node a thread that fills its heap with one large
   * allocation (a growing Map, JSON.parse) ends the whole program; a process ends alone. On Deno always so.
   */
  inProcesses?: boolean;
  toolsUrl?: URL;
};

export type WorkerPool = {
  /**
   * Runs a function of tools/ off the main thread; `name` is "pdf-rotate#rotatePdf" for rotatePdf in pdf-rotate.ts.
   * All bytes in `args` are given away: once the job starts, the caller's arrays are empty, or still being sent.
   * An abort takes a waiting job from the line and stops a running one with its worker.
   * @throws ToolFailure what the tool threw, or `too_complex` past the deadline; Overloaded when the line is full;
   * a bare Error, whose stack is the worker's, for everything else.
   */
  run<Tool extends (...args: never[]) => unknown>(
    name: string,
    args: Parameters<Tool>,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<WithBytes<Awaited<ReturnType<Tool>>>>;
  /** A worker's round trip. When all are at work it answers at once: the deadline watches them already. */
  ping(): Promise<void>;
  /** Stops all workers; what runs or waits is rejected. */
  close(): Promise<void>;
  readonly busy: number;
  readonly waiting: number;
};

/** Makes a pool of workers that start when they are first needed and, idle, do not keep the process alive. */
export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  return new Pool(options);
}

type Job = {
  task: Task;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
  timer?: ReturnType<typeof setTimeout>;
};

// How V8 ends a process whose heap is full, on Node and on Deno; SIGKILL is the kernel's word, ours drops the job first.
const OUT_OF_MEMORY = /^(SIGABRT|SIGTRAP|SIGILL|SIGKILL|exit code 13[34]|ERR_WORKER_OUT_OF_MEMORY)$/;

const NAME = /^[a-z0-9-]+#[A-Za-z0-9]+$/;

class Pool implements WorkerPool {
  readonly #options: Required<Omit<WorkerPoolOptions, "heapMegabytes">> & WorkerPoolOptions;
  readonly #idle = new Set<WorkerHandle>();
  readonly #running = new Map<WorkerHandle, Job>();
  readonly #queue: Job[] = [];
  #isClosed = false;

  constructor(options: WorkerPoolOptions) {
    const toolsUrl = new URL("../../tools/", import.meta.url);
    this.#options = { maxWaiting: options.workers * 8, inProcesses: false, toolsUrl, ...options };
  }

  get busy(): number {
    return this.#running.size;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  async run<Tool extends (...args: never[]) => unknown>(
    name: string,
    args: Parameters<Tool>,
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<WithBytes<Awaited<ReturnType<Tool>>>> {
    if (!NAME.test(name)) throw new TypeError("A tool is named <file>#<export>");
    const result = await this.#enter({ name, args }, options.signal);
    // The caller's type argument says which function the name means; the worker called that one.
    return result as WithBytes<Awaited<ReturnType<Tool>>>;
  }

  async ping(): Promise<void> {
    if (this.#isClosed || this.busy < this.#options.workers) await this.#enter({});
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const error = new Error("The pool is closed");
    const workers = [...this.#idle, ...this.#running.keys()];
    for (const job of [...this.#queue, ...this.#running.values()]) this.#drop(job, error);
    this.#idle.clear();
    await Promise.all(workers.map((worker) => worker.kill()));
  }

  async #enter(task: Task, signal?: AbortSignal): Promise<unknown> {
    if (this.#isClosed) throw new Error("The pool is closed");
    signal?.throwIfAborted();
    const { workers, maxWaiting } = this.#options;
    // At about a second for a job: nobody knows better before having opened the files.
    if (this.busy >= workers && this.waiting >= maxWaiting)
      throw new Overloaded(1 + Math.ceil(maxWaiting / workers));
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const job: Job = { task, resolve, reject };
    const leave = () => this.#drop(job, signal?.reason);
    signal?.addEventListener("abort", leave);
    this.#queue.push(job);
    this.#startWaiting();
    return promise.finally(() => signal?.removeEventListener("abort", leave));
  }

  #startWaiting(): void {
    while (this.busy < this.#options.workers) {
      const job = this.#queue.shift();
      if (!job) return;
      this.#start(job);
    }
  }

  #start(job: Job): void {
    try {
      const [worker = this.#open()] = this.#idle;
      this.#idle.add(worker);
      worker.post(job.task);
      this.#idle.delete(worker);
      this.#running.set(worker, job);
      worker.hold(true);
    } catch (error) {
      return job.reject(error);
    }
    const { deadlineSeconds } = this.#options;
    job.timer = setTimeout(() => this.#drop(job, describeDeadline(deadlineSeconds)), deadlineSeconds * 1000);
  }

  #open(): WorkerHandle {
    const worker = startWorker({
      ...this.#options,
      // The worker is this program's own, so the shape of its reply is known.
      onReply: (value) => this.#finish(worker, value as Reply),
      onDeath: (reason) => this.#bury(worker, reason),
    });
    worker.hold(false);
    return worker;
  }

  #finish(worker: WorkerHandle, reply: Reply): void {
    const job = this.#running.get(worker);
    // A reply can still arrive from a worker that has just been stopped.
    if (!job) return;
    this.#running.delete(worker);
    this.#idle.add(worker);
    worker.hold(false);
    settle(job, reply);
    this.#startWaiting();
  }

  #bury(worker: WorkerHandle, reason: string): void {
    this.#idle.delete(worker);
    const job = this.#running.get(worker);
    this.#running.delete(worker);
    if (job && OUT_OF_MEMORY.test(reason)) this.#drop(job, describeHeap(this.#options.heapMegabytes));
    else if (job) settle(job, { error: { name: "WorkerDied", frames: [reason] } });
    this.#startWaiting();
  }

  /** Ends a job from this side: out of the line, or together with the worker that is busy with it. */
  #drop(job: Job, reason: unknown): void {
    clearTimeout(job.timer);
    job.reject(reason);
    const place = this.#queue.indexOf(job);
    if (place >= 0) return void this.#queue.splice(place, 1);
    for (const [worker, running] of this.#running) {
      if (running !== job) continue;
      this.#running.delete(worker);
      void worker.kill();
    }
    this.#startWaiting();
  }
}

function settle(job: Job, reply: Reply): void {
  clearTimeout(job.timer);
  if ("failure" in reply) {
    const { code, message, fields } = reply.failure;
    // The code was a FailureCode when the worker took the failure apart.
    return job.reject(new ToolFailure(code as FailureCode, message, fields));
  }
  if ("error" in reply) return job.reject(rebuildError(reply.error));
  job.resolve(reply.result);
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
