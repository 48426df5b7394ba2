import { Overloaded } from "./overloaded.ts";

// Memory comes free when a job ends, and nearly all end within a few seconds.
const RETRY_SECONDS = 5;

export type Admission = {
  /**
   * Reserves memory and returns what gives it back; that may be called more than once.
   * @throws Overloaded when it does not fit beside what is reserved already.
   */
  admit(bytes: number): () => void;
  readonly reservedBytes: number;
};

/** Weighs work before anything of it is read. A job above the whole budget gets in when it is alone. */
export function createAdmission({ budgetBytes }: { budgetBytes: number }): Admission {
  let reserved = 0;
  let jobs = 0;
  return {
    get reservedBytes() {
      return reserved;
    },
    admit(bytes) {
      if (jobs > 0 && reserved + bytes > budgetBytes) throw new Overloaded(RETRY_SECONDS);
      reserved += bytes;
      jobs += 1;
      return once(() => {
        reserved -= bytes;
        jobs -= 1;
      });
    },
  };
}

export type Reservation = {
  /** Reserves so much in place of less. @throws Overloaded, and nothing is reserved then */
  reserve(bytes: number): void;
  release(): void;
};

/** What one request reserves, whatever it asks for first: beside itself alone it is alone. */
export function createReservation(admit: Admission["admit"]): Reservation {
  let reserved = 0;
  let giveBack = () => {};
  function release(): void {
    giveBack();
    reserved = 0;
  }
  return {
    reserve(bytes) {
      if (bytes <= reserved) return;
      release();
      giveBack = admit(bytes);
      reserved = bytes;
    },
    release,
  };
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
