// process
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql, type Kysely } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openBackups } from "../../../db/backup/open.ts";
import type { Tables } from "../../../db/schema.ts";
import { formatUnopened, openDatabase } from "../../../db/open.ts";
import { findSecret, insertSecret } from "../../../db/secrets/secrets.ts";
import { describeWith } from "../../machine/skips.ts";
import { makeOwnPostgres, type OwnPostgres } from "../../process/support/postgres.ts";
import { freePort } from "../../support/free-port.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { newSecret } from "../support/fixtures.ts";

const LIMITS = ["statement_timeout", "idle_in_transaction_session_timeout"];

describeWith("initdb", "pgbouncer")("behind a PgBouncer", () => {
  let postgres: OwnPostgres;
  let pooled: (database: string) => string;
  const ends: (() => void)[] = [];

  beforeAll(async () => {
    postgres = await makeOwnPostgres();
    ends.push(postgres.drop);
    await postgres.run("create database empty");
    const ignored = ["extra_float_digits", ...LIMITS];
    pooled = await startPgBouncer(`ignore_startup_parameters = ${ignored.join(",")}`);
  });
  afterAll(() => ends.toReversed().forEach((end) => end()));

  /** By the name of a database there, or "statement" for that mode. */
  async function startPgBouncer(settings: string): Promise<(database: string) => string> {
    const [port, own] = [await freePort(), new URL(postgres.url)];
    const folder = mkdtempSync(join(tmpdir(), "hushkit-"));
    ends.push(() => rmSync(folder, { recursive: true }));
    const [config, pidFile] = [join(folder, "config.ini"), join(folder, "pid")];
    const server = `host=127.0.0.1 port=${own.port} user=postgres`;
    const databases = `[databases]\nstatement = ${server} dbname=postgres pool_mode=statement\n* = ${server}`;
    const listening = `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any`;
    const rest = `pool_mode = transaction\npidfile = ${pidFile}\n${settings}`;
    writeFileSync(config, `${databases}\n[pgbouncer]\n${listening}\n${rest}\n`);
    // It runs as another user than root.
    chmodSync(folder, 0o777);
    postgres.program("pgbouncer", "-q", "-d", config);
    await vi.waitFor(() => expect(readFileSync(pidFile, "utf8")).toMatch(/\d/));
    ends.push(() => process.kill(Number(readFileSync(pidFile, "utf8")), "SIGKILL"));
    return (database) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  }

  async function limitRole(value: string): Promise<void> {
    await postgres.run(...LIMITS.map((name) => `alter role postgres set ${name} = '${value}'`));
    // Those that PgBouncer keeps have the limits of before.
    await postgres.run(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    // It notices that they have ended while it answers something else, and could hand one out until then.
    for (let answer = 0; answer < 2; answer++)
      await vi.waitFor(
        async () => {
          const client = new pg.Client({ connectionString: pooled("postgres") });
          client.on("error", () => undefined);
          await client.connect();
          await client.query("select 1").finally(() => client.end());
        },
        { timeout: 10_000 },
      );
  }

  test("a start where nothing limits statements is refused with what to set", async () => {
    await limitRole("0");
    const refused = await openDatabase(pooled("postgres")).catch(formatUnopened);
    expect(refused).toMatch(/alter role NAME set statement_timeout = '9s'/);
    expect(refused).toMatch(/alter role NAME set idle_in_transaction_session_timeout = '9s'/);
    await limitRole("9s");
    await (await openDatabase(pooled("postgres"))).close();
  });

  test("a start in statement mode, or with parameters that it refuses, is told what to set in PgBouncer", async () => {
    await limitRole("9s");
    const opened = await openDatabase(pooled("statement")).catch(formatUnopened);
    expect(opened).toMatch(/statement pooling mode; set in PgBouncer: pool_mode = transaction\.$/);
    const strict = await startPgBouncer("");
    const refused = await openDatabase(strict("postgres")).catch(formatUnopened);
    expect(refused).toMatch(
      /: statement_timeout; set in PgBouncer: ignore_startup_parameters = .*timeout\.$/,
    );
  });

  test("all may start at once on an empty database", async () => {
    await limitRole("9s");
    for (let round = 0; round < 3; round++) {
      const opened = await Promise.all(Array.from({ length: 12 }, () => openDatabase(pooled("empty"))));
      await Promise.all(opened.map((db) => db.close()));
    }
    expect(await postgres.ask("select objid::text from pg_locks where locktype = 'advisory'")).toEqual([]);
  });

  test("what needs PostgreSQL itself is refused, beside a server, and changes nothing", async () => {
    await limitRole("9s");
    const db = await openDatabase(pooled("postgres"));
    const secret = newSecret();
    await insertSecret(db, secret);
    const run = () => expect.unreachable("No program of PostgreSQL is needed.");
    const backups = openBackups(pooled("postgres"), run);
    const refused = { name: "BackupRefused", message: expect.stringMatching(/name PostgreSQL itself/) };
    await expect(backups.backUp(join(makeTempFolder(), "backup"), { now: 1 })).rejects.toMatchObject(refused);
    for (const use of [backups.readAlone, backups.changeAlone])
      await expect(use(async () => expect.unreachable())).rejects.toMatchObject(refused);
    expect(await findSecret(db, secret.id, 1_650)).toMatchObject({ status: "active" });
    await db.close();
  });

  test("administration is not cut by the limits of the role, where it has PostgreSQL itself", async () => {
    await limitRole("200ms");
    const { write } = openBackups(postgres.url, () => expect.unreachable());
    const pause = (trx: Kysely<Tables>) => sql`select pg_sleep(0.4)`.execute(trx);
    await expect(write(pause)).resolves.toMatchObject({ rows: [{}] });
  });
});
