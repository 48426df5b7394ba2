import { execFile } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { describeWith, placeOf, testWith } from "../../machine/skips.ts";
import { nodePath } from "../../support/runtimes.ts";
import { environment, withInstalled } from "./support/install.ts";

const run = promisify(execFile);
const MINUTES = 60_000;
const PEERS = ["@trpc/server@11.25.2", "@trpc/client@11.25.2", "trpc-to-openapi@3.3.0", "zod@4.6.7"];

/** Bytes that a page may load of each package in all, compressed; tRPC's own, about six thousand, are in them. */
const MOST_BYTES = { client: 18_000, "trpc-client": 10 * 1024, tools: 300 * 1024 } as const;

/** The table of tools/README.md: a function, its entry, and the kB of a page that imports it alone. */
const SIZES = [
  ...readFileSync(new URL("../../../tools/README.md", import.meta.url), "utf8").matchAll(
    /^\| `(\w+)` \| `@hushkit\/tools\/(\w+)` \| (\d+) kB \|$/gm,
  ),
].map(([, name = "", entry = "", kilobytes]) => ({ name, entry, most: Number(kilobytes) * 1000 }));

/** What a page or a program imports of each package. */
const PAGES = {
  client: 'import * as all from "@hushkit/client";',
  "trpc-client": 'import * as all from "@hushkit/trpc/client";',
  tools: 'import * as all from "@hushkit/tools";',
} as const;
const SERVER = 'import * as all from "@hushkit/trpc"; if (!all.createTrpcServer) throw new Error();';

/** A bundler, and the script of Node that bundles `in` into the folder `out`. */
interface Bundler {
  readonly name: string;
  /** Whether what is imported from the whole is loaded alone; esbuild's splitting keeps what others import later. */
  readonly takesApart: boolean;
  readonly packages: readonly string[];
  readonly script: (file: string, out: string) => string;
}

const BUNDLERS: readonly Bundler[] = [
  {
    name: "esbuild",
    takesApart: false,
    packages: ["esbuild@0.28.2"],
    script: (file, out) => `import { buildSync } from "esbuild";
buildSync({ entryPoints: ["${file}"], outdir: "${out}", bundle: true, minify: true, format: "esm", splitting: true });`,
  },
  {
    name: "webpack",
    takesApart: true,
    packages: ["webpack@5.112.2"],
    script: (file, out) => `import webpack from "webpack";
const output = { path: process.cwd() + "/${out}" };
webpack({ mode: "production", entry: "./${file}", output, performance: { hints: false } }, (error, stats) => {
  if (!error && !stats.hasErrors() && !stats.hasWarnings()) return;
  console.error(error ?? stats.toString("errors-warnings"));
  process.exitCode = 1;
});`,
  },
  {
    name: "Rollup",
    takesApart: true,
    packages: ["rollup@4.68.8", "@rollup/plugin-node-resolve@16.0.3", "@rollup/plugin-terser@0.4.4"],
    script: (file, out) => `import { rollup } from "rollup";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import terser from "@rollup/plugin-terser";
const onLog = (level, log) => {
  if (log.code === "UNRESOLVED_IMPORT") throw new Error(log.message);
};
const built = await rollup({ input: "${file}", plugins: [nodeResolve({ browser: true }), terser()], onLog });
await built.write({ dir: "${out}" });`,
  },
  {
    name: "Vite",
    takesApart: true,
    packages: ["vite@8.3.8"],
    script: (file, out) => `import { build } from "vite";
const rollupOptions = { input: "${file}" };
await build({ logLevel: "error", configFile: false, build: { outDir: "${out}", rollupOptions } });`,
  },
];

