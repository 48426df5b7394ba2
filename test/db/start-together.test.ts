// process
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../adapters/config/config.ts";
import { openService } from "../../server/open.ts";
import { Random } from "../fuzz/random.ts";
import { testWith } from "../machine/skips.ts";
import { sampled } from "../support/sampled.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { describeShared, makePostgres } from "./support/harness.ts";
import { execute } from "./support/raw.ts";

const INSTANCES = 6;
/** All that makes something at the start, or nothing. */
const KINDS = ["every setting", "no setting"] as const;
type Kind = (typeof KINDS)[number];
const ROUNDS = KINDS.flatMap((kind) => Array.from({ length: 20 }, (_, i) => [kind, i + 1] as const));
/** So far apart they begin, so that they meet at different places. */
const APART_MS = 20;

/** What a start that was killed before its first commit leaves: the Migrator makes its own tables first. */
const HALF_MADE = `
  create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null);
  create table kysely_migration_lock (id varchar(255) not null primary key, is_locked integer default 0 not null)`;
describeShared("six instances on one %s", (make, name) => {
  // The file with the key is beside a file; of a PostgreSQL it would be in the folder of the tests.
  const key = name === "SQLite" ? {} : { INSTANCE_KEY: Buffer.alloc(32, 7).toString("base64") };

  function start(url: string, folder: string, kind: Kind) {
    const making = {
      ...{ AUDIT_LOG: join(folder, "audit.log"), NOTIFY_HOSTS: "ntfy.sh" },
      ...{ WEBHOOK_URL: "http://127.0.0.1:9/", WEBHOOK_SECRET: `whsec_${"A".repeat(32)}` },
    };
    const settings = { ...key, DATABASE_URL: url, WORKERS: "1", ...(kind === "every setting" && making) };
    return openService(readConfig(settings), { buildPages: false, write: () => {} });
  }

  /** Starts all at once; why those did not start that did not. */
  async function startAll(url: string, round: number, kind: Kind = "every setting"): Promise<string[]> {
    const [folder, random] = [makeTempFolder(onTestFinished), new Random(round)];
    const delays = Array.from({ length: INSTANCES }, () => random.below(APART_MS));
    const started = await Promise.allSettled(
      delays.map(async (delay) => {
        await setTimeout(delay);
        return start(url, folder, kind);
      }),
    );
    for (const each of started) if (each.status === "fulfilled") await each.value.close();
    return started.flatMap((each) => (each.status === "rejected" ? [String(each.reason)] : []));
  }

  test.each(sampled(ROUNDS, 2))("start on an empty database with %s, round %i", async (kind, round) => {
    const place = await make();
    onTestFinished(() => place.drop());
    expect(await startAll(place.url, round, kind)).toEqual([]);
  });

  test("finish what a start has half made that was killed", async () => {
    const place = await make();
    onTestFinished(() => place.drop());
    await execute(place.url, HALF_MADE);
    expect(await startAll(place.url, 1)).toEqual([]);
  });
});

testWith("PostgreSQL")("a start that waits for the database says so", async () => {
  const place = await makePostgres();
  await (await place.open()).close();
  const holder = new pg.Client({ connectionString: place.url });
  await holder.connect();
  await holder.query("begin; lock table kysely_migration_lock in access exclusive mode");
  const lines: string[] = [];
  const settings = {
    DATABASE_URL: place.url,
    INSTANCE_KEY: Buffer.alloc(32, 7).toString("base64"),
    WORKERS: "1",
  };
  const write = (line: string) => void lines.push(line);
  const starting = openService(readConfig(settings), { buildPages: false, write });
  await expect.poll(() => lines, { timeout: 20_000 }).toEqual([expect.stringContaining("database_waiting")]);
  await holder.end();
  await (await starting).close();
  await place.drop();
});

testWith("PostgreSQL")("a start does not mind that others drop their schemas meanwhile", async () => {
  const place = await makePostgres();
  onTestFinished(() => place.drop());
  let hasEnded = false;
  const dropAgain = async (schema: string) => {
    const client = new pg.Client({ connectionString: place.url });
    await client.connect();
    const tables = Array.from({ length: 20 }, (_, i) => `create table ${schema}.t${i} (n integer);`).join("");
    while (!hasEnded) {
      await client.query(`create schema ${schema}; ${tables}`);
      await client.query(`drop schema ${schema} cascade`);
    }
    await client.end();
  };
  const others = ["one", "two", "three"].map(dropAgain);
  onTestFinished(async () => {
    hasEnded = true;
    await Promise.all(others);
  });
  for (let starts = 0; starts < 10; starts++) await (await place.open()).close();
});
