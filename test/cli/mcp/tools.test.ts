// process
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test, onTestFinished } from "vitest";
import { checkValues, type JsonSchema } from "../../../cli/mcp/model-schema.ts";
import type { Meta } from "../../../router/meta.ts";
import { toolProcedures } from "../../../router/procedures/tools/tools.ts";
import { makeBlankPdf } from "../../support/samples.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { hushkit, NODE } from "../support/program.ts";
import { startAgent, type Called } from "./support/agent.ts";

const SECRET = "hunter2-pässwörd";

/** One agent for all tests but where it is said otherwise; they write to files of different names. */
const world = {} as Awaited<ReturnType<typeof makeWorld>> & Awaited<ReturnType<typeof startAgent>>;

beforeAll(async () => {
  const ends: (() => unknown)[] = [];
  const made = await makeWorld();
  ends.push(() => rmSync(made.folder, { recursive: true, force: true }));
  const env = { WORD: SECRET, HUSHKIT_TOKEN: "service_token_secret", HUSHKIT_URL: "http://127.0.0.1:9" };
  const options = { folder: made.folder, args: ["--allow", "allowed"], env };
  Object.assign(world, made, await startAgent(NODE, options, (end) => ends.unshift(end)));
  return async () => {
    for (const end of ends) await end();
  };
});

/** A folder that is allowed, one beside it that is not, and links from one to the other. */
async function makeWorld() {
  const folder = mkdtempSync(join(tmpdir(), "hushkit-"));
  const path = (name: string) => join(folder, name);
  for (const name of ["allowed", "beside"]) mkdirSync(path(name));
  writeFileSync(path("allowed/a.pdf"), await makeBlankPdf());
  writeFileSync(path("beside/b.pdf"), await makeBlankPdf());
  writeFileSync(path("beside/word.txt"), "geheim");
  symlinkSync(path("beside/b.pdf"), path("allowed/link.pdf"));
  symlinkSync(path("beside"), path("allowed/out"));
  symlinkSync(path("beside/new.pdf"), path("allowed/dangling.pdf"));
  symlinkSync(path("allowed/a.pdf"), path("allowed/inside.pdf"));
  return { folder, path };
}

test("offers every tool of the API with its parameters, and none that takes bytes or a password", async () => {
  const { tools } = await world.client.listTools();
  const names = Object.values(toolProcedures).map((each) => (each._def.meta as Meta).tool?.name);
  expect(tools.map(({ name }) => name).sort()).toEqual(
    [...names, "send", "open", "status", "ask", "collect"].sort(),
  );
  for (const { name, inputSchema, description } of tools) {
    expect([name, description]).not.toEqual([name, undefined]);
    expect([name, inputSchema.additionalProperties]).toEqual([name, false]);
    expect([name, JSON.stringify(inputSchema)]).toEqual([
      name,
      expect.not.stringMatching(/"format":"(binary|password)"/),
    ]);
  }
  const merge = JSON.stringify(tools.find(({ name }) => name === "pdf-merge")?.inputSchema);
  expect(merge).toContain('"pattern":"^(file|env):."');
  expect(merge).toContain('"enum":["image","a4","letter"]');
});

test("takes null for absent in every optional parameter of every tool", async () => {
  const { tools } = await world.client.listTools();
  for (const { name, inputSchema } of tools) {
    const schema = inputSchema as JsonSchema; // as the tools describe themselves
    const { properties = {}, required = [] } = schema;
    const nulls = Object.fromEntries(Object.keys(properties).map((each) => [each, null]));
    const given = Object.fromEntries(required.map((each) => [each, "x"]));
    expect([name, checkValues({ ...nulls, ...given }, schema)]).toEqual([name, given]);
  }
  const called = { file: "a.pdf", expected: null, algorithms: null };
  expect((await world.call("file-hash", called)).isError).toBe(false);
  const missing = await world.call("file-hash", { file: null });
  expect(missing.facts.error).toContain('Parameter "file" is missing');
  const merged = {
    files: [
      { data: "a.pdf", range: null },
      { data: "a.pdf", password: null },
    ],
    bookmarks: null,
    output: "nulls.pdf",
  };
  expect((await world.call("pdf-merge", merged)).facts).toMatchObject({ pages: 2 });
});

