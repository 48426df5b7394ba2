import type { Database } from "../open.ts";

/** Something that happened, without anything of what was handed over. */
export interface OutboxEvent {
  id: string;
  /** Such as `secret.revealed`. */
  event: string;
  /** The id of what it happened to. */
  subject: string | null;
  kind: string | null;
  /** The member whose it is. */
  account: string | null;
  /** Unix seconds. */
  happenedAt: number;
  /** How often it was sent. */
  tries: number;
}

/** Writes down an event that changes no row. */
export async function insertEvent(
  db: Database,
  { id, event, now }: { id: string; event: string; now: number },
): Promise<void> {
  const row = { id, event, subject: null, kind: "account", account: null, tries: 0 };
  await db.write((trx) =>
    trx
      .insertInto("outbox")
      .values({ ...row, happened_at: now, next_at: now })
      .execute(),
  );
}

/** Takes events that are due, which nobody else takes before `until`. */
export async function takeDue(
  db: Database,
  { now, until, limit }: { now: number; until: number; limit: number },
): Promise<OutboxEvent[]> {
  const rows = await db.writeSoon((trx) =>
    trx
      .updateTable("outbox")
      .set((event) => ({ next_at: until, tries: event("tries", "+", 1) }))
      .where("id", "in", (due) =>
        due
          .selectFrom("outbox")
          .select("id")
          .where("next_at", "<=", now)
          .orderBy("next_at")
          .limit(limit)
          .$if(db.kind === "postgres", (query) => query.forUpdate().skipLocked()),
      )
      .returning(["id", "event", "subject", "kind", "account", "happened_at as happenedAt", "tries"])
      .execute(),
  );
  return rows.map((row) => ({ ...row, tries: row.tries - 1 })).sort((a, b) => a.happenedAt - b.happenedAt);
}

/** When the next event is due, in Unix seconds; undefined where none waits. */
export async function nextDueAt(db: Database): Promise<number | undefined> {
  const row = await db.query
    .selectFrom("outbox")
    .select("next_at")
    .orderBy("next_at")
    .limit(1)
    .executeTakeFirst();
  return row?.next_at;
}

/** Forgets events that were confirmed, or that nobody is told of any more. */
export async function forgetEvents(db: Database, { ids }: { ids: readonly string[] }): Promise<void> {
  if (ids.length === 0) return;
  await db.writeSoon((trx) =>
    trx
      .deleteFrom("outbox")
      .where("id", "in", [...ids])
      .execute(),
  );
}

/** Tries events again at a time. */
export async function postponeEvents(
  db: Database,
  { ids, at }: { ids: readonly string[]; at: number },
): Promise<void> {
  await db.writeSoon((trx) =>
    trx
      .updateTable("outbox")
      .set({ next_at: at })
      .where("id", "in", [...ids])
      .execute(),
  );
}

/** The events of one database that are to be delivered. */
export type Outbox = ReturnType<typeof openOutbox>;

export function openOutbox(db: Database) {
  return {
    insert: (event: Parameters<typeof insertEvent>[1]) => insertEvent(db, event),
    nextAt: () => nextDueAt(db),
    takeDue: (due: Parameters<typeof takeDue>[1]) => takeDue(db, due),
    forget: (ids: readonly string[]) => forgetEvents(db, { ids }),
    postpone: (events: { ids: readonly string[]; at: number }) => postponeEvents(db, events),
    /** From now on, `listener` hears when this process may have written an event. */
    onWrite: (listener: () => void) => db.onWrite(listener),
  };
}
