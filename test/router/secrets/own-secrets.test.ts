// slow
import { beforeEach, expect, test } from "vitest";
import { freshIp } from "../../support/fresh-ip.ts";
import { openBody } from "../../support/harness.ts";
import { addMember, call as send, type AddedMember } from "../../support/members.ts";
import { jsonPost, shareSecret } from "../../support/requests.ts";
import { withServer } from "../../support/with-server.ts";

const DAY = 86_400;

const service = withServer();
let ann: AddedMember;
let bob: AddedMember;
beforeEach(async () => void ([ann, bob] = [await addMember(service), await addMember(service)]));

type Headed = Record<string, string>;

async function call(method: string, path: string, options: { headers?: Headed; json?: unknown } = {}) {
  const { status, body } = await send(service, path, { method, ...options });
  return { status, body };
}

const create = (headers: Headed, fields: Record<string, unknown> = {}) =>
  shareSecret(service, { headers, ...fields });

const bearer = ({ bearer: authorization }: AddedMember) => ({ authorization });
const cookie = (member: AddedMember) => ({ cookie: member.cookie });
const list = async (headers: Headed, query = "") =>
  (await call("GET", `/api/users/me/secrets${query}`, { headers })).body as unknown as {
    secrets: { id: string; status: string }[];
    next: string | null;
  };

test.each([
  ["a token", bearer],
  ["a session", cookie],
])("lists and withdraws a member's own secrets by %s", async (_, proof) => {
  const { clock } = service;
  const made = await create(proof(ann), { passphrase: "p", isEncrypted: true, expires: 90 * DAY });
  const listed = await call("GET", "/api/users/me/secrets", { headers: proof(ann) });
  const at = new Date(clock.now * 1000).toISOString();
  const expiry = new Date((clock.now + 90 * DAY) * 1000).toISOString();
  const known = { id: made.id, created: at, expiry, kind: "text", isEncrypted: true, hasPassphrase: true };
  expect(listed).toEqual({
    status: 200,
    body: { secrets: [{ ...known, status: "active", closed: null }], next: null },
  });
  for (let i = 0; i < 2; i++) {
    expect(await call("DELETE", `/api/secrets/${made.id}`, { headers: proof(ann) })).toEqual({
      status: 200,
      body: { id: made.id, status: "revoked", closed: at },
    });
  }
  expect((await list(proof(ann))).secrets).toEqual([{ ...known, status: "revoked", closed: at }]);
  expect((await call("POST", `/api/secrets/${made.id}/reveal`, { json: { key: made.key } })).status).toBe(
    410,
  );
});

test("shows nothing of another member's secrets and withdraws none of them", async () => {
  const { id, key } = await create(bearer(ann));
  const anonymous = await create({});
  expect(await list(bearer(bob))).toEqual({ secrets: [], next: null });
  const unknown = await call("DELETE", "/api/secrets/0123456789abcdef", { headers: bearer(bob) });
  expect(unknown).toMatchObject({ status: 404, body: { code: "secret_not_found" } });
  for (const [path, method] of [
    [`/api/secrets/${id}`, "DELETE"],
    [`/api/secrets/${anonymous.id}`, "DELETE"],
    ["/api/secrets/x", "DELETE"],
    [`/api/secrets/${id}/status`, "POST"],
  ] as const) {
    const { status, body } = await call(method, path, { headers: bearer(bob) });
    expect({ status, body: { ...body, requestId: "" } }).toEqual({
      ...unknown,
      body: { ...unknown.body, requestId: "" },
    });
  }
  expect((await call("POST", `/api/secrets/${id}/reveal`, { json: { key } })).status).toBe(200);
});

test("tells a secret's status to the member who made it, without key or token", async () => {
  const { id, key } = await create(cookie(ann));
  const ask = (headers: Headed) => call("POST", `/api/secrets/${id}/status`, { headers, json: {} });
  expect(await ask(bearer(ann))).toMatchObject({ status: 200, body: { id, status: "active", closed: null } });
  await call("POST", `/api/secrets/${id}/reveal`, { json: { key } });
  expect(await ask(cookie(ann))).toMatchObject({ status: 200, body: { id, status: "revealed" } });
  expect(await ask({})).toMatchObject({ status: 400, body: { code: "missing_parameter" } });
  expect(await call("DELETE", `/api/secrets/${id}`, { headers: bearer(ann) })).toMatchObject({
    status: 410,
    body: { code: "secret_gone", secretStatus: "revealed" },
  });
});

