// slow
import { createHash } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { endpoints } from "../../../adapters/service/endpoints.ts";
import { deleteFile, sweepFiles } from "../../../db/secrets/secret-files.ts";
import { sweep } from "../../../router/sweeper.ts";
import { openFile, sealFile } from "../../../tools/crypto/file-seal.ts";
import { deriveEndToEnd } from "../../../tools/crypto/text-seal.ts";
import { FRAME_TYPE, STREAMED_CALLS } from "../../../wire/rpc.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { ORIGIN, type Sent } from "../../support/harness.ts";
import { addMember, call } from "../../support/members.ts";
import { jsonPost, shareSecret } from "../../support/requests.ts";
import { collectPieces } from "../../tools/support/pieces.ts";
import { startForTest, withServer } from "../../support/with-server.ts";

const service = withServer();
// Of files that nobody has read.
beforeEach(async () => {
  await service.db.query.deleteFrom("secret_chunk").execute();
  await service.db.query.deleteFrom("secret_file").execute();
});
const CHUNK = 65_536;

interface Made {
  readonly id: string;
  readonly key: string;
  readonly revokeToken: string;
}

const content = (length: number) => Uint8Array.from({ length }, (_, i) => (7 * i) % 251);
const post = (path: string, init: Sent) => service.request(path, { method: "POST", ...init });

async function share(
  bytes: Uint8Array<ArrayBuffer>,
  { query = "", ...init }: Sent & { query?: string } = {},
) {
  const response = await post(`/api/secrets/file${query}`, { body: bytes, ...init });
  if (response.status !== 201) throw new Error(`Sharing answered ${response.status}`);
  return (await response.json()) as Made;
}

const read = (
  { id, key }: Pick<Made, "id" | "key">,
  fields: object = {},
  headers: Record<string, string> = {},
) => service.request(`/api/secrets/${id}/file`, jsonPost({ key, ...fields }, headers));

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());
const same = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

async function rows() {
  const { query } = service.db;
  const files = await query.selectFrom("secret_file").selectAll().execute();
  const chunks = await query.selectFrom("secret_chunk").select("position").execute();
  return { files: files.length, chunks: chunks.length };
}

/** A body in pieces of any size, that may break off. */
function streamed(pieces: Uint8Array[], { breaks = false } = {}): ReadableStream {
  const left = [...pieces];
  return new ReadableStream({
    pull(controller) {
      const next = left.shift();
      if (next) controller.enqueue(next);
      else if (breaks) controller.error(new Error("cut"));
      else controller.close();
    },
  });
}

test.each([1, CHUNK - 1, CHUNK, CHUNK + 1, 4 * CHUNK, 4 * CHUNK + 1, 1_000_000])(
  "hands a file of %i bytes out once, with its name",
  async (length) => {
    const file = content(length);
    const response = await post("/api/secrets/file?filename=r%C3%A9sum%C3%A9.pdf", { body: file });
    expect(response.status).toBe(201);
    const body = (await response.json()) as Record<string, string>;
    expect(response.headers.get("location")).toBe(`/api/secrets/${body.id}`);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{16}$/),
      url: `${ORIGIN}/s/${body.id}#${body.key}`,
      key: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
      expiry: new Date((service.clock.now + 86_400) * 1000).toISOString(),
      ...{ status: "active", isEncrypted: false, hasPassphrase: false, kind: "file", size: length },
      revokeToken: expect.stringMatching(/^[0-9A-Za-z]{32}$/),
    });
    const made = body as unknown as Made;
    const first = await read(made);
    expect(first.status).toBe(200);
    expect(first.headers.get("content-disposition")).toBe(
      "attachment; filename=\"resume.pdf\"; filename*=UTF-8''r%C3%A9sum%C3%A9.pdf",
    );
    expect(first.headers.get("content-type")).toBe("application/octet-stream");
    expect(first.headers.get("content-length")).toBe(String(length));
    expect(first.headers.get("content-security-policy")).toContain("sandbox");
    expect(same(await bytesOf(first), file)).toBe(true);
    const again = await read(made);
    expect([again.status, await again.json()]).toMatchObject([
      410,
      { code: "secret_gone", secretStatus: "revealed" },
    ]);
    service.clock.now += 600;
    await sweepFiles(service.db, { now: service.clock.now });
    expect(await rows()).toEqual({ files: 0, chunks: 0 });
  },
);

