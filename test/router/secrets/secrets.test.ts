// slow
import { expect, onTestFinished, test, vi } from "vitest";
import { deriveEndToEnd, sealText } from "../../../tools/crypto/text-seal.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { ORIGIN, type Sent } from "../../support/harness.ts";
import { call as send, type Call } from "../../support/members.ts";
import { jsonPost, shareSecret } from "../../support/requests.ts";
import { withServer } from "../../support/with-server.ts";

const service = withServer();

async function create(init: Sent & { path?: string } = {}) {
  const { path = "/api/secrets", ...rest } = init;
  const response = await service.request(path, { method: "POST", ...rest });
  return { response, body: (await response.json()) as Record<string, never> };
}

const make = (fields: Record<string, unknown> = {}) => shareSecret(service, fields);

const call = (path: string, json: unknown, init: Omit<Call, "json"> = {}) =>
  send(service, path, { json, ...init });

test.each(["/api/secrets", "/", "/secret"])("creates a secret at %s", async (path) => {
  const { response, body } = await create({ ...jsonPost({ content: "hello" }), path });
  expect(response.status).toBe(201);
  expect(response.headers.get("location")).toBe(`/api/secrets/${body.id}`);
  expect(body).toEqual({
    id: expect.stringMatching(/^[0-9A-Za-z]{16}$/),
    url: `${ORIGIN}/s/${body.id}#${body.key}`,
    key: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
    expiry: new Date((service.clock.now + 86_400) * 1000).toISOString(),
    status: "active",
    isEncrypted: false,
    hasPassphrase: false,
    length: 5,
    revokeToken: expect.stringMatching(/^[0-9A-Za-z]{32}$/),
  });
});

test("reveals a secret once and says afterwards when it was read", async () => {
  const { id, key } = await make({ content: "pässwörd 🔑\n" });
  const first = await call(`/api/secrets/${id}/reveal`, { key });
  expect(first).toMatchObject({ status: 200, body: { id, content: "pässwörd 🔑\n", isEncrypted: false } });
  const second = await call(`/api/secrets/${id}/reveal`, { key });
  const closed = new Date(service.clock.now * 1000).toISOString();
  expect(second).toMatchObject({
    status: 410,
    body: { code: "secret_gone", secretStatus: "revealed", closed },
  });
});

test("reveals the exact bytes as text with raw=true and a form, as curl sends it", async () => {
  const content = "\uFEFF two lines\r\n\0 ";
  const { id, key } = await make({ content });
  const response = await service.request(`/api/secrets/${id}/reveal?raw=true`, {
    method: "POST",
    body: new URLSearchParams({ key }),
  });
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(content));
});

