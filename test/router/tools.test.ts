import { createHash } from "node:crypto";
import { HASH_ALGORITHMS } from "../../tools/file-hash.ts";
import { gzipSync } from "node:zlib";
import { PDFDocument } from "pdf-lib";
import { beforeAll, expect, test } from "vitest";
import type { Sent } from "../support/harness.ts";
import { makeBlankPdf } from "../support/samples.ts";
import { withServer } from "../support/with-server.ts";

const service = withServer();
let pdf: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  pdf = await makeBlankPdf([200, 200, 200]);
});

async function post(path: string, body: BodyInit, init: Sent = {}) {
  const response = await service.request(`/api/tools/${path}`, { method: "POST", body, ...init });
  const copy = response.clone();
  const data = await response.json().catch(() => undefined);
  return { response: copy, status: copy.status, body: data as Record<string, unknown> };
}

async function rotationsOf(bytes: ArrayBuffer): Promise<number[]> {
  return (await PDFDocument.load(bytes)).getPages().map((page) => page.getRotation().angle);
}

test("rotates the pages of a raw body and names, types and digests the result", async () => {
  const { response } = await post("pdf-rotate?angle=-90&range=end&filename=r%C3%A9sum%C3%A9%202026", pdf);
  expect(response.status).toBe(200);
  const bytes = await response.arrayBuffer();
  expect(await rotationsOf(bytes)).toEqual([0, 0, 270]);
  const headers = Object.fromEntries(response.headers);
  expect(headers).toMatchObject({
    "content-type": "application/pdf",
    "content-length": String(bytes.byteLength),
    "content-disposition": `attachment; filename="resume 2026.pdf"; filename*=UTF-8''r%C3%A9sum%C3%A9%202026.pdf`,
    "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
    "repr-digest": `sha-256=:${createHash("sha256").update(new Uint8Array(bytes)).digest("base64")}:`,
    vary: "Accept, Authorization",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "tool-pages": "3",
    "tool-password-needed": "false",
    "ratelimit-policy": '"tools";q=60;w=900',
    ratelimit: '"tools";r=59;t=900',
    "access-control-allow-origin": "*",
  });
  expect(headers["request-id"]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});

test("rotates the first file part of a form, whatever curl calls it", async () => {
  const form = new FormData();
  form.set("angle", "180");
  form.set("upload", new Blob([pdf]), "in.pdf");
  const { response } = await post("pdf-rotate", form);
  expect(await rotationsOf(await response.arrayBuffer())).toEqual([180, 180, 180]);
});

test("answers an envelope only to who would rather have JSON", async () => {
  const accepts: [string, boolean][] = [
    ["application/json", true],
    ["application/json, */*;q=0.5", true],
    ["application/json, text/plain, */*", false],
    ["*/*", false],
    ["text/html,application/xhtml+xml,*/*;q=0.8", false],
    ["image/png", false],
    ["application/json;q=0.5, application/pdf", false],
  ];
  for (const [accept, isEnvelope] of accepts) {
    const { response } = await post("pdf-rotate", pdf, { headers: { accept } });
    expect([accept, response.headers.get("content-type")]).toEqual([
      accept,
      isEnvelope ? "application/json; charset=utf-8" : "application/pdf",
    ]);
  }
});

test("puts the same bytes and facts into the envelope", async () => {
  const { response, body } = await post("pdf-rotate?filename=a.txt&colour=red", pdf, {
    headers: { accept: "application/json" },
  });
  const text = await response.text();
  expect(Number(response.headers.get("content-length"))).toBe(Buffer.byteLength(text));
  const data = Buffer.from(String(body.data), "base64");
  expect(Object.keys(body)).toEqual([
    ...["tool", "name", "type", "size", "encoding", "data", "sha256"],
    ...["pages", "rotated", "passwordNeeded", "warnings", "requestId"],
  ]);
  expect(body).toMatchObject({
    tool: "pdf-rotate",
    name: "a.pdf",
    type: "application/pdf",
    size: data.length,
    encoding: "base64",
    sha256: createHash("sha256").update(data).digest("hex"),
    pages: 3,
    rotated: 3,
    passwordNeeded: false,
    warnings: [
      {
        code: "unknown_parameter",
        message: 'Parameter "colour" is not known and was ignored',
        parameter: "colour",
      },
    ],
  });
});

test("tells of an unknown parameter and the name that was meant", async () => {
  const { response } = await post("pdf-rotate?anlge=90", pdf);
  expect(response.status).toBe(200);
  expect(response.headers.get("tool-warning")).toBe(
    'Parameter "anlge" is not known and was ignored; did you mean "angle"?',
  );
});

test("tells of it beside an error too", async () => {
  const { response } = await post("pdf-split?mode=keep&rang=1", pdf);
  expect(response.status).toBe(400);
  expect(response.headers.get("tool-warning")).toContain('did you mean "range"?');
});

test.each([
  ['{"files":[]}', 'Parameter "files" is empty; it needs at least one item'],
  ["{}", 'Parameter "files" is missing; it must be a list'],
  ["%PDF-1.7\n", "The body is a PDF by itself; send "],
])("answers a merge of %j in a sentence that helps", async (body, error) => {
  const response = await service.request("/api/tools/pdf-merge", { method: "POST", body });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: expect.stringContaining(error) });
});