test("keeps no owner for a secret that another site's page makes with the cookie", async () => {
  const { id } = await create({ ...cookie(ann), "sec-fetch-site": "cross-site" });
  expect((await list(cookie(ann))).secrets).toEqual([]);
  const foreign = { ...cookie(ann), "sec-fetch-site": "cross-site" };
  const own = await create(cookie(ann));
  for (const path of [`/api/secrets/${id}`, `/api/secrets/${own.id}`]) {
    expect(await call("DELETE", path, { headers: foreign })).toMatchObject({
      status: 403,
      body: { code: "cross_site" },
    });
  }
  expect(await call("GET", "/api/users/me/secrets", { headers: foreign })).toMatchObject({ status: 403 });
  expect(await list(cookie(ann))).toMatchObject({ secrets: [{ id: own.id, status: "active" }] });
});

test("pages through a list, newest first, and keeps only one state where asked", async () => {
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) {
    service.clock.now += 1;
    ids.unshift((await create(bearer(ann))).id);
  }
  await call("DELETE", `/api/secrets/${ids[1]}`, { headers: bearer(ann) });
  const pages: string[][] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const query: string = `?limit=2${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`;
    const { secrets, next } = await list(bearer(ann), query);
    pages.push(secrets.map(({ id }) => id));
    cursor = next;
  }
  expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  expect((await list(bearer(ann), "?status=revoked")).secrets.map(({ id }) => id)).toEqual([ids[1]]);
  const typed = service.client({ token: ann.token });
  expect((await typed.secrets.list.query({ limit: 1 })).secrets).toHaveLength(1);
});

test.each([
  ["limit=0", "limit"],
  ["limit=101", "limit"],
  ["status=open", "status"],
  ["cursor=nonsense", "cursor"],
  ["limit=1&limit=2", "limit"],
])("refuses a list with %s", async (query, parameter) => {
  const { status, body } = await call("GET", `/api/users/me/secrets?${query}`, { headers: bearer(ann) });
  expect({ status, body }).toMatchObject({ status: 400, body: { parameter, in: "query" } });
});

test("holds members to their own size of a secret, and tells anonymous callers of it", async () => {
  const post = (length: number, headers: Headed) =>
    call("POST", "/api/secrets", { headers, json: { content: "🔑".repeat(length) } });
  expect((await post(500_000, bearer(ann))).status).toBe(201);
  expect(await post(500_001, bearer(ann))).toMatchObject({
    status: 413,
    body: { code: "content_too_large", limit: "secretLength", value: 500_000, tier: "member" },
  });
  expect((await post(50_000, {})).status).toBe(201);
  expect(await post(50_001, {})).toMatchObject({
    status: 413,
    body: { value: 50_000, tier: "anonymous", tokenValue: 500_000 },
  });
});

test("holds members to ninety days and others to thirty", async () => {
  const post = (expires: number, headers: Headed) =>
    call("POST", "/api/secrets", { headers, json: { content: "x", expires } });
  expect((await post(90 * DAY, bearer(ann))).status).toBe(201);
  expect(await post(90 * DAY + 1, bearer(ann))).toMatchObject({ status: 400, body: { maximum: 90 * DAY } });
  expect((await post(30 * DAY, {})).status).toBe(201);
  expect(await post(30 * DAY + 1, {})).toMatchObject({ status: 400, body: { maximum: 30 * DAY } });
});

test("lets a member make sixty secrets a minute, from wherever they come, over REST or RPC", async () => {
  const typed = service.client({ token: ann.token });
  for (let i = 0; i < 30; i++) await create(i % 2 ? bearer(ann) : cookie(ann));
  for (let i = 0; i < 30; i++) await typed.secrets.create.mutate({ content: "x" });
  const over = await call("POST", "/api/secrets", { headers: cookie(ann), json: { content: "x" } });
  expect(over).toMatchObject({
    status: 429,
    body: { limit: "secretCreates", value: 60, window: 60, tier: "member" },
  });
  await create(bearer(bob));
});

