// process
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import SqliteFile from "better-sqlite3";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { runProgram } from "../../../adapters/operations/admin/admin.ts";
import { moveDatabase, openBackups } from "../../../db/backup/open.ts";
import { testWith } from "../../machine/skips.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { call, makeToken, register } from "../../support/members.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { makePostgres } from "../support/harness.ts";

const backupsOf = (url: string) => openBackups(url, runProgram);
const move = (from: string, to: string) => moveDatabase(backupsOf(from), { url: to, backups: backupsOf(to) });

/** What callers have of a service: a member, and secrets of which one is read. */
async function fill(service: Harness) {
  const member = await register(service);
  const { token } = await makeToken(service, member);
  const headers = { authorization: `Bearer ${token}` };
  const create = async (content: string) =>
    (await call(service, "/api/secrets", { json: { content }, headers })).body as { id: string; key: string };
  const [text, read] = [await create("still unread"), await create("read before")];
  await call(service, `/api/secrets/${read.id}/reveal`, { json: { key: read.key } });
  const bytes = randomBytes(700_000);
  const sent = await service.request("/api/secrets/file?filename=a.bin", { method: "POST", body: bytes });
  return { member, headers, text, read, bytes, file: (await sent.json()) as { id: string; key: string } };
}

async function verify(service: Harness, filled: Awaited<ReturnType<typeof fill>>): Promise<void> {
  const { member, headers, text, read, file, bytes } = filled;
  const { name, password } = member;
  const open = ({ id, key }: { id: string; key: string }) =>
    call(service, `/api/secrets/${id}/reveal`, { json: { key } });
  expect((await call(service, "/api/account/login", { json: { name, password } })).status).toBe(200);
  const list = await call(service, "/api/users/me/secrets", { headers });
  const statuses = (list.body.secrets as { status: string }[]).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual(["active", "revealed"]);
  expect((await open(text)).body).toMatchObject({ content: "still unread" });
  expect([(await open(text)).status, (await open(read)).status]).toEqual([410, 410]);
  const body = JSON.stringify({ key: file.key });
  const json = { "content-type": "application/json" };
  const path = `/api/secrets/${file.id}/file`;
  const answer = await service.request(path, { method: "POST", body, headers: json });
  expect(bytes.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
}

async function using<T>(databaseUrl: string, work: (service: Harness) => Promise<T>): Promise<T> {
  const service = await startHarness({ databaseUrl });
  return work(service).finally(() => service.close());
}

const sqlite = () => join(makeTempFolder(), "service.db");

async function postgres(): Promise<string> {
  const place = await makePostgres();
  onTestFinished(place.drop);
  return place.url;
}

testWith("PostgreSQL")("everything moves from SQLite to PostgreSQL and back", async () => {
  const [from, to, back] = [sqlite(), await postgres(), sqlite()];
  const filled = await using(from, fill);
  const moved = await move(from, to);
  expect(moved).toContainEqual({ table: "secret_chunk", rows: 11 });
  expect(await move(to, back)).toEqual(moved);
  await using(to, (service) => verify(service, filled));
  await using(back, (service) => verify(service, filled));
});

testWith("PostgreSQL")("events that nobody has taken yet keep their order through moves", async () => {
  const [from, to, back] = [sqlite(), await postgres(), sqlite()];
  const expected: string[] = [];
  const record = async (databaseUrl: string) => {
    const service = await startHarness({ databaseUrl, isAudited: true });
    for (let i = 0; i < 2; i++) expected.push((await register(service)).id);
    const acts = service.db.query.selectFrom("outbox").select("account").orderBy("position");
    const accounts = (await acts.execute()).map(({ account }) => account);
    await service.close();
    return [...new Set(accounts)];
  };
  expect(await record(from)).toEqual(expected);
  await move(from, to);
  expect(await record(to)).toEqual(expected);
  await move(to, back);
  expect(await record(back)).toEqual(expected);
});

test("more rows than are copied at a time arrive, each once", async () => {
  const [from, to] = [sqlite(), sqlite()];
  const made = await using(from, async (service) => {
    const share = () => call(service, "/api/secrets", { json: { content: "x" } });
    for (let i = 0; i < 9; i++) expect((await share()).status).toBe(201);
  });
  expect(made).toBeUndefined();
  expect(await move(from, to)).toContainEqual({ table: "secret_content", rows: 9 });
});

test("a database in use, and one that is not empty, are refused with nothing changed", async () => {
  const [from, full] = [sqlite(), sqlite()];
  await using(from, async (service) => {
    await fill(service);
    await expect(move(from, sqlite())).rejects.toThrow("The database is in use");
  });
  await using(full, fill);
  const before = readFileSync(full);
  await expect(move(from, full)).rejects.toThrow("not empty");
  await expect(move(from, from)).rejects.toThrow();
  expect(readFileSync(full).equals(before)).toBe(true);
  const refusal = await move(from, "postgres://user:hunter2@127.0.0.1:9/x").catch((error: Error) => error);
  expect(String(refusal)).toMatch(/: The database to move to cannot be opened: .*ECONNREFUSED/);
  expect(String(refusal)).not.toContain("hunter2");
  await expect(move(sqlite(), full)).rejects.toThrow(
    /^There is no database at .+; DATABASE_URL names the one to work on\.$/,
  );
});

test("a new file has its name once everything is in it; of a move that fails nothing is left", async () => {
  const [from, folder] = [sqlite(), makeTempFolder()];
  await using(from, fill);
  const to = join(folder, "new", "service.db");
  await move(from, to);
  expect(readdirSync(join(folder, "new"))).toEqual(["service.db"]);
  const file = new SqliteFile(from);
  // No release has stored such a row, and no target takes it.
  file.exec("pragma foreign_keys = off; update secret set owner = 'nobody'");
  file.close();
  const other = join(folder, "other.db");
  await expect(move(from, other)).rejects.toThrow("FOREIGN KEY");
  expect(readdirSync(folder)).toEqual(["new"]);
});

test("a disk that fills in the middle is told as that, not as a damaged database", async () => {
  const to = sqlite();
  await using(to, async () => {});
  const filled = backupsOf(to).write(async (trx) => {
    await sql`pragma max_page_count = 90`.execute(trx);
    await sql`insert into installation (name, value) values ('a', zeroblob(1000000))`.execute(trx);
  });
  await expect(filled).rejects.toThrow(`${to}: There is not enough room on the disk.`);
});

test("a file that finds no room for a new key, and one that is locked, are told by their name", async () => {
  const path = sqlite();
  await using(path, async () => {});
  const filled = backupsOf(path).changeAlone(async (query) => {
    await sql`pragma max_page_count = 1`.execute(query);
    await sql`insert into installation (name, value) values ('a', zeroblob(1000000))`.execute(query);
  });
  await expect(filled).rejects.toThrow(`${path}: There is not enough room on the disk.`);
  const other = new SqliteFile(path);
  other.exec("pragma journal_mode = delete; begin exclusive");
  // It is no server that keeps others out, and stopping that would not help.
  await expect(backupsOf(path).check({ now: 0 })).rejects.toThrow(
    `${path}: Another process keeps the file locked; end it`,
  );
  other.close();
});