describeWith("the npm registry")("bundlers", () => {
  const installed = withInstalled(["@hushkit/client", "@hushkit/tools", "@hushkit/trpc"], PEERS);
  beforeAll(() => {
    for (const [name, code] of Object.entries(PAGES))
      installed.write(`${name}.mjs`, `${code}\nglobalThis.all = all;`);
    installed.write("server.mjs", SERVER);
  });

  for (const bundler of BUNDLERS)
    test(
      `${bundler.name} bundles what pages use, within its size`,
      { timeout: 5 * MINUTES },
      async ({ skip }) => {
        await bring(bundler, installed.folder).catch(() => skip("its packages cannot be had"));
        for (const name of names()) {
          const out = `out-${bundler.name}-${name}`;
          const script = installed.write("bundle.mjs", bundler.script(`${name}.mjs`, out));
          await run(nodePath(), [script], { cwd: installed.folder, env: environment() });
          expectSize(join(installed.folder, out), name);
        }
      },
    );

  for (const bundler of BUNDLERS)
    test(
      `${bundler.name} loads of one function what README says, ${bundler.takesApart ? "from the whole and from" : "from"} its entry`,
      { timeout: 10 * MINUTES },
      async ({ skip }) => {
        await bring(bundler, installed.folder).catch(() => skip("its packages cannot be had"));
        expect(SIZES.length).toBeGreaterThan(9);
        for (const { name, entry, most } of SIZES)
          for (const from of [...(bundler.takesApart ? ["@hushkit/tools"] : []), `@hushkit/tools/${entry}`]) {
            const out = `out-${bundler.name}-${name}`;
            rmSync(join(installed.folder, out), { recursive: true, force: true });
            installed.write("one.mjs", `import { ${name} } from "${from}";\nglobalThis.one = ${name};`);
            const script = installed.write("bundle.mjs", bundler.script("one.mjs", out));
            await run(nodePath(), [script], { cwd: installed.folder, env: environment() });
            const bytes = firstLoad(join(installed.folder, out));
            expect(bytes, `${name} of ${from}: ${bytes} bytes`).toBeLessThanOrEqual(most);
          }
      },
    );

  testWith("bun")("Bun bundles what pages use, within its size, and a server", async () => {
    const bundle = (name: string, target: string) => {
      const args = ["build", `${name}.mjs`, "--minify", "--splitting", "--outdir", `out-bun-${name}`];
      return run(placeOf("bun"), [...args, "--target", target], {
        cwd: installed.folder,
        env: environment(),
      });
    };
    for (const name of names()) {
      await bundle(name, "browser");
      expectSize(join(installed.folder, `out-bun-${name}`), name);
    }
    await bundle("server", "node");
    await run(nodePath(), ["out-bun-server/server.js"], { cwd: installed.folder, env: environment() });
  });

  testWith("deno")("Deno bundles what pages use, and a server", async ({ skip }) => {
    for (const [name, platform] of [
      ...names().map((each) => [each, "browser"] as const),
      ["server", "deno"] as const,
    ]) {
      const args = ["bundle", "--quiet", "--platform", platform, `${name}.mjs`, "-o", `out-deno-${name}.js`];
      // It fetches its own bundler from the registry.
      await run(placeOf("deno"), args, { cwd: installed.folder, env: environment() }).catch(
        (error: unknown) =>
          /registry|error sending request/i.test(String(error))
            ? skip("its bundler cannot be had")
            : fail(error),
      );
      expect(readFileSync(join(installed.folder, `out-deno-${name}.js`)).length).toBeGreaterThan(1000);
    }
  });
});

function fail(error: unknown): never {
  throw error;
}

// The keys are those of the constant.
function names() {
  return Object.keys(PAGES) as (keyof typeof PAGES)[];
}

/** Bytes of the module that was built of `one.mjs`, compressed, with all that it imports at once. */
function firstLoad(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.m?js$/.test(name),
  );
  const codes = new Map(names.map((name) => [basename(name), readFileSync(join(folder, name), "utf8")]));
  const seen = new Set<string>();
  const visit = (name: string): number => {
    const code = codes.get(name);
    if (code === undefined || seen.has(name)) return 0;
    seen.add(name);
    const imported = [...code.matchAll(/(?:\bfrom|\bimport)\s*["']\.{0,2}\/?([^"']+)["']/g)];
    return imported.reduce((sum, [, path = ""]) => sum + visit(basename(path)), gzipSync(code).length);
  };
  return visit(names.map((name) => basename(name)).find((name) => /^(?:one|main)\b/.test(name)) ?? "");
}

function expectSize(folder: string, name: keyof typeof MOST_BYTES): void {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.m?js$/.test(file),
  );
  const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);
  expect(bytes, `${folder}: ${bytes} bytes`).toBeLessThanOrEqual(MOST_BYTES[name]);
}

/** Installs a bundler beside the packages. */
async function bring({ packages }: Bundler, folder: string): Promise<void> {
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-save"];
  const env = { ...process.env, ...environment() };
  await run("npm", ["install", ...options, ...packages], { cwd: folder, env, timeout: 3 * MINUTES });
}
