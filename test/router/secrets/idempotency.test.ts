import { expect, test } from "vitest";
import { takeActs } from "../../support/acts.ts";
import { MAX_IDEMPOTENCY_KEY_LENGTH } from "../../../router/limits.ts";
import { prepareRestored } from "../../../db/backup/contents.ts";
import { sweep } from "../../../router/sweeper.ts";
import { randomBase62 } from "../../../tools/crypto/base62.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { openBody, type Sent } from "../../support/harness.ts";
import { addMember } from "../../support/members.ts";
import { framePost, jsonPost } from "../../support/requests.ts";
import { startForTest, withServer } from "../../support/with-server.ts";

const service = withServer();
const DAY = 86_400;
const GATE = "g".repeat(43);

const newKey = () => crypto.randomUUID();

async function sweepAfter(seconds: number): Promise<void> {
  service.clock.now += seconds;
  await sweep(service.db, { now: service.clock.now, receiptDays: 30, usageDays: 90 });
}

interface Try extends Sent {
  readonly key: string;
  readonly path?: string;
}

/** Sends a call under a key; what a caller sees of the answer, without what is of this answer alone. */
async function send({ key, path = "/api/secrets", headers, ...init }: Try) {
  const all = new Headers(headers);
  all.set("idempotency-key", key);
  const response = await service.request(path, { method: "POST", ...init, headers: all });
  const [type, location] = [response.headers.get("content-type"), response.headers.get("location")];
  const text = await response.text();
  const body: Record<string, unknown> = type?.includes("json") ? JSON.parse(text) : { text };
  return { status: response.status, type, location, body };
}

async function countRows() {
  const { query } = service.db;
  const tables = ["secret", "request", "secret_file", "secret_chunk", "idempotency_key"] as const;
  const counts = tables.map(async (table) => {
    const rows = await query.selectFrom(table).selectAll().execute();
    return rows.length;
  });
  return Promise.all(counts);
}

const form = (fields: Record<string, string | Blob>) => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
};
const report = () => new File(["a report"], "report.pdf");

/** Every way to create something, and the same with another body. */
const WAYS: [string, () => Omit<Try, "key">, () => Omit<Try, "key">][] = [
  ["JSON", () => jsonPost({ content: "hush" }), () => jsonPost({ content: "Hush" })],
  [
    "a form",
    () => ({ body: new URLSearchParams({ content: "hush", expires: "60" }) }),
    () => ({ body: new URLSearchParams({ content: "hush", expires: "61" }) }),
  ],
  ["the raw text", () => ({ body: "hush" }), () => ({ body: "hush\n" })],
  ["parts", () => ({ body: form({ secret: "hush" }) }), () => ({ body: form({ secret: "hush!" }) })],
  ["an alias", () => ({ path: "/", body: "hush" }), () => ({ path: "/secret", body: "Hush" })],
  [
    "the query",
    () => ({ path: "/api/secrets?expires=60", body: "hush" }),
    () => ({ path: "/api/secrets?expires=61", body: "hush" }),
  ],
  [
    "the bare link",
    () => ({ path: "/api/secrets?raw=true", body: "hush" }),
    () => ({ path: "/api/secrets", body: "hush" }),
  ],
  [
    "a file",
    () => ({ path: "/api/secrets/file?filename=a.txt", body: "a file" }),
    () => ({ path: "/api/secrets/file?filename=a.txt", body: "A file" }),
  ],
  [
    "a file under another name",
    () => ({ path: "/api/secrets/file?filename=a.txt", body: "a file" }),
    () => ({ path: "/api/secrets/file?filename=b.txt", body: "a file" }),
  ],
  [
    "a file with a passphrase",
    () => ({ path: "/api/secrets/file", body: "a file", headers: { "secret-passphrase": "p" } }),
    () => ({ path: "/api/secrets/file", body: "a file", headers: { "secret-passphrase": "q" } }),
  ],
  [
    "a file in a form, with a field behind it",
    () => ({ path: "/api/secrets/file", body: form({ file: report(), expires: "60" }) }),
    () => ({ path: "/api/secrets/file", body: form({ file: report(), expires: "61" }) }),
  ],
  [
    "a request",
    () => ({ path: "/api/requests", ...jsonPost({ gate: GATE }) }),
    () => ({ path: "/api/requests", ...jsonPost({ gate: GATE, note: "n1.AAAA" }) }),
  ],
  [
    "RPC",
    () => ({ path: "/trpc/secrets.create", ...jsonPost({ content: "hush" }) }),
    () => ({ path: "/trpc/secrets.create", ...jsonPost({ content: "Hush" }) }),
  ],
  [
    "a batch of one",
    () => ({ path: "/trpc/requests.create?batch=1", ...jsonPost({ 0: { gate: GATE } }) }),
    () => ({ path: "/trpc/requests.create", ...jsonPost({ gate: `${GATE.slice(1)}h` }) }),
  ],
  [
    "a file in a frame",
    () => ({ path: "/trpc/secrets.createFile", ...framePost({ file: new Uint8Array([1, 2]) }) }),
    () => ({ path: "/trpc/secrets.createFile", ...framePost({ file: new Uint8Array([1, 3]) }) }),
  ],
];

