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

/** Beside a bundle and its runtime. */
const IN_WORKERD = `
import { Miniflare } from "miniflare";
const place = { modules: true, scriptPath: "worker.mjs" };
const runtime = new Miniflare({ ...place, compatibilityDate: "2026-01-01", compatibilityFlags: ["nodejs_compat"] });
const url = await runtime.ready;
const counted = await fetch(new URL("/api/count?twice=true", url), { method: "POST", body: new Uint8Array(5) });
const titles = [];
for (const coding of ["br", "identity"]) {
  const answer = await fetch(new URL("/api/openapi.json", url), { headers: { "accept-encoding": coding } });
  titles.push((await answer.json()).info.title);
}
console.log(JSON.stringify([await counted.json(), ...titles]));
await runtime.dispose();
`;

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

  test("has source maps that hold its sources, by their paths in the repository", () => {
    const dist = join(installed.folder, "node_modules/@hushkit/trpc/dist");
    const { sources, sourcesContent } = JSON.parse(readFileSync(join(dist, "index.js.map"), "utf8")) as {
      sources: string[];
      sourcesContent: string[];
    };
    const at = sources.indexOf("adapters/trpc/server.ts");
    expect(sourcesContent[at]).toBe(readFileSync(join(ROOT, "adapters/trpc/server.ts"), "utf8"));
    expect(sources.filter((path) => !/^(?:adapters\/trpc|wire)\//.test(path))).toEqual([]);
  });

  test("runs in workerd, with its document compressed once", { timeout: MS }, async ({ skip }) => {
    const place = makeTempFolder();
    const env = { ...process.env, ...environment() };
    const install = ["install", "--prefix", place, "--no-audit", "--no-fund", WORKERD];
    const failed = await run("npm", install, { env }).then(
      () => false,
      () => true,
    );
    if (failed) skip(`${WORKERD} cannot be had`);
    const bundle = await rolldown({
      cwd: installed.folder,
      input: "worker.ts",
      platform: "browser",
      resolve: { conditionNames: ["workerd", "worker", "import"] },
      external: /^node:/,
    });
    await bundle.write({ file: join(place, "worker.mjs"), codeSplitting: false });
    writeFileSync(join(place, "use.mjs"), IN_WORKERD);
    const { stdout } = await run(nodePath(), ["use.mjs"], { cwd: place, env: environment() });
    expect(JSON.parse(stdout)).toEqual([{ size: 10 }, "Counting", "Counting"]);
  });

  testWith("deno")("can go to JSR", { timeout: MS }, () => {
    const from = pathToFileURL(`${installed.folder}/node_modules/@hushkit/trpc/`);
    const to = pathToFileURL(`${makeTempFolder()}/`);
    expect(() => tryJsr("@hushkit/trpc", { installed: from, to, deno: placeOf("deno") })).not.toThrow();
  });

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