test.each([
  [
    "pdf-rotate?angle=45",
    400,
    "invalid_parameter",
    { parameter: "angle", in: "query", allowed: [90, 180, 270, -90], received: 45 },
  ],
  ["pdf-rotate?angle=9e1", 400, "invalid_parameter", { parameter: "angle", received: "9e1" }],
  ["pdf-rotate?angle=90.0", 400, "invalid_parameter", { parameter: "angle", received: "90.0" }],
  ["pdf-rotate?angle=90&angle=180", 400, "repeated_parameter", { parameter: "angle" }],
  ["pdf-rotate?range=1--2", 400, "invalid_range", { parameter: "range" }],
  ["pdf-rotate?range=4", 422, "page_out_of_range", { page: 4, pages: 3 }],
])("answers %s with %i %s", async (path, status, code, fields) => {
  const { response, body } = await post(path, pdf);
  expect(response.status).toBe(status);
  expect(body).toMatchObject({ code, status, ...fields });
  expect(body.error).toEqual(expect.any(String));
  expect(body.requestId).toBe(response.headers.get("request-id"));
});

test("answers an empty body, and what is no PDF, with what to send", async () => {
  expect(await post("pdf-rotate", "")).toMatchObject({ status: 400, body: { code: "missing_body" } });
  const form = new FormData();
  form.append("file", new File([], "empty.pdf"));
  const empty = await service.request("/api/tools/pdf-rotate", { method: "POST", body: form });
  expect([empty.status, await empty.json()]).toMatchObject([
    400,
    {
      code: "missing_body",
      parameter: "file",
      error: expect.stringMatching(/^The file in the form is empty/),
    },
  ]);
  const merged = await post("pdf-merge", JSON.stringify({ files: [{ data: "" }] }));
  expect(merged.body).toMatchObject({
    status: 422,
    error: expect.stringContaining("empty; PDFs are joined"),
  });
  expect(await post("pdf-rotate", "<html></html>")).toMatchObject({
    status: 422,
    body: { code: "wrong_file_type" },
  });
});