test("refuses paths outside what was allowed, and links that lead out, in a sentence", async () => {
  const { path, call } = world;
  const read = (file: string) => call("file-hash", { file });
  const outside = "it is outside the folders of --allow";
  const leadsOut = "it leads out of the folders of --allow";
  for (const [file, reason] of [
    ["../beside/b.pdf", outside],
    [path("beside/b.pdf"), outside],
    ["/etc/passwd", outside],
    ["/etc/no-such-file", outside],
    [path("allowed-not/b.pdf"), outside],
    ["a.pdf\0.txt", outside],
    ["link.pdf", leadsOut],
    ["out/b.pdf", leadsOut],
    ["none.pdf", "there is no such file"],
    [".", outside],
  ] as const)
    expect([file, (await read(file)).facts.error]).toEqual([file, expect.stringContaining(reason)]);
  expect((await read("inside.pdf")).isError).toBe(false);
  const write = (output: string, overwrite = false) =>
    call("pdf-rotate", { file: "a.pdf", output, overwrite });
  for (const [output, reason] of [
    ["../beside/new.pdf", outside],
    ["out/new.pdf", leadsOut],
    ["dangling.pdf", "a link"],
    ["none/new.pdf", "there is no such folder"],
    ["none/", "this is a folder"],
    ["none/..", "this is a folder"],
    ["out", "this is not a file"],
  ] as const)
    expect([output, (await write(output, true)).facts.error]).toEqual([
      output,
      expect.stringContaining(reason),
    ]);
  expect(existsSync(path("beside/new.pdf"))).toBe(false);
  const secret = await call("pdf-lock", {
    file: "a.pdf",
    password: "file:../beside/word.txt",
    output: "l.pdf",
  });
  expect(secret.facts.error).toContain(outside);
});

test("writes no file that a system or a program would run or read by itself, unless that was allowed", async () => {
  const folder = makeTempFolder();
  for (const name of ["allowed", "allowed/.git", "allowed/.ok"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "allowed/a.txt"), "text");
  symlinkSync(join(folder, "allowed/.git"), join(folder, "allowed/git"));
  const args = ["--allow", "allowed", "--allow", "allowed/.ok"];
  const { call } = await startAgent(NODE, { folder, args });
  for (const output of [".bashrc", ".git/config", "git/config", "a.desktop", "a.EXE", "a.sh", ".ok/.env"]) {
    const made = await call("password", { output });
    expect([output, made.facts.error]).toEqual([output, expect.stringMatching(/ or start .*--any-name/)]);
    expect(existsSync(join(folder, "allowed", output))).toBe(false);
  }
  expect((await call("password", { output: ".ok/made.txt" })).isError).toBe(false);
  const free = await startAgent(NODE, { folder, args: [...args, "--any-name"] });
  expect((await free.call("password", { output: ".env" })).isError).toBe(false);
});

test("replaces a file only where it is asked to", async () => {
  const { path, call } = world;
  writeFileSync(path("allowed/turned.pdf"), await makeBlankPdf());
  const before = readFileSync(path("allowed/turned.pdf"));
  const turn = { file: "turned.pdf", angle: 90, output: path("allowed/turned.pdf") };
  expect((await call("pdf-rotate", turn)).facts.error).toContain('"overwrite": true replaces it');
  expect(readFileSync(path("allowed/turned.pdf"))).toEqual(before);
  expect((await call("pdf-rotate", { ...turn, overwrite: true })).isError).toBe(false);
  expect(readFileSync(path("allowed/turned.pdf"))).not.toEqual(before);
});

test("works on no file where no folder was allowed, and says so", async () => {
  const { call } = await startAgent(NODE, { folder: world.folder });
  for (const [name, values] of [
    ["file-hash", { file: "allowed/a.pdf" }],
    ["password", { output: "p.txt" }],
    ["send", { content: "file:allowed/a.pdf" }],
  ] as const)
    expect([name, (await call(name, values)).facts.error]).toEqual([
      name,
      expect.stringContaining("--allow DIR"),
    ]);
});

test("refuses a folder that is none before it speaks", async () => {
  const folder = makeTempFolder();
  const told = await hushkit(NODE, ["mcp", "--allow", "none"], { folder });
  expect(told).toMatchObject({
    code: 2,
    out: "",
    err: expect.stringContaining("none: there is no such folder"),
  });
});

