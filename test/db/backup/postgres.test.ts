// process
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { runProgram } from "../../../adapters/operations/admin/admin.ts";
import { insertMember } from "../../../db/accounts/members.ts";
import type { RunProgram } from "../../../db/backup/postgres-programs.ts";
import { openBackups } from "../../../db/backup/open.ts";
import { formatUnopened, openDatabase, type Database } from "../../../db/open.ts";
import { recordEvents } from "../../../db/outbox/triggers.ts";
import { claimSecret, findSecret, insertSecret } from "../../../db/secrets/secrets.ts";
import { describeWith, placeOf } from "../../machine/skips.ts";
import { runAdminOn } from "../../process/support/admin.ts";
import { nodePath, runtimeAt } from "../../support/runtimes.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { bytes, newMember, newSecret } from "../support/fixtures.ts";
import { makePostgres, runOnServer, type TestDatabase } from "../support/harness.ts";
import { execute, listTables } from "../support/raw.ts";

const AT = { now: 1_600 };
const KEEP = { ...AT, secrets: "keep" } as const;
const RIGHT = { verifier: bytes(1), passVerifier: null, now: 1_650 };

/** A PostgreSQL with a member and a secret, its backup, and one more secret that the backup has not. */
async function usePlace(
  work: (place: TestDatabase & Awaited<ReturnType<typeof fill>>) => Promise<void>,
): Promise<void> {
  const place = await makePostgres();
  const db = await place.open();
  const folder = makeTempFolder();
  const filled = await fill(place.url, { db, folder }).finally(() => db.close());
  await work({ ...place, ...filled });
  await place.drop();
}

async function fill(url: string, { db, folder }: { db: Database; folder: string }) {
  const file = join(folder, "backup.dump");
  const backups = openBackups(url, runProgram);
  const [old, later] = [newSecret(), newSecret()];
  await insertMember(db, newMember());
  await insertSecret(db, old);
  expect(await backups.backUp(file, AT)).toEqual({ accounts: 1, unread: 1 });
  await insertSecret(db, later);
  return { folder, file, backups, old, later };
}

async function using<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(url);
  return work(db).finally(() => db.close());
}

const statuses = (url: string, ids: readonly string[]) =>
  using(url, (db) => Promise.all(ids.map(async (id) => (await findSecret(db, id, 1_650))?.status)));