test("answers the link alone with raw=true", async () => {
  const response = await post("/api/secrets/file?raw=true", { body: content(10) });
  expect(await response.text()).toMatch(/^http:\/\/hushkit\.test\/s\/[0-9A-Za-z]{16}#[0-9A-Za-z]{22}\n$/);
});

test("takes a form whose file part names the file, with passphrase and lifetime", async () => {
  const form = new FormData();
  form.set("file", new Blob([content(100_000)]), "ignored.txt");
  form.set("filename", "named.txt");
  form.set("expires", "60");
  form.set("passphrase", "open sesame");
  const made = (await (await post("/api/secrets/file", { body: form })).json()) as Made & { expiry: string };
  expect(made.expiry).toBe(new Date((service.clock.now + 60) * 1000).toISOString());
  const without = await read(made);
  expect([without.status, await without.json()]).toMatchObject([403, { code: "passphrase_required" }]);
  const response = await read(made, { passphrase: "open sesame" });
  expect(response.headers.get("content-disposition")).toContain("named.txt");
  expect(same(await bytesOf(response), content(100_000))).toBe(true);
});

test.each([
  ["", "report.pdf", "report.pdf"],
  ["", "C:\\fakepath\\re\u0301sume\u0301 \u202Egpj.exe", "r%C3%A9sum%C3%A9%20gpj.exe"],
  ["", "x".repeat(2000), "x".repeat(255)],
  ["?filename=named.txt", "report.pdf", "named.txt"],
  ["?filename=", "report.pdf", "report.pdf"],
])("with query %j calls a file of a form that is called %j %j", async (query, name, called) => {
  const form = new FormData();
  form.set("file", new Blob([content(10)]), name);
  const made = (await (await post(`/api/secrets/file${query}`, { body: form })).json()) as Made;
  expect((await read(made)).headers.get("content-disposition")).toContain(called);
});

/** A form as curl writes it, in pieces of `size` bytes; what is no text is the file. */
function formOf(fields: [string, string | Uint8Array<ArrayBuffer>][], size: number) {
  const parts = fields.flatMap(([name, value]) => [
    Buffer.from(
      `\r\n--a boundary\r\nContent-Disposition: form-data; name="${name}"` +
        `${typeof value === "string" ? "" : '; filename="on my disk.txt"'}\r\n\r\n`,
    ),
    Buffer.from(value),
  ]);
  const bytes = new Uint8Array(Buffer.concat([...parts, Buffer.from("\r\n--a boundary--\r\n")])).subarray(2);
  const pieces = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.slice(at, at + size));
  return {
    body: streamed(pieces),
    headers: { "content-type": 'multipart/form-data; boundary="a boundary"' },
  };
}

// Looks like the end of its part, nearly.
const TRAPS = new TextEncoder().encode("\r\n--a boundar\r\n\r\r\n--a bound--a boundary".repeat(9000));

test.each([
  [1, 500],
  [7, 9000],
  [65_536, TRAPS.length],
  [1_000_000, TRAPS.length],
])("takes a form in pieces of %i bytes, with fields on both sides of the file", async (size, length) => {
  const file = TRAPS.slice(0, length);
  const fields: [string, string | Uint8Array<ArrayBuffer>][] = [
    ["isEncrypted", "true"],
    ["file", file],
    ["expires", "60"],
    ["passphrase", "open sesame"],
    ["filename", "late.txt"],
  ];
  const response = await post("/api/secrets/file", formOf(fields, size));
  expect(response.status).toBe(201);
  const made = (await response.json()) as Made & { expiry: string };
  expect(made).toMatchObject({ hasPassphrase: true, isEncrypted: true, size: length });
  expect(made.expiry).toBe(new Date((service.clock.now + 60) * 1000).toISOString());
  expect((await read(made)).status).toBe(403);
  const opened = await read(made, { passphrase: "open sesame" });
  expect(opened.headers.get("content-disposition")).toContain("late.txt");
  expect(same(await bytesOf(opened), file)).toBe(true);
});

