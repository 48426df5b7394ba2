// PostgreSQL inside of the process: what stands in for it where none answers.
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";
import { PGliteDialect } from "kysely";
import { openDialect, type Database } from "../../../db/open.ts";

const NODE_MODULES = new URL("../../../node_modules/", import.meta.url);
const FOLDER = fileURLToPath(new URL(".cache/pglite/", NODE_MODULES));
/** What makes the tables: others need a new file. */
const MAKERS = ["../../../db/migrations/", "../../../db/upgrade/"].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);
/** Who has not made the files by then has ended. */
const MAKING_MS = 60_000;

/** Those that nobody has open: to start one takes a second of a processor. */
const idle: PGlite[] = [];

/** One with the tables of this version and nothing in them. */
export async function openPglite(): Promise<Database> {
  // Who makes the files has one already.
  const place = idle.length > 0 ? "" : await findFiles();
  const pglite = idle.pop() ?? new PGlite({ loadDataDir: new Blob([readFileSync(place)]) });
  await pglite.exec("discard all");
  await pglite.exec(await truncateAll(pglite));
  return open(pglite);
}

async function open(pglite: PGlite): Promise<Database> {
  // Whoever closes it gives it back.
  pglite.close = async () => void idle.push(pglite);
  return openDialect(new PGliteDialect({ pglite }));
}

async function truncateAll(pglite: PGlite): Promise<string> {
  const { rows } = await pglite.query<{ name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'",
  );
  return `truncate ${rows.map(({ name }) => name).join(", ")} restart identity`;
}

/** The files of a database with all tables: to make them takes most of the time, so that one worker does it for all. */
async function findFiles(): Promise<string> {
  const place = join(FOLDER, `${describeMakers()}.tar`);
  const making = `${place}.making`;
  mkdirSync(FOLDER, { recursive: true });
  for (; !existsSync(place); await wait(100)) {
    if (isFree(making)) await makeFiles(place).finally(() => rmSync(making, { force: true }));
  }
  return place;
}

function isFree(making: string): boolean {
  try {
    if (Date.now() - statSync(making).mtimeMs > MAKING_MS) rmSync(making);
  } catch {
    // Nobody is at it, or has just come to the end.
  }
  try {
    writeFileSync(making, "", { flag: "wx" });
    return true;
  } catch {
    return false;
  }
}

async function makeFiles(place: string): Promise<void> {
  // One that is not ready yet never answers with its files.
  const pglite = await PGlite.create();
  const db = await openDialect(
    new PGliteDialect({ pglite: Object.assign(pglite, { close: async () => {} }) }),
  );
  await db.close();
  const made = await pglite.dumpDataDir("none");
  const part = `${place}.part`;
  writeFileSync(part, Buffer.from(await made.arrayBuffer()));
  renameSync(part, place);
  idle.push(pglite);
}

function describeMakers(): string {
  const hash = createHash("sha256");
  hash.update(readFileSync(new URL("@electric-sql/pglite/package.json", NODE_MODULES)));
  for (const folder of MAKERS)
    for (const name of readdirSync(folder).toSorted()) hash.update(readFileSync(join(folder, name)));
  return hash.digest("hex").slice(0, 16);
}
