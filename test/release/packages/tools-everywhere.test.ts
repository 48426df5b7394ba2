// Every function of @hushkit/tools, without an option that names a runtime, wherever strangers run it.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "rolldown";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { describeWith, placeOf, testWith } from "../../machine/skips.ts";
import { browserTest, launchBrowser } from "../../web/support/browser.ts";
import { serveFolder } from "./support/serve-folder.ts";
import { environment, withInstalled } from "./support/install.ts";

const run = promisify(execFile);
const WORKERD = "workerd@1.20261117.1";

/** A call of each function; what is drawn or takes the time into it is told by its kind alone. */
const USE = `
import * as tools from "@hushkit/tools";

const bytesOf = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
const textOf = (bytes) => new TextDecoder().decode(bytes);
const gather = async (pieces) => {
  const all = [];
  for await (const piece of pieces) all.push(...piece);
  return Uint8Array.from(all);
};
const file = new TextEncoder().encode("abc");
const png = bytesOf("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==");
const pdf = new TextEncoder().encode([
  "%PDF-1.4",
  "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj",
  "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj",
  "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj",
  "trailer<</Root 1 0 R>>",
].join("\\n"));
const codec = { encode: async () => png };
const password = "hush";

const CALLS = {
  ToolFailure: () => new tools.ToolFailure("damaged_file", "It ends too early").code,
  ageFileName: () => tools.ageFileName("a.txt"),
  cleanPdf: async () => (await tools.cleanPdf(pdf)).pages,
  compareTexts: async () => (await tools.compareTexts({ a: "a\\nb", b: "a\\nc" })).identical,
  compressPdf: async () => (await tools.compressPdf(pdf, { codec })).pages,
  convertImage: async () => (await tools.convertImage(png, { codec, format: "png" })).format,
  describeWarnings: () => tools.describeWarnings([{ code: "signatures_broken" }])[0].message.length > 9,
  generateFromList: async () => {
    const { passwords } = await tools.generateFromList({ mode: "passphrase", list: "german", words: 6 });
    return passwords[0].split("-").length >= 6;
  },
  generatePasswords: () => tools.generatePasswords({ length: 30 }).passwords[0].length,
  hashFile: async () => {
    const algorithms = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3-256", "sha3-384", "sha3-512",
      "blake2b", "blake3"];
    const { digests } = await tools.hashFile(new Blob([file]), { algorithms });
    return Object.fromEntries(Object.entries(digests).map(([name, hex]) => [name, hex.slice(0, 8)]));
  },
  loadWordList: async () => (await tools.loadWordList("large")).words.length,
  lockAgeFile: async () => {
    const keys = await Promise.all([tools.makeAgeKeys(), tools.makeAgeKeys()]);
    const locked = await gather(tools.lockAgeFile(file, { recipients: keys.map(({ recipient }) => recipient) }));
    const { bytes } = await tools.unlockFile(locked, { identities: [keys[1].identity] });
    return textOf(bytes);
  },
  lockFile: async () => (await gather(tools.lockFile(file, { password }))).length > file.length,
  lockPdf: async () => (await tools.lockPdf(pdf, { password })).bytes.length > pdf.length,
  lockedFileName: () => tools.lockedFileName("a.txt"),
  makeAgeKeys: async () => (await tools.makeAgeKeys()).recipient.slice(0, 4),
  mergePdf: async () => (await tools.mergePdf([{ data: pdf }, { data: png }])).pages,
  rotatePdf: async () => (await tools.rotatePdf(pdf)).pages,
  splitPdf: async () => (await tools.splitPdf(pdf, { mode: "keep", range: "1" })).pages,
  stripMetadata: () => tools.stripMetadata(png).bytes.length === png.length,
  unlockFile: async () => {
    const locked = await gather(tools.lockFile(file, { password, filename: "a.txt" }));
    const { bytes, filename } = await tools.unlockFile(locked, { password });
    return [textOf(bytes), filename];
  },
  unlockPdf: async () => (await tools.unlockPdf((await tools.lockPdf(pdf, { password })).bytes, { password })).passwordNeeded,
};

export async function useTools() {
  const names = Object.keys(tools).filter((name) => typeof tools[name] === "function");
  const used = {};
  for (const name of names)
    try {
      used[name] = await CALLS[name]();
    } catch (error) {
      used[name] = String(error);
    }
  return used;
}
`;