test.each([
  ["a lifetime that is too short", [["expires", "59"]], "invalid_parameter"],
  ["a lifetime that is no number", [["expires", "soon"]], "invalid_parameter"],
  ["a field that came before", [["filename", "a"]], "repeated_parameter"],
  [
    "a field that comes twice",
    [
      ["expires", "60"],
      ["expires", "60"],
    ],
    "repeated_parameter",
  ],
  ["a passphrase that is too long", [["passphrase", "x".repeat(1025)]], "invalid_parameter"],
  ["a field longer than any", [["passphrase", "x".repeat(70_000)]], "invalid_parameter"],
] as [string, [string, string][], string][])(
  "refuses %s behind the file, and keeps nothing",
  async (_, later, code) => {
    const before: [string, string][] = [["filename", "b"]];
    const response = await post(
      "/api/secrets/file",
      formOf([...before, ["file", content(300_000)], ...later], 50_000),
    );
    expect([response.status, await response.json()]).toMatchObject([400, { code }]);
    expect(await rows()).toEqual({ files: 0, chunks: 0 });
  },
);

test.each(["before", "behind"])("refuses a field that nobody knows %s the file", async (place) => {
  const fields: [string, string | Uint8Array<ArrayBuffer>][] = [
    ["file", content(300_000)],
    ["pasphrase", "open sesame"],
  ];
  if (place === "before") fields.reverse();
  const response = await post("/api/secrets/file", formOf(fields, 50_000));
  const text = await response.text();
  expect([response.status, JSON.parse(text)]).toMatchObject([
    400,
    { code: "invalid_parameter", parameter: "pasphrase", in: "body" },
  ]);
  expect(text).not.toContain("sesame");
  expect(await rows()).toEqual({ files: 0, chunks: 0 });
});

test.each(["before", "behind"])("takes a passphrase that is sent as a file %s the file", async (place) => {
  const fields: [string, Uint8Array<ArrayBuffer>][] = [
    ["file", content(300_000)],
    ["passphrase", new TextEncoder().encode("open sesame")],
  ];
  if (place === "before") fields.reverse();
  const response = await post("/api/secrets/file", formOf(fields, 50_000));
  expect(response.headers.get("tool-warning")).toBeNull();
  const made = (await response.json()) as Made;
  expect(made).toMatchObject({ hasPassphrase: true, size: 300_000 });
  expect((await read(made)).status).toBe(403);
  expect((await read(made, { passphrase: "open sesame" })).status).toBe(200);
});

test("refuses a form that ends early or has no file, and takes the first of two files", async () => {
  const { body: _, headers } = formOf([], 1);
  for (const text of ["", "--a boundary", "--a boundary\r\n\r\nx", "--a boundary--", "x\r\n--a boundary--"]) {
    const response = await post("/api/secrets/file", { body: text, headers });
    expect(response.status).toBe(400);
  }
  const two = formOf(
    [
      ["a", content(10)],
      ["b", content(20)],
    ],
    50,
  );
  const response = await post("/api/secrets/file", two);
  expect(response.headers.get("tool-warning")).toContain("first file part");
  expect(await response.json()).toMatchObject({ size: 10 });
});

test("goes to exactly one of many who ask at the same time", async () => {
  const made = await share(content(200_000));
  const answers = await Promise.all(Array.from({ length: 30 }, () => read(made)));
  const statuses = answers.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([200, ...Array<number>(29).fill(410)]);
  const winner = answers.find(({ status }) => status === 200)!;
  expect(same(await bytesOf(winner), content(200_000))).toBe(true);
});

