import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { rolldown } from "rolldown";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { tryJsr } from "../../../release/packages/jsr.ts";
import { describeEach, describeWith, placeOf, testWith } from "../../machine/skips.ts";
import { nodePath } from "../../support/runtimes.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { browserTest, launchBrowser } from "../../web/support/browser.ts";
import { serveFolder } from "./support/serve-folder.ts";
import { environment, withInstalled } from "./support/install.ts";

const run = promisify(execFile);

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const README = readFileSync(join(ROOT, "adapters/trpc/README.md"), "utf8");
const [SHOWN = "", CLIENT = ""] = [...README.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);
/** The same as a worker has it. */
const WORKER = SHOWN.replace('import { serve } from "srvx";', "").replace(
  /serve\(.*\);/,
  "export default { fetch: app.fetch };",
);
/** Calls of curl; before them stands what installs it. */
const [, COMMANDS = ""] = [...README.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, code]) => code);
// At any port that is free; what the README starts answers here without a socket too.
const SERVER = SHOWN.replace("port: 3000", "port: 0").replace("serve({", "export default app;\nserve({");
// tRPC's own declarations ask for the last ones.
const PEERS = ["@trpc/server@11.25.2", "@trpc/client@11.25.2", "zod@4.6.7", "srvx@1.0.8"];
const TYPES = ["@types/node@24", "@types/ws@8"];
const DOM = ["dom", "dom.iterable", "dom.asynciterable"];
/** From the oldest on; each is installed under a name of its own. */
const COMPILERS = { "5.6": "5.6.3", "5.9": "5.9.3", "6.0": "6.0.3", "7.0": "7.0.2" };
/** A runtime of its own, about 100 MB; fetched by name. */
const WORKERD = "miniflare@4";
const MS = 300_000;

const USE = `
import app from "./server.ts";
import { createTRPCClient } from "@trpc/client";
import { frameLink } from "@hushkit/trpc/client";
const url = "http://count.test";
const fetch = (input, init) => app.fetch(new Request(input, init));
const file = new Uint8Array(5);
const rest = await (await fetch(url + "/api/count?twice=true", { method: "POST", body: file })).json();
const typed = await createTRPCClient({ links: [frameLink({ url: url + "/trpc", fetch })] }).count.mutate({ file });
const { info } = await (await fetch(url + "/api/openapi.json")).json();
console.log(JSON.stringify([rest, typed, info.title]));
process.exit(0);
`;

/** What is called in workers, where only the platform's own objects are; \`at\` makes a URL of a path. */
const CALLS = `
const form = new FormData();
form.append("file", new File(["12345"], "five.txt"));
form.append("twice", "true");
const counted = [];
for (const [body, query] of [["12345", "?twice=true"], [form, ""]])
  counted.push(await (await fetch(at("/api/count" + query), { method: "POST", body })).json());
const input = { method: "POST", headers: { "content-type": "application/json" }, body: '{"file":{"$bytes":"MTIz"}}' };
counted.push((await (await fetch(at("/trpc/count"), input)).json()).error.data.code);
const titles = [];
for (const coding of ["br", "gzip", "identity"]) {
  const answer = await fetch(at("/api/openapi.json"), { headers: { "accept-encoding": coding } });
  titles.push((await answer.json()).info.title);
}
const { status } = await fetch(at("/api/nothing"));
const told = [...counted, ...titles, status];
`;
const TOLD = [{ size: 10 }, { size: 10 }, "BAD_REQUEST", "Counting", "Counting", "Counting", 404];

/** Beside a bundle and its runtime, which gets none of Node's modules. */
const IN_WORKERD = `
import { Miniflare } from "miniflare";
const runtime = new Miniflare({ modules: true, scriptPath: "worker.mjs", compatibilityDate: "2026-01-01" });
const url = await runtime.ready;
const at = (path) => new URL(path, url);
${CALLS}
console.log(JSON.stringify(told));
await runtime.dispose();
`;

const SERVICE_WORKER = `import worker from "./worker.ts";
self.addEventListener("fetch", (event) => {
  if (/^\\/(?:api|trpc)\\//.test(new URL(event.request.url).pathname)) event.respondWith(worker.fetch(event.request));
});
self.addEventListener("activate", (event) => event.waitUntil(clients.claim()));
`;
/** In a page, which asks for a path of the service worker. */
const IN_PAGE = `(async () => {
const { serviceWorker } = navigator;
const controlled = new Promise((resolve) => (serviceWorker.oncontrollerchange = resolve));
await serviceWorker.register("/service-worker.js", { type: "module" });
await controlled;
const at = (path) => path;
${CALLS}
return told;
})()`;

