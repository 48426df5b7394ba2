// slow
import { expect, onTestFinished, test } from "vitest";

import { testWith } from "../../machine/skips.ts";
import { formatUnopened, openDatabase } from "../../../db/open.ts";
import { loadFixture } from "../fixtures/read.ts";
import { describeShared, makePostgres, POSTGRES_URL, type TestDatabase } from "../support/harness.ts";
import { execute, listTables } from "../support/raw.ts";

describeShared("a %s whose tables no release has made", (make, name) => {
  const kind = name === "SQLite" ? "sqlite" : "postgres";

  async function refuse(place: TestDatabase, statement: string, reason: string | RegExp) {
    await execute(place.url, statement);
    const before = await listTables(place.url);
    await expect(place.open()).rejects.toMatchObject({
      code: "database_altered",
      message: expect.stringMatching(reason),
    });
    expect(await listTables(place.url)).toEqual(before);
  }

  async function useUnchanged(work: (place: TestDatabase) => Promise<void>) {
    const place = await make();
    await (await place.open()).close();
    await work(place);
    await place.drop();
  }

  test.each([
    ["a column less", "alter table secret drop column label", "secret has no column label"],
    ["a column more", "alter table token add column scope text", "token has a column scope"],
    ["a table less", "drop table usage", "usage has no column tool"],
    [
      "a migration less",
      "delete from kysely_migration where name like '0002%'",
      "its list lacks the migration 0002-owner-index",
    ],
    [
      "a migration between",
      "insert into kysely_migration values ('0003-more', '')",
      "no release has the migration 0003-more",
    ],
  ])("is refused with what differs: %s", (_, statement, difference) =>
    useUnchanged((place) =>
      refuse(
        place,
        statement,
        `^its tables are not those of any release \\(${difference}\\); start the build that made them, or restore a backup$`,
      ),
    ),
  );

  test("is refused where a migration does not find what it changes, and stays as it was", async () => {
    const place = await make();
    await loadFixture("0.1.0", { kind, url: place.url });
    await refuse(
      place,
      "drop index secret_owner_active",
      /not those of any release \(.*secret_owner_active.*\)/,
    );
    await place.drop();
  });

  test("is brought up to date where a build before the second release had made columns too early", async () => {
    const place = await make();
    await loadFixture("0.1.0", { kind, url: place.url });
    await execute(place.url, "alter table secret add column label text");
    await (await place.open()).close();
    await place.drop();
  });

  test("is one of a build from before 0.1.0, or of another program", async () => {
    const place = await make();
    await execute(place.url, "create table kysely_migration (name text, timestamp text)");
    await execute(place.url, "insert into kysely_migration values ('0001_members', '')");
    const before = await listTables(place.url);
    await expect(place.open()).rejects.toMatchObject({
      code: "database_foreign",
      message: expect.stringMatching(
        /^its table kysely_migration is of another program, or of a build from before 0\.1\.0; name/,
      ),
    });
    expect(await listTables(place.url)).toEqual(before);
    await place.drop();
  });
});

testWith("PostgreSQL").each([
  ["table", "create table secret (note text)", "secret"],
  ["view", "create view usage as select 1 as one", "usage"],
])(
  "a schema of PostgreSQL with a %s that has one of our names is refused, and gets no tables",
  async (_, statement, name) => {
    const place = await makePostgres();
    await execute(place.url, statement);
    await expect(place.open()).rejects.toMatchObject({
      code: "database_foreign",
      message: `its table ${name} is of another program, or of a build from before 0.1.0; name an empty database or schema`,
    });
    expect(await listTables(place.url)).toEqual([name]);
    await place.drop();
  },
);

testWith("PostgreSQL")("a schema of PostgreSQL with other tables of another program is taken", async () => {
  const place = await makePostgres();
  await execute(place.url, "create table note (text text)");
  await (await place.open()).close();
  expect(await listTables(place.url)).toEqual(expect.arrayContaining(["note", "secret"]));
  await place.drop();
});

testWith("PostgreSQL")(
  "a search_path without a schema is refused, and leaves nothing elsewhere",
  async () => {
    const place = await makePostgres();
    const elsewhere = () => openDatabase(`${place.url}?options=-csearch_path%3Dnowhere`);
    const refused = {
      code: "database_url",
      message: expect.stringMatching(/^no schema of the search_path exists/),
    };
    await expect(elsewhere()).rejects.toMatchObject(refused);
    expect(await listTables(place.url)).toEqual([]);
    await (await place.open()).close();
    // Nobody should take a healthy database for an altered one, and restore a backup.
    await expect(elsewhere()).rejects.toMatchObject(refused);
    await place.drop();
  },
);

testWith("PostgreSQL").each([
  ["whose role may not create tables", "revoke create on schema public from public", /permission denied/],
  [
    "that is read-only",
    "alter database NAME set default_transaction_read_only = on",
    /read-only transaction/,
  ],
])("a new database of PostgreSQL %s is refused in PostgreSQL's words", async (_, statement, reason) => {
  const place = await makePostgres();
  const url = new URL(place.url);
  await execute(place.url, statement.replace("NAME", url.pathname.slice(1)));
  const role = `hushkit_${crypto.randomUUID().slice(0, 8)}`;
  await execute(POSTGRES_URL, `create role ${role} login`);
  onTestFinished(() => place.drop().then(() => execute(POSTGRES_URL, `drop role ${role}`)));
  url.username = role;
  const refused = openDatabase(url.href).then(() => "opened", formatUnopened);
  expect(await refused).toMatch(reason);
});

testWith("PostgreSQL").each([
  ["LATIN1", "its encoding is LATIN1, in which not every text can be stored"],
  ["SQL_ASCII", undefined],
])("a new database of PostgreSQL takes every text, or is refused: %s", async (encoding, reason) => {
  const name = `hushkit_${crypto.randomUUID().slice(0, 8)}`;
  await execute(POSTGRES_URL, `create database ${name} encoding '${encoding}' locale 'C' template template0`);
  onTestFinished(() => execute(POSTGRES_URL, `drop database ${name} with (force)`));
  const url = new URL(POSTGRES_URL);
  url.pathname = `/${name}`;
  if (reason === undefined) await openDatabase(url.href).then((db) => db.close());
  else await expect(openDatabase(url.href)).rejects.toThrow(reason);
  expect(await listTables(url.href)).toHaveLength(reason === undefined ? 19 : 0);
});
