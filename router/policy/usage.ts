import { countUses, type CountedUse, type Use } from "../../db/usage.ts";
import type { Database } from "../../db/open.ts";
import { withWaits } from "./running-call.ts";

const WRITE_MS = 1_000;

/** The most rows that wait to be written, so that callers from ever new addresses cannot fill the memory. */
const MOST_ROWS = 2_000;

/** The calls of the file tools, counted in memory and written each second. */
export interface Usage {
  /** While the database takes nothing and too many rows are waiting, a call that needs another row is not counted. */
  readonly count: (use: Use) => void;
  /** Writes what was counted so far. Never throws: what the database does not take is tried again. */
  readonly flush: () => Promise<void>;
  /** Writes for the last time. */
  readonly stop: () => Promise<void>;
}

export function createUsage({
  db,
  onFault,
}: {
  db: Database;
  /** Called for each write that failed. */
  onFault: (error: unknown) => void;
}): Usage {
  let counted = new Map<string, CountedUse>();
  let rowsInWrite = 0;
  let written = Promise.resolve();

  function count(use: Use): void {
    const key = `${use.hour} ${use.tool} ${use.succeeded} ${use.address}`;
    const known = counted.get(key);
    if (known) return void known.count++;
    if (counted.size + rowsInWrite >= MOST_ROWS) return;
    counted.set(key, { ...use, count: 1 });
    if (counted.size === MOST_ROWS / 2) void flush();
  }

  // One write after the other, so that each knows what the previous one has left.
  function flush(): Promise<void> {
    return (written = written.then(write));
  }

  async function write(): Promise<void> {
    if (counted.size === 0) return;
    const rows = counted;
    [counted, rowsInWrite] = [new Map(), rows.size];
    try {
      // Not a wait of the call that came when it was time to write.
      await withWaits(() => countUses(db, [...rows.values()]));
    } catch (error) {
      putBack(rows);
      onFault(error);
    } finally {
      rowsInWrite = 0;
    }
  }

  function putBack(rows: ReadonlyMap<string, CountedUse>): void {
    for (const [key, use] of rows) {
      const newer = counted.get(key)?.count ?? 0;
      counted.set(key, { ...use, count: use.count + newer });
    }
  }

  const timer = setInterval(() => {
    if (rowsInWrite === 0) void flush();
  }, WRITE_MS);
  timer.unref();
  const stop = () => {
    clearInterval(timer);
    return flush();
  };
  return { count, flush, stop };
}