test("lets a member make six hundred tool calls, whatever others of the address have made", async () => {
  const ip = freshIp();
  for (let i = 0; i < 60; i++) await service.request("/api/tools/password", { ip });
  const remaining = async (headers: Headed) => {
    const response = await service.request("/api/tools/password", { ip, headers });
    return [response.status, response.headers.get("ratelimit")];
  };
  expect(await remaining({})).toEqual([429, '"tools";r=0;t=900']);
  expect(await remaining(bearer(ann))).toEqual([200, '"tools";r=599;t=900']);
  for (let i = 0; i < 598; i++) await service.request("/api/tools/password", { headers: cookie(ann) });
  expect(await remaining(cookie(ann))).toEqual([200, '"tools";r=0;t=900']);
  expect((await remaining(bearer(ann)))[0]).toBe(429);
});

test("counts a member's readings by address like everybody's", async () => {
  const ip = freshIp();
  const ask = (headers: Headed) =>
    service.request("/api/secrets/0123456789abcdef/status", {
      ...jsonPost({ key: "3mJrV9aQeXcT5uWzHs0KdL" }, headers),
      ip,
    });
  for (let i = 0; i < 60; i++) expect((await ask(i % 2 ? bearer(ann) : {})).status).toBe(404);
  expect((await ask(bearer(bob))).status).toBe(429);
});

test("lets a member run eight tools at once, from all addresses together", async () => {
  const ends: (() => void)[] = [];
  const slow = (headers: Headed) =>
    service.request("/api/tools/file-hash", {
      method: "POST",
      headers,
      body: openBody(ends),
    });
  const running = Array.from({ length: 8 }, () => slow(bearer(ann)));
  await expect.poll(() => ends.length).toBe(8);
  const ninth = await call("GET", "/api/tools/password", { headers: cookie(ann) });
  expect(ninth).toMatchObject({ status: 429, body: { code: "too_many_concurrent", value: 8 } });
  expect((await call("GET", "/api/tools/password", { headers: bearer(bob) })).status).toBe(200);
  for (const end of ends) end();
  for (const response of await Promise.all(running)) expect(response.status).toBe(200);
});

test("takes a file of a hundred megabytes from a member and not one byte more", async () => {
  const size = 104_857_600;
  const send = (bytes: number) =>
    service.request("/api/tools/file-hash", {
      method: "POST",
      headers: { ...bearer(ann), "content-length": String(bytes) },
      body: new Uint8Array(bytes),
    });
  expect((await send(size)).status).toBe(200);
  const over = await send(size + 1);
  expect([over.status, await over.json()]).toMatchObject([413, { value: size, tier: "member" }]);
});

const LABEL = `l1.${"x".repeat(120)}`;

test("shows a member's label in the list and nowhere else, of a text and of a file", async () => {
  const headers = bearer(ann);
  const plain = await create(headers);
  const text = await create(headers, { label: LABEL });
  const sent = { method: "POST", body: "a file", headers };
  const path = `/api/secrets/file?label=${LABEL}`;
  const file = (await (await service.request(path, sent)).json()) as { id: string; key: string };
  const { secrets } = await list(headers);
  const labels = Object.fromEntries(secrets.map((secret) => [secret.id, Reflect.get(secret, "label")]));
  expect(labels).toEqual({ [plain.id]: undefined, [text.id]: LABEL, [file.id]: LABEL });
  for (const { id, key } of [text, file]) {
    const { body } = await call("POST", `/api/secrets/${id}/status`, { json: { key } });
    expect(JSON.stringify(body)).not.toContain(LABEL);
  }
  expect(JSON.stringify(text)).not.toContain(LABEL);
});

test.each([
  ["a label of 400 characters", `l1.${"x".repeat(397)}`, 201],
  ["a label of 401 characters", `l1.${"x".repeat(398)}`, 400],
  ["a label that nobody has sealed", "holiday photos", 400],
])("answers %s with its status", async (_, label, status) => {
  const json = { content: "hush", label };
  expect((await call("POST", "/api/secrets", { json, headers: bearer(ann) })).status).toBe(status);
  expect((await call("POST", "/api/secrets", { json })).status).toBe(400);
  const form = new FormData();
  form.set("file", new Blob(["x"]), "a.txt");
  form.set("label", label);
  const sent = { method: "POST", body: form };
  expect((await service.request("/api/secrets/file", { ...sent, headers: bearer(ann) })).status).toBe(status);
  expect((await service.request("/api/secrets/file", sent)).status).toBe(400);
});
