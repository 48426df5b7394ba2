import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test, vi } from "vitest";
import { freshIp } from "../../support/fresh-ip.ts";
import { decodeFrame, encodeFrame } from "../../../wire/frame.ts";
import { formEntries } from "../../../adapters/trpc/rest/raw-input.ts";
import { warnUnknownParameter, type Warning } from "../../../adapters/trpc/rest/unknown-parameter.ts";
import { utf8 } from "../../../wire/bytes.ts";
import { parseCalls } from "../../../wire/json/json-calls.ts";
import { parseFiles } from "../../../wire/json/json-files.ts";
import { withServer } from "../../support/with-server.ts";
import { processorMs } from "../../machine/processor.ts";

const service = withServer();

const JSON_TYPE = { "content-type": "application/json" };
const FRAME = { "content-type": "application/vnd.hushkit.frame" };
const KIB = 1024;

async function post(path: string, body: BodyInit, headers: Record<string, string> = {}) {
  const response = await service.request(path, { method: "POST", body, headers, ip: freshIp() });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const isFrame = response.headers.get("content-type") === FRAME["content-type"];
  const { code, error } = codeOf(isFrame ? decodeFrame(bytes) : JSON.parse(Buffer.from(bytes).toString()));
  return { status: response.status, code, error };
}

// A failure of REST is flat; one of RPC is in `error.data`.
function codeOf(answer: unknown): { code?: string; error?: string } {
  // The server is this project's, so the shapes are known.
  const { error, code } = answer as {
    error?: string | { data: { code: string; error: string } };
    code?: string;
  };
  if (typeof error === "object") return error.data;
  return { ...(code ? { code } : {}), ...(error ? { error } : {}) };
}

// Each procedure without a file, a text or a content, and one with.
test.each([
  ["/trpc/account.logout", JSON_TYPE],
  ["/trpc/secrets.reveal", JSON_TYPE],
  ["/trpc/tools.password", JSON_TYPE],
  ["/trpc/tools.password", FRAME],
  ["/api/tools/password", JSON_TYPE],
  ["/api/account/login", JSON_TYPE],
])("takes at most 64 KiB at %s as %o", async (path, headers) => {
  const fits = await post(path, " ".repeat(64 * KIB), headers);
  const isOver = await post(path, " ".repeat(64 * KIB + 1), headers);
  expect([fits.code, isOver.status]).toEqual([expect.not.stringContaining("too_large"), 413]);
});

test("takes as much for a batch as its calls need together", async () => {
  const send = (names: string, size: number) => post(`/trpc/${names}?batch=1`, " ".repeat(size), JSON_TYPE);
  const answer = async (names: string, size: number) => (await send(names, size)).status;
  expect(await answer("tools.password,account.logout", 128 * KIB + 1)).not.toBe(200);
  expect(await answer("tools.password,tools.textCompare", 2 * KIB * KIB)).not.toBe(413);
});

test("names the limit of a batch that holds no files", async () => {
  const body = " ".repeat(1_400_000);
  const response = await service.request("/trpc/secrets.create,secrets.create?batch=1", {
    ...{ method: "POST", body, headers: JSON_TYPE },
  });
  expect(await response.text()).toContain("exceeds the limit of 1,331,072 bytes");
});

test("does not unpack more of a compressed body than the procedure takes", async () => {
  const body = new Uint8Array(gzipSync(Buffer.alloc(64 * KIB * KIB, "[")));
  const read = vi.spyOn(ReadableStreamDefaultReader.prototype, "read");
  onTestFinished(() => read.mockRestore());
  const { status } = await post("/trpc/account.logout", body, { ...JSON_TYPE, "content-encoding": "gzip" });
  expect(status).toBe(413);
  const pieces = read.mock.settledResults.map(({ type, value }) => type === "fulfilled" && value.value);
  const unpacked = pieces.reduce((sum: number, piece) => sum + (piece ? piece.length : 0), 0);
  // Bun 1.4 makes one piece of all that 4 KiB of the body hold.
  expect(unpacked).toBeLessThan(8 * KIB * KIB);
});

const DEEP = `${"[".repeat(65)}${"]".repeat(65)}`;
const WIDE = `[${"[],".repeat(300_000)}[]]`;

