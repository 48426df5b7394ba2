// process
import SqliteFile from "better-sqlite3";
import { Kysely, PostgresDialect, sql, SqliteDialect } from "kysely";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { MIGRATIONS } from "../../../db/upgrade/migrations.ts";
import type { Database } from "../../../db/open.ts";
import type { Tables } from "../../../db/schema.ts";
import { call } from "../../support/members.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { FIXTURES, loadFixture, type Kept } from "../fixtures/read.ts";
import { describeShared, makeSqlite, type TestDatabase } from "../support/harness.ts";

type Kind = Database["kind"];

async function makeLoaded(make: () => Promise<TestDatabase>, { name, kind }: { name: string; kind: Kind }) {
  const place = await make();
  const kept = await loadFixture(name, { kind, url: place.url });
  return { place, kept };
}

/** Looks at a database without opening it as the server does. */
async function using<T>(
  { kind, url }: { kind: Kind; url: string },
  work: (query: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  const dialect =
    kind === "sqlite"
      ? new SqliteDialect({ database: new SqliteFile(url) })
      : new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) });
  const query = new Kysely<Tables>({ dialect });
  return work(query).finally(() => query.destroy());
}

async function listMigrations(query: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
    query,
  );
  return rows.map(({ name }) => name);
}

/** The service on a fixture, some seconds after it was made. */
async function serve({ url }: TestDatabase, { at }: Kept): Promise<Harness> {
  const service = await startHarness({ databaseUrl: url });
  service.clock.now = at + 60;
  return service;
}

/** Columns, keys and indexes, in an order that does not depend on when they were added. */
async function readSchema({ kind, query }: Pick<Database, "kind" | "query">): Promise<string[]> {
  const rows = await (kind === "sqlite" ? SQLITE_SCHEMA : POSTGRES_SCHEMA).execute(query);
  return rows.rows.map((row) => JSON.stringify(row)).sort();
}

const SQLITE_SCHEMA = sql`
  select t.name as place, c.name, c.type as what, c."notnull" as more, c.dflt_value as preset
    from sqlite_master t join pragma_table_info(t.name) c where t.type = 'table'
  union all select t.name, k."from", k."table", k."to", k.on_delete
    from sqlite_master t join pragma_foreign_key_list(t.name) k where t.type = 'table'
  union all select tbl_name, name, sql, null, null from sqlite_master where type = 'index'`;

const POSTGRES_SCHEMA = sql`
  select table_name as place, column_name as name, data_type as what, is_nullable as more, column_default as preset
    from information_schema.columns where table_schema = current_schema()
  union all select conrelid::regclass::text, conname, pg_get_constraintdef(oid), null, null
    from pg_constraint where connamespace = current_schema()::regnamespace and contype <> 'n'
  union all select tablename, indexname, indexdef, null, null from pg_indexes where schemaname = current_schema()
  union all select relname, 'options', reloptions::text, null, null
    from pg_class where relnamespace = current_schema()::regnamespace and reloptions is not null`;

describeShared("a database that was left on %s", (make, kindName) => {
  const kind = kindName === "SQLite" ? "sqlite" : "postgres";

  describe.each(FIXTURES)("by %s", (name) => {
    test("is served: its secrets open once, and its member's token works", async () => {
      const { place, kept } = await makeLoaded(make, { name, kind });
      const service = await serve(place, kept);
      onTestFinished(service.close);
      const { secret, file, request, member, token, answer } = kept;
      const headers = { authorization: `Bearer ${token}` };
      const login = { name: member, password: kept.password };
      expect(await call(service, "/api/account/login", { json: login })).toMatchObject({ status: 200 });
      const listed = await call(service, "/api/users/me/secrets", { headers });
      expect(JSON.stringify(listed.body)).toContain(secret.id);

      const reveal = () => call(service, `/api/secrets/${secret.id}/reveal`, { json: { key: secret.key } });
      expect(await reveal()).toMatchObject({ status: 200, body: { content: "hush" } });
      expect(await reveal()).toMatchObject({ status: 410 });
      const take = () => takeFile(service, file);
      expect(await (await take()).text()).toBe("a file");
      expect((await take()).status).toBe(410);
      const collect = () =>
        call(service, `/api/requests/${request.id}/collect`, {
          json: { collectToken: request.collectToken },
        });
      expect(await collect()).toMatchObject({ status: 200, body: { content: answer } });
      expect(await collect()).toMatchObject({ status: 410 });

      const label = `l1.${"x".repeat(120)}`;
      const made = await call(service, "/api/secrets", { headers, json: { content: "new", label } });
      expect(made.status).toBe(201);
    });

    test("has the same tables then as one that was made today", async () => {
      const { place } = await makeLoaded(make, { name, kind });
      const [old, fresh] = [await place.open(), await (await make()).open()];
      onTestFinished(async () => void (await Promise.all([old.close(), fresh.close()])));
      expect(await readSchema(old)).toEqual(await readSchema(fresh));
    });

    test("has the tables that the migrations in its list make", async () => {
      const { place } = await makeLoaded(make, { name, kind });
      const left = await using({ kind, url: place.url }, async (query) => ({
        names: await listMigrations(query),
        schema: await readSchema({ kind, query }),
      }));
      const { url } = await make();
      const made = await using({ kind, url }, async (query) => {
        for (const migration of left.names) await MIGRATIONS[migration]?.(query as Kysely<unknown>, kind);
        return readSchema({ kind, query });
      });
      const why = `The migrations ${left.names.join(", ")} no longer make what ${name} has; add another one instead.`;
      expect(made, why).toEqual(left.schema.filter((row) => !row.includes("kysely_migration")));
    });
  });
});

test("the newest fixture has every migration", async () => {
  const { place } = await makeLoaded(makeSqlite, { name: FIXTURES.at(-1) ?? "", kind: "sqlite" });
  const names = await using({ kind: "sqlite", url: place.url }, listMigrations);
  expect(names, "Write the fixture of today anew: see test/db/fixtures/write.ts.").toEqual(
    Object.keys(MIGRATIONS),
  );
});

async function takeFile(service: Harness, { id, key }: Kept["file"]): Promise<Response> {
  const body = JSON.stringify({ key });
  const headers = { "content-type": "application/json" };
  return service.request(`/api/secrets/${id}/file`, { method: "POST", body, headers });
}
