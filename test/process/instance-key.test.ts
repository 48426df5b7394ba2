// process
import { chmodSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import SqliteFile from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import { Migrator } from "kysely/migration";
import { expect, test } from "vitest";
import { MIGRATIONS } from "../../db/upgrade/migrations.ts";
import { makePostgres } from "../db/support/harness.ts";
import { execute } from "../db/support/raw.ts";
import { describeEach, runtimesHere, testWith } from "../machine/skips.ts";
import { startHarness } from "../support/harness.ts";
import { register } from "../support/members.ts";
import { nodePath, runtimeAt, type Runtime } from "../support/runtimes.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { codeAt } from "../support/totp.ts";
import { runAdminOn } from "./support/admin.ts";
import { startServer } from "./support/server.ts";

/** What a start that is refused has said, or "it runs". */
function start(runtime: Runtime, env: Record<string, string>): Promise<string> {
  return startServer(runtime, { WORKERS: "1", ...env }).then(
    (server) => server.kill().then(() => "it runs"),
    (error: unknown) => String(error),
  );
}

describeEach("on $name", (runtime) => {
  test("a first start makes the key for its owner alone; a foreign or an open one ends a start in a sentence", async () => {
    const folder = makeTempFolder();
    const [url, file] = [join(folder, "service.db"), join(folder, "instance.key")];
    expect(await start(runtime, { DATABASE_URL: url })).toBe("it runs");
    const key = readFileSync(file, "utf8").trim();
    expect(Buffer.from(key, "base64")).toHaveLength(32);
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o644);
    const open = await start(runtime, { DATABASE_URL: url });
    if (process.platform !== "win32") expect(open).toContain(`mend that with: chmod 600 ${file}\n`);
    renameSync(file, join(folder, "kept.key"));
    const other = Buffer.alloc(32, 9).toString("base64");
    const foreign = await start(runtime, { DATABASE_URL: url, INSTANCE_KEY: other });
    expect(foreign).toMatch(/^The key of INSTANCE_KEY is not the one that the database was encrypted with/m);
    const wrong = await start(runtime, { DATABASE_URL: url, INSTANCE_KEY: `${other.slice(1)}!` });
    expect(wrong).toMatch(/^INSTANCE_KEY must be none, or 32 bytes in base64 or base64url\.$/m);
    for (const said of [open, foreign, wrong])
      for (const part of [key, other]) expect(said).not.toContain(part.slice(1, 30));
    expect(readdirSync(folder).filter((name) => name.startsWith("instance"))).toEqual([]);
  });
});

test("several that start at once on an empty folder agree on one key", async () => {
  const folder = makeTempFolder();
  const env = { DATABASE_URL: join(folder, "service.db") };
  const runtimes = runtimesHere();
  const servers = await Promise.all(
    [0, 1, 2].map((n) => startServer(runtimes[n % runtimes.length]!, { WORKERS: "1", ...env })),
  );
  await Promise.all(servers.map(({ kill }) => kill()));
  const checked = await runAdminOn(runtimes[0]!, ["check", "--no-confirm"], { env });
  expect([checked.code, checked.shown.key]).toEqual([0, "ok"]);
  expect(readdirSync(folder).filter((name) => name.startsWith("instance"))).toEqual(["instance.key"]);
});

/** A database as the migrations before one have made it, with the members of another database. */
async function makeOlder(path: string, { than, members }: { than: string; members: string }): Promise<void> {
  const database = new SqliteFile(path);
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) });
  const older = Object.entries(MIGRATIONS).filter(([name]) => name < than);
  const migrations = older.map(
    ([name, up]) => [name, { up: (trx: Kysely<unknown>) => up(trx, "sqlite") }] as const,
  );
  const provider = { getMigrations: async () => Object.fromEntries(migrations) };
  expect((await new Migrator({ db, provider }).migrateToLatest()).error).toBeUndefined();
  const columns = database.pragma("table_info(member)") as { name: string }[];
  const names = columns.map(({ name }) => name).join();
  database.exec(
    `attach '${members}' as other; insert into member (${names}) select ${names} from other.member`,
  );
  await db.destroy();
}

test("what an older version has left is sealed at the first start, and its authenticator apps log in", async () => {
  const folder = makeTempFolder();
  const path = join(folder, "service.db");
  const seed = Buffer.from("12345678901234567890");
  const made = join(makeTempFolder(), "service.db");
  const before = await startHarness({ databaseUrl: made, passwordCost: { ln: 4, r: 8, p: 1 } });
  const member = await register(before);
  await before.db.query.updateTable("member").set({ totp_key: seed, totp_since: 1 }).execute();
  await before.close();
  const key = Buffer.alloc(32, 0xa5);
  await makeOlder(path, { than: "0011", members: made });
  await execute(path, `insert into installation values ('key', x'${key.toString("hex")}')`);
  const server = await startServer(runtimeAt("node", nodePath()), { DATABASE_URL: path, WORKERS: "1" });
  const json = { name: member.name, password: member.password, code: codeAt(SECRET, Date.now() / 1000) };
  const headers = { "content-type": "application/json" };
  const login = await fetch(`${server.url}/api/account/login`, {
    method: "POST",
    headers,
    body: JSON.stringify(json),
  });
  await server.stop();
  expect(login.status).toBe(200);
  const left = Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))));
  expect([left.includes(seed), left.includes(key), left.includes(member.name)]).toEqual([false, false, true]);
});

/** The seed above in base32, as RFC 6238 has it. */
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

testWith("PostgreSQL")(
  "an instance on PostgreSQL with a key of its own is told that it has another one",
  async () => {
    const place = await makePostgres();
    const runtime = runtimeAt("node", nodePath());
    const keys = [1, 2].map((fill) => Buffer.alloc(32, fill).toString("base64"));
    const [first, second] = keys.map((INSTANCE_KEY) => ({ DATABASE_URL: place.url, INSTANCE_KEY }));
    expect(await start(runtime, first!)).toBe("it runs");
    expect(await start(runtime, second!)).toMatch(/^The key of INSTANCE_KEY is not the one/m);
    const checked = await runAdminOn(runtime, ["check", "--no-confirm"], { env: second! });
    expect([checked.code, checked.shown.key]).toEqual([1, expect.stringContaining("is not the one")]);
    await place.drop();
  },
);
