import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";
import { PGliteDialect } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe } from "vitest";
import { openDatabase, openDialect, type Database } from "../../../db/open.ts";
import { describeWith, hasThing, placeOf } from "../../machine/skips.ts";
import { atEnd } from "../../support/at-end.ts";
import { sampled } from "../../support/sampled.ts";

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
    drop: dropOnce(() => runOnServer(`drop database if exists ${name} with (force)`)),
  };
}

async function makePglite(): Promise<TestDatabase> {
  return { url: "pglite", open: openPglite, drop: async () => {} };
}

/** Those that nobody has open: to start one takes some of a second of a processor. */
const idle: PGlite[] = [];
const NODE_MODULES = new URL("../../../node_modules/", import.meta.url);

/** Starts one with what an earlier one of its version has made as new: to make that takes most of the time. */
async function startPglite(): Promise<PGlite> {
  const manifest = readFileSync(new URL("@electric-sql/pglite/package.json", NODE_MODULES), "utf8");
  // It is the manifest of a package.
  const { version } = JSON.parse(manifest) as { version: string };
  const folder = fileURLToPath(new URL(".cache/pglite/", NODE_MODULES));
  const place = join(folder, `${version}.tar`);
  if (existsSync(place)) return new PGlite({ loadDataDir: new Blob([readFileSync(place)]) });
  // One that is not ready yet never answers with its files.
  const pglite = await PGlite.create();
  const made = await pglite.dumpDataDir("none");
  mkdirSync(folder, { recursive: true });
  // Several workers may come here at once, and none reads a half.
  const part = join(folder, crypto.randomUUID());
  writeFileSync(part, Buffer.from(await made.arrayBuffer()));
  renameSync(part, place);
  return pglite;
}

async function openPglite(): Promise<Database> {
  const pglite = idle.pop() ?? (await startPglite());
  await pglite.exec("discard all");
  await pglite.exec("drop schema if exists public cascade; create schema public");
  // Whoever closes it gives it back.
  pglite.close = async () => void idle.push(pglite);
  return openDialect(new PGliteDialect({ pglite }));
}

function dropOnce(drop: () => Promise<void>): () => Promise<void> {
  atEnd.add(drop);
  return async () => {
    atEnd.delete(drop);
    await drop();
  };
}

/** Runs one statement on the PostgreSQL server, outside of any test's own database. */
export async function runOnServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: POSTGRES_URL });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