test("goes on after a cut with its ticket, for ten minutes and for nobody else", async () => {
  const file = content(10 * CHUNK + 5);
  const made = await share(file, { headers: { "secret-passphrase": "caf%C3%A9" } });
  const passphrase = "café";
  const first = await read(made, { passphrase });
  const ticket = first.headers.get("secret-ticket") ?? "";
  expect(ticket).toMatch(/^[0-9A-Za-z]{32}$/);
  const reader = first.body!.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  const at = value!.length;
  expect(same(value!, file.subarray(0, at))).toBe(true);

  const more = (headers: Record<string, string>, fields: object = { passphrase }) =>
    read(made, fields, headers);
  expect((await read(made, { passphrase })).status).toBe(410);
  expect((await more({ "secret-ticket": "x".repeat(32) })).status).toBe(410);
  expect((await more({ "secret-ticket": ticket }, { passphrase: "cafe" })).status).toBe(403);
  expect(
    (await read({ ...made, key: "x".repeat(22) }, { passphrase }, { "secret-ticket": ticket })).status,
  ).toBe(404);
  const range = (text: string) => more({ "secret-ticket": ticket, range: text });
  for (const text of ["bytes=-5", "bytes=1-5"]) expect((await range(text)).status).toBe(400);
  const past = await range(`bytes=${file.length}-`);
  expect([past.status, past.headers.get("content-range")]).toEqual([416, `bytes */${file.length}`]);
  expect(await past.json()).toMatchObject({ code: "range_not_satisfiable", length: file.length });

  service.clock.now += 599;
  // Names of units have no case, and those that nobody knows are passed over (RFC 9110, 14.1 and 14.2).
  expect((await range("items=1-")).headers.get("content-range")).toBeNull();
  const half = await range(`Bytes=${at + 1}-`);
  expect([half.status, half.headers.get("content-range")]).toEqual([
    206,
    `bytes ${at + 1}-${file.length - 1}/${file.length}`,
  ]);
  await half.body!.cancel();
  const whole = await more({ "secret-ticket": ticket });
  expect(whole.status).toBe(200);
  await whole.body!.cancel();
  service.clock.now += 600;
  expect((await range(`bytes=${at}-`)).status).toBe(410);
  await sweepFiles(service.db, { now: service.clock.now });
  expect(await rows()).toEqual({ files: 0, chunks: 0 });
});

test.each([
  ["JSON", (fields: Record<string, string>) => jsonPost(fields)],
  ["a form", (fields: Record<string, string>) => ({ method: "POST", body: new URLSearchParams(fields) })],
])("goes on from a byte where the ticket is a field of %s too", async (_, body) => {
  const file = content(2 * CHUNK);
  const { id, key } = await share(file);
  const go = (headers: Record<string, string>) => {
    const { headers: own, ...init } = { headers: {}, ...body({ key, ticket: "t".repeat(32) }) };
    return service.request(`/api/secrets/${id}/file`, { ...init, headers: { ...own, ...headers } });
  };
  await (await go({})).body!.cancel();
  const rest = await go({ range: `bytes=${CHUNK}-` });
  expect([rest.status, rest.headers.get("content-range")]).toEqual([
    206,
    `bytes ${CHUNK}-${2 * CHUNK - 1}/${2 * CHUNK}`,
  ]);
  expect(same(await bytesOf(rest), file.subarray(CHUNK))).toBe(true);
  expect([(await go({ range: "bytes=1-5" })).status, (await go({ range: "bytes=200000-" })).status]).toEqual([
    400, 416,
  ]);
});

test("refuses a file by the length that it declares, before any of it is read", async () => {
  const headers = { "content-length": String(26_214_401) };
  const refused = await post("/api/secrets/file", { body: streamed([content(1)]), headers });
  expect(await refused.json()).toMatchObject({ code: "file_too_large", actual: 26_214_401 });
});

test("keeps the rows when all was taken, until it is received", async () => {
  const file = content(3 * CHUNK);
  const made = await share(file);
  const first = await read(made);
  const ticket = first.headers.get("secret-ticket") ?? "";
  await first.body!.cancel();
  const rest = await read(made, {}, { "secret-ticket": ticket, range: "bytes=70000-" });
  expect(same(await bytesOf(rest), file.subarray(70_000))).toBe(true);
  expect(await rows()).toEqual({ files: 1, chunks: 3 });
  for (let i = 0; i < 2; i++) {
    const received = await service.request(
      `/api/secrets/${made.id}/received`,
      jsonPost({ key: made.key, ticket }),
    );
    expect([received.status, await received.json()]).toEqual([200, { id: made.id, status: "revealed" }]);
    expect(await rows()).toEqual({ files: 0, chunks: 0 });
  }
  expect((await read(made, {}, { "secret-ticket": ticket })).status).toBe(410);
});

