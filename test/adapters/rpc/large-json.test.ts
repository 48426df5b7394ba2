// slow
import { createHash } from "node:crypto";
import { expect, onTestFinished, test, vi } from "vitest";
import { encodeFrame } from "../../../wire/frame.ts";
import { FRAME_TYPE } from "../../../wire/rpc.ts";
import { framePost, jsonPost } from "../../support/requests.ts";
import { withServer } from "../../support/with-server.ts";

// Bodies that a worker reads, because in the server's own thread they would hold up everybody.
const service = withServer();
const LONG = 600 * 1024;

interface Answer {
  readonly result?: { readonly data: Record<string, unknown> };
  readonly error?: { readonly data: Record<string, unknown> };
}

async function send(path: string, init: RequestInit): Promise<{ status: number; body: Answer & Answer[] }> {
  const response = await service.request(`/trpc/${path}`, init);
  return { status: response.status, body: (await response.json()) as Answer & Answer[] };
}

test("a file in base64 arrives as it was sent", async () => {
  const file = crypto.getRandomValues(new Uint8Array(60_000));
  const sent = new Uint8Array(LONG).map((_, i) => file[i % file.length] ?? 0);
  const { body } = await send(
    "tools.fileHash",
    jsonPost({ file: { $bytes: Buffer.from(sent).toString("base64") }, zz: "?".repeat(LONG) }),
  );
  const sha256 = createHash("sha256").update(sent).digest("hex");
  expect(body.result?.data).toEqual({ size: LONG, digests: { sha256 } });
});

test.each(["json", "frame"])("long texts arrive as they were sent, in %s", async (kind) => {
  const a = `\uFEFF${"Zeile é 🔑\n".repeat(60_000)}`;
  const input = { a, b: `${a}!`, granularity: "line", format: "unified", context: 0 };
  const post = kind === "json" ? jsonPost(input) : framePost(input);
  const response = await service.request("/trpc/tools.textCompare", post);
  const text = await response.text();
  expect(response.status).toBe(200);
  expect(text).toContain('"deleted":0,"inserted":1');
});

test("long texts for a comparison pass the server as the bytes that they came as", async () => {
  const input = JSON.stringify({ a: "x\n".repeat(LONG), b: "y\n".repeat(LONG), format: "unified" });
  const post = { ...jsonPost({}), body: new TextEncoder().encode(input) };
  onTestFinished(() => void vi.restoreAllMocks());
  const decode = vi.spyOn(TextDecoder.prototype, "decode");
  const encode = vi.spyOn(TextEncoder.prototype, "encode");
  for (const path of ["/trpc/tools.textCompare", "/api/tools/text-compare"])
    expect((await service.request(path, post)).status).toBe(200);
  const decoded = decode.mock.calls.map(([bytes]) => bytes?.byteLength ?? 0);
  const encoded = encode.mock.calls.map(([text]) => text?.length ?? 0);
  vi.restoreAllMocks();
  expect(Math.max(0, ...decoded, ...encoded)).toBeLessThan(LONG);
});

test("a file that has come whole is locked in turns of the event loop", async () => {
  const file = new Uint8Array(4 * 1024 * 1024);
  onTestFinished(() => void vi.restoreAllMocks());
  const wait = vi.spyOn(globalThis, "setImmediate");
  const { status } = await service.request("/trpc/tools.fileEncrypt", framePost({ file, password: "p" }));
  expect(status).toBe(200);
  expect(wait.mock.calls.length).toBeGreaterThanOrEqual(7);
});

test("each call of a batch gets its own input, long or short", async () => {
  const long = "x\n".repeat(LONG / 2);
  const batch = { 0: { a: long, b: long }, 1: { a: "x", b: "y" }, 2: { count: 2 } };
  const path = "tools.textCompare,tools.textCompare,tools.password?batch=1";
  const { body } = await send(path, jsonPost(batch));
  expect(body.map(({ result, error }) => result?.data.identical ?? result?.data.count ?? error)).toEqual([
    true,
    false,
    2,
  ]);
});