describeWith(
  "PostgreSQL",
  "pg_dump",
  "pg_restore",
)("with PostgreSQL", () => {
  test("a backup of a database that writes events down is restored into an empty one, which writes none", () =>
    usePlace(async ({ url, folder, backups, old }) => {
      const file = join(folder, "with-events.dump");
      await using(url, (db) => recordEvents(db, ["webhook"]));
      await backups.backUp(file, AT);
      const empty = await makePostgres();
      onTestFinished(() => empty.drop());
      for (const to of [empty.url, url]) {
        const into = openBackups(to, runProgram);
        expect(await into.restore(file, { ...AT, secrets: "revoke" })).toMatchObject({ accounts: 1 });
        await using(to, async (db) => {
          expect(await db.query.selectFrom("outbox").selectAll().execute()).toEqual([]);
          await recordEvents(db, ["webhook"]);
          await insertSecret(db, newSecret());
          expect(await db.query.selectFrom("outbox").select("event").execute()).toEqual([
            { event: "secret.created" },
          ]);
        });
        expect(await statuses(to, [old.id])).toEqual(["revoked"]);
      }
    }));

  test("restoring brings back what the backup holds", () =>
    usePlace(async ({ url, file, backups, old, later }) => {
      if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(await backups.restore(file, KEEP)).toEqual({ accounts: 1, unread: 1 });
      expect(await statuses(url, [old.id, later.id])).toEqual(["active", undefined]);
      expect(await using(url, (db) => claimSecret(db, { id: old.id, ...RIGHT }))).toBeDefined();
      const wrong = (await backups.check({ now: 1_700 })).filter(({ isWrong }) => isWrong);
      // The clock of the test is half a century behind. What cleans up is the server's, which may be one for tests.
      expect(wrong.map(({ what }) => what).filter((what) => what !== "vacuum")).toEqual([
        "clock of PostgreSQL",
      ]);
      expect(await backups.restore(file, { ...AT, secrets: "revoke" })).toEqual({ accounts: 1, unread: 0 });
      expect(await statuses(url, [old.id, later.id])).toEqual(["revoked", undefined]);
    }));

  test("checking says where nothing cleans up behind what was deleted, and what to do", () =>
    usePlace(async ({ url, backups }) => {
      const vacuum = async () => {
        const { found, isWrong } = (await backups.check({ now: 1_700 })).find(
          ({ what }) => what === "vacuum",
        )!;
        return { faults: found.split("; ").filter((fault) => fault.includes("secret_content")), isWrong };
      };
      // The whole server may be one for tests, which cleans up nowhere.
      expect((await vacuum()).faults).toEqual([]);
      await using(url, async ({ query }) => {
        const off = sql`alter table secret_content set (autovacuum_enabled = off, toast.autovacuum_enabled = off)`;
        await off.execute(query);
        // A megabyte each time, of which the last one alone is there.
        for (let i = 0; i < 20; i++)
          await sql`update secret_content set sealed = decode(repeat('ab', 1048576), 'hex')`.execute(query);
        await sql`update secret_content set sealed = 'ab'`.execute(query);
      });
      expect(await vacuum()).toEqual({
        isWrong: true,
        faults: [
          "autovacuum is off for secret_content: alter table secret_content reset (autovacuum_enabled)",
          expect.stringMatching(
            /^secret_content takes \d+ MiB for 1 MiB of contents: vacuum full secret_content$/,
          ),
        ],
      });
    }));

  test("an empty database and another schema can be restored into, and foreign tables stay", () =>
    usePlace(async ({ file, old }) => {
      const place = await makePostgres();
      await using(place.url, async ({ query }) => {
        await sql`create schema own`.execute(query);
        await sql`create table public.note (text text)`.execute(query);
      });
      expect(await openBackups(place.url, runProgram).restore(file, KEEP)).toMatchObject({
        unread: 1,
      });
      expect(await statuses(place.url, [old.id])).toEqual(["active"]);
      const inSchema = `${place.url}?options=-csearch_path%3Down`;
      const own = openBackups(inSchema, runProgram);
      await expect(own.restore(file, KEEP)).rejects.toThrow(/another schema/);
      const secret = newSecret();
      await using(inSchema, (db) => insertSecret(db, secret));
      await own.backUp(`${file}.own`, AT);
      expect(await own.restore(`${file}.own`, KEEP)).toMatchObject({ accounts: 0, unread: 1 });
      expect(await statuses(inSchema, [secret.id, old.id])).toEqual(["active", undefined]);
      await using(place.url, (db) => sql`select * from public.note`.execute(db.query));
      await place.drop();
    }));

  test("a file that is none of our backups, whole and not newer, is refused and nothing changes", () =>
    usePlace(async ({ url, file, folder, backups, old, later }) => {
      const place = (name: string) => join(folder, name);
      writeFileSync(place("text"), "no dump ".repeat(1_000));
      writeFileSync(place("cut"), readFileSync(file));
      truncateSync(place("cut"), statSync(file).size - 2_000);
      await using(url, async ({ query }) => {
        await sql`create schema other create table kysely_migration (name text, timestamp text)`.execute(
          query,
        );
      });
      const dump = (name: string, ...args: string[]) =>
        execFileSync(placeOf("pg_dump"), ["-Fc", ...args, "-f", place(name), url]);
      dump("foreign", "--schema=other");
      await using(url, async ({ query }) => {
        await sql`drop schema other cascade`.execute(query);
        await sql`insert into kysely_migration values ('0999-later', '')`.execute(query);
        dump("newer");
        await sql`delete from kysely_migration where name = '0999-later'`.execute(query);
      });
      await expect(backups.restore(place("missing"), KEEP)).rejects.toThrow(/no such file/);
      for (const name of ["text", "cut", "foreign"])
        await expect(backups.restore(place(name), KEEP), name).rejects.toThrow(
          /not a whole backup of Hushkit on PostgreSQL/,
        );
      await expect(backups.restore(place("newer"), KEEP)).rejects.toThrow(/newer version .*0999-later/);
      await expect(backups.backUp(file, AT)).rejects.toThrow(/exists already/);
      expect(await statuses(url, [old.id, later.id])).toEqual(["active", "active"]);
    }));

  test("a database that a server has open is not replaced, however long nobody calls", () =>
    usePlace(async ({ url, file, backups, later }) => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      onTestFinished(() => void vi.useRealTimers());
      await using(url, async (db) => {
        await Promise.all([db.ping(), db.ping()]);
        // An idle connection is given up after ten seconds, but for the last one.
        await vi.advanceTimersByTimeAsync(11_000);
        vi.useRealTimers();
        await expect(backups.restore(file, KEEP)).rejects.toThrow(/in use/);
      });
      expect(await statuses(url, [later.id])).toEqual(["active"]);
    }));

  test("a table that another session keeps locked is told, and not waited for without an end", () =>
    usePlace(async ({ url, backups, file, folder }) => {
      const other = new pg.Client({ connectionString: url });
      await other.connect();
      await other.query("begin; lock table secret in access exclusive mode");
      const told = [backups.check(AT), backups.backUp(join(folder, "other.dump"), AT)];
      for (const sentence of await Promise.all(told.map((each) => each.then(String, formatUnopened))))
        expect(sentence).toMatch(/another session keeps one of its tables locked/);
      await other.end();
      expect(readdirSync(folder)).toEqual(["backup.dump"]);
      expect(await backups.restore(file, KEEP)).toEqual({ accounts: 1, unread: 1 });
    }));

  test("nothing is served between the tables and the forgetting, and restoring again goes on", () =>
    usePlace(async ({ url, file, backups, old }) => {
      // The process is gone right after pg_restore has ended.
      const dying: RunProgram = async (program, args, options) => {
        const output = await runProgram(program, args, options);
        if (options.list !== undefined) throw new Error("killed");
        return output;
      };
      await expect(openBackups(url, dying).restore(file, KEEP)).rejects.toThrow("killed");
      await expect(openDatabase(url)).rejects.toMatchObject({ code: "database_unfinished" });
      expect(await backups.restore(file, KEEP)).toMatchObject({ unread: 1 });
      expect(await statuses(url, [old.id])).toEqual(["active"]);
    }));

  test("tables of another program with our names are not replaced", () =>
    usePlace(async ({ file }) => {
      const place = await makePostgres();
      await execute(place.url, "create table secret (note text); insert into secret values ('theirs')");
      const { restore } = openBackups(place.url, runProgram);
      await expect(restore(file, KEEP)).rejects.toMatchObject({ code: "database_foreign" });
      expect(await listTables(place.url)).toEqual(["secret"]);
      await place.drop();
    }));

  test("a failed restore leaves everything as it was", () =>
    usePlace(async ({ url, file, backups, old, later }) => {
      await using(url, ({ query }) => sql`create table note (secret text references secret)`.execute(query));
      await expect(backups.restore(file, KEEP)).rejects.toThrow(
        "pg_restore failed; the database is as it was.",
      );
      expect(await statuses(url, [old.id, later.id])).toEqual(["active", "active"]);
    }));

  test("a password is in no argument and no output, and missing programs are told", () =>
    usePlace(async ({ url, folder }) => {
      const secret = new URL(url);
      const name = `hushkit_${crypto.randomUUID().replaceAll("-", "")}`;
      await runOnServer(`create role ${name} superuser login password 'hunter2hunter2'`);
      try {
        [secret.username, secret.password] = [name, "hunter2hunter2"];
        const args: string[] = [];
        const run: RunProgram = (program, given, options) => {
          args.push(...given);
          if (program === "pg_dump") expect(options.env).toMatchObject({ PGPASSWORD: "hunter2hunter2" });
          return runProgram(program, given, options);
        };
        await openBackups(secret.href, run).backUp(join(folder, "role.dump"), AT);
        expect(args.join(" ")).not.toContain("hunter2");
      } finally {
        await runOnServer(`drop role ${name}`);
      }
      const runtime = runtimeAt("node", nodePath());
      const env = { DATABASE_URL: url, PATH: folder };
      const file = join(folder, "none.dump");
      const told = await runAdminOn(runtime, ["backup", file], { env });
      expect(told).toMatchObject({
        code: 1,
        out: "",
        err: expect.stringMatching(/^pg_dump cannot be started/),
      });
      expect(existsSync(file)).toBe(false);
      expect(readdirSync(folder).filter((each) => each.includes(".part"))).toEqual([]);
    }));
});
