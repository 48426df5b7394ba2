import { join } from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { deleteMember } from "../../../db/accounts/delete-member.ts";
import { DEFAULT_LIMITS } from "../../../router/limits.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import type { Harness } from "../../support/harness.ts";
import { addMember, call } from "../../support/members.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { startForTest, withServer } from "../../support/with-server.ts";
import { enlargeSecret, spendStorage } from "./support/stored.ts";

const service = withServer({ maxSecretBytes: 8 * 1024 ** 3 });

interface Sender {
  readonly ip?: string;
  readonly headers?: Record<string, string>;
}

const create = (from: Sender, at: Harness = service) => call(at, "/api/secrets", { json: CONTENT, ...from });
const CONTENT = { content: "hush" };

/** What a secret counts for at least in a day of an address and in the room of an account. */
const COUNTED = 1024;

/** The bytes that one of these secrets takes. */
async function sizeOfOne(): Promise<number> {
  const { body } = await create({});
  const { size } = await service.db.query
    .selectFrom("secret_content")
    .select("size")
    .where("secret_id", "=", String(body.id))
    .executeTakeFirstOrThrow();
  return size;
}

const spend = (who: string, amount: number) => spendStorage(service, who, amount);

test("lets an address store 100 MiB in a day", async () => {
  const ip = freshIp();
  const value = DEFAULT_LIMITS.anonymous.storedBytes;
  expect(value).toBe(104_857_600);
  await spend(`address ${ip}`, value - 2 * COUNTED);
  expect((await create({ ip })).status).toBe(201);
  expect((await create({ ip })).status).toBe(201);
  const over = await create({ ip });
  expect(over).toMatchObject({
    status: 413,
    body: {
      ...{ code: "storage_quota", limit: "storedBytes", value, unit: "bytes", actual: COUNTED },
      ...{ tier: "anonymous", tokenValue: 1_073_741_824, window: 86_400, remaining: 0, retryAfter: 86_400 },
    },
  });
  expect((await create({})).status).toBe(201);
  service.clock.now += 86_400;
  expect((await create({ ip })).status).toBe(201);
});

test("refuses one byte over 100 MiB, over RPC too, and a /48 over 400 MiB", async () => {
  const ip = freshIp();
  await spend(`address ${ip}`, DEFAULT_LIMITS.anonymous.storedBytes - COUNTED + 1);
  expect((await create({ ip })).body).toMatchObject({ code: "storage_quota" });
  const typed = service.client({ ip }).secrets.create.mutate({ content: "hush" });
  await expect(typed).rejects.toMatchObject({ data: { code: "storage_quota", httpStatus: 413 } });
  await spend("site 2001:db8:48::/48", 4 * DEFAULT_LIMITS.anonymous.storedBytes - COUNTED);
  expect((await create({ ip: "2001:db8:48:1::1" })).status).toBe(201);
  expect((await create({ ip: "2001:db8:48:2::1" })).body).toMatchObject({ code: "storage_quota" });
});

const enlarge = (id: unknown, size: number) => enlargeSecret(service, String(id), size);

test("lets the active secrets of an account have 1 GiB together", async () => {
  const { bearer } = await addMember(service);
  const own = { headers: { authorization: bearer } };
  const value = DEFAULT_LIMITS.member.storedBytes;
  expect(value).toBe(1_073_741_824);
  const large = await create(own);
  await enlarge(large.body.id, value - 2 * COUNTED);
  expect((await create(own)).status).toBe(201);
  const last = await create(own);
  expect(last.status).toBe(201);
  const over = await create(own);
  expect(over).toMatchObject({
    status: 413,
    body: { code: "storage_quota", limit: "storedBytes", value, unit: "bytes", tier: "member" },
  });
  expect(over.body).not.toHaveProperty("tokenValue");
  await call(service, `/api/secrets/${String(last.body.id)}/reveal`, { json: { key: last.body.key } });
  expect((await create(own)).status).toBe(201);
  expect((await create(own)).status).toBe(413);
});