test("says the same in RFC 9457's words on request", async () => {
  const { response, body } = await post("pdf-rotate?angle=45", pdf, {
    headers: { accept: "application/problem+json" },
  });
  expect(response.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
  expect(body).toMatchObject({
    code: "invalid_parameter",
    title: "Bad Request",
    status: 400,
    detail: body.error,
  });
});

test("digests a body as sha256sum does, and the empty one", async () => {
  const content = "The quick brown fox\n";
  const { body } = await post("file-hash?algorithms=md5,sha1,sha256", content);
  const hex = (name: string) => createHash(name).update(content).digest("hex");
  expect(body).toEqual({
    size: content.length,
    digests: { md5: hex("md5"), sha1: hex("sha1"), sha256: hex("sha256") },
  });
  const empty = await post("file-hash", "");
  expect(empty.body.digests).toEqual({ sha256: createHash("sha256").digest("hex") });
});

test("compares an expected checksum", async () => {
  const expected = createHash("md5").update("x").digest("hex").toUpperCase();
  const { body } = await post(`file-hash?expected=${expected}`, "x");
  expect(body).toMatchObject({ matches: true, matchedAlgorithm: "md5" });
  const none = await post("file-hash?expected=nonsense", "x");
  expect(none).toMatchObject({ status: 400, body: { parameter: "expected" } });
  const bad = await post("file-hash?algorithms=sha256,crc32", "x");
  const refused = { code: "invalid_parameter", parameter: "algorithms", received: "crc32" };
  expect(bad.body).toMatchObject({ ...refused, allowed: [...HASH_ALGORITHMS] });
});

test("reads gzip and deflate bodies and refuses other encodings", async () => {
  const zipped = await post("file-hash", gzipSync("hello"), { headers: { "content-encoding": "gzip" } });
  expect(zipped.body).toMatchObject({ size: 5 });
  // A file of gzip has one member or more (RFC 1952, 2.2), and an older name (RFC 9110, 8.4.1.3).
  const two = Buffer.concat([gzipSync("hel"), gzipSync("lo")]);
  const joined = await post("file-hash", two, { headers: { "content-encoding": "x-gzip" } });
  expect(joined.body).toMatchObject({ size: 5 });
  const broken = await post("file-hash", "no gzip", { headers: { "content-encoding": "gzip" } });
  expect(broken).toMatchObject({ status: 415, body: { code: "unsupported_content_encoding" } });
  const other = await post("file-hash", "x", { headers: { "content-encoding": "br" } });
  const error = "Content-Encoding must be gzip, deflate or identity";
  expect(other).toMatchObject({ status: 415, body: { error, code: "unsupported_content_encoding" } });
});

test("takes 25 MiB, and answers one byte more with 413, told beforehand or not", async () => {
  const value = 26_214_400;
  const at = await post("file-hash", new Uint8Array(value));
  expect(at.body).toMatchObject({ size: value });
  const above = {
    status: 413,
    body: { code: "file_too_large", limit: "fileSize", value, unit: "bytes", tokenValue: 104_857_600 },
  };
  expect(
    await post("file-hash", new Uint8Array(value + 1), { headers: { "content-length": String(value + 1) } }),
  ).toMatchObject(above);
  expect(await post("file-hash", new Blob([new Uint8Array(value + 1)]).stream())).toMatchObject(above);
  expect(
    await post("file-hash", gzipSync(new Uint8Array(value + 1)), { headers: { "content-encoding": "gzip" } }),
  ).toMatchObject(above);
});

test("makes passwords by GET and POST, from query and JSON alike", async () => {
  const get = await service.request("/api/tools/password?length=32&symbols=1&count=2");
  expect(get.headers.get("cache-control")).toBe("no-store");
  const fromQuery = (await get.json()) as Record<string, unknown>;
  expect(fromQuery).toMatchObject({ mode: "characters", length: 32, count: 2, alphabetSize: 94 });
  const { body } = await post("password", JSON.stringify({ mode: "words", words: 4, separator: "" }));
  expect(body).toMatchObject({ mode: "words", words: 4, separator: "", listSize: 512, entropyBits: 36 });
  expect(await post("password", "")).toMatchObject({ status: 200, body: { length: 20 } });
});

test("means false by uppercase=false", async () => {
  const response = await service.request("/api/tools/password?uppercase=false&digits=0&length=200");
  const { passwords } = (await response.json()) as { passwords: string[] };
  expect(passwords[0]).toMatch(/^[a-z]{200}$/);
});

test("gives bare lines to who asks for text", async () => {
  const response = await service.request("/api/tools/password?count=3", {
    headers: { accept: "text/plain" },
  });
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(await response.text()).toMatch(/^([0-9A-Za-z]{20}\n){3}$/);
});

test("makes a million characters in a worker, as JSON, as lines and over RPC", async () => {
  const options = { length: 1024, count: 1000, symbols: true, requireAll: true };
  const inClasses = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[^a-zA-Z\d])[!-~]{1024}$/;
  const expectAll = (passwords: readonly string[]) => {
    expect([passwords.length, new Set(passwords).size]).toEqual([1000, 1000]);
    expect(passwords.filter((each) => !inClasses.test(each))).toEqual([]);
  };
  const { body } = await post("password", JSON.stringify(options));
  expect(body).toMatchObject({ mode: "characters", length: 1024, count: 1000, alphabetSize: 94 });
  expectAll(body.passwords as string[]);
  const text = { headers: { accept: "text/plain" } };
  const lines = await service.request("/api/tools/password?length=1024&count=1000&symbols=1", text);
  expect(lines.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(await lines.text()).toMatch(/^([!-~]{1024}\n){1000}$/);
  expectAll((await service.client().tools.password.mutate(options)).passwords);
});

test("digests a file that came whole as it does one that came in pieces", async () => {
  const file = new Uint8Array(3 * 2 ** 20 + 1).fill(7);
  const sha256 = createHash("sha256").update(file).digest("hex");
  const algorithms = [...HASH_ALGORITHMS];
  const answer = await service.client().tools.fileHash.mutate({ file, algorithms });
  expect(answer).toMatchObject({ size: file.length, digests: { sha256 } });
});

test.each([
  ["length=0", { parameter: "length", minimum: 1, maximum: 1024, received: 0 }],
  ["length=1025", { parameter: "length", received: 1025 }],
  ["length=1e3", { parameter: "length", received: "1e3" }],
  [
    "mode=Words",
    { parameter: "mode", allowed: ["characters", "words", "passphrase", "pattern"], received: "Words" },
  ],
  ["uppercase=yes", { parameter: "uppercase" }],
])("refuses %s and says what is legal", async (query, fields) => {
  const response = await service.request(`/api/tools/password?${query}`);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: "invalid_parameter", in: "query", ...fields });
});

