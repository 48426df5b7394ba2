import { inBatches } from "../connection/batches.ts";
import type { Database } from "../open.ts";
import type { LoginKind } from "../accounts/tables.ts";
import type { Sink } from "../schema.ts";

export type { LoginKind, Sink };

/** Something that happened, for one sink, without any content. */
export interface OutboxEvent {
  /** Counts up in the order in which events were recorded. */
  position: number;
  id: string;
  /** For example `secret.revealed`. */
  event: string;
  /** The id of what it happened to. */
  subject: string | null;
  kind: string | null;
  /** The member to whom that belongs or, for the audit log, who did it. */
  account: string | null;
  /** For the audit log, as the next two: the first characters of the API token that was sent. */
  token: string | null;
  /** With its last part set to zero. */
  address: string | null;
  login: LoginKind | null;
  /** Unix seconds. */
  happenedAt: number;
  /** How often sending was tried. */
  tries: number;
  /** The member's hook to call. */
  hook: string | null;
}

/** Something that somebody did and that changes no row. */
interface Act {
  /** For example `account.login_failed`. */
  event: string;
  /** The member's id; null where that is unknown. */
  account: string | null;
  token?: string | undefined;
  address?: string | undefined;
  login?: LoginKind | undefined;
  /** Whether webhooks report it too, without saying whom it concerns. */
  isEvent?: boolean;
}

/** Records an act for all sinks, before the call is answered. */
export async function recordAct(db: Database, { now, ...act }: Act & { now: number }): Promise<void> {
  const rows = db.sinks.flatMap((sink) => rowsOf(act, sink, now));
  if (rows.length === 0) return;
  // On SQLite the transaction is shared with others that run at the same time, on PostgreSQL the statement is.
  if (db.kind === "postgres") return insertAtOnce(db, rows);
  await db.write((trx) => trx.insertInto("outbox").values(rows).execute());
}

type Row = Omit<OutboxEvent, "position" | "happenedAt" | "hook"> & {
  sink: Sink;
  happened_at: number;
  next_at: number;
};

function rowsOf(act: Act, sink: Sink, now: number): Row[] {
  const { event, account, token = null, address = null, login = null, isEvent = false } = act;
  const id = crypto.randomUUID().replaceAll("-", "");
  const row = { id, sink, event, subject: null, kind: "account", happened_at: now, tries: 0 };
  // Members are told only of their own secrets and requests.
  if (sink === "hook") return [];
  if (sink === "audit") return [{ ...row, account, token, address, login, next_at: 0 }];
  return isEvent ? [{ ...row, account: null, token: null, address: null, login: null, next_at: now }] : [];
}

const insertAtOnce = inBatches<readonly Row[], void>({
  keyOf: ([row]) => row?.id ?? "",
  run: async ({ query }, calls) => {
    await query.insertInto("outbox").values(calls.flat()).execute();
    return calls.map(() => undefined);
  },
});

const COLUMNS = [
  "position",
  "id",
  "event",
  "subject",
  "kind",
  "account",
  "token",
  "address",
  "login",
  "tries",
  "hook",
] as const;

/** Takes due events of a sink, the oldest first; nobody else takes them before `until`. */
async function takeDue(
  db: Database,
  { sink, now, until, limit }: { sink: Sink; now: number; until: number; limit: number },
): Promise<OutboxEvent[]> {
  const rows = await db.writeSoon((trx) =>
    trx
      .updateTable("outbox")
      .set((event) => ({ next_at: until, tries: event("tries", "+", 1) }))
      .where("id", "in", (due) =>
        due
          .selectFrom("outbox")
          .select("id")
          .where("sink", "=", sink)
          .where("next_at", "<=", now)
          .orderBy("next_at")
          .orderBy("position")
          .limit(limit)
          .$if(db.kind === "postgres", (query) => query.forUpdate().skipLocked()),
      )
      .returning([...COLUMNS, "happened_at as happenedAt"])
      .execute(),
  );
  rows.sort((a, b) => a.position - b.position);
  return rows.map((row) => ({ ...row, tries: row.tries - 1 }));
}

/** Makes events due that were to wait until after `latest`: that was said before the clock was set back. */
async function hurryEvents(db: Database, sink: Sink, { now, latest }: { now: number; latest: number }) {
  await db.writeSoon((trx) =>
    trx
      .updateTable("outbox")
      .set({ next_at: now })
      .where("sink", "=", sink)
      .where("next_at", ">", latest)
      .execute(),
  );
}

/** When the next event of a sink is due, in unix seconds; undefined where none is pending. */
async function nextDueAt(db: Database, sink: Sink): Promise<number | undefined> {
  const row = await db.query
    .selectFrom("outbox")
    .select("next_at")
    .where("sink", "=", sink)
    .orderBy("next_at")
    .limit(1)
    .executeTakeFirst();
  return row?.next_at;
}

/** How many events are pending for each existing sink. */
export async function countPendingEvents(db: Database): Promise<Record<string, number>> {
  const rows = await db.query
    .selectFrom("outbox")
    .select(({ fn }) => ["sink", fn.countAll<number>().as("count")])
    .groupBy("sink")
    .execute();
  const none = db.sinks.map((sink) => [sink, 0] as const);
  return Object.fromEntries([...none, ...rows.map(({ sink, count }) => [sink, Number(count)] as const)]);
}

/** Deletes events that were confirmed, or that nobody wants any more. */
async function forgetEvents(db: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.writeSoon((trx) =>
    trx
      .deleteFrom("outbox")
      .where("id", "in", [...ids])
      .execute(),
  );
}

/** Postpones events to a later time. */
async function postponeEvents(db: Database, ids: readonly string[], at: number): Promise<void> {
  await db.writeSoon((trx) =>
    trx
      .updateTable("outbox")
      .set({ next_at: at })
      .where("id", "in", [...ids])
      .execute(),
  );
}

/** The events of one database for one sink. */
export type Outbox = ReturnType<typeof openOutbox>;

export function openOutbox(db: Database, sink: Sink) {
  return {
    nextAt: () => nextDueAt(db, sink),
    hurry: (times: { now: number; latest: number }) => hurryEvents(db, sink, times),
    takeDue: (due: Omit<Parameters<typeof takeDue>[1], "sink">) => takeDue(db, { sink, ...due }),
    forget: (ids: readonly string[]) => forgetEvents(db, ids),
    postpone: (ids: readonly string[], at: number) => postponeEvents(db, ids, at),
    /** From now on calls `listener` when this process may have recorded an event. */
    onWrite: (listener: () => void) => db.onWrite(listener),
  };
}
