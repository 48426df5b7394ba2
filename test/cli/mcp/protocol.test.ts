// process
import { createInterface } from "node:readline";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { withProcess } from "../../process/support/with-process.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { begin, ended, hushkit, NODE } from "../support/program.ts";

const server = withProcess(NODE);

interface Answer {
  readonly id?: unknown;
  readonly result?: { readonly protocolVersion?: string; readonly isError?: boolean };
  readonly error?: { readonly code: number; readonly message: string };
}

/** The program itself, which is written to as no client of the SDK would. */
function startRaw(env = {}) {
  const folder = makeTempFolder();
  mkdirSync(join(folder, "shared"));
  const child = begin(NODE, { args: ["mcp", "--allow", "shared"], folder, env });
  onTestFinished(() => void child.kill());
  const end = ended(child);
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator](); // a pipe, as `begin` has it
  const write = (text: string | Uint8Array) => void child.stdin?.write(text);
  const send = (...messages: readonly object[]) =>
    messages.forEach((message) => write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`));
  const next = async (): Promise<Answer> => JSON.parse(String((await lines.next()).value));
  const made = () => readdirSync(join(folder, "shared"));
  return { folder, child, end, write, send, next, made };
}

function initialize(id: number, protocolVersion: unknown) {
  const clientInfo = { name: "raw", version: "1.0.0" };
  return { id, method: "initialize", params: { protocolVersion, capabilities: {}, clientInfo } };
}

function callPassword(id: number, values: Readonly<Record<string, unknown>>, params = {}) {
  return { id, method: "tools/call", params: { name: "password", arguments: values, ...params } };
}

test("speaks every version of the protocol that a client may have, and offers its newest for one that it does not know", async () => {
  const { send, next } = startRaw();
  send({ id: 1, method: "ping" }, { id: 2, method: "tools/list" }, callPassword(3, {}));
  const before = [await next(), await next(), await next()];
  expect(before.map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(before[2]?.result?.isError).toBe(true);
  for (const [asked, spoken] of [
    ["2024-10-07", "2024-10-07"],
    ["2024-11-05", "2024-11-05"],
    ["2025-03-26", "2025-03-26"],
    ["2025-06-18", "2025-06-18"],
    ["2025-11-25", "2025-11-25"],
    ["1999-01-01", "2025-11-25"],
    ["3000-01-01", "2025-11-25"],
    ["", "2025-11-25"],
  ] as const) {
    send(initialize(4, asked), { method: "notifications/initialized" });
    expect([asked, (await next()).result?.protocolVersion]).toEqual([asked, spoken]);
  }
  send(initialize(5, 7));
  expect(await next()).toMatchObject({
    id: 5,
    error: { message: expect.stringContaining("protocolVersion") },
  });
});

test("refuses a version that it does not know where each request names its own, and says which it does", async () => {
  const { send, next } = startRaw();
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "3000-01-01",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  send({ id: 1, method: "tools/list", params: { _meta } });
  const { error } = await next();
  expect(error).toMatchObject({ data: { supported: ["2026-07-28"], requested: "3000-01-01" } });
});

test("answers each line that is no message, and goes on", async () => {
  const { write, send, next } = startRaw();
  send(initialize(1, "2025-03-26"), { method: "notifications/initialized" });
  expect(await next()).toMatchObject({ id: 1 });
  for (const [line, id, code] of [
    ["{ not json", null, -32700],
    ["\xff\xfe", null, -32700],
    [`${'{"a":'.repeat(100_000)}`, null, -32700],
    ["null", null, -32600],
    ["[]", null, -32600],
    [`[${"1,".repeat(1_000)}1]`, null, -32600],
    ["[".repeat(100_000) + "]".repeat(100_000), null, -32600],
    ['{"jsonrpc":"2.0","id":7}', 7, -32600],
    ['{"jsonrpc":"1.0","id":"a","method":"ping"}', "a", -32600],
    ['{"id":7,"method":"ping"}', 7, -32600],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', null, -32600],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', null, -32600],
    ['{"jsonrpc":"2.0","id":7,"method":"ping","params":[]}', 7, -32600],
    ['{"jsonrpc":"2.0","id":7,"method":"nothing"}', 7, -32601],
    ['{"jsonrpc":"2.0","id":7,"method":"tools/call"}', 7, -32602],
    ['{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":7}}', 7, -32602],
    ['{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"__proto__"}}', 7, -32602],
    [`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"${"x".repeat(1e6)}"}}`, 7, -32602],
    ['{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"password","arguments":[]}}', 7, -32602],
    [`{"jsonrpc":"2.0","id":7,"method":"${"x".repeat(12e6)}"}`, null, -32600],
  ] as const) {
    // What is empty, and the answer to a question that nobody asked, are not answered.
    write(`\n\r\n${line}\n{"jsonrpc":"2.0","id":9,"result":{}}\n`);
    const { error, ...answer } = await next();
    expect([line.slice(0, 80), answer.id, error?.code]).toEqual([line.slice(0, 80), id, code]);
    expect(error?.message.length).toBeLessThan(600);
  }
  write(
    '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2},{"jsonrpc":"2.0","id":3,"method":"ping"}]\n',
  );
  const batch = [await next(), await next(), await next()];
  expect(batch.map(({ id }) => id).toSorted()).toEqual([1, 2, 3]);
  expect(batch.find(({ id }) => id === 2)?.error?.code).toBe(-32600);
});

test("lets no tool read its client's messages, nor what every object has in place of a variable", async () => {
  const { send, next } = startRaw({ HUSHKIT_URL: server.url });
  send(initialize(1, "2025-11-25"), { method: "notifications/initialized" });
  await next();
  for (const [name, values, told] of [
    ["status", { link: "-" }, "This is not a whole link"],
    ["send", { content: "env:constructor" }, "was started without this variable, env:constructor"],
    ["send", { content: "env:__proto__" }, "was started without this variable, env:__proto__"],
  ] as const) {
    send({ id: 2, method: "tools/call", params: { name, arguments: values } }, { id: 3, method: "ping" });
    const answers = [await next(), await next()];
    const called = answers.find(({ id }) => id === 2);
    expect([values, answers.map(({ id }) => id).toSorted()]).toEqual([values, [2, 3]]);
    expect([values, JSON.stringify(called?.result)]).toEqual([values, expect.stringContaining(told)]);
  }
});

test("ends a cancelled call without an answer or a file, and answers the others", async () => {
  const { send, next, made } = startRaw();
  send(initialize(1, "2025-11-25"), { method: "notifications/initialized" });
  await next();
  const cancelled = (requestId?: number) => ({ method: "notifications/cancelled", params: { requestId } });
  send(callPassword(2, { output: "a" }), cancelled(2), cancelled(77), cancelled());
  send(callPassword(3, { output: "b" }, { _meta: { progressToken: "t" } }), { id: 4, method: "ping" });
  const answers = [await next(), await next()];
  expect(answers.map(({ id }) => id).toSorted()).toEqual([3, 4]);
  expect(made()).toEqual(["b"]);
});

test.each([
  ["in the middle of a line", '{"jsonrpc":"2.0","id":3,"method":"pi'],
  ["in the middle of a call", `${JSON.stringify({ jsonrpc: "2.0", ...callPassword(3, { output: "a" }) })}\n`],
])("ends with 0 where its client goes %s", async (_, last) => {
  const { child, end, write, send, next } = startRaw();
  send(initialize(1, "2025-11-25"), { method: "notifications/initialized" });
  await next();
  write(last);
  child.stdin?.end();
  expect(await end).toMatchObject({ code: 0, err: "" });
});

test("writes a secret that it has begun to open where its client goes", async () => {
  const env = { HUSHKIT_URL: server.url };
  const { folder, child, end, send, next, made } = startRaw(env);
  const sent = await hushkit(NODE, ["send"], { folder, env, stdin: "hunter2" });
  send(initialize(1, "2025-11-25"), { method: "notifications/initialized" });
  await next();
  const open = { name: "open", arguments: { link: sent.out.trim(), output: "opened" } };
  send({ id: 2, method: "tools/call", params: open });
  child.stdin?.end();
  expect(await end).toMatchObject({ code: 0, err: "" });
  const { out } = await hushkit(NODE, ["status", sent.out.trim()], { folder, env });
  // Where the client was faster than the call, nothing was asked.
  expect([out.split(" ")[0], made()]).toEqual(made().length > 0 ? ["revealed", ["opened"]] : ["active", []]);
});