test("tells an unknown tool from a wrong method", async () => {
  const unknown = await service.request("/api/tools/pdf-sing?password=hush", { method: "POST" });
  expect(unknown.status).toBe(404);
  const body = await unknown.text();
  expect(JSON.parse(body)).toMatchObject({
    code: "unknown_tool",
    tools: expect.arrayContaining(["pdf-rotate"]),
  });
  expect(body).not.toContain("hush");
  const wrong = await service.request("/api/tools/pdf-rotate?password=hush");
  expect(wrong.status).toBe(405);
  expect(wrong.headers.get("allow")).toBe("POST, OPTIONS");
  expect(await wrong.text()).not.toContain("hush");
});

test("writes nothing about a tool call into the log", async () => {
  const before = service.lines.length;
  await post("pdf-rotate?filename=canary.pdf&password=canary", "canary");
  await post("pdf-sing?filename=canary.pdf", "canary");
  expect(service.lines.slice(before)).toEqual([]);
});

test("counts a call as one row with the last part of the address zeroed", async () => {
  await post("file-hash", "x", { ip: "203.0.113.77" });
  await post("file-hash?algorithms=crc", "x", { ip: "203.0.113.78" });
  await service.services.usage.flush();
  const rows = await service.db.query
    .selectFrom("usage")
    .selectAll()
    .where("address", "=", "203.0.113.0")
    .execute();
  expect(rows.map(({ tool, succeeded }) => [tool, Boolean(succeeded)]).sort()).toEqual([
    ["file-hash", false],
    ["file-hash", true],
  ]);
});