test("text with a lone surrogate arrives too", async () => {
  const a = `${"x".repeat(LONG)}\ud800`;
  const { body } = await send("tools.textCompare", jsonPost({ a, b: a }));
  expect(body.result?.data).toMatchObject({ identical: true });
});

const filler = "A".repeat(LONG);
const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

test.each<[string, string, number, string]>([
  ["brackets as deep as is allowed", `{"zz":"${filler}","file":${deep(62)}}`, 400, "invalid_parameter"],
  ["brackets as deep among the files", `{"zz":"${filler}","files":[${deep(61)}]}`, 400, "missing_parameter"],
  ["brackets that are deeper", `{"zz":"${filler}","file":${deep(64)}}`, 400, "invalid_json"],
  ["too many values", `{"zz":"${filler}","file":[${"0,".repeat(10_000)}0]}`, 400, "invalid_json"],
  ["too many files", `{"zz":"${filler}","file":[${'{"$bytes":""},'.repeat(4050)}0]}`, 400, "invalid_json"],
  ["what is no JSON", `{"zz":"${filler}"`, 400, "invalid_json"],
  ["what is no UTF-8", `{"zz":"${filler}\u00ff"}`, 400, "invalid_text"],
  ["what is no base64", `{"zz":"${filler}","file":{"$bytes":"${filler}?"}}`, 400, "invalid_base64"],
  ["bytes that are no text", `{"zz":"${filler}","file":{"$bytes":1}}`, 400, "invalid_json"],
  ["a list in place of an input", `["${filler}"]`, 400, "invalid_parameter"],
])("answers %s for what it is", async (_, json, status, code) => {
  const headers = { "content-type": "application/json" };
  const body = Buffer.from(json, "latin1");
  const answer = await send("tools.fileHash", { method: "POST", headers, body });
  expect(answer.status).toBe(status);
  expect(answer.body.error?.data).toMatchObject({ code });
  expect(JSON.stringify(answer.body)).not.toContain("AAAA");
});

test("a batch that is a list, and a frame that is none, are 400", async () => {
  const list = await send("tools.fileHash,tools.fileHash?batch=1", jsonPost([filler]));
  expect(list.status).toBe(400);
  const frame = encodeFrame({ a: filler, b: filler }).slice(0, -1);
  const headers = { "content-type": FRAME_TYPE };
  const cut = await service.request("/trpc/tools.textCompare", { method: "POST", headers, body: frame });
  expect(cut.status).toBe(400);
});

test("an unknown key of a strict input is named, however long its value is", async () => {
  const json = { content: "é".repeat(300), ttl: "x".repeat(LONG) };
  const { status, body } = await send("secrets.create", jsonPost(json));
  expect(status).toBe(400);
  expect(body.error?.data).toMatchObject({ code: "invalid_parameter", parameter: "ttl" });
});

test("bodies are read while documents and images have every worker", async () => {
  const { runJob } = service.services;
  const leaving = new AbortController();
  const busy = { caller: "somebody", signal: leaving.signal };
  const slow = { a: "a b c d e f g\n".repeat(90_000), b: "g f e d c b a\n".repeat(90_000) };
  const plain = { ignoreCase: false, ignoreWhitespace: false, format: "json" } as const;
  const options = { ...plain, granularity: "character" } as const;
  const jobs = Array.from({ length: 4 }, () => runJob("compareTexts", [slow, options], busy));
  const ended = Promise.allSettled(jobs);
  await expect.poll(() => service.workers.waiting).toBeGreaterThan(0);
  const { body } = await send("tools.fileHash", jsonPost({ file: { $bytes: filler } }));
  expect(body.result?.data).toMatchObject({ size: (LONG / 4) * 3 });
  leaving.abort();
  await ended;
});