describeWith("the npm registry")("@hushkit/trpc, installed in an empty folder", () => {
  const compilers = Object.entries(COMPILERS).map(
    ([version, exact]) => `typescript-${version}@npm:typescript@${exact}`,
  );
  const installed = withInstalled(["@hushkit/trpc"], [...PEERS, ...TYPES, ...compilers]);
  beforeAll(() => {
    installed.write("package.json", JSON.stringify({ type: "module", private: true }));
    installed.write("server.ts", SERVER);
    installed.write("worker.ts", WORKER);
    for (const [client, of] of Object.entries({ "client.ts": "server", "worker-client.ts": "worker" }))
      installed.write(client, `import type { router } from "./${of}.ts";\n${CLIENT}`);
    installed.write("use.js", USE);
  });

  describeEach("on $name", ({ command, args }) => {
    test("serves what its README shows, to REST and to the frame link", () => {
      const options = { cwd: installed.folder, env: environment(), encoding: "utf8" } as const;
      const written = execFileSync(command, [...args, "use.js"], options);
      // Before it srvx says where it listens.
      expect(JSON.parse(written.trim().split("\n").at(-1) ?? "")).toEqual([
        { size: 10 },
        { size: 5 },
        "Counting",
      ]);
    });
  });

  testWith("curl", "bash")("runs as its README shows it, for curl and for the client", async () => {
    const program = spawn(nodePath(), ["server.ts"], { cwd: installed.folder, env: environment() });
    onTestFinished(() => void program.kill());
    let told = "";
    program.stdout.on("data", (bytes) => (told += bytes));
    await expect.poll(() => told).toMatch(/http:\/\/\S+:\d+/);
    const here = (text: string) => text.replaceAll("localhost:3000", /\/\/([^/\s]+:\d+)/.exec(told)![1]!);
    installed.write("photo.jpg", "12345");
    const answers = execFileSync(placeOf("bash"), ["-e", "-c", here(COMMANDS)], {
      cwd: installed.folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    expect(answers).toBe('{"size":10}{"size":10}');
    installed.write(
      "client.ts",
      `${here(`import type { router } from "./server.ts";\n${CLIENT}`)}\nconsole.log(size);\n`,
    );
    expect(await installed.node("client.ts")).toBe("3\n");
  });

  test("has declarations that check in full, and README code that they accept", () => {
    const options = { types: ["node"], lib: ["es2024", ...DOM], module: "nodenext" };
    expect(compile(["server.ts", "client.ts"], options)).toEqual([]);
  });

  describe.each(Object.keys(COMPILERS))("compiled by TypeScript %s", (version) => {
    test.each([
      ["esnext", "bundler"],
      ["nodenext", "nodenext"],
    ])("needs nothing beside tRPC and zod, as %s with %s", (module, moduleResolution) => {
      const options = { types: [], lib: ["es2022", "esnext.disposable", ...DOM], module, moduleResolution };
      const told = compile(["worker.ts", "worker-client.ts"], options, `typescript-${version}`);
      // Those of tRPC ask for 5.7.
      const own = told.filter((line) => version !== "5.6" || !line.startsWith("node_modules/@trpc/"));
      expect(own).toEqual([]);
    });
  });

  test("has source maps that hold its sources and those of the libraries inside, by their paths in the repository", () => {
    const dist = join(installed.folder, "node_modules/@hushkit/trpc/dist");
    const { sources, sourcesContent } = JSON.parse(readFileSync(join(dist, "index.js.map"), "utf8")) as {
      sources: string[];
      sourcesContent: string[];
    };
    const at = sources.indexOf("adapters/trpc/server.ts");
    expect(sourcesContent[at]).toBe(readFileSync(join(ROOT, "adapters/trpc/server.ts"), "utf8"));
    const known = /^(?:adapters\/trpc|wire|node_modules\/(?:h3|rou3))\//;
    expect(sources.filter((path) => !known.test(path))).toEqual([]);
  });

  test(
    "runs in workerd without Node's modules, with its document compressed once",
    async ({ skip }) => {
      const place = makeTempFolder();
      const env = { ...process.env, ...environment() };
      const install = ["install", "--prefix", place, "--no-audit", "--no-fund", WORKERD];
      const failed = await run("npm", install, { env }).then(
        () => false,
        () => true,
      );
      if (failed) skip(`${WORKERD} cannot be had`);
      await bundle("worker.ts", {
        conditions: ["workerd", "worker", "import"],
        to: join(place, "worker.mjs"),
      });
      writeFileSync(join(place, "use.mjs"), IN_WORKERD);
      const { stdout } = await run(nodePath(), ["use.mjs"], { cwd: place, env: environment() });
      expect(JSON.parse(stdout)).toEqual(TOLD);
    },
    MS,
  );

  browserTest("answers in a service worker of a browser", async () => {
    const place = makeTempFolder();
    installed.write("service-worker.ts", SERVICE_WORKER);
    const to = join(place, "service-worker.js");
    await bundle("service-worker.ts", { conditions: ["browser", "import"], to });
    const origin = await serveFolder(place);
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.goto(`${origin}/index.html`);
    expect(await page.evaluate(IN_PAGE)).toEqual(TOLD);
  });

  testWith("deno")("can go to JSR", { timeout: MS }, () => {
    const from = pathToFileURL(`${installed.folder}/node_modules/@hushkit/trpc/`);
    const to = pathToFileURL(`${makeTempFolder()}/`);
    expect(() => tryJsr("@hushkit/trpc", { installed: from, to, deno: placeOf("deno") })).not.toThrow();
  });

  async function bundle(
    input: string,
    { conditions, to }: { conditions: string[]; to: string },
  ): Promise<void> {
    const resolve = { conditionNames: conditions };
    const made = await rolldown({ cwd: installed.folder, input, platform: "browser", resolve });
    await made.write({ file: to, codeSplitting: false });
  }

  /** What the compiler finds in some files, trusting no declaration. */
  function compile(files: readonly string[], options: object, typescript = "typescript-7.0"): string[] {
    const compilerOptions = {
      ...{ strict: true, noEmit: true, target: "es2022", skipLibCheck: false },
      ...{ allowImportingTsExtensions: true, exactOptionalPropertyTypes: true },
      ...options,
    };
    installed.write("tsconfig.json", JSON.stringify({ compilerOptions, files }));
    const compiler = join("node_modules", typescript, "bin/tsc");
    const { stdout } = spawnSync(nodePath(), [compiler, "-p", "tsconfig.json"], {
      cwd: installed.folder,
      env: environment(),
      encoding: "utf8",
    });
    return stdout.split("\n").filter((line) => line !== "");
  }
});