const EXPECTED = {
  ToolFailure: "damaged_file",
  ageFileName: "a.txt.age",
  cleanPdf: 1,
  compareTexts: false,
  compressPdf: 1,
  convertImage: "png",
  describeWarnings: true,
  generateFromList: true,
  generatePasswords: 30,
  // RFC 1321 A.5, FIPS 180-4 and 202, RFC 7693 A; BLAKE3 by b3sum.
  hashFile: {
    md5: "90015098",
    sha1: "a9993e36",
    sha224: "23097d22",
    sha256: "ba7816bf",
    sha384: "cb00753f",
    sha512: "ddaf35a1",
    "sha3-256": "3a985da7",
    "sha3-384": "ec014982",
    "sha3-512": "b751850b",
    blake2b: "ba80a53f",
    blake3: "6437b3ac",
  },
  loadWordList: 7776,
  lockAgeFile: "abc",
  lockFile: true,
  lockPdf: true,
  lockedFileName: "a.txt.locked",
  makeAgeKeys: "age1",
  mergePdf: 2,
  rotatePdf: 1,
  splitPdf: 1,
  stripMetadata: true,
  unlockFile: ["abc", "a.txt"],
  unlockPdf: true,
};

const PRINT = 'import { useTools } from "./use.mjs"; console.log(JSON.stringify(await useTools()));';
const WORKER = `import { useTools } from "./use.mjs";
globalThis.onmessage = async (event) => {
  const answer = await useTools();
  (event.source ?? globalThis).postMessage(answer);
};`;
const WORKERD_TEST = `import { useTools } from "./use.mjs";
export default { test: async () => console.log(JSON.stringify(await useTools())) };`;
const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = .tools)]);
const tools :Workerd.Worker = (
  modules = [(name = "tools", esModule = embed "out/workerd.js")],
  compatibilityDate = "2026-01-01",
  compatibilityFlags = [FLAGS],
);`;

describeWith("the npm registry")("every function of the package runs", () => {
  const installed = withInstalled(["@hushkit/tools"]);
  beforeAll(() => {
    installed.write("use.mjs", USE);
    installed.write("print.mjs", PRINT);
  });

  test("on Node", async () => {
    expect(JSON.parse(await installed.node("print.mjs"))).toEqual(EXPECTED);
  });

  for (const [name, args] of [
    ["deno", ["run", "--no-prompt"]],
    ["bun", []],
  ] as const)
    testWith(name)(`on ${name}, without a permission`, async () => {
      const options = { cwd: installed.folder, env: environment() };
      const { stdout } = await run(placeOf(name), [...args, "print.mjs"], options);
      expect(JSON.parse(stdout)).toEqual(EXPECTED);
    });

  test.for([
    ["without Node's modules", ""],
    ["with Node's modules", '"nodejs_compat"'],
  ] as const)("on workerd, %s", async ([, flags], { skip }) => {
    const options = { cwd: installed.folder, env: { ...process.env, ...environment() } };
    const args = ["--yes", WORKERD, "--version"];
    await run("npx", args, options).catch(() => skip("workerd cannot be had"));
    installed.write("workerd.mjs", WORKERD_TEST);
    await bundle("workerd");
    installed.write("config.capnp", CONFIG.replace("FLAGS", flags));
    const { stdout, stderr } = await run("npx", ["--yes", WORKERD, "test", "config.capnp"], options);
    expect(JSON.parse(/^\{.*\}$/m.exec(stdout + stderr)?.[0] ?? stderr)).toEqual(EXPECTED);
  });

  for (const [place, ask] of [
    ["a page", '(async () => (await import("/page.js")).useTools())()'],
    [
      "a worker",
      `new Promise((resolve, reject) => {
  const worker = new Worker("/worker.js", { type: "module" });
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = reject;
  worker.postMessage("");
})`,
    ],
    [
      "a service worker",
      `new Promise(async (resolve) => {
  navigator.serviceWorker.onmessage = ({ data }) => resolve(data);
  navigator.serviceWorker.startMessages();
  const { installing } = await navigator.serviceWorker.register("/worker.js", { type: "module" });
  installing.onstatechange = () => installing.state === "activated" && installing.postMessage("");
})`,
    ],
  ] as const)
    browserTest(`in ${place}`, async () => {
      installed.write("page.mjs", 'export { useTools } from "./use.mjs";');
      installed.write("worker.mjs", WORKER);
      await Promise.all([bundle("page"), bundle("worker")]);
      const origin = await serveFolder(join(installed.folder, "out"));
      const browser = await launchBrowser();
      onTestFinished(() => browser.close());
      const page = await browser.newPage();
      await page.goto(`${origin}/index.html`);
      expect(await page.evaluate(ask)).toEqual(EXPECTED);
    });

  /** A module with all that it imports, also later: a service worker may import nothing later. */
  async function bundle(name: string): Promise<void> {
    await build({
      cwd: installed.folder,
      input: { [name]: `${name}.mjs` },
      platform: "browser",
      logLevel: "silent",
      output: { dir: join(installed.folder, "out"), format: "esm", codeSplitting: false },
    });
  }
});