test("names secrets and never holds them: texts, passwords, digests of wrong calls", async () => {
  const { path, call, stderr } = world;
  const said: Called[] = [];
  writeFileSync(path("allowed/word.txt"), `${SECRET}\n`);
  writeFileSync(path("allowed/old.txt"), `one\n${SECRET}\n`);
  writeFileSync(path("allowed/binary.bin"), new Uint8Array([0, 1, 2, 0xff]));
  const ask = async (name: string, values: Record<string, unknown>) => {
    const called = await call(name, values);
    said.push(called);
    return called;
  };
  // A secret in a call is refused without being repeated.
  const bare = await ask("pdf-lock", { file: "a.pdf", password: SECRET, output: "l.pdf" });
  expect(bare.facts.error).toContain("file:PATH or env:NAME");
  expect((await ask("send", { content: SECRET })).facts.error).toContain("file:PATH or env:NAME");
  // The program's own credentials stay with it.
  expect((await ask("send", { content: "env:HUSHKIT_TOKEN" })).facts.error).toContain("this program's own");
  expect((await ask("send", { content: "env:NOT_SET" })).facts.error).toContain("without this variable");
  expect((await ask("send", { content: "env:WORD" })).facts.error).toContain("cannot be reached");
  const lock = { file: "old.txt", password: "file:word.txt", output: "old.locked" };
  expect((await ask("file-encrypt", lock)).isError).toBe(false);
  const unlock = { direction: "unlock", file: "old.locked", output: "new.txt" };
  const wrong = await ask("file-encrypt", { ...unlock, password: "env:HOME" });
  expect(wrong.isError).toBe(true);
  const unlocked = await ask("file-encrypt", { ...unlock, password: "env:WORD" });
  expect(unlocked.facts.untrusted).toMatchObject({ filename: "old.txt" });
  // A comparison is counted, and written where it was asked for.
  const compared = await ask("text-compare", {
    a: "old.txt",
    b: "word.txt",
    format: "unified",
    output: "d.patch",
  });
  expect(compared.facts).toMatchObject({ identical: false, stats: { deleted: 1 } });
  expect(readFileSync(path("allowed/d.patch"), "utf8")).toContain("-one\n");
  expect((await ask("text-compare", { a: "old.txt", b: "binary.bin" })).facts.error).toContain("binary");
  // Generated passwords go into a file.
  const made = await ask("password", { count: 2, length: 30, output: "made.txt" });
  const passwords = readFileSync(path("allowed/made.txt"), "utf8").trim().split("\n");
  expect(passwords.map(({ length }) => length)).toEqual([30, 30]);
  expect(made.facts).toMatchObject({ count: 2, written: path("allowed/made.txt") });
  const all = said.map(({ text, facts }) => text + JSON.stringify(facts)).join("") + stderr();
  for (const hidden of [SECRET, ...passwords, "service_token_secret"]) expect(all).not.toContain(hidden);
});

test("names the parameter that is wrong and what is right, and refuses sizes past the limit", async () => {
  const { folder, path } = await makeWorld();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(path("allowed/large.bin"), "");
  truncateSync(path("allowed/large.bin"), 100 * 1024 * 1024 + 1);
  const { call } = await startAgent(NODE, { folder, args: ["--allow", "allowed"] });
  for (const [name, values, error] of [
    ["pdf-rotate", { file: "a.pdf", output: "o.pdf", angle: 45 }, '"angle" must be one of 90, 180, 270, -90'],
    ["pdf-rotate", { file: "a.pdf", output: "o.pdf", turn: 90 }, 'Parameter "turn" is not known'],
    ["pdf-rotate", { output: "o.pdf" }, 'Parameter "file" is missing'],
    ["pdf-rotate", { file: "a.pdf", output: "o.pdf", overwrite: "yes" }, '"overwrite" must be true or false'],
    ["pdf-rotate", { file: 7, output: "o.pdf" }, 'Parameter "file" must be text'],
    ["pdf-rotate", { file: "a.pdf", output: "o.pdf", range: "9" }, "9"],
    ["pdf-merge", { files: [{ data: "a.pdf", path: 1 }], output: "o.pdf" }, 'Parameter "path" is not known'],
    ["pdf-merge", { files: "a.pdf", output: "o.pdf" }, '"files" must be a list'],
    ["image-convert", { file: "a.pdf", output: "o.webp" }, '"format" is missing'],
    ["file-hash", { file: "large.bin" }, "at most 104,857,600 are taken here"],
    ["send", { content: "file:a.pdf", as: "image" }, '"as" must be file or text'],
    ["send", { content: "file:a.pdf", expires: "1h" }, '"expires" must be a whole number'],
    ["open", { link: "https://yopass.se/#/s/6a1a2934-b175-4319-908b-5d1a95120a47", output: "o" }, "Yopass"],
  ] as const)
    expect([name, (await call(name, values)).facts.error]).toEqual([name, expect.stringContaining(error)]);
  expect(existsSync(path("allowed/o.pdf"))).toBe(false);
});
