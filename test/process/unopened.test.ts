// process
import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { loadFixture } from "../db/fixtures/read.ts";
import { makePostgres } from "../db/support/harness.ts";
import { execute, listTables } from "../db/support/raw.ts";
import { describeEach, testIf, testWith } from "../machine/skips.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import type { Runtime } from "../support/runtimes.ts";
import { runAdminOn, runProgram, type Administered } from "./support/admin.ts";
import { programOf } from "./support/server.ts";
import { MIGRATIONS } from "../../db/upgrade/migrations.ts";

/** A start that goes well does not end by itself. Less than the limit of a test, so that what it said is shown. */
const PATIENCE_MS = 120_000;
const BEGIN = "The database of DATABASE_URL cannot be opened: ";

async function makeToday(path: string): Promise<void> {
  await loadFixture("today", { kind: "sqlite", url: path });
}

/** What may be at the path of DATABASE_URL, and what is said of it. */
const UNOPENED: Record<
  string,
  { make: (path: string) => void | Promise<void>; told: string; byAdmin?: string }
> = {
  "of a newer version": {
    make: async (path) => {
      await makeToday(path);
      await execute(path, "insert into kysely_migration values ('9999-next', '')");
    },
    told:
      "it is of a newer version of this program (it has the migration 9999-next); start that version, or restore " +
      "the backup that was made before the upgrade.",
  },
  "of a build between releases": {
    make: async (path) => {
      await makeToday(path);
      await execute(path, "alter table secret drop column label");
    },
    told:
      "its tables are not those of any release (secret has no column label); start the build that made them, or " +
      "restore a backup.",
  },
  "of another program": {
    make: (path) => execute(path, "create table notes (note text); insert into notes values ('theirs')"),
    told: "its table notes is of another program, or of a build from before 0.1.0; name a file that does not exist yet.",
  },
  "a text": {
    make: (path) => writeFileSync(path, "These are notes and no tables.\n".repeat(300)),
    told: "the file is not one of SQLite, or its head is damaged; name another file, or restore a backup.",
    byAdmin: "The database of DATABASE_URL is damaged, or not one of Hushkit.",
  },
  "cut off": {
    make: async (path) => {
      await makeToday(path);
      truncateSync(path, statSync(path).size / 2);
    },
    told: "the file is cut off or damaged; restore a backup.",
    byAdmin: "The database of DATABASE_URL is damaged, or not one of Hushkit.",
  },
  "a folder": { make: (path) => void mkdirSync(path), told: "it is a folder; name a file in it." },
};

/** Names and contents of a folder, byte for byte. */
function readFolder(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return Object.fromEntries(names.sort().map((name) => [name, digest(join(folder, name))]));
}