test("stores nothing of an upload that breaks off, whatever its length", async () => {
  const before = await service.db.query.selectFrom("secret").select("id").execute();
  for (const count of [0, 1, 9]) {
    const body = streamed(
      Array.from({ length: count }, () => content(CHUNK)),
      { breaks: true },
    );
    const response = await post("/api/secrets/file", { body });
    expect(response.status).toBe(400);
  }
  expect(await rows()).toEqual({ files: 0, chunks: 0 });
  expect(await service.db.query.selectFrom("secret").select("id").execute()).toEqual(before);
});

test("cannot become active once the sweep has come to it", async () => {
  let isSwept = false;
  const body = new ReadableStream(
    {
      async pull(controller) {
        if (isSwept) return controller.close();
        controller.enqueue(content(8 * CHUNK));
        service.clock.now += 1801;
        await sweepFiles(service.db, { now: service.clock.now });
        isSwept = true;
      },
    },
    { highWaterMark: 0 },
  );
  const response = await post("/api/secrets/file", { body });
  expect(response.status).toBeGreaterThanOrEqual(500);
  expect((await rows()).chunks).toBe(0);
});

test("is sealed end to end by page or command line, and opaque to the server", async () => {
  const { fileKey, gate } = await deriveEndToEnd("Zz9Yy8Xx7Ww6Vv5Uu4Tt3Ss2Rr1Qq0Pp9Oo8Nn7Mm6L");
  expect(gate).toBeNull();
  const file = content(150_000);
  const metadata = { name: "naïve name.txt", type: "text/plain", size: file.length };
  const upload = await collectPieces(sealFile(file, { fileKey, metadata }));
  const made = await share(upload, { query: "?isEncrypted=true" });
  const download = await bytesOf(await read(made));
  expect(same(download, upload)).toBe(true);
  const opened = await openFile(download, fileKey);
  expect(opened.metadata).toEqual(metadata);
  expect(same(await collectPieces(opened.pieces), file)).toBe(true);
});

test("shows kind and size to whoever has key or token, and kind alone in the list", async () => {
  const member = await addMember(service);
  const headers = { authorization: member.bearer };
  const made = await share(content(1234), { headers });
  const status = (json: object, more: object = {}) =>
    call(service, `/api/secrets/${made.id}/status`, { json, ...more });
  const { key, revokeToken } = made;
  expect((await status({ key })).body).toMatchObject({ kind: "file", size: 1234, status: "active" });
  expect((await status({ revokeToken })).body).toMatchObject({ kind: "file", size: 1234 });
  expect(Object.keys((await status({}, { headers })).body)).not.toContain("size");
  const { body } = await call(service, "/api/users/me/secrets", { headers });
  expect(body.secrets).toEqual([expect.objectContaining({ id: made.id, kind: "file" })]);
  expect(JSON.stringify(body)).not.toContain("1234");
  const text = await shareSecret(service);
  const { body: ofText } = await call(service, `/api/secrets/${text.id}/status`, { json: { key: text.key } });
  expect(ofText).toMatchObject({ kind: "text" });
  expect(Object.keys(ofText)).not.toContain("size");
});

test("answers the wrong path with 422 and the right one, and consumes nothing", async () => {
  const file = await share(content(10));
  const text = await shareSecret(service);
  const reveal = (of: { id: string; key: string }) =>
    call(service, `/api/secrets/${of.id}/reveal`, { json: { key: of.key } });
  expect(await reveal(file)).toMatchObject({
    status: 422,
    body: { code: "wrong_kind", kind: "file", path: `/api/secrets/${file.id}/file` },
  });
  const wrong = await read(text);
  expect([wrong.status, await wrong.json()]).toMatchObject([
    422,
    { code: "wrong_kind", kind: "text", path: `/api/secrets/${text.id}/reveal` },
  ]);
  expect((await reveal(text)).status).toBe(200);
  expect((await read(file)).status).toBe(200);
});

test("names the right path also below a path", async () => {
  const below = await startForTest({ publicUrl: "https://hush.test/tools/hush" });
  const { id, key } = await shareSecret(below);
  expect(await call(below, `/api/secrets/${id}/file`, { json: { key } })).toMatchObject({
    status: 422,
    body: { path: `/tools/hush/api/secrets/${id}/reveal` },
  });
});

