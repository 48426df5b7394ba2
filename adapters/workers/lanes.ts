import type { Lane, Requester } from "../../router/context.ts";
import { serverFull } from "../../router/errors/errors.ts";
import { isLate, waiting, waitWithin, waitsUntil } from "../../router/policy/running-call.ts";

export interface LaneOptions {
  /** How many pieces of work run at a time. */
  readonly width: number;
  /**
   * Additional places for callers with nothing running, so that long work of some does not block the first work of
   * others.
   */
  readonly spare?: number;
  /** How many may wait; more are refused. */
  readonly maxWaiting: number;
  /** How many of one caller may wait. */
  readonly maxWaitingPerCaller: number;
  /** The approximate duration of a piece of work, which tells refused callers when to come back. */
  readonly typicalSeconds: number;
}

/** A lane that can be watched. */
export interface WatchedLane extends Lane {
  readonly running: number;
  readonly waiting: number;
}

/**
 * Makes a lane: first come, first served for each caller, and the callers take turns (round robin). Nobody waits longer
 * than a call may.
 */
export function createLane(options: LaneOptions): WatchedLane {
  const { width, spare = 0 } = options;
  const queues = createCallerQueues<() => void>();
  const running = new CallerCounts();

  async function run<Result>(requester: Requester, work: () => Promise<Result>): Promise<Result> {
    requester.signal?.throwIfAborted();
    const { caller } = requester;
    if (hasPlace(caller)) running.add(caller, 1);
    else await waiting(wait(requester));
    try {
      return await work();
    } finally {
      running.add(caller, -1);
      // The place goes directly to the next, so that a newcomer cannot take it first.
      queues.shift(hasPlace)?.();
    }
  }

  function hasPlace(caller: string): boolean {
    return running.total < width || (running.total < width + spare && running.of(caller) === 0);
  }

  async function wait({ caller, signal }: Requester): Promise<void> {
    const { maxWaiting, maxWaitingPerCaller } = options;
    if (queues.size >= maxWaiting || queues.sizeOf(caller) >= maxWaitingPerCaller) throw full();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const start = () => {
      running.add(caller, 1);
      resolve();
    };
    const refuse = (reason: unknown) => {
      queues.remove(caller, start);
      reject(reason);
    };
    const leave = () => refuse(signal?.reason);
    const late = setTimeout(() => refuse(full()), Math.max(0, waitsUntil() - performance.now()));
    signal?.addEventListener("abort", leave, { once: true });
    queues.push(caller, start);
    await promise.finally(() => {
      clearTimeout(late);
      signal?.removeEventListener("abort", leave);
    });
  }

  function full() {
    return serverFull(1 + Math.ceil((queues.size * options.typicalSeconds) / width));
  }

  return {
    run,
    get running() {
      return running.total;
    },
    get waiting() {
      return queues.size;
    },
  };
}

/**
 * The same lane for work that cannot be stopped, such as a key derivation, which takes seconds on a busy machine: the
 * work counts as a wait of the call too. A caller who has waited as long as a call may is answered, and the work keeps
 * its place until it ends.
 */
export function withWorkCounted(lane: Lane, { typicalSeconds }: Pick<LaneOptions, "typicalSeconds">): Lane {
  const late = () => serverFull(1 + Math.ceil(typicalSeconds));
  return {
    run<Result>(requester: Requester, work: () => Promise<Result>): Promise<Result> {
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      const begin = () => {
        if (isLate()) throw late();
        const running = work();
        waitWithin(running, late).then(resolve, reject);
        return running;
      };
      lane.run(requester, begin).catch(reject);
      return promise;
    },
  };
}

class CallerCounts {
  total = 0;
  readonly #counts = new Map<string, number>();

  of(caller: string): number {
    return this.#counts.get(caller) ?? 0;
  }

  add(caller: string, change: 1 | -1): void {
    this.total += change;
    const count = this.of(caller) + change;
    if (count > 0) this.#counts.set(caller, count);
    else this.#counts.delete(caller);
  }
}

interface CallerQueues<Item> {
  readonly size: number;
  sizeOf(caller: string): number;
  push(caller: string, item: Item): void;
  /** The first item of the next caller in turn who may start. */
  shift(mayStart: (caller: string) => boolean): Item | undefined;
  remove(caller: string, item: Item): void;
}

function createCallerQueues<Item>(): CallerQueues<Item> {
  // A Map keeps the order in which its keys were set, which is the order of the callers' turns.
  const queues = new Map<string, Item[]>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    sizeOf: (caller) => queues.get(caller)?.length ?? 0,
    push(caller, item) {
      const queue = queues.get(caller);
      if (queue) queue.push(item);
      else queues.set(caller, [item]);
      size += 1;
    },
    shift(mayStart) {
      const next = [...queues].find(([caller]) => mayStart(caller));
      if (!next) return undefined;
      const [caller, [item, ...rest]] = next;
      queues.delete(caller);
      if (rest.length > 0) queues.set(caller, rest);
      size -= 1;
      return item;
    },
    remove(caller, item) {
      const queue = queues.get(caller) ?? [];
      const rest = queue.filter((each) => each !== item);
      size -= queue.length - rest.length;
      if (rest.length > 0) queues.set(caller, rest);
      else queues.delete(caller);
    },
  };
}
