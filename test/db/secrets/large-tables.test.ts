import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { deleteMember } from "../../../db/accounts/delete-member.ts";
import { sweepFiles } from "../../../db/secrets/secret-files.ts";
import { recountMany } from "../../../db/stored-bytes.ts";
import type { Database } from "../../../db/open.ts";
import { describeWith } from "../../machine/skips.ts";
import { makePostgres, makeSqlite, useDatabase } from "../support/harness.ts";

const NOW = 1_800_000_000;
const SECRETS = 30_000;
const OF_ONE = 2_000;

describeWith("PostgreSQL")("on PostgreSQL with many rows", () => {
  test("counts what an account stores without the contents of others", async () => {
    const { db, readRows } = await openLarge();
    const claim = { key: new Uint8Array(32), owner: "ann", bytes: 1, limit: 1e9, now: NOW };
    expect(await recountMany(db, claim)).toBe(true);
    expect(await readRows("secret_content")).toBeLessThan(3 * OF_ONE);
  });

  test("looks for the secrets and requests of a member who is deleted in an index", async () => {
    const all = 200_000;
    const { db, readRows } = await openLarge(all);
    await sql`insert into request (id, gate_hash, collect_hash, status, created_at, expires_at, owner)
      select id, '', '', 'open', created_at, expires_at, owner from secret`.execute(db.query);
    await sql`analyze request`.execute(db.query);
    const before = { secret: await readRows("secret"), request: await readRows("request") };
    expect(await deleteMember(db, { id: "ann", now: NOW, secrets: "revoke" })).toBe(true);
    expect((await readRows("secret")) - before.secret).toBeLessThan(all / 2);
    expect((await readRows("request")) - before.request).toBeLessThan(all / 2);
  });

  test("deletes each of many files without looking through the others", async () => {
    const { db, readRows } = await openLarge();
    await sql`insert into secret_file (secret_id, size, sweep_at)
      select id, 0, null from secret`.execute(db.query);
    await sql`analyze secret_file`.execute(db.query);
    await sql`update secret_file set sweep_at = 0 where secret_id in (select id from secret limit 500)`.execute(
      db.query,
    );
    expect(await sweepFiles(db, { now: NOW })).toBe(500);
    expect(await readRows("secret_file", "secret_file_sweep_at")).toBeLessThan(3 * 500);
  });
});

describe("on SQLite", () => {
  test("releases the many files of a member before the member is deleted", async () => {
    await useDatabase(makeSqlite, async (db) => {
      const run = (statement: string) => sql.raw(statement).execute(db.query);
      await run("insert into member (id, name, password, created_at) values ('ann', 'ann', '', 0)");
      await run(`with recursive each (n) as (select 1 union all select n + 1 from each where n < 1500)
        insert into secret (id, verifier, revoke_hash, status, created_at, expires_at, is_encrypted, attempts, owner)
        select 's' || n, '', '', 'active', n, ${NOW + 1000}, 1, 0, 'ann' from each`);
      await run("insert into secret_file (secret_id, owner, size) select id, owner, 0 from secret");
      await run(`create trigger last_files before delete on member begin
        insert into installation select 'last files', count(*) from secret_file where owner = old.id; end`);
      expect(await deleteMember(db, { id: "ann", now: NOW, secrets: "keep" })).toBe(true);
      const { rows } = await sql`select value from installation where name = 'last files'`.execute(db.query);
      expect(rows).toEqual([{ value: 0 }]);
    });
  });
});

/** Many secrets, some of one account, as PostgreSQL knows them after `ANALYZE`; and how many rows it has read. */
async function openLarge(secrets = SECRETS) {
  const place = await makePostgres();
  const db = await place.open();
  onTestFinished(async () => {
    await db.close();
    await place.drop();
  });
  await fill(db, secrets);
  return {
    db,
    readRows: async (table: string, index?: string) => {
      // Each connection tells its numbers when it asks for that.
      await Promise.all(
        Array.from({ length: 10 }, () =>
          sql`select pg_stat_force_next_flush(), pg_sleep(0.05)`.execute(db.query),
        ),
      );
      const { rows } = await sql<{ count: string }>`select coalesce(sum(idx_tup_read), 0) +
          (select seq_tup_read from pg_stat_user_tables where relid = ${table}::regclass and ${index ?? ""} = '') as count
        from pg_stat_user_indexes where relid = ${table}::regclass
        and indexrelname = coalesce(${index ?? null}, indexrelname)`.execute(db.query);
      return Number(rows[0]?.count);
    },
  };
}

async function fill({ query }: Database, secrets: number): Promise<void> {
  await sql`insert into member (id, name, password, created_at) values ('ann', 'ann', '', 0)`.execute(query);
  await sql`insert into secret (id, verifier, revoke_hash, status, created_at, expires_at, is_encrypted, attempts, owner)
    select md5(each::text), '', '', 'active', each, ${NOW + 1000}, 1, 0, case when each % ${secrets / OF_ONE} = 0 then 'ann' end
    from generate_series(1, ${secrets}) as each`.execute(query);
  await sql`insert into secret_content (secret_id, size, sealed) select id, 2000, '' from secret`.execute(
    query,
  );
  await sql`analyze secret`.execute(query);
  await sql`analyze secret_content`.execute(query);
}
