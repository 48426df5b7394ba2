import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Document } from "../../../adapters/trpc/openapi/types.ts";
import { deriveRequestGate, makeAskerKeys, sealAnswer } from "../../../tools/crypto/request-seal.ts";
import { testIf, testWith } from "../../machine/skips.ts";
import { startServer, type RunningServer } from "../../process/support/server.ts";
import { HOOK_SETTINGS, HOOK_URL } from "../../support/hook-receiver.ts";
import { nodePath } from "../../support/runtimes.ts";
import { makeBlankPdf } from "../../support/samples.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { GENERATORS } from "./generators.ts";
import { readOperations } from "./operations.ts";
import { STEPS } from "./scenario.ts";
import { writeCalls, type Generator } from "./write-calls.ts";

const run = promisify(execFile);
const TYPESCRIPT = "typescript@5.9.3";
const MINUTES = 60_000;
// Of one white pixel.
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

/** Documents with one kind of body for each operation. */
const ONE_BODY = { "raw.json": "application/octet-stream", "forms.json": "multipart/form-data" } as const;

let server: RunningServer;
let document: Document;
beforeAll(async () => {
  const node = { name: "node", command: nodePath(), args: ["--no-warnings"] } as const;
  server = await startServer(node, { ...HOOK_SETTINGS, TRUST_PROXY: "1" });
  document = JSON.parse(await readDocument()) as Document;
});

async function readDocument(query = ""): Promise<string> {
  return (await fetch(`${server.url}/api/openapi.json${query}`)).text();
}
afterAll(() => server?.stop());

test("has a call of every operation", () => {
  const ids = [...readOperations(document).keys()];
  expect(new Set(STEPS.map(({ call }) => call))).toEqual(new Set(ids));
});

// What is generated does not depend on the runtime of this suite.
const isNode = !process.versions.bun && !process.versions.deno;

const make = isNode ? testWith("the npm registry") : testIf(false, "generated once, on Node");

for (const generator of GENERATORS) {
  const title = `${generator.name}: generates a client that is strict and calls every operation without a cast`;
  make(title, async ({ skip }) => {
    const folder = await install(generator).catch(() => skip("its packages cannot be had"));
    writeFileSync(join(folder, "openapi.json"), JSON.stringify(document));
    for (const [name, type] of Object.entries(ONE_BODY))
      writeFileSync(join(folder, name), await readDocument(`?body=${encodeURIComponent(type)}`));
    for (const [path, text] of Object.entries(generator.files)) writeFileSync(join(folder, path), text);
    const node = (args: readonly string[]) => run(nodePath(), [...args], { cwd: folder });
    for (const command of generator.commands) await node(command);
    const operations = readOperations(document);
    const source = writeCalls(generator, { steps: STEPS, operations });
    expect(source).not.toMatch(/ as (?!api|forms)|: any\b|@ts-/);
    writeFileSync(join(folder, "calls.ts"), source);
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(TSCONFIG));
    const compiled = await node(["node_modules/typescript/bin/tsc", "-p", "."]).catch(told);
    expect(compiled.stdout).toBe("");
    const called = await node(["-e", RUNNER, JSON.stringify(await samples(generator))]).catch(told);
    expect(called.stderr).toBe("");
    // An authenticator's answers are refused here, and their errors are what a client gets.
    const done = new Set(STEPS.filter(({ fails }) => !fails).map(({ call }) => call));
    expect(new Set(JSON.parse(called.stdout) as string[])).toEqual(done);
  });
}

/** A folder with a generator's packages. */
async function install({ packages }: Generator): Promise<string> {
  const folder = makeTempFolder();
  writeFileSync(join(folder, "package.json"), '{"private":true}');
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--save-exact"];
  await run("npm", ["install", ...options, ...packages, TYPESCRIPT], { cwd: folder, timeout: 3 * MINUTES });
  return folder;
}

// A program that fails says why on either of its outputs.
function told(error: unknown): { stdout: string; stderr: string } {
  const { stdout = "", stderr = "" } = Object(error);
  return { stdout: String(stdout), stderr: `${String(stderr)}\n${String(error)}` };
}

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    target: "es2022",
    lib: ["es2023", "dom", "dom.iterable"],
    types: [],
    module: "commonjs",
    moduleResolution: "node10",
    esModuleInterop: true,
    skipLibCheck: true,
    rewriteRelativeImportExtensions: true,
    outDir: "js",
  },
  include: ["calls.ts", "*.d.ts"],
};

async function samples({ name }: Generator) {
  const { publicKey } = await makeAskerKeys();
  return {
    base: server.url,
    // From one address only a few accounts can be made.
    address: `192.0.2.${1 + GENERATORS.findIndex((each) => each.name === name)}`,
    name: name.replace(/\W.*/, "").toLowerCase().padEnd(3, "x"),
    pdf: Buffer.from(await makeBlankPdf()).toString("base64"),
    png: PNG,
    gate: deriveRequestGate(publicKey),
    hook: HOOK_URL,
    answer: await sealAnswer("hush", { publicKey, requestId: "0123456789abcdef" }),
  };
}

// A browser would keep the cookie, and would know the address of the page.
const RUNNER = readFileSync(new URL("runner.cjs", import.meta.url), "utf8");