function digest(path: string): string {
  if (statSync(path).isDirectory()) return "a folder";
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

const start = (runtime: Runtime, url: string) =>
  runProgram(programOf(runtime, "main"), { env: { DATABASE_URL: url, PORT: "0" }, killAfter: PATIENCE_MS });
const administer = (runtime: Runtime, url: string, ...args: string[]) =>
  runAdminOn(runtime, args, { env: { DATABASE_URL: url } });

/** What PostgreSQL says to who wants a database that it has not. */
async function refusalOf(url: string): Promise<Error> {
  const client = new pg.Client({ connectionString: url });
  return client.connect().then(
    () => client.end().then(() => new Error("The database is there")),
    (error: Error) => error,
  );
}

/** Ended with one sentence and nothing else. */
function expectSentence({ code, out, err }: Administered, sentence: string): void {
  expect({ code, out, err }).toEqual({ code: 1, out: "", err: `${sentence}\n` });
}

describeEach("where a database cannot be opened, $name", (runtime) => {
  test.each(Object.entries(UNOPENED))(
    "starts no server on what is %s, and changes nothing",
    async (_, { make, told }) => {
      const folder = makeTempFolder();
      const path = join(folder, "service.db");
      await make(path);
      const before = readFolder(folder);
      expectSentence(await start(runtime, path), BEGIN + told);
      expect(readFolder(folder)).toEqual(before);
    },
  );

  testIf(process.getuid?.() !== 0, "root may read everything")(
    "says so of a file that it may not read",
    async () => {
      const path = join(makeTempFolder(), "service.db");
      await makeToday(path);
      chmodSync(path, 0);
      const sentence = `${BEGIN}the file or its folder cannot be read and written.`;
      expectSentence(await start(runtime, path), sentence);
      expectSentence(await administer(runtime, path, "check"), sentence);
    },
  );

  test("says so of a folder that cannot be made", async () => {
    const folder = makeTempFolder();
    writeFileSync(join(folder, "file"), "");
    const path = join(folder, "file", "service.db");
    expectSentence(await start(runtime, path), `${BEGIN}its folder is not there and cannot be made.`);
  });

  testIf(process.platform === "linux", "only Linux has /proc")(
    "says so of a folder below /proc, where nobody can make one",
    async () => {
      const sentence = `${BEGIN}its folder is not there and cannot be made.`;
      expectSentence(await start(runtime, "/proc/nowhere/service.db"), sentence);
    },
  );

  test("says so of a path that is too long or leads in a circle, and shows little of it", async () => {
    const circle = join(makeTempFolder(), "circle.db");
    symlinkSync(circle, circle);
    const long = join(makeTempFolder(), "x".repeat(300));
    const shown = `${long.slice(0, 200)}…`;
    expectSentence(await start(runtime, circle), `${BEGIN}links in its path lead in a circle.`);
    expectSentence(
      await administer(runtime, circle, "check"),
      `${circle}: Links in the path lead in a circle.`,
    );
    expectSentence(await start(runtime, long), `${BEGIN}its path, or a name in it, is too long.`);
    const sentence = `${shown}: The path, or a name in it, is too long.`;
    expectSentence(await administer(runtime, long, "check"), sentence);
  });

  testWith("PostgreSQL", "pg_dump")(
    "says so of a schema of PostgreSQL with a table of another program, and shows no password",
    async () => {
      const place = await makePostgres();
      await execute(place.url, "create table secret (note text); insert into secret values ('theirs')");
      const url = new URL(place.url);
      url.password = "geheim";
      const told =
        "its table secret is of another program, or of a build from before 0.1.0; name an empty database or schema.";
      expectSentence(await start(runtime, url.href), BEGIN + told);
      const backup = join(makeTempFolder(), "backup.dump");
      expectSentence(await administer(runtime, url.href, "backup", backup), BEGIN + told);
      expectSentence(await administer(runtime, url.href, "check"), BEGIN + told);
      expect(await listTables(place.url)).toEqual(["secret"]);
      await place.drop();
    },
  );

  testWith("PostgreSQL")("says so of a database of PostgreSQL that is not there", async () => {
    const place = await makePostgres();
    await place.drop();
    // In the language of that PostgreSQL.
    const { message } = await refusalOf(place.url);
    expect(message).toContain(new URL(place.url).pathname.slice(1));
    expectSentence(await start(runtime, place.url), `${BEGIN}${message}.`);
  });
});

// What a driver says of a file is met above on each runtime; the commands do the same with it on all of them.
describeEach("where a database cannot be opened, the administration on $name", administerUnopened, {
  names: ["node"],
});

function administerUnopened(runtime: Runtime): void {
  test.each(Object.entries(UNOPENED))(
    "backs up and checks nothing that is %s, and changes nothing",
    async (name, { make, told, byAdmin = BEGIN + told }) => {
      const folder = makeTempFolder();
      const path = join(folder, "service.db");
      await make(path);
      const before = readFolder(folder);
      expectSentence(await administer(runtime, path, "backup", join(folder, "backup.db")), byAdmin);
      const checked = await administer(runtime, path, "check");
      if (name === "of a build between releases")
        expect(checked).toMatchObject({
          code: 1,
          err: "",
          shown: { schema: `${Object.keys(MIGRATIONS).length}, and secret has no column label` },
        });
      else expectSentence(checked, byAdmin);
      expect(readFolder(folder)).toEqual(before);
    },
  );

  test.each(["of another program", "a folder"])("restores nothing over what is %s", async (name) => {
    const { make, told } = UNOPENED[name]!;
    const folder = makeTempFolder();
    const [path, backup] = [join(folder, "service.db"), join(folder, "backup.db")];
    await make(path);
    await makeToday(backup);
    const before = readFolder(folder);
    expectSentence(await administer(runtime, path, "restore", backup), BEGIN + told);
    expect(readFolder(folder)).toEqual(before);
  });
}