test("is revoked with its rows, and locked with its rows by the tenth wrong passphrase", async () => {
  await sweepFiles(service.db, { now: service.clock.now + 10_000 });
  const revoked = await share(content(5 * CHUNK));
  const { revokeToken } = revoked;
  const answer = await call(service, `/api/secrets/${revoked.id}/revoke`, { json: { revokeToken } });
  expect(answer).toMatchObject({ status: 200, body: { status: "revoked" } });
  expect((await read(revoked)).status).toBe(410);
  const locked = await share(content(5 * CHUNK), { headers: { "secret-passphrase": "right" } });
  const statuses = [];
  for (let i = 0; i < 11; i++) statuses.push((await read(locked, { passphrase: "wrong" })).status);
  expect(statuses).toEqual([...Array<number>(10).fill(403), 410]);
  expect(await rows()).toEqual({ files: 0, chunks: 0 });
});

test("expires with its rows", async () => {
  const made = await share(content(3 * CHUNK), { query: "?expires=60" });
  service.clock.now += 60;
  expect((await read(made)).status).toBe(410);
  await sweep(service.db, { now: service.clock.now, receiptDays: 30, usageDays: 90 });
  expect(await rows()).toEqual({ files: 0, chunks: 0 });
});

test("lives as long as was asked for, also when sending it took longer than that", async () => {
  const file = content(5 * CHUNK);
  let sent = 0;
  const slow = new ReadableStream({
    pull(controller) {
      if (sent === file.length) return controller.close();
      controller.enqueue(file.slice(sent, (sent += CHUNK)));
      service.clock.now += 16;
    },
  });
  const response = await post("/api/secrets/file?expires=60", { body: slow });
  const made = (await response.json()) as Made & { expiry: string };
  expect(made.expiry).toBe(new Date((service.clock.now + 60) * 1000).toISOString());
  service.clock.now += 59;
  expect(same(await bytesOf(await read(made)), file)).toBe(true);
});

test("refuses an empty file, a file over the limit, and a misspelt or secret parameter in the URL", async () => {
  const size = 26_214_400;
  const statusOf = async (path: string, init: Sent) => (await post(path, init)).status;
  expect(await statusOf("/api/secrets/file", { body: new Uint8Array(0) })).toBe(400);
  expect(await statusOf("/api/secrets/file", { body: new Uint8Array(size + 1) })).toBe(413);
  for (const query of ["passphrase=x", "expire=60", "expires=1", "isEncrypted=perhaps", "raw=yes"])
    expect(await statusOf(`/api/secrets/file?${query}`, { body: content(1) })).toBe(400);
  expect(await rows()).toEqual({ files: 0, chunks: 0 });
  expect(await statusOf("/api/secrets/file", { body: new Uint8Array(size) })).toBe(201);
});

test("counts with the secrets of a minute", async () => {
  const ip = freshIp();
  for (let i = 0; i < 10; i++) await share(content(1), { ip });
  expect((await post("/api/secrets/file", { body: content(1), ip })).status).toBe(429);
});

test("stores neither name nor content in clear", async () => {
  const text = new TextEncoder().encode("hunter2 ".repeat(10_000));
  const { id } = await share(text, { query: "?filename=hunter2.txt" });
  const { query } = service.db;
  const chunks = await query
    .selectFrom("secret_chunk")
    .select("sealed")
    .where("secret_id", "=", id)
    .execute();
  const heads = await query
    .selectFrom("secret_content")
    .select("sealed")
    .where("secret_id", "=", id)
    .execute();
  const stored = Buffer.concat([...chunks, ...heads].map(({ sealed }) => sealed));
  expect(stored.length).toBeGreaterThan(text.length);
  expect(stored.includes("hunter2")).toBe(false);
  await deleteFile(service.db, { id });
});

const inMemory = (file: Uint8Array<ArrayBuffer>) => file;
const onDisk = (file: Uint8Array<ArrayBuffer>) => new Blob([file]);
const whileMade = (file: Uint8Array<ArrayBuffer>) =>
  (async function* () {
    for (let at = 0; at < file.length; at += 50_000) yield file.slice(at, at + 50_000);
  })();

