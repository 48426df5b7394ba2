// process
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { PDFDocument } from "pdf-lib";
import { expect, onTestFinished, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { configHelp } from "../adapters/config/config.ts";
import { withProcess } from "./process/support/with-process.ts";
import { findRecipe, readRecipes } from "./support/recipes.ts";
import { testWith } from "./machine/skips.ts";
import type { Thing } from "./machine/things.ts";
import { nodePath, runtimeAt } from "./support/runtimes.ts";
import { makeBlankPdf } from "./support/samples.ts";
import { makeTempFolder } from "./support/temp-folder.ts";

const ROOT = new URL("../", import.meta.url);
const CONFIG = new URL("deno.json", ROOT);
const CHECKED_ELSEWHERE = [["React", "tsx", "test/release/packages/client.test.ts"]] as const;
const server = withProcess(runtimeAt("node", nodePath()));
const covered = new Set(CHECKED_ELSEWHERE.map(([title, language]) => `${title}: ${language}`));

interface Place {
  readonly folder: string;
  /** Runs a program there with the address of the server; answers what it wrote. */
  readonly run: (command: readonly [string, ...string[]], env?: NodeJS.ProcessEnv) => Promise<string>;
}

/** A test of one block, on machines that have what it needs. */
function recipe(
  block: readonly [title: string, language: string, ...needs: Thing[]],
  work: (code: string, place: Place) => Promise<void>,
): void {
  const [title, language, ...needs] = block;
  covered.add(`${title}: ${language}`);
  const name = `${title} (${language}) does what it says`;
  testWith(...needs)(name, () => work(findRecipe("recipes.md", title, language), makePlace()));
}

function makePlace(): Place {
  const folder = makeTempFolder();
  const run: Place["run"] = async ([command, ...args], env = {}) => {
    const { PATH, HOME } = process.env;
    const options = { cwd: folder, env: { PATH, HOME, HUSHKIT_URL: server.url, ...env } };
    return (await promisify(execFile)(command, args, options)).stdout;
  };
  return { folder, run };
}

/** What a link opens, as bytes. */
async function open(link: string, kind: "reveal?raw=true" | "file"): Promise<Buffer> {
  const [, id, key = ""] = /\/s\/(\w{16})#(\w+)\n?$/.exec(link) ?? [];
  const body = new URLSearchParams({ key });
  const response = await fetch(`${server.url}/api/secrets/${id}/${kind}`, { method: "POST", body });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

/** An API token of a new member. */
async function makeToken(): Promise<string> {
  const post = (path: string, fields: Record<string, string>, headers: HeadersInit = {}) =>
    fetch(server.url + path, { method: "POST", body: new URLSearchParams(fields), headers });
  const member = await post("/api/account/register", { name: "ann", password: "correct horse" });
  const cookie = member.headers.getSetCookie().map((each) => each.split(";")[0]);
  const made = await post("/api/users/me/tokens", { name: "ci" }, { cookie: cookie.join("; ") });
  return ((await made.json()) as { token: string }).token;
}

recipe(["Send a text with curl", "sh", "curl"], async (code, { run }) => {
  const link = await run(["sh", "-ec", code], { DATABASE_PASSWORD: "p%ss & wörd=1" });
  expect(String(await open(link, "reveal?raw=true"))).toBe("p%ss & wörd=1");
});

recipe(["Send again after a lost answer", "sh", "curl", "openssl"], async (code, { folder, run }) => {
  writeFileSync(join(folder, "report.pdf"), "a report");
  const twice = code.slice(code.indexOf("\n") + 1);
  const links = await run(["sh", "-ec", `${code}\n${twice}`]);
  const [first = "", second] = links.trim().split("\n");
  expect(second).toBe(first);
  expect(String(await open(`${first}\n`, "file"))).toBe("a report");
});

recipe(["Read a link with curl", "sh", "curl"], async (code, { run }) => {
  const body = JSON.stringify({ content: "hunter2" });
  const headers = { "content-type": "application/json" };
  const made = await fetch(`${server.url}/api/secrets`, { method: "POST", body, headers });
  const { url } = (await made.json()) as { url: string };
  expect(await run(["sh", "-ec", code], { LINK: url })).toBe("hunter2");
});

recipe(
  ["Read a link with curl where the connection may break", "sh", "curl"],
  async (code, { folder, run }) => {
    const body = JSON.stringify({ content: "hunter2" });
    const headers = { "content-type": "application/json" };
    const made = await fetch(`${server.url}/api/secrets`, { method: "POST", body, headers });
    const { url } = (await made.json()) as { url: string };
    await run(["sh", "-ec", code], { LINK: url });
    expect(readFileSync(join(folder, "secret.txt"), "utf8")).toBe("hunter2");
  },
);

recipe(["Send a file with curl", "sh", "curl"], async (code, { folder, run }) => {
  writeFileSync(join(folder, "report.pdf"), "a report");
  expect(String(await open(await run(["sh", "-ec", code]), "file"))).toBe("a report");
});

recipe(["Work on files with curl", "sh", "curl"], async (code, { folder, run }) => {
  writeFileSync(join(folder, "cover.pdf"), await makeBlankPdf([100]));
  writeFileSync(join(folder, "report.pdf"), await makeBlankPdf([200, 300]));
  writeFileSync(join(folder, "photo.png"), Buffer.from(PNG, "base64"));
  await run(["sh", "-ec", code], { PASSWORD: "correct horse" });
  expect(readFileSync(join(folder, "locked.pdf"), "latin1")).toContain("/AESV3");
  const pages = (await PDFDocument.load(readFileSync(join(folder, "turned.pdf")))).getPages();
  const seen = pages.map((page) => [page.getWidth(), page.getRotation().angle]);
  expect(seen).toEqual([[100, 0], [200, 90], [300, 90]]); // prettier-ignore
  expect(readFileSync(join(folder, "photo.webp")).subarray(8, 12).toString()).toBe("WEBP");
});

recipe(["A step of GitHub Actions", "yaml", "bash"], async (code, { folder, run }) => {
  const [step] = parse(code) as [{ run: string; env: Record<string, string> }];
  const messages: string[] = [];
  const chat = createServer((request, response) => {
    request.on("data", (data: Buffer) => messages.push(String(data))).on("end", () => response.end());
  });
  await new Promise<void>((resolve) => void chat.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void chat.close());
  // It listens on a port and not on a pipe.
  const { port } = chat.address() as AddressInfo;
  await run(["sh", "-ec", "mkdir logs && echo failed > logs/job.log"]);
  const own = { HUSHKIT_TOKEN: await makeToken(), CHAT_WEBHOOK: `http://127.0.0.1:${port}/` };
  expect(Object.keys(step.env).toSorted()).toEqual([...Object.keys(own), "HUSHKIT_URL"].toSorted());
  const written = await run(["bash", "-ec", step.run], own);
  const { text } = JSON.parse(messages.join("")) as { text: string };
  const link = text.split(" ").at(-1) ?? "";
  expect(written).toBe(`::add-mask::${link}\n`);
  expect(await open(link, "file")).toEqual(readFileSync(join(folder, "logs.tar.gz")));
});

recipe(["A script for Deno", "ts", "deno"], async (code, { folder, run }) => {
  const imports = { "npm:@hushkit/client": new URL("client/client.ts", ROOT).href };
  writeFileSync(join(folder, "imports.json"), JSON.stringify({ imports }));
  writeFileSync(join(folder, "share.ts"), code);
  writeFileSync(join(folder, "a.txt"), "from Deno");
  const script = pathToFileURL(join(folder, "share.ts")).href;
  const rights = ["--allow-env", "--allow-net", "--allow-read"];
  // The client as it is here, with the libraries that are here.
  const map = ["--import-map", join(folder, "imports.json"), "--config", fileURLToPath(CONFIG), "--no-lock"];
  const output = await run(["deno", "run", "--no-check", ...rights, ...map, script, "a.txt"]);
  expect(output).toMatch(/^a\.txt: http/);
  expect(String(await open(output, "file"))).toBe("from Deno");
});

recipe(["Python", "python", "python3"], async (code, { run }) => {
  const lines = (await run(["python3", "-c", code])).split("\n");
  expect(lines).toEqual([expect.stringContaining("/s/"), "hunter2", "410 secret_gone", ""]);
});

recipe(["Kubernetes", "yaml"], async (code) => {
  const documents = parseAllDocuments(code).map((document) => document.toJS() as Record<string, unknown>);
  expect(documents.map(({ kind }) => kind)).toEqual(["PersistentVolumeClaim", "Service", "Deployment"]);
  const names = [...code.matchAll(/\{ name: ([A-Z_]+), value/g)].map(([, name]) => name);
  expect(names).toContain("DATABASE_URL");
  for (const name of names) expect(configHelp()).toContain(`\n  ${name}=`);
  const paths = [...code.matchAll(/path: (\/\w+), port/g)].map(([, path]) => path);
  expect(paths).toEqual(["/readyz", "/healthz"]);
  for (const path of paths) expect((await fetch(server.url + path)).status).toBe(200);
});

testWith("curl")("the catalogue's example of each tool does what the tool does", async () => {
  const { folder, run } = makePlace();
  const pdf = await makeBlankPdf([200, 300]);
  const catalogue = (await (await fetch(`${server.url}/api/tools`)).json()) as {
    tools: { name: string; example: string }[];
  };
  expect(catalogue.tools.length).toBeGreaterThan(10);
  for (const { name, example } of catalogue.tools) {
    const file = name === "image-convert" ? Buffer.from(PNG, "base64") : pdf;
    for (const each of ["FILE", "FIRST", "SECOND"]) writeFileSync(join(folder, each), file);
    const command = example.replace(/^curl /, "curl --fail --silent --show-error ");
    const out = await run(["sh", "-ec", command], { URL: server.url, PASSWORD: "geheim" });
    if (example.endsWith("-o RESULT"))
      expect(readFileSync(join(folder, "RESULT")).length, name).toBeGreaterThan(50);
    else expect(JSON.parse(out), name).toBeTypeOf("object");
  }
});

test("every block of the recipes is run, or said to be only shown", () => {
  const blocks = readRecipes("recipes.md");
  const names = blocks
    .filter((block) => !block.isOnlyShown)
    .map(({ title, language }) => `${title}: ${language}`);
  expect(names.toSorted()).toEqual([...covered].toSorted());
  for (const [, , file] of CHECKED_ELSEWHERE)
    expect(readFileSync(new URL(file, ROOT), "utf8")).toContain('findRecipe("recipes.md"');
});

// Of one white pixel.
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