test.each(WAYS)(
  "answers %s again as it did first, and nothing else under the key",
  async (_, same, other) => {
    const [key, ip] = [newKey(), freshIp()];
    const first = await send({ key, ip, ...same() });
    expect([200, 201]).toContain(first.status);
    const kept = await countRows();
    expect(await send({ key, ip, ...same() })).toEqual(first);
    const mismatch = await send({ key, ip, ...other() });
    expect(mismatch.status).toBe(422);
    expect(JSON.stringify(mismatch.body)).toContain("idempotency_mismatch");
    expect(await send({ key, ip, ...same() })).toEqual(first);
    expect(await countRows()).toEqual(kept);
  },
);

test("answers the same call in whatever shape it is sent again", async () => {
  const [key, ip] = [newKey(), freshIp()];
  const first = await send({ key, ip, ...jsonPost({ content: "hush", expires: 60 }) });
  const shapes: Omit<Try, "key">[] = [
    jsonPost({ expires: "60", text: "hush", isEncrypted: false }),
    { body: new URLSearchParams({ data: "hush" }), path: "/?expires=60" },
  ];
  for (const shape of shapes) expect((await send({ key, ip, ...shape })).body).toEqual(first.body);
  const file = newKey();
  const sent = { ip, key: file, path: "/api/secrets/file" };
  const raw = await send({ ...sent, path: `${sent.path}?filename=report.pdf&expires=60`, body: "a report" });
  expect(await send({ ...sent, body: form({ expires: "60", file: report() }) })).toEqual(raw);
});

test("knows a key by account and address, whoever else has the same", async () => {
  const [key, ip] = [newKey(), freshIp()];
  const [ann, bob] = [await addMember(service), await addMember(service)];
  const post = (caller: Omit<Try, "key">) => send({ key, ...jsonPost({ content: "hush" }), ...caller });
  const by = ({ bearer }: { bearer: string }) => ({
    "content-type": "application/json",
    authorization: bearer,
  });
  const answers = [
    await post({ ip }),
    await post({ ip: freshIp() }),
    await post({ ip, headers: by(ann) }),
    await post({ ip, headers: by(bob) }),
  ];
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(4);
  expect(await post({ ip: freshIp(), headers: by(ann) })).toEqual(answers[2]);
  const other = await send({ key, ip, path: "/api/requests", ...jsonPost({ gate: GATE }) });
  expect(other.status).toBe(201);
});

test("gives the first answer for a day, also when the secret was read, and then makes another", async () => {
  const [key, ip] = [newKey(), freshIp()];
  const post = () => send({ key, ip, ...jsonPost({ content: "hush" }) });
  const first = await post();
  const { id, key: secretKey } = first.body;
  await service.request(`/api/secrets/${String(id)}/reveal`, jsonPost({ key: secretKey }));
  await sweepAfter(DAY - 1);
  expect(await post()).toEqual(first);
  service.clock.now += 2;
  const second = await post();
  expect([second.status, second.body.id === id]).toEqual([201, false]);
  await sweepAfter(DAY + 1);
  expect(await service.db.query.selectFrom("idempotency_key").selectAll().execute()).toEqual([]);
});

test("gives the first answer after a restore that keeps the secret, and makes another after one that does not", async () => {
  const [other, key, ip] = [await startForTest(), newKey(), freshIp()];
  const headers = { "idempotency-key": key };
  const send = () => other.request("/api/secrets", { ...jsonPost({ content: "hush" }, headers), ip });
  const first = await (await send()).json();
  const renewed = (secrets: "keep" | "revoke") =>
    other.db.query
      .transaction()
      .execute((trx) => prepareRestored(trx, { kind: other.db.kind, now: other.clock.now, secrets }));
  await renewed("keep");
  expect(await (await send()).json()).toEqual(first);
  await renewed("revoke");
  expect(await (await send()).json()).not.toEqual(first);
});

test.each([
  ["a short key", "x".repeat(21)],
  ["a long key", "x".repeat(MAX_IDEMPOTENCY_KEY_LENGTH + 1)],
  ["a blank in it", `${newKey()} ${newKey()}`],
  ["letters beyond ASCII", `${newKey()}\u00e9`],
  ["nothing", ""],
])("refuses %s, naming the header", async (_, key) => {
  const before = await countRows();
  for (const path of ["/api/secrets", "/api/secrets/file"]) {
    const { status, body } = await send({ key, path, body: "hush" });
    expect([status, body.code, body.parameter, body.in]).toEqual([
      ...[400, "invalid_parameter", "Idempotency-Key", "header"],
    ]);
    expect(body).toMatchObject({ minimum: 22, maximum: 255 });
  }
  expect(await countRows()).toEqual(before);
});

test.each([22, MAX_IDEMPOTENCY_KEY_LENGTH])("takes a key of %i characters", async (length) => {
  const key = `${randomBase62(length - 2)}!~`;
  const [ip, body] = [freshIp(), "hush"];
  const first = await send({ key, ip, body });
  expect(first.status).toBe(201);
  expect(await send({ key, ip, body })).toEqual(first);
});

