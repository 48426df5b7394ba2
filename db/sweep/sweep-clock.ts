import { sql, type Kysely } from "kysely";
import type { Database } from "../open.ts";
import { putValue, readValue } from "../installation.ts";
import type { Tables } from "../schema.ts";

/** Why the clock is not trusted: when it was checked, in unix seconds, and by how many seconds it was wrong. */
export interface ClockDoubt {
  at: number;
  ahead: number;
}

/** What a database remembers about the clocks of the instances that sweep it. */
export interface SweepClock {
  /** The time of the latest sweep, in unix seconds; undefined before the first. */
  sweptAt: number | undefined;
  /** Undefined while the clock is trusted. */
  doubt: ClockDoubt | undefined;
  /** A new value each time that somebody accepts the clock. */
  confirmation: string | undefined;
  /** PostgreSQL's own time; SQLite has none. */
  serverTime: number | undefined;
}

/** The names of the rows in `installation`. */
const SWEPT = "swept at";
const DOUBT = "clock doubt";
const CONFIRMED = "clock confirmed";

export async function readSweepClock({ kind, query }: Database): Promise<SweepClock> {
  const rows = await query
    .selectFrom("installation")
    .selectAll()
    .where("name", "in", [SWEPT, DOUBT, CONFIRMED])
    .execute();
  const texts = new Map(rows.map(({ name, value }) => [name, new TextDecoder().decode(value)]));
  const [swept, doubt] = [texts.get(SWEPT), texts.get(DOUBT)];
  return {
    sweptAt: swept === undefined ? undefined : Number(swept),
    doubt: doubt === undefined ? undefined : parseDoubt(doubt),
    confirmation: texts.get(CONFIRMED),
    serverTime: kind === "postgres" ? await readServerTime(query) : undefined,
  };
}

/** Stores that everything up to this time is swept. */
export async function noteSweep(db: Database, now: number): Promise<void> {
  await db.writeSoon((trx) => putValue(trx, SWEPT, encode(String(now))));
}

/** Stops the sweeps of every instance. The first doubt stays, because it tells what happened. */
export async function doubtClock(db: Database, { at, ahead }: ClockDoubt): Promise<void> {
  const value = encode(`${at} ${ahead}`);
  await db.write((trx) =>
    trx
      .insertInto("installation")
      .values({ name: DOUBT, value })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .execute(),
  );
}

/** The doubt, if there is one. */
export async function findClockDoubt(query: Kysely<Tables>): Promise<ClockDoubt | undefined> {
  const value = await readValue(query, DOUBT);
  return value && parseDoubt(new TextDecoder().decode(value));
}

/** Ends the doubt, and forgets the time of the latest sweep: after a clock that was ahead it would be wrong. */
export async function confirmClock(query: Kysely<Tables>): Promise<void> {
  await query.transaction().execute(async (trx) => {
    await putValue(trx, CONFIRMED, encode(crypto.randomUUID()));
    await trx.deleteFrom("installation").where("name", "in", [SWEPT, DOUBT]).execute();
  });
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function parseDoubt(text: string): ClockDoubt {
  const [at = 0, ahead = 0] = text.split(" ").map(Number);
  return { at, ahead };
}

async function readServerTime(query: Kysely<Tables>): Promise<number | undefined> {
  const { rows } = await sql<{ now: number }>`select extract(epoch from now())::bigint as now`.execute(query);
  return rows[0] && Number(rows[0].now);
}