test("answers a link and a newline with raw=true", async () => {
  const response = await service.request("/?raw", { method: "POST", body: "text" });
  expect(response.status).toBe(201);
  expect(await response.text()).toMatch(/^http:\/\/hushkit\.test\/s\/[0-9A-Za-z]{16}#[0-9A-Za-z]{22}\n$/);
});

test("refuses a misspelt raw before anything is consumed", async () => {
  const { id, key } = await make();
  expect(await call(`/api/secrets/${id}/reveal?raw=yes`, { key })).toMatchObject({
    status: 400,
    body: { code: "invalid_parameter", parameter: "raw", in: "query" },
  });
  expect((await call(`/api/secrets/${id}/reveal`, { key })).status).toBe(200);
});

test("answers an unknown id and a wrong key with the same bytes and consumes nothing", async () => {
  const { id, key } = await make();
  const wrong = key.replace(/^./, key.startsWith("a") ? "b" : "a");
  const attempts: [string, unknown][] = [
    [id, { key: wrong }],
    [id, { key: key.slice(0, -1) }],
    [id, { key: `${key}.inner` }],
    ["0123456789abcdef", { key }],
    ["short", { key }],
  ];
  const answers = await Promise.all(
    attempts.map(([of, fields]) => call(`/api/secrets/${of}/reveal`, fields)),
  );
  for (const { status, body } of answers) {
    expect(status).toBe(404);
    expect({ ...body, requestId: "" }).toEqual({ ...answers[0]?.body, requestId: "" });
  }
  expect((await call(`/api/secrets/${id}/reveal`, { key })).status).toBe(200);
});

test("asks for the passphrase, counts wrong ones, and opens with the right one", async () => {
  const { id, key } = await make({ passphrase: "cafe\u0301" });
  const path = `/api/secrets/${id}/reveal`;
  expect(await call(path, { key })).toMatchObject({ status: 403, body: { code: "passphrase_required" } });
  const wrong = await call(path, { key, passphrase: "cafe" });
  expect(wrong).toMatchObject({ status: 403, body: { code: "wrong_passphrase", attemptsLeft: 9 } });
  expect(await call(path, { key, passphrase: "caf\u00e9" })).toMatchObject({
    status: 200,
    body: { content: "hush" },
  });
});

/** Calls this when a key begins to be derived from a passphrase, until the test ends. */
function onDerivation(listener: () => void): void {
  const derive = crypto.subtle.deriveBits.bind(crypto.subtle);
  const spy = vi.spyOn(crypto.subtle, "deriveBits").mockImplementation((algorithm, ...rest) => {
    if (typeof algorithm === "object" && algorithm.name === "PBKDF2") listener();
    return derive(algorithm, ...rest);
  });
  onTestFinished(() => spy.mockRestore());
}

test("keeps a secret whose reader hangs up while the passphrase is checked", async () => {
  const { id, key } = await make({ passphrase: "right" });
  const leaving = new AbortController();
  onDerivation(() => leaving.abort());
  const reading = call(`/api/secrets/${id}/reveal`, { key, passphrase: "right" }, { signal: leaving.signal });
  await expect(reading).rejects.toThrow();
  expect(await call(`/api/secrets/${id}/status`, { key })).toMatchObject({ body: { status: "active" } });
  // Nobody is to be woken for it.
  await expect
    .poll(() => service.lines.join("\n"))
    .toMatch(/"route":"\/api\/secrets\/:id\/reveal","status":499,/);
  expect(service.lines.join("\n")).not.toMatch(/"status":500|"event":"fault"/);
});

test("locks after ten wrong passphrases, however many are tried at once", async () => {
  const { id, key } = await make({ passphrase: "right" });
  const path = `/api/secrets/${id}/reveal`;
  const guess = () => call(path, { key, passphrase: "wrong" });
  // With all at once the last would wait for ten derivations: on a busy machine longer than a call may.
  for (let i = 0; i < 6; i++) expect((await guess()).status).toBe(403);
  const answers = await Promise.all(Array.from({ length: 24 }, guess));
  expect(answers.filter(({ status }) => status === 403)).toHaveLength(4);
  const gone = answers.filter(({ status }) => status === 410);
  expect(gone).toHaveLength(20);
  expect(gone.every(({ body }) => body.secretStatus === "locked")).toBe(true);
  expect(await call(path, { key, passphrase: "right" })).toMatchObject({
    status: 410,
    body: {
      secretStatus: "locked",
      error: expect.stringMatching(/: it was deleted after ten wrong passphrases at \d{4}-/),
    },
  });
});

test("tells the status to whoever holds the key or the revoke token", async () => {
  const { id, key, revokeToken, expiry } = await make();
  const state = { kind: "text", status: "active", closed: null };
  const expected = { id, ...state, expiry, isEncrypted: false, hasPassphrase: false };
  expect((await call(`/api/secrets/${id}/status`, { key })).body).toEqual(expected);
  expect((await call(`/api/secrets/${id}/status`, { revokeToken })).body).toEqual(expected);
  expect(await call(`/api/secrets/${id}/status`, { revokeToken: "0".repeat(32) })).toMatchObject({
    status: 404,
  });
  expect(await call(`/api/secrets/${id}/status`, {})).toMatchObject({
    status: 400,
    body: { parameter: "key" },
  });
});

test("revokes by token, again with the same answer, and never what was already read", async () => {
  const { id, key, revokeToken } = await make();
  const first = await call(`/api/secrets/${id}/revoke`, { revokeToken });
  expect(first).toMatchObject({ status: 200, body: { id, status: "revoked" } });
  service.clock.now += 5;
  expect((await call(`/api/secrets/${id}/revoke`, { revokeToken })).body).toEqual(first.body);
  expect(await call(`/api/secrets/${id}/reveal`, { key })).toMatchObject({
    status: 410,
    body: { secretStatus: "revoked" },
  });
  const other = await make();
  await call(`/api/secrets/${other.id}/reveal`, { key: other.key });
  expect(await call(`/api/secrets/${other.id}/revoke`, { revokeToken: other.revokeToken })).toMatchObject({
    status: 410,
    body: { secretStatus: "revealed" },
  });
});

test("opens one second before the expiry and not at it", async () => {
  const [early, late] = [await make({ expires: 60 }), await make({ expires: 60 })];
  service.clock.now += 59;
  expect((await call(`/api/secrets/${early.id}/reveal`, { key: early.key })).status).toBe(200);
  service.clock.now += 1;
  expect(await call(`/api/secrets/${late.id}/reveal`, { key: late.key })).toMatchObject({
    status: 410,
    body: {
      secretStatus: "expired",
      closed: late.expiry,
      error: `This secret can no longer be opened: it expired at ${late.expiry}`,
    },
  });
});

test.each([
  [59, 400],
  [60, 201],
  [2_592_000, 201],
  [2_592_001, 400],
  [-1, 400],
  [1.5, 400],
  ["3600", 201],
  ["1h", 400],
  [null, 400],
])("answers expires %j with %i", async (expires, status) => {
  const { response, body } = await create(jsonPost({ content: "x", expires }));
  expect(response.status).toBe(status);
  if (status === 400) expect(body).toMatchObject({ code: "invalid_parameter", parameter: "expires" });
});

test("takes expires from the query and refuses two that differ", async () => {
  const { body } = await create({ ...jsonPost({ content: "x" }), path: "/?expires=120" });
  expect(body.expiry).toBe(new Date((service.clock.now + 120) * 1000).toISOString());
  const both = await create({ ...jsonPost({ content: "x", expires: 60 }), path: "/?expires=120" });
  expect(both.response.status).toBe(400);
  const same = await create({ ...jsonPost({ content: "x", expires: 120 }), path: "/?expires=120" });
  expect(same.response.status).toBe(201);
});

test("counts code points, at the limit and one above", async () => {
  const { body } = await create(jsonPost({ content: "🔑".repeat(50_000) }));
  expect(body.length).toBe(50_000);
  const above = await create(jsonPost({ content: "x".repeat(50_001) }));
  expect(above.response.status).toBe(413);
  expect(above.body).toMatchObject({
    code: "content_too_large",
    limit: "secretLength",
    value: 50_000,
    unit: "characters",
    actual: 50_001,
    tier: "anonymous",
    tokenValue: 500_000,
  });
});

test("measures sealed text by what is inside, at the limit and one above", async () => {
  const { contentKey } = await deriveEndToEnd("inner");
  const seal = (text: string) => sealText(text, contentKey);
  const sealed = await create(jsonPost({ content: await seal("🔑".repeat(50_000)), isEncrypted: true }));
  expect(sealed.response.status).toBe(201);
  const above = await create(jsonPost({ content: await seal("🔑".repeat(50_001)), isEncrypted: true }));
  expect(above.response.status).toBe(413);
  expect(above.body).toMatchObject({ code: "content_too_large", value: 50_000, actual: 50_001 });
  const foreign = await create(jsonPost({ content: "x".repeat(50_001), isEncrypted: true }));
  expect(foreign.response.status).toBe(413);
});

const FORM = "application/x-www-form-urlencoded";

test.each([
  ["raw text", "text/plain", "p@ss", "p@ss"],
  ["raw text without a type", "", "  kept  ", "  kept  "],
  ["a form with a field", FORM, "secret=p%40ss+w", "p@ss w"],
  ["a form that is no form", FORM, "p@ss=w&rd", "p@ss=w&rd"],
  ["a form that is no form and looks encoded", FORM, "100%25+", "100%25+"],
  ["a bare name of a field", FORM, "text", "text"],
  ["a JSON string", "application/json", '"just text"', "just text"],
  ["JSON with the alias data", "application/json", '{"data":"d"}', "d"],
  ["JSON text as raw text", "text/plain", '{"content":"x"}', '{"content":"x"}'],
])("takes %s as content", async (_, type, sent, content) => {
  const { response, body } = await create({
    body: Buffer.from(sent),
    headers: type ? { "content-type": type } : {},
  });
  expect(response.status).toBe(201);
  const { id, key } = body as unknown as { id: string; key: string };
  expect((await call(`/api/secrets/${id}/reveal`, { key })).body.content).toBe(content);
});

test.each([
  ["", '{"content":"hunter2"}', true],
  ["", ' {"data":"hunter2","expires":60}', true],
  ["", '{"note":"hunter2"}', false],
  ["", '"hunter2"', false],
  ["", '{"content":"hunter2"', false],
  ["text/plain", '{"content":"hunter2"}', false],
])("stores JSON of type %j as it is: %s, and warns: %s", async (type, sent, isWarned) => {
  const headers = type ? { "content-type": type } : {};
  for (const path of ["/api/secrets", "/?raw=true"]) {
    const response = await service.request(path, { method: "POST", body: Buffer.from(sent), headers });
    const warning =
      "the body was stored as it is; send Content-Type: application/json to have its fields read";
    expect([response.status, response.headers.get("tool-warning")]).toEqual([201, isWarned ? warning : null]);
  }
});

test("takes a form of parts, and a file part as its text", async () => {
  const form = new FormData();
  form.set("file", new Blob(["from a file\n"]), "note.txt");
  form.set("expires", "60");
  const { response, body } = await create({ body: form });
  expect(response.status).toBe(201);
  const { id, key } = body as unknown as { id: string; key: string };
  expect((await call(`/api/secrets/${id}/reveal`, { key })).body.content).toBe("from a file\n");
});

test.each([
  ["nothing at all", "text/plain", "", 400, "missing_body"],
  ["an empty content", "application/json", '{"content":""}', 400, "missing_body"],
  ["no content field", "application/json", '{"expires":60}', 400, "missing_parameter"],
  ["only options in a form", FORM, "expires=60", 400, "missing_parameter"],
  ["two content fields", "application/json", '{"content":"a","text":"b"}', 400, "repeated_parameter"],
  ["a repeated field", FORM, "content=a&content=b", 400, "repeated_parameter"],
  ["an unknown key", "application/json", '{"content":"a","ttl":60}', 400, "invalid_parameter"],
  ["a content field and an unknown one", FORM, "content=a&rest=b", 400, "invalid_parameter"],
  ["a number as content", "application/json", '{"content":1}', 400, "invalid_parameter"],
  ["a text as boolean", "application/json", '{"content":"a","isEncrypted":"yes"}', 400, "invalid_parameter"],
  ["a list", "application/json", "[]", 400, "invalid_json"],
  ["broken JSON", "application/json", "{", 400, "invalid_json"],
  ["a lone surrogate", "application/json", '{"content":"\\ud800"}', 400, "invalid_text"],
  ["bytes that are no UTF-8", "text/plain", "\xff", 400, "invalid_text"],
  ["percent-encoded bytes that are no UTF-8", FORM, "content=%ff", 400, "invalid_text"],
  ["another charset", "text/plain; charset=latin1", "x", 415, "unsupported_charset"],
])("refuses %s", async (_, type, sent, status, code) => {
  const { response, body } = await create({
    body: Buffer.from(sent, "latin1"),
    headers: { "content-type": type },
  });
  expect(response.status).toBe(status);
  expect(body.code).toBe(code);
});

test("repeats nothing of a text that looks like half a form", async () => {
  const { response, body } = await create({
    body: "hunter2&data=x",
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  expect(response.status).toBe(400);
  expect(JSON.stringify(body)).not.toContain("hunter2");
});

test("points from ttl to expires, and keeps content out of URLs", async () => {
  const hinted = await create(jsonPost({ content: "x", ttl: 60 }));
  expect(hinted.body.error).toContain('"expires"');
  const { response, body } = await create({ path: "/?content=oops", body: "x" });
  expect(response.status).toBe(400);
  expect(body).toMatchObject({ parameter: "content", in: "query" });
  expect(JSON.stringify(body)).not.toContain("oops");
});

test("takes booleans of forms in four spellings", async () => {
  for (const [text, value] of Object.entries({ true: true, false: false, 1: true, 0: false })) {
    const { body } = await create({ body: new URLSearchParams({ content: "x", isEncrypted: text }) });
    expect(body.isEncrypted).toBe(value);
  }
});

test("answers 429 to the eleventh secret of a minute and opens again with the next window", async () => {
  const ip = freshIp();
  const statuses: number[] = [];
  for (let i = 0; i < 11; i++)
    statuses.push((await create({ ...jsonPost({ content: "x" }), ip })).response.status);
  expect(statuses).toEqual([...Array<number>(10).fill(201), 429]);
  const { response, body } = await create({ ...jsonPost({ content: "x" }), ip });
  expect(body).toMatchObject({
    code: "rate_limited",
    limit: "secretCreates",
    value: 10,
    window: 60,
    tier: "anonymous",
  });
  expect(response.headers.get("retry-after")).toBe(String(body.retryAfter));
  service.clock.now += 60;
  expect((await create({ ...jsonPost({ content: "x" }), ip })).response.status).toBe(201);
});

test("answers 429 to the sixty-first look of a minute, reveal and status together", async () => {
  const ip = freshIp();
  const looks = Array.from({ length: 61 }, (_, i) =>
    call(`/api/secrets/0123456789abcdef/${i % 2 ? "status" : "reveal"}`, { key: "x" }, { ip }),
  );
  const statuses = (await Promise.all(looks)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 404)).toHaveLength(60);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
});

test("never takes a bad credential for an anonymous caller", async () => {
  const { response, body } = await create({
    body: "x",
    headers: { authorization: "Bearer service_token_nonsense" },
  });
  expect(response.status).toBe(401);
  expect(response.headers.get("www-authenticate")).toBe("Bearer");
  expect(body.code).toBe("invalid_token");
});
