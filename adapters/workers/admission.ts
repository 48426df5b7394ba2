import { ApiError, serverFull } from "../../router/errors/errors.ts";

// Memory comes free when a job ends, and nearly all end within a few seconds.
const RETRY_SECONDS = 5;

/** One caller may hold this part of the budget, beside a first call of any size. */
const CALLERS_PART = 1 / 4;
/** Requests up to this part get in beside a full budget, until together they hold SMALL_TOGETHER of it. */
const SMALL_PART = 1 / 128;
const SMALL_TOGETHER = 1 / 8;

/** What one request holds; of several asked for the largest counts. */
export type Reservation = {
  /**
   * Reserves so much in place of less.
   * @throws ApiError overloaded when the server has no room, too_many_concurrent when the caller's other requests
   * hold too much; nothing is reserved then
   */
  reserve(bytes: number): void;
  /** Throws when so much would not fit now, and reserves nothing. */
  check(bytes: number): void;
  release(): void;
};

export type Admission = {
  /** Opens a reservation for a request of this caller; nothing is reserved yet. */
  open(caller: string): Reservation;
  readonly reservedBytes: number;
};

/**
 * Divides memory among requests as they grow. One above the whole budget gets in when it is alone. Of one caller's
 * requests the first that holds anything may grow as far as the budget goes, the others to a quarter of it together
 * with the first. Small requests get in beside a large one that fills the budget.
 */
export function createAdmission({ budgetBytes }: { budgetBytes: number }): Admission {
  const held = new HeldMemory();
  const small = { each: budgetBytes * SMALL_PART, together: budgetBytes * SMALL_TOGETHER };
  return {
    get reservedBytes() {
      return held.total;
    },
    open(caller) {
      const request = { caller };
      const release = () => held.set(request, 0);
      const check = (bytes: number) => {
        const others = held.total - held.of(request);
        const isSmall = bytes <= small.each && held.upTo(small.each) + bytes <= small.together;
        if (others > 0 && others + bytes > budgetBytes && !isSmall) throw serverFull(RETRY_SECONDS);
        const own = held.ofOthers(request);
        if (own > 0 && own + bytes > budgetBytes * CALLERS_PART) throw tooMuchAtOnce(budgetBytes);
      };
      return { check, release, reserve: (bytes) => reserve(bytes, { request, held, check, release }) };
    },
  };
}

/** A request of a caller, told from others by being this object. */
interface Request {
  readonly caller: string;
}

interface Growing extends Pick<Reservation, "check" | "release"> {
  readonly request: Request;
  readonly held: HeldMemory;
}

function reserve(bytes: number, { request, held, check, release }: Growing): void {
  if (bytes <= held.of(request)) return;
  try {
    check(bytes);
  } catch (error) {
    release();
    throw error;
  }
  held.set(request, bytes);
}

class HeldMemory {
  total = 0;
  readonly #requests = new Map<Request, number>();

  of(request: Request): number {
    return this.#requests.get(request) ?? 0;
  }

  /** What the caller's other requests hold, for all but the first that holds something: that one is as if alone. */
  ofOthers(request: Request): number {
    const own = [...this.#requests].filter(([{ caller }]) => caller === request.caller);
    const [first = request] = own.map(([each]) => each);
    return first === request ? 0 : own.reduce((sum, [, bytes]) => sum + bytes, -this.of(request));
  }

  /** What all requests hold together that hold no more than so much each. */
  upTo(each: number): number {
    return [...this.#requests.values()].reduce((sum, bytes) => sum + (bytes <= each ? bytes : 0), 0);
  }

  set(request: Request, bytes: number): void {
    this.total += bytes - this.of(request);
    if (bytes > 0) this.#requests.set(request, bytes);
    else this.#requests.delete(request);
  }
}

function tooMuchAtOnce(budgetBytes: number): ApiError {
  const error = "Your calls hold as much memory as one caller may; wait for one to end";
  const value = Math.floor(budgetBytes * CALLERS_PART);
  const about = { limit: "memory", value, unit: "bytes", window: 0, remaining: 0 };
  return new ApiError("too_many_concurrent", error, { ...about, retryAfter: RETRY_SECONDS });
}

export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>;

/** Lets so many pieces of work run at a time, the others wait in the order in which they came. */
export function createSemaphore(width: number): Semaphore {
  const queue: (() => void)[] = [];
  let free = width;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((enter) => queue.push(enter));
    try {
      return await work();
    } finally {
      // The place goes straight to the next in queue, so that nobody who comes now can take it first.
      const next = queue.shift();
      if (next) next();
      else free += 1;
    }
  };
}

export type Concurrency = {
  /** Counts one more call for a caller and returns what ends it, or undefined when `limit` calls run already. */
  enter(key: string, limit: number): (() => void) | undefined;
};

/** Counts the calls of each caller that run at this moment, in this process. */
export function createConcurrency(): Concurrency {
  const running = new Map<string, number>();
  return {
    enter(key, limit) {
      const count = running.get(key) ?? 0;
      if (count >= limit) return undefined;
      running.set(key, count + 1);
      return once(() => {
        const left = (running.get(key) ?? 0) - 1;
        if (left > 0) running.set(key, left);
        else running.delete(key);
      });
    },
  };
}

function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    action();
  };
}
