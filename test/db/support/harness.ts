import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe } from "vitest";
import { openDatabase, type Database } from "../../../db/open.ts";
import { describeWith, hasThing, placeOf } from "../../machine/skips.ts";
import { atEnd } from "../../support/at-end.ts";
import { sampled } from "../../support/sampled.ts";
import { openPglite } from "./pglite.ts";

export const POSTGRES_URL = placeOf("PostgreSQL");

/** A database of a test's own, for as many processes as like to open `url`; `drop` ends it. */
export interface TestDatabase {
  url: string;
  open(): Promise<Database>;
  drop(): Promise<void>;
}

/** Both databases; where no PostgreSQL answers, PGlite stands in for what one process can see. */
export const DATABASES: Record<string, () => Promise<TestDatabase>> = hasThing("PostgreSQL")
  ? { SQLite: makeSqlite, PostgreSQL: makePostgres }
  : { SQLite: makeSqlite, PGlite: makePglite };

/**
 * The same tests on a database that several processes can open, "%s" in the title: one of the two, drawn, and both of
 * them before a release.
 */
export function describeShared(
  title: string,
  body: (make: () => Promise<TestDatabase>, name: "SQLite" | "PostgreSQL") => void,
): void {
  const shared = [["SQLite", makeSqlite] as const, ["PostgreSQL", makePostgres] as const];
  const here = shared.filter(([name]) => name === "SQLite" || hasThing(name));
  for (const [name, make] of sampled(here, 1, title))
    describe(title.replace("%s", name), () => body(make, name));
  if (here.length < shared.length) describeWith("PostgreSQL")(title.replace("%s", "PostgreSQL"), () => {});
}

/** The tests that `define` makes, on each kind of database; `db` is open while they run. */
export function withDatabases(what: string, define: (db: Database) => void): void {
  describe.each(Object.entries(DATABASES))(`${what} in %s`, (_name, make) => {
    let place: TestDatabase | undefined;
    let db: Database | undefined;
    beforeAll(async () => {
      place = await make();
      db = await place.open();
    });
    afterAll(async () => {
      await db?.close();
      await place?.drop();
    });
    define(standIn(() => db));
  });
}

// Tests are defined before anything is opened, so they get what stands for it.
function standIn(opened: () => Database | undefined): Database {
  const db = () => {
    const now = opened();
    if (!now) throw new Error("The database is open while tests run, not while they are defined.");
    return now;
  };
  return {
    get kind() {
      return db().kind;
    },
    get sinks() {
      return db().sinks;
    },
    set sinks(sinks) {
      db().sinks = sinks;
    },
    get query() {
      return db().query;
    },
    get copyOut() {
      return db().copyOut;
    },
    count: (query) => db().count(query),
    write: (work) => db().write(work),
    writeSoon: (work) => db().writeSoon(work),
    checkpoint: () => db().checkpoint(),
    writeBack: () => db().writeBack(),
    ping: () => db().ping(),
    onUnavailable: (listener) => db().onUnavailable(listener),
    onCall: (listener) => db().onCall(listener),
    onWrite: (listener) => db().onWrite(listener),
    numbers: () => db().numbers(),
    close: () => db().close(),
  };
}

/** Runs a test on a database of its own, which is closed and gone afterwards. */
export async function useDatabase(
  make: () => Promise<TestDatabase>,
  run: (db: Database, place: TestDatabase) => Promise<void>,
): Promise<void> {
  const place = await make();
  const db = await place.open();
  await run(db, place).finally(() => db.close());
  await place.drop();
}

export async function makeSqlite(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "hushkit-db-"));
  const url = join(folder, "service.db");
  return {
    url,
    open: () => openDatabase(url),
    drop: dropOnce(async () => rmSync(folder, { recursive: true, force: true })),
  };
}

export async function makePostgres(): Promise<TestDatabase> {
  const name = `hushkit_${crypto.randomUUID().replaceAll("-", "")}`;
  await runOnServer(`create database ${name}`);
  const url = new URL(POSTGRES_URL);
  url.pathname = name;
  return {
    url: url.href,
    open: () => openDatabase(url.href),
    drop: dropOnce(async () => void (await runOnServer(`drop database if exists ${name} with (force)`))),
  };
}

async function makePglite(): Promise<TestDatabase> {
  return { url: "pglite", open: openPglite, drop: async () => {} };
}

function dropOnce(drop: () => Promise<void>): () => Promise<void> {
  atEnd.add(drop);
  return async () => {
    atEnd.delete(drop);
    await drop();
  };
}

/** Runs one statement on the PostgreSQL server, outside of any test's own database; returns its rows. */
export async function runOnServer(statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: POSTGRES_URL });
  await client.connect();
  const { rows } = await client.query(statement).finally(() => client.end());
  return rows;
}