test.each([
  ["/api/tools/pdf-merge", `{"files":${DEEP}}`, "levels"],
  ["/api/tools/pdf-merge", `{"files":${WIDE}}`, "values"],
  ["/api/tools/text-compare", `{"a":"","b":"","c":${DEEP}}`, "levels"],
  ["/api/tools/text-compare", `{"a":"","b":"","c":${WIDE}}`, "values"],
  ["/api/secrets", `{"content":${DEEP}}`, "levels"],
  ["/api/account/login", `{"name":${DEEP}}`, "levels"],
  ["/trpc/tools.textCompare", `{"a":${DEEP}}`, "levels"],
  ["/trpc/tools.pdfMerge", `{"files":${WIDE}}`, "values"],
])("answers %s with too much JSON by what there is too much of", async (path, body, what) => {
  const { status, code, error } = await post(path, body, JSON_TYPE);
  expect([status, code]).toEqual([400, "invalid_json"]);
  expect(error).toContain(what);
});

test("bounds the head of a frame as JSON", async () => {
  const frame = encodeFrame({ a: "", b: Array.from({ length: 20_000 }, () => []) });
  const { status, code, error } = await post("/trpc/tools.textCompare", frame, FRAME);
  expect([status, code, error]).toEqual([400, "invalid_json", expect.stringContaining("values")]);
});

const DEEPEST = `${"[".repeat(61)}${"]".repeat(61)}`;

test.each([
  ["/api/tools/pdf-merge", `{"files":${DEEPEST}}`],
  ["/api/tools/pdf-merge", `{"files":[{"data":${DEEPEST}}]}`],
  ["/api/tools/pdf-merge", `{"files":[${DEEPEST}],"filename":${DEEPEST}}`],
  ["/api/tools/text-compare", `{"a":${DEEPEST},"b":"${"x".repeat(600 * KIB)}"}`],
  ["/api/tools/text-compare", `{"a":"${"x".repeat(600 * KIB)}","__proto__":${DEEPEST}}`],
  ["/trpc/tools.pdfMerge", `{"files":${DEEPEST}}`],
])("refuses lists of the deepest legal JSON at %s as a wrong parameter", async (path, body) => {
  const { status, code } = await post(path, body, JSON_TYPE);
  expect([status, code]).toEqual([400, expect.stringMatching(/^(invalid|missing)_parameter$/)]);
});

test("warns of unknown keys in a long comparison, and drops them", async () => {
  const text = "x\n".repeat(300 * KIB);
  const body = JSON.stringify({ a: text, b: text, granularty: "word", more: text });
  const response = await service.request("/api/tools/text-compare", { method: "POST", body });
  expect(response.status).toBe(200);
  expect(response.headers.get("tool-warning")).toContain('did you mean "granularity"?');
});

test("refuses a boundary of more than 70 characters", async () => {
  const send = (length: number) => {
    const boundary = "-".repeat(length);
    const body = `--${boundary}\r\nContent-Disposition: form-data; name="content"\r\n\r\nhush\r\n--${boundary}--\r\n`;
    return post("/api/secrets", body, { "content-type": `multipart/form-data; boundary=${boundary}` });
  };
  expect((await send(70)).status).toBe(201);
  expect(await send(71)).toMatchObject({ status: 400, code: "invalid_parameter" });
});

test("refuses a part whose name is not UTF-8", async () => {
  const head = Buffer.from('--x\r\nContent-Disposition: form-data; name="');
  const rest = Buffer.from('"\r\n\r\nhush\r\n--x--\r\n');
  const body = new Uint8Array(Buffer.concat([head, Buffer.from([0xff, 0xc0]), rest]));
  for (const path of [
    "/api/account/recover",
    "/api/secrets",
    "/api/tools/file-hash",
    "/api/tools/pdf-merge",
  ]) {
    const answer = await post(path, body, { "content-type": "multipart/form-data; boundary=x" });
    expect(answer).toMatchObject({ status: 400, code: "invalid_parameter" });
  }
});

function formOf(...fields: readonly (readonly [string, string])[]): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  form.append("file", new File(["x"], "a"));
  return form;
}

test.each([
  ["a name", "/api/tools/file-hash", "filename"],
  ["a list", "/api/tools/file-hash", "algorithms"],
  ["a password", "/api/tools/file-encrypt", "password"],
  ["an unknown one", "/api/tools/pdf-rotate", "nobody"],
  ["that of a file of several", "/api/tools/pdf-merge", "password[0]"],
])("takes at most 1 MiB of fields beside a file: %s", async (_, path, name) => {
  const long = "a".repeat(KIB * KIB);
  expect(await post(path, formOf([name, long], ["b", "b"]))).toMatchObject({
    status: 413,
    code: "total_too_large",
  });
  expect((await post(path, formOf([name, long]))).status).not.toBe(413);
});

