// process
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { JsonSchema } from "../../../cli/mcp/model-schema.ts";
import { withProcess } from "../../process/support/with-process.ts";
import { makeBlankPdf } from "../../support/samples.ts";
import { sampled } from "../../support/sampled.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { hushkit, NODE } from "../support/program.ts";
import { allowFolders } from "../../../cli/mcp/allowed-folders.ts";
import { localTools } from "../../../cli/mcp/local-tools.ts";
import type { LocalService } from "../../../cli/mcp/local-service.ts";
import type { ToolContext } from "../../../cli/mcp/tool.ts";
import { processIo } from "../../../cli/terminal/process-io.ts";
import { startAgent } from "./support/agent.ts";

const server = withProcess(NODE);

const WORD = "hunter2 pässwörd";
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

async function makeFolder() {
  const folder = makeTempFolder();
  mkdirSync(join(folder, "shared"));
  const write = (name: string, data: string | Uint8Array) =>
    writeFileSync(join(folder, "shared", name), data);
  write("a.pdf", await makeBlankPdf([100, 200]));
  write("a.png", Buffer.from(PNG, "base64"));
  write("a.txt", "one\ntwo\n");
  return { folder, shared: join(folder, "shared") };
}

/** Has no link that it knows, and counts who asks. */
async function startCounter() {
  const counter = { calls: 0, url: "" };
  const other = createServer((_, response) => {
    counter.calls += 1;
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  counter.url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  return counter;
}

const DEEP = 3_000;
/** Of no type that a parameter has, or past what it takes; some are right for one or another. */
const VALUES: Readonly<Record<string, unknown>> = {
  null: null,
  number: 7,
  negative: -1,
  fraction: 1.5,
  "past 2^53": 2 ** 53 + 2,
  "a huge number": 1e300,
  "a text": "x",
  "no text": "",
  "half a character": "\ud800",
  "a zero": "\0",
  "a megabyte": "x".repeat(2 ** 20),
  "a megabyte of folders": "a/".repeat(2 ** 19),
  "a megabyte of questions": "/s/a?".repeat(2 ** 18),
  "a long name of a variable": `env:${"x".repeat(2 ** 20)}`,
  true: true,
  "an empty list": [],
  "a list of null": [null],
  "a long list": Array.from({ length: 100_000 }, () => 0),
  "an object": {},
  "a deep object": JSON.parse(`${'{"a":'.repeat(DEEP)}1${"}".repeat(DEEP)}`),
  "a deep list": JSON.parse("[".repeat(DEEP) + "]".repeat(DEEP)),
};
/** What no parameter has for its value, and no other of the call can be blamed for. */
const ALWAYS_WRONG = ["a deep object", "a deep list", "a long list", "an object", "half a character"];

interface Case {
  readonly tool: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly parameter: string;
  readonly what: string;
}

function casesOf(tool: string, schema: JsonSchema, url: string): Case[] {
  const { properties = {}, required = [] } = schema;
  const right = (name: string) => [name, rightValue(tool, name, properties[name] ?? {}, url)] as const;
  const values = Object.fromEntries(required.map(right));
  if (tool === "file-encrypt") values["password"] = "env:WORD";
  const others = (name: string) => Object.entries(values).filter(([each]) => each !== name);
  const missing = required.map((name) => ({
    tool,
    values: Object.fromEntries(others(name)),
    parameter: name,
    what: "missing",
  }));
  const wrong = Object.keys(properties).flatMap((parameter) =>
    Object.entries(VALUES).map(([what, value]) => ({
      tool,
      values: { ...values, [parameter]: value },
      parameter,
      what,
    })),
  );
  const unknown = ["nonsense", "constructor", "x".repeat(2 ** 20)].map((parameter) => ({
    tool,
    values: { ...values, [parameter]: 1 },
    parameter,
    what: "unknown",
  }));
  return [...missing, ...wrong, ...unknown];
}

function rightValue(
  tool: string,
  name: string,
  { enum: choices, pattern }: JsonSchema,
  url: string,
): unknown {
  const id = "a".repeat(16);
  if (choices) return choices[0];
  if (name === "link" && tool === "collect")
    return `${url}/r/${id}/collect#${"c".repeat(32)}.${"A".repeat(43)}`;
  if (name === "link") return `${url}/s/${id}#${"b".repeat(22)}`;
  if (pattern?.startsWith("^(file|env)")) return "env:WORD";
  if (name === "files") return [{ data: "a.pdf" }];
  if (name === "output") return "out";
  return tool === "image-convert" ? "a.png" : tool === "text-compare" ? "a.txt" : "a.pdf";
}

test("refuses every wrong argument of every tool in a sentence that names it, and uses nothing up", async () => {
  const { folder, shared } = await makeFolder();
  const counter = await startCounter();
  const env = { HUSHKIT_URL: counter.url, WORD };
  const { client, call, stderr } = await startAgent(NODE, { folder, args: ["--allow", "shared"], env });
  const { tools } = await client.listTools();
  const all = tools.flatMap(
    ({ name, inputSchema }) => casesOf(name, inputSchema as JsonSchema, counter.url), // as the tools describe themselves
  );
  const files = readdirSync(shared);
  for (const { tool, values, parameter, what } of sampled(all, 300)) {
    const before = counter.calls;
    const { isError, facts, text } = await call(tool, values);
    const about = `${tool} with ${parameter.slice(0, 64)}: ${what}: ${text.slice(0, 300)}`;
    const made = readdirSync(shared).filter((name) => !files.includes(name));
    if (!isError) {
      expect(ALWAYS_WRONG, about).not.toContain(what);
      made.forEach((name) => rmSync(join(shared, name)));
      continue;
    }
    const { properties = {} } = tools.find(({ name }) => name === tool)?.inputSchema ?? {};
    const blamed = Object.keys(properties).filter((name) =>
      new RegExp(`\\b${name}\\b`).test(facts.error ?? ""),
    );
    expect(made, about).toEqual([]);
    expect(text.length, about).toBeLessThan(2_000);
    expect(text, about).not.toMatch(
      /\n? +at .*:\d+|nobody foresaw|cut or cannot be read|TypeError|RangeError/,
    );
    if (["missing", "unknown", ...ALWAYS_WRONG].includes(what))
      expect(facts.error, about).toContain(parameter.slice(0, 64));
    // What was asked for was right, and there was none.
    if (counter.calls > before) expect(facts.untrusted ?? facts.error, about).toBeDefined();
    else expect(blamed, about).not.toEqual([]);
  }
  expect(stderr()).toBe("");
});

/** A call of each tool that succeeds, in an order in which they can. */
const CALLS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ["pdf-lock", { file: "a.pdf", password: "env:WORD", output: "locked.pdf" }],
  ["pdf-unlock", { file: "locked.pdf", password: "env:WORD", output: "unlocked.pdf" }],
  ["pdf-rotate", { file: "a.pdf", output: "rotated.pdf" }],
  ["pdf-split", { file: "a.pdf", output: "split.zip" }],
  ["pdf-split", { file: "a.pdf", mode: "keep", range: "1", output: "first.pdf" }],
  ["pdf-merge", { files: [{ data: "a.pdf" }, { data: "a.png" }], output: "merged.pdf" }],
  ["pdf-clean", { file: "a.pdf", output: "clean.pdf" }],
  ["pdf-compress", { file: "a.pdf", output: "small.pdf" }],
  ["image-convert", { file: "a.png", format: "webp", output: "a.webp" }],
  ["file-hash", { file: "a.txt" }],
  ["file-hash", { file: "a.txt", expected: "0".repeat(64) }],
  ["file-encrypt", { file: "a.txt", password: "env:WORD", output: "a.locked" }],
  ["file-encrypt", { file: "a.locked", direction: "unlock", password: "env:WORD", output: "b.txt" }],
  ["password", { output: "passwords.txt" }],
  ["password", { mode: "words", output: "words.txt" }],
  ["text-compare", { a: "a.txt", b: "b.txt" }],
  ["text-compare", { a: "a.txt", b: "words.txt", format: "unified", output: "a.patch" }],
  ["send", { content: "env:WORD", linkFile: "link.txt" }],
  ["status", { link: "file:link.txt" }],
  ["open", { link: "file:link.txt", output: "opened.txt" }],
  ["status", { link: "file:link.txt" }],
  ["send", { content: "file:a.txt" }],
  ["ask", { note: "the token", linkFile: "collect.txt" }],
];

test("answers of every tool are structured, and of the schema that it has", async () => {
  const { folder } = await makeFolder();
  const env = { HUSHKIT_URL: server.url, WORD };
  const options = { folder, args: ["--allow", "shared"], env, versions: "auto" } as const;
  const { client, call } = await startAgent(NODE, options);
  // From now on the client holds each answer against its tool's schema.
  const { tools } = await client.listTools();
  const left = new Set(tools.map(({ name }) => name));
  const check = async (name: string, values: Readonly<Record<string, unknown>>) => {
    const called = await call(name, values);
    expect([name, called.isError, called.text]).toEqual([name, false, expect.anything()]);
    expect(JSON.parse(called.text)).toEqual(called.facts);
    const schema = tools.find((tool) => tool.name === name)?.outputSchema;
    const declared = Object.keys(schema?.["properties"] ?? {});
    expect([name, Object.keys(called.facts).filter((fact) => !declared.includes(fact))]).toEqual([name, []]);
    left.delete(name);
    return called.facts;
  };
  for (const [name, values] of CALLS) await check(name, values);
  const { answerLink } = await check("ask", { linkFile: "collect.txt", overwrite: true });
  await check("status", { link: answerLink });
  await hushkit(NODE, ["answer", answerLink], { folder, env, stdin: "the token" });
  await check("collect", { link: "file:collect.txt", output: "token.txt" });
  expect([...left]).toEqual([]);
  const { structuredContent, isError } = await client.callTool({ name: "file-hash", arguments: {} });
  expect([isError, structuredContent]).toEqual([true, undefined]);
});

test("works on more calls at once than a member may have", async () => {
  const { folder } = await makeFolder();
  const { call } = await startAgent(NODE, { folder, args: ["--allow", "shared"] });
  const names = Array.from({ length: 12 }, (_, i) => `turned-${i}.pdf`);
  const ends = await Promise.all(
    names.map((output) => call("pdf-rotate", { file: "a.pdf", angle: 90, output })),
  );
  expect(ends.filter(({ isError }) => isError)).toEqual([]);
  expect(readdirSync(join(folder, "shared"))).toEqual(expect.arrayContaining(names));
});

test("has the files of few calls in memory, however many come at once", async () => {
  const { folder, shared } = await makeFolder();
  const io = { ...processIo(), cwd: folder };
  const context = { io, folders: await allowFolders(io, [shared], { anyName: false }) } as ToolContext;
  let [running, most] = [0, 0];
  const mutate = async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 1));
    running--;
    return { size: 0 };
  };
  const service = { client: { tools: { fileHash: { mutate } } } } as unknown as LocalService;
  const hash = localTools(context, async () => service).find(({ name }) => name === "file-hash");
  const { signal } = new AbortController();
  const calls = Array.from({ length: 50 }, () => hash?.run({ file: "a.txt" }, signal));
  expect(await Promise.all(calls)).toHaveLength(50);
  expect(most).toBe(4);
});