test("refuses a key in a batch of several calls, and lets calls that take none pass", async () => {
  const path = "/trpc/secrets.create,secrets.status?batch=1";
  const calls = { 0: { content: "hush" }, 1: { id: "0123456789abcdef", key: "x" } };
  const before = await countRows();
  const { body } = await send({ key: newKey(), path, ...jsonPost(calls) });
  expect(body).toMatchObject([
    { error: { data: { code: "invalid_parameter", parameter: "Idempotency-Key" } } },
    { error: { data: { code: "secret_not_found" } } },
  ]);
  expect(await countRows()).toEqual(before);
});

test("makes one secret of parallel calls, and tells the others to wait", async () => {
  for (const path of ["/api/secrets", "/api/secrets/file", "/api/requests"]) {
    const [key, ip] = [newKey(), freshIp()];
    const sent = path === "/api/requests" ? jsonPost({ gate: GATE }) : { body: "hush" };
    const [before = 0, open = 0] = await countRows();
    const answers = await Promise.all(Array.from({ length: 8 }, () => send({ key, ip, path, ...sent })));
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    for (const { body } of answers.filter(({ status }) => status !== 201))
      expect(body).toMatchObject({ status: 409, code: "idempotency_in_progress", retryAfter: 1 });
    const [after = 0, opened = 0] = await countRows();
    expect(after - before + opened - open).toBe(1);
    expect((await send({ key, ip, path, ...sent })).body).toEqual(made[0]?.body);
  }
});

test("answers 409 while an upload with the key runs, and frees the key when it dies", async () => {
  const [key, ip, path] = [newKey(), freshIp(), "/api/secrets/file"];
  const leaving = new AbortController();
  const ends: (() => void)[] = [];
  const upload = send({ key, ip, path, body: openBody(ends), signal: leaving.signal });
  await expect.poll(() => ends.length).toBe(1);
  const waiting = await send({ key, ip, path, body: "a file" });
  expect([waiting.status, waiting.body.code]).toEqual([409, "idempotency_in_progress"]);
  leaving.abort();
  ends[0]?.();
  await expect(upload).rejects.toThrow();
  expect((await send({ key, ip, path, body: "a file" })).status).toBe(201);
});

test("frees the key of a process that died, and lets that process store nothing any more", async () => {
  const [key, ip, path] = [newKey(), freshIp(), "/api/secrets/file"];
  const ends: (() => void)[] = [];
  const stalled = send({ key, ip, path, body: openBody(ends) });
  await expect.poll(() => ends.length).toBe(1);
  service.clock.now += 31;
  const second = await send({ key, ip, path, body: "a file" });
  expect(second.status).toBe(201);
  ends[0]?.();
  expect((await stalled).status).toBe(400);
  expect(await send({ key, ip, path, body: "a file" })).toEqual(second);
});

test("keeps nothing of a call that failed", async () => {
  const [key, ip] = [newKey(), freshIp()];
  const before = await countRows();
  const bad: Omit<Try, "key">[] = [
    jsonPost({ content: "hush", expires: 1 }),
    jsonPost({ content: "" }),
    { body: "x".repeat(50_001) },
  ];
  for (const sent of bad) expect((await send({ key, ip, ...sent })).status).toBeGreaterThan(399);
  const path = "/api/secrets/file";
  expect((await send({ key, ip, path: `${path}?expires=1`, body: "x" })).status).toBe(400);
  expect((await send({ key, ip, path, body: "" })).status).toBe(400);
  expect(await countRows()).toEqual(before);
  expect((await send({ key, ip, body: "hush" })).status).toBe(201);
});

test("counts a call that is answered again as any other", async () => {
  const [key, ip] = [newKey(), freshIp()];
  const tries = await Promise.all(Array.from({ length: 11 }, () => send({ key, ip, body: "hush" })));
  expect(tries.filter(({ status }) => status === 429)).toHaveLength(1);
});

test("is one act of its account, however often it is sent", async () => {
  const other = await startForTest({ isAudited: true });
  const { bearer: authorization } = await addMember(other);
  const headers = { authorization, "idempotency-key": newKey() };
  await takeActs(other);
  for (let i = 0; i < 3; i++) await other.request("/api/secrets", jsonPost({ content: "hush" }, headers));
  expect((await takeActs(other)).map(({ event }) => event)).toEqual(["secret.created"]);
});

test("stores neither key, content, link nor revoke token in clear", async () => {
  const [key, ip, content] = [newKey(), freshIp(), `hush ${randomBase62(16)}`];
  const { body } = await send({ key, ip, ...jsonPost({ content, passphrase: "open sesame" }) });
  const rows = await service.db.query.selectFrom("idempotency_key").selectAll().execute();
  const stored = rows.map((row) =>
    Object.values(row)
      .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value)))
      .join(),
  );
  for (const secret of [key, content, "open sesame", body.key, body.revokeToken, body.id])
    expect(stored.join()).not.toContain(secret);
});