test("reads no more items of a list than any has, and tells few of many faults", async () => {
  const commas = await post("/api/tools/file-hash", formOf(["algorithms", ",".repeat(500_000)]));
  expect(commas).toMatchObject({ status: 400, code: "invalid_parameter" });
  expect(commas.error).toContain("more than 1000 values");
  const wrong = formOf(...Array.from({ length: 900 }, () => ["algorithms", "none"] as const));
  const response = await service.request("/api/tools/file-hash", {
    method: "POST",
    body: wrong,
    ip: freshIp(),
  });
  const { issues } = (await response.json()) as { issues: unknown[] };
  expect([response.status, issues.length]).toEqual([400, 20]);
});

// Putting marks in order takes time by the square of their number: this would take a minute.
test.each([
  ["/api/tools/file-encrypt", "password", 400],
  ["/api/tools/pdf-lock", "password", 400],
  ["/api/tools/pdf-unlock", "password", 400],
  ["/api/tools/file-hash", "filename", 400],
])("puts no long run of marks in order: %s", async (path, name, status) => {
  const marks = `a${"\u0301".repeat(120_000)}${"\u0316".repeat(120_000)}`;
  expect((await post(path, formOf([name, marks]))).status).toBe(status);
});

test("puts no long run of marks of a login in order", async () => {
  const password = `a${"\u0301".repeat(15_000)}${"\u0316".repeat(15_000)}`;
  const { status } = await post("/api/account/login", JSON.stringify({ name: "ann", password }), JSON_TYPE);
  expect(status).toBe(401);
});

test.each(["x/healthz?", "x:80/healthz#", "user@x", "a, b", "x\\healthz"])(
  "answers no request for the host %s",
  async (host) => {
    const response = await service.request("/healthz", { headers: { host } });
    expect([response.status, ((await response.json()) as { parameter: string }).parameter]).toEqual([
      400,
      "Host",
    ]);
  },
);

// Each took a server seconds, or its life.
test.each<[string, string, string, number]>([
  ["a name of an algorithm without an end", "expected", "g".repeat(65_536), 400],
  ["base64 with padding everywhere", "expected", `md5 (a) = ${"=".repeat(65_000)}x`, 400],
  [
    "many names with many marks",
    "expected",
    `${"0".repeat(32)}  a${"\u0316\u0301".repeat(500)}\n`.repeat(60),
    200,
  ],
])("reads %s in the time of its length", async (_, name, value, status) => {
  expect((await post("/api/tools/file-hash", formOf([name, value]))).status).toBe(status);
});

const rawForm = (parts: readonly string[], boundary = "b") => ({
  body: Buffer.from(
    `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("")}--${boundary}--`,
    "latin1",
  ),
  headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
});

test("looks for a boundary that repeats itself in the time of the body", async () => {
  const boundary = "a".repeat(70);
  const { body, headers } = rawForm(
    [`Content-Disposition: form-data; name="f"; filename="a"\r\n\r\n${"a".repeat(8e6)}`],
    boundary,
  );
  expect((await post("/api/tools/pdf-merge", body, headers)).status).toBe(422);
});

test("reads no form whose heads are longer than any have, nor a long preamble", async () => {
  const { body, headers } = rawForm(
    Array<string>(900).fill(
      `Content-Disposition: form-data; name="f"${"; filename*=a'".repeat(500)}\r\n\r\n`,
    ),
  );
  for (const path of ["/api/tools/pdf-merge", "/api/tools/file-hash"])
    expect(await post(path, body, headers)).toMatchObject({ status: 400, code: "invalid_parameter" });
  const preamble = Buffer.concat([Buffer.alloc(100_000, "\n"), body]);
  expect((await post("/api/tools/pdf-merge", preamble, headers)).error).toContain("cannot be separated");
});

test("takes a body in chunks of one byte, for a text, a frame and a form", async () => {
  const inBytes = (bytes: Uint8Array) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
  const send = async (path: string, bytes: Uint8Array, headers: Record<string, string>) => {
    const init = { method: "POST", body: inBytes(bytes), headers, ip: freshIp(), duplex: "half" };
    return (await service.request(path, init as RequestInit)).status;
  };
  const text = new TextEncoder().encode("a".repeat(40_000));
  expect(await send("/api/secrets", text, { "content-type": "text/plain" })).toBe(201);
  const frame = encodeFrame({ file: text, password: "geheim" });
  expect(await send("/trpc/tools.fileEncrypt", new Uint8Array(frame), FRAME)).toBe(200);
  const { body, headers } = rawForm([
    'Content-Disposition: form-data; name="file"; filename="a"\r\n\r\nhello',
  ]);
  expect(await send("/api/tools/file-hash", new Uint8Array(body), headers)).toBe(200);
});