test.each([
  ["in memory", inMemory],
  ["on the disk", onDisk],
  ["while it is made", whileMade],
])("goes in %s and out as a stream, typed over RPC", async (_, sent) => {
  const { secrets } = service.client();
  const file = content(300_000);
  const made = await secrets.createFile.mutate({ file: sent(file), filename: "a.bin", expires: 60 });
  expect(made).toMatchObject({ kind: "file", size: file.length });
  const { id, key } = made;
  const { data, ...about } = await secrets.openFile.mutate({ id, key });
  expect(about).toMatchObject({ name: "a.bin", size: file.length, offset: 0, isEncrypted: false });
  expect(data.length).toBe(file.length);
  expect(same(await data.bytes(), file)).toBe(true);
  await expect(secrets.openFile.mutate({ id, key })).rejects.toMatchObject({ data: { code: "secret_gone" } });
  const received = { id, status: "revealed" };
  expect(await secrets.received.mutate({ id, key, ticket: about.ticket })).toEqual(received);
  expect(await rows()).toEqual({ files: 0, chunks: 0 });
});

test("goes on over RPC after a cut, with the ticket and from a byte on", async () => {
  const { secrets } = service.client();
  const file = content(300_000);
  const { id, key } = await secrets.createFile.mutate({ file });
  const { data, ticket } = await secrets.openFile.mutate({ id, key });
  for await (const piece of data.stream()) {
    expect(piece.length).toBeLessThan(file.length);
    break;
  }
  await expect(secrets.openFile.mutate({ id, key })).rejects.toMatchObject({ data: { code: "secret_gone" } });
  const rest = await secrets.openFile.mutate({ id, key, ticket, offset: 200_001 });
  expect(
    same(new Uint8Array(await new Response(rest.data.stream()).arrayBuffer()), file.subarray(200_001)),
  ).toBe(true);
});

test("comes as base64 to a program that calls RPC in JSON", async () => {
  const file = content(100_000);
  for (const batch of ["", "?batch=1"]) {
    const { id, key } = await share(file);
    const input = { id, key };
    const response = await service.request(
      `/trpc/secrets.openFile${batch}`,
      jsonPost(batch ? { 0: input } : input),
    );
    const text = await response.text();
    expect(response.headers.get("content-length")).toBe(String(text.length));
    const answer = JSON.parse(text) as unknown;
    const [{ result }] = (batch ? answer : [answer]) as [{ result: { data: { data: { $bytes: string } } } }];
    expect(same(Buffer.from(result.data.data.$bytes, "base64"), file)).toBe(true);
  }
});

test("is refused over RPC when it is longer or shorter than its frame says, and nothing is kept", async () => {
  for (const length of [5, 15]) {
    const json = JSON.stringify({ file: { $bytes: [0, length] } });
    const head = Buffer.concat([Buffer.from([0, 0, 0, json.length]), Buffer.from(json)]);
    const body = Buffer.concat([head, Buffer.alloc(10)]);
    const response = await post("/trpc/secrets.createFile", {
      body,
      headers: { "content-type": FRAME_TYPE },
    });
    expect(response.status).toBe(400);
  }
  expect(await rows()).toEqual({ files: 0, chunks: 0 });
  const tooLarge = { file: onDisk(new Uint8Array(26_214_401)) };
  await expect(service.client().secrets.createFile.mutate(tooLarge)).rejects.toMatchObject({
    data: { code: "file_too_large" },
  });
});

test("lets the tools take a file from the disk too", async () => {
  const { tools } = service.client();
  const file = content(200_000);
  const sha256 = createHash("sha256").update(file).digest("hex");
  expect(await tools.fileHash.mutate({ file: onDisk(file) })).toMatchObject({ digests: { sha256 } });
  for (const sent of [onDisk, whileMade])
    await expect(tools.fileHash.mutate({ file: sent(new Uint8Array(26_214_401)) })).rejects.toMatchObject({
      data: { code: "file_too_large" },
    });
});

test("is asked for by frames exactly where an answer is a stream", () => {
  const streamed = endpoints.filter(({ http }) => http.result === "download").map(({ rpc }) => rpc);
  expect(STREAMED_CALLS).toEqual(streamed);
});