test("counts many secrets of an account in steps, and lets no more in than there is room for", async () => {
  const { bearer, id: owner } = await addMember(service);
  const own = { headers: { authorization: bearer } };
  const many = 2_500;
  const query = service.db.query;
  const hash = new Uint8Array(32);
  await sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${sql.lit(many)})
    insert into secret (id, verifier, revoke_hash, status, created_at, expires_at, is_encrypted, attempts, owner)
    select ${sql.lit(owner)} || i, ${hash}, ${hash}, 'active', 1, ${sql.lit(service.clock.now + 1e6)}, 0, 0,
      ${sql.lit(owner)} from n`.execute(query);
  await sql`insert into secret_content (secret_id, size, sealed)
    select id, 10, verifier from secret where owner = ${owner}`.execute(query);
  const large = await create(own);
  expect(large.status).toBe(201);
  await enlarge(large.body.id, DEFAULT_LIMITS.member.storedBytes - (many + 3) * COUNTED);
  const written: string[] = [];
  const counted = Promise.all(Array.from({ length: 6 }, () => create(own)));
  void counted.then(() => written.push("counted"));
  // Others get their turn between two steps.
  for (let i = 0; i < 3; i++) {
    await service.db.ping();
    written.push("other");
  }
  const all = await counted;
  expect(written).toStrictEqual(["other", "other", "other", "counted"]);
  expect(all.filter(({ status }) => status === 201)).toHaveLength(3);
  expect(all.filter(({ body }) => body.code === "storage_quota")).toHaveLength(3);
  await call(service, `/api/secrets/${String(large.body.id)}/reveal`, { json: { key: large.body.key } });
  expect((await create(own)).status).toBe(201);
});

test("lets no more of many creates at once in than there is room for", async () => {
  const { bearer } = await addMember(service);
  const own = { headers: { authorization: bearer } };
  const large = await create(own);
  await enlarge(large.body.id, DEFAULT_LIMITS.member.storedBytes - 4 * COUNTED + 1);
  const all = await Promise.all(Array.from({ length: 12 }, () => create(own)));
  expect(all.filter(({ status }) => status === 201)).toHaveLength(3);
  expect(all.filter(({ status }) => status === 413)).toHaveLength(9);
});

test("counts a small file as any other secret, and what is larger than that by its bytes", async () => {
  const send = (own: Sender, bytes: number) =>
    service.request("/api/secrets/file", { method: "POST", body: new Uint8Array(bytes), ...own });
  for (const [bytes, statuses] of [
    [1, [201, 413]],
    [2 * COUNTED, [413, 413]],
  ] as const) {
    const { bearer } = await addMember(service);
    const own = { headers: { authorization: bearer } };
    const large = await create(own);
    await enlarge(large.body.id, DEFAULT_LIMITS.member.storedBytes - 2 * COUNTED + 1);
    const sent = [await send(own, bytes), await send(own, bytes)];
    expect(sent.map(({ status }) => status)).toEqual(statuses);
  }
});

test("lets young accounts of one address share the room of one", async () => {
  const ip = freshIp();
  const make = async (name: string) => {
    const json = { name, password: "correct horse" };
    const { cookie = "" } = await call(service, "/api/account/register", { json, ip });
    return { headers: { cookie } };
  };
  const [first, second] = [await make("room-1"), await make("room-2")];
  const large = await create(first);
  await enlarge(large.body.id, DEFAULT_LIMITS.member.storedBytes);
  expect((await create(second)).status).toBe(413);
  service.clock.now += 86_400;
  // Room is made by now, for the large one has expired.
  await enlarge(large.body.id, DEFAULT_LIMITS.member.storedBytes);
  expect((await create(first)).status).toBe(413);
  expect((await create(second)).status).toBe(201);
});

test("lets no more in at once than the store has room for", async () => {
  const size = await sizeOfOne();
  const small = await startForTest({ maxSecretBytes: 4 * size });
  for (const stored of [3, 0]) {
    const all = await Promise.all(Array.from({ length: 12 }, () => create({}, small)));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(stored);
    expect(all.filter(({ status }) => status === 503)).toHaveLength(12 - stored);
    small.clock.now += 5;
  }
});

test("sees within five seconds what another instance has stored", async () => {
  const size = await sizeOfOne();
  const shared = { databaseUrl: join(makeTempFolder(), "service.db"), maxSecretBytes: 8 * size };
  const [one, other] = [await startForTest(shared), await startForTest(shared)];
  expect((await create({}, other)).status).toBe(201);
  for (let i = 0; i < 5; i++) expect((await create({}, one)).status).toBe(201);
  expect((await create({}, one)).status).toBe(503);
  other.clock.now += 5;
  const refused = await create({}, other);
  expect(refused).toMatchObject({ status: 503, body: { code: "storage_full" } });
});

test("stores nothing where the disk has room only for opening and deleting, and opens what it has", async () => {
  const size = await sizeOfOne();
  const small = await startForTest();
  const numbers = vi.spyOn(small.db, "numbers");
  onTestFinished(() => numbers.mockRestore());
  const setRoom = async (roomBytes: number | undefined) => {
    const disk = roomBytes === undefined ? undefined : { logBytes: 0, freeBytes: 2 ** 30, roomBytes };
    numbers.mockResolvedValue({ connections: { open: 1, busy: 0, waiting: 0 }, disk });
    small.clock.now += 5;
  };
  await setRoom(4 * size);
  const kept = await create({}, small);
  expect([kept.status, (await create({}, small)).status]).toEqual([201, 201]);
  expect(await create({}, small)).toMatchObject({ status: 503, body: { code: "storage_full" } });
  await setRoom(-size);
  expect((await create({}, small)).status).toBe(503);
  const { id, key } = kept.body as Record<string, string>;
  expect(await call(small, `/api/secrets/${id}/reveal`, { json: { key } })).toMatchObject({ status: 200 });
  // A disk that does not say.
  await setRoom(undefined);
  expect((await create({}, small)).status).toBe(201);
});

test("keeps the last quarter of the store for members", async () => {
  const size = await sizeOfOne();
  for (const [maxSecretBytes, statuses] of [
    [(4 * 2 * size) / 3, [201, 201, 503]],
    [(4 * 2 * size) / 3 - 2, [201, 503, 503]],
  ] as const) {
    const small = await startForTest({ maxSecretBytes });
    const seen = [];
    for (let i = 0; i < 3; i++) seen.push((await create({}, small)).status);
    expect(seen).toEqual(statuses);
    const { bearer } = await addMember(small);
    const stored = await create({ headers: { authorization: bearer } }, small);
    expect(stored.status).toBe(seen[1] === 201 ? 503 : 201);
  }
});

const NOTE = `n1.${"A".repeat(97)}`;
const REQUEST_BYTES = 1024 + NOTE.length;
const ask = (from: Sender, at: Harness = service) =>
  call(at, "/api/requests", { json: { gate: "g".repeat(43), note: NOTE }, ...from });

test("counts a request and its note in the day of an address", async () => {
  const ip = freshIp();
  await spend(`address ${ip}`, DEFAULT_LIMITS.anonymous.storedBytes - 2 * REQUEST_BYTES + 1);
  expect((await ask({ ip })).status).toBe(201);
  const over = await ask({ ip });
  expect(over).toMatchObject({ status: 413, body: { code: "storage_quota", actual: REQUEST_BYTES } });
  expect((await call(service, "/api/requests", { json: { gate: "g".repeat(43) }, ip })).status).toBe(201);
});

test("counts the open requests of an account, and no longer when they are cancelled", async () => {
  const { bearer } = await addMember(service);
  const own = { headers: { authorization: bearer } };
  const large = await create(own);
  await enlarge(large.body.id, DEFAULT_LIMITS.member.storedBytes - 2 * REQUEST_BYTES);
  const first = await ask(own);
  expect([first.status, (await ask(own)).status]).toEqual([201, 201]);
  expect(await ask(own)).toMatchObject({ status: 413, body: { code: "storage_quota", tier: "member" } });
  const ended = await call(service, `/api/requests/${String(first.body.id)}`, { method: "DELETE", ...own });
  expect(ended.status).toBe(200);
  expect((await ask(own)).status).toBe(201);
});

test("refuses a request where the store is full, and takes it when another is over", async () => {
  const small = await startForTest({ maxSecretBytes: (REQUEST_BYTES * 4) / 3 });
  const first = await ask({}, small);
  expect(first.status).toBe(201);
  expect(await ask({}, small)).toMatchObject({ status: 503, body: { code: "storage_full", retryAfter: 60 } });
  const { id, collectToken } = first.body;
  await call(small, `/api/requests/${String(id)}/cancel`, { json: { collectToken } });
  small.clock.now += 5;
  expect((await ask({}, small)).status).toBe(201);
});

test("says that the account was deleted while something of it was stored", async () => {
  const gone = { status: 401, body: { code: "account_deleted" } };
  for (const [path, json] of Object.entries({ "/api/secrets": CONTENT, "/api/secrets/file": undefined })) {
    const { bearer, id } = await addMember(service);
    const own = { headers: { authorization: bearer } };
    const claimRoom = vi.spyOn(service.services, "claimRoom").mockImplementation(async () => {
      await deleteMember(service.db, { id, now: service.clock.now, secrets: "keep" });
      return true;
    });
    onTestFinished(() => claimRoom.mockRestore());
    const sent = json ? { json } : { body: new Uint8Array(500_000) };
    expect(await call(service, path, { method: "POST", ...sent, ...own })).toMatchObject(gone);
    claimRoom.mockRestore();
  }
});