test("looks at no password that is longer than any, also of one file of a merge", async () => {
  const long = "a".repeat(2000);
  const files = [{ data: "", password: long }];
  const nested = await post("/api/tools/pdf-merge", utf8(JSON.stringify({ files })), JSON_TYPE);
  expect(nested.error).toBe('Parameter "files[0].password" must be text of at most 1024 characters');
  const { body, headers } = rawForm([
    'Content-Disposition: form-data; name="file"; filename="a"\r\n\r\n%PDF-',
    `Content-Disposition: form-data; name="password"\r\n\r\n${long}`,
  ]);
  for (const tool of ["pdf-unlock", "pdf-clean", "pdf-compress", "pdf-rotate"])
    expect((await post(`/api/tools/${tool}`, body, headers)).error).toContain('"password" must be text of');
});

test("a form of nothing but separators is the content, and has a bounded number of fields", async () => {
  const form = { "content-type": "application/x-www-form-urlencoded" };
  expect((await post("/api/secrets", utf8("&".repeat(40_000)), form)).status).toBe(201);
  expect((await post("/api/secrets", utf8("a&b"), form)).status).toBe(201);
  for (const body of ["secret=a&&expires=600&", "&data=a"])
    expect((await post("/api/secrets", utf8(body), form)).status).toBe(201);
  expect((await post("/api/secrets", utf8("secret=a&b"), form)).error).toContain("unknown fields");
  expect(() => formEntries("a=1&".repeat(200_001), "body")).toThrow("more than 200000 values");
});

test("a call of a batch has no more room than by itself", async () => {
  const batch = (length: number) =>
    JSON.stringify({ 0: { a: "a", b: "b" }, 1: { pattern: "a".repeat(length) } });
  const path = "/trpc/tools.textCompare,tools.password?batch=1";
  const answer = await service.request(path, { method: "POST", body: batch(600_000), headers: JSON_TYPE });
  const text = await answer.text();
  expect(text).toContain("total_too_large");
});

test("a text in place of a file of a merge is refused at once, and its letters are no names", async () => {
  const body = utf8(JSON.stringify({ files: ["A".repeat(33_000_000)] }));
  const init = { method: "POST", body, headers: JSON_TYPE, ip: freshIp() };
  const response = await service.request("/api/tools/pdf-merge", init);
  expect(await response.json()).toMatchObject({ status: 400, parameter: "files[0]" });
  expect(response.headers.get("tool-warning")).toBeNull();
});

test.each([
  [
    { files: [{ data: 5 }] },
    'Parameter "files[0].data" must be the bytes of a file: in JSON base64, over RPC { "$bytes": base64 }',
  ],
  [{ files: ["JVBERi0="] }, 'Parameter "files[0]" must be an object'],
  [{ files: [{ data: "", range: 1 }] }, 'Parameter "files[0].range" must be text'],
  [{ files: [{ data: "", password: null }] }, 'Parameter "files[0].password" must be text'],
])("tells of one of several files what it must be: %j", async (input, error) => {
  const path = "/api/tools/pdf-merge";
  expect((await post(path, utf8(JSON.stringify(input)), JSON_TYPE)).error).toBe(error);
});

test("sends the loop no more of a text in JSON with files than a parameter may have, and all of a file", () => {
  const long = "a".repeat(20);
  const body = {
    fit: long,
    [long]: 1,
    files: [{ data: "AAAAAAAAAAAAAAAAAAAA", range: long, [long]: 2 }, long],
  };
  const short = "a".repeat(10);
  const files = [{ data: new Uint8Array(15), range: short, [short]: 2 }, short];
  expect(parseFiles(utf8(JSON.stringify(body)), 10)).toEqual({ value: { fit: short, [short]: 1, files } });
  expect(parseFiles(utf8(JSON.stringify(long)), 10)).toEqual({ value: short });
  expect(parseFiles(utf8(JSON.stringify({ fit: long, files: long })))).toEqual({
    value: { fit: long, files: long },
  });
});

test("takes a long parameter of a call in JSON out whole, and cuts a text inside a list", () => {
  const long = "a".repeat(70_000);
  const body = utf8(JSON.stringify({ a: long, files: [{ name: long }] }));
  expect(parseCalls(body, { known: [["a", "files"]], isBatch: false })).toEqual({
    inputs: { 0: { a: "", files: [{ name: long.slice(0, 65_536) }] } },
    texts: [{ place: ["0", "a"], text: utf8(long) }],
  });
});

test("tells an unknown name by its beginning, without a look at the rest", async () => {
  const warnings: Warning[] = [];
  const warn = () => warnUnknownParameter(warnings, "é".repeat(30_000_000), [{ name: "range" }]);
  // Two seconds for all of it.
  expect(await processorMs(warn)).toBeLessThan(500);
  expect(warnings).toEqual([{ code: "unknown_parameter", parameter: "?".repeat(64) }]);
});
