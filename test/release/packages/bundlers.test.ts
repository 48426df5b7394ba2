import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { describeWith, placeOf, testWith } from "../../machine/skips.ts";
import { nodePath } from "../../support/runtimes.ts";
import { environment, withInstalled } from "./support/install.ts";

const run = promisify(execFile);
const MINUTES = 60_000;
const PEERS = ["@trpc/server@11.25.2", "@trpc/client@11.25.2", "zod@4.6.7"];

/** Bytes that a page may load at once of each package, compressed; tRPC's own, about six thousand, are in them. */
const MOST_BYTES = { client: 17_510, "trpc-client": 10_950, tools: 300 * 1024 } as const;

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

/** A bundler, and the module of Node whose `bundle` makes of a file what is in the folder `out`. */
interface Bundler {
  readonly name: string;
  readonly packages: readonly string[];
  readonly code: string;
}

const BUNDLERS: readonly Bundler[] = [
  {
    name: "esbuild",
    packages: ["esbuild@0.28.2"],
    code: `import { build } from "esbuild";
export const bundle = (file, out) =>
  build({ entryPoints: [file], outdir: out, bundle: true, minify: true, format: "esm", splitting: true });`,
  },
  {
    name: "webpack",
    packages: ["webpack@5.112.2"],
    code: `import webpack from "webpack";
export const bundle = (file, out) => new Promise((resolve, reject) => {
  const output = { path: process.cwd() + "/" + out };
  const told = (error, stats) =>
    error || stats.hasErrors() || stats.hasWarnings()
      ? reject(error ?? new Error(stats.toString("errors-warnings")))
      : resolve();
  webpack({ mode: "production", entry: "./" + file, output, performance: { hints: false } }, told);
});`,
  },
  {
    name: "Rollup",
    packages: ["rollup@4.68.8", "@rollup/plugin-node-resolve@16.0.3", "@rollup/plugin-terser@0.4.4"],
    code: `import { rollup } from "rollup";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import terser from "@rollup/plugin-terser";
const onLog = (level, log) => {
  if (log.code === "UNRESOLVED_IMPORT") throw new Error(log.message);
};
export async function bundle(input, dir) {
  const built = await rollup({ input, plugins: [nodeResolve({ browser: true }), terser()], onLog });
  await built.write({ dir });
}`,
  },
  {
    name: "Vite",
    packages: ["vite@8.3.8"],
    code: `import { build } from "vite";
export const bundle = (input, outDir) =>
  build({ logLevel: "error", configFile: false, build: { outDir, rollupOptions: { input } } });`,
  },
];
/** Turbopack is part of it. */
const NEXT = ["next@16.4.6", "react@19.3.1", "react-dom@19.3.1"];
/** One of each kind of tool. Turbopack has every page of a build load what any of them uses, so each has a build of its own. */
const TURBOPACK_TRIES = ["hashFile", "generatePasswords", "compareTexts", "rotatePdf"];
const OTHERS = [...PEERS, ...NEXT, ...BUNDLERS.flatMap(({ packages }) => packages)];

describeWith("the npm registry")("bundlers", () => {
  const installed = withInstalled(["@hushkit/client", "@hushkit/tools", "@hushkit/trpc"], OTHERS);
  beforeAll(() => {
    for (const [name, code] of Object.entries(PAGES))
      installed.write(`${name}.mjs`, `${code}\nglobalThis.all = all;`);
    installed.write("server.mjs", SERVER);
  });

  for (const bundler of BUNDLERS)
    test(
      `${bundler.name} bundles what pages use, within its size, and loads of one function what README says`,
      { timeout: 10 * MINUTES },
      async () => {
        expect(SIZES.length).toBeGreaterThan(9);
        const ones = SIZES.flatMap(({ name, entry, most }) =>
          ["@hushkit/tools", `@hushkit/tools/${entry}`].map((from) => ({ name, from, most })),
        );
        ones.forEach(({ name, from }, i) =>
          installed.write(
            `one-${i}.mjs`,
            `import { ${name}, ToolFailure } from "${from}";\nglobalThis.one = [${name}, ToolFailure];`,
          ),
        );
        await bundleAll(bundler, [...names(), ...ones.map((_, i) => `one-${i}`)]);
        for (const name of names()) expectSize(join(installed.folder, `${bundler.name}-${name}`), name);
        const loaded = ones.map(({ name, from, most }, i) => {
          const bytes = firstLoad(join(installed.folder, `${bundler.name}-one-${i}`), `one-${i}`);
          return { what: `${name} of ${from}: ${bytes} bytes`, isTooMuch: !(bytes > 0 && bytes <= most) };
        });
        console.log([bundler.name, ...loaded.map(({ what }) => what)].join("\n"));
        expect(loaded.filter(({ isTooMuch }) => isTooMuch)).toEqual([]);
      },
    );

  /** In one process, because it takes longer to load a bundler than to bundle. */
  async function bundleAll({ name, code }: Bundler, files: readonly string[]): Promise<void> {
    const loop = `for (const file of ${JSON.stringify(files)}) await bundle(file + ".mjs", "${name}-" + file);`;
    const script = installed.write(`bundle-${name}.mjs`, `${code}\n${loop}`);
    await run(nodePath(), [script], { cwd: installed.folder, env: environment() });
  }

  test("Turbopack loads of one function what README says", { timeout: 15 * MINUTES }, async () => {
    const tried = SIZES.filter(({ name }) => TURBOPACK_TRIES.includes(name));
    expect(tried.map(({ name }) => name).toSorted()).toEqual(TURBOPACK_TRIES.toSorted());
    mkdirSync(join(installed.folder, "pages"));
    installed.write("pages/index.js", PAGE);
    const loaded: string[] = [];
    for (const { name, most } of tried) {
      const used = `import { ${name}, ToolFailure } from "@hushkit/tools";\nglobalThis.one = [${name}, ToolFailure];`;
      installed.write("pages/one.js", `${used}\n${PAGE}`);
      await run(nodePath(), ["node_modules/next/dist/bin/next", "build", "--turbopack"], {
        cwd: installed.folder,
        env: { ...environment(), NEXT_TELEMETRY_DISABLED: "1" },
      });
      const bytes = pageLoad(join(installed.folder, ".next"), "/one");
      loaded.push(`${name}: ${bytes} bytes`);
      expect(bytes, name).toBeGreaterThan(1000);
      expect(bytes, name).toBeLessThanOrEqual(most);
    }
    console.log(["Turbopack", ...loaded].join("\n"));
  });

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

/** Bytes of the module that was built of an entry, compressed, with all that it imports at once. */
function firstLoad(folder: string, entry: string): number {
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
  const isEntry = (name: string) => name.startsWith(entry) || name === "main.js";
  return visit(names.map((name) => basename(name)).find(isEntry) ?? "");
}

const PAGE = "export default function Page() { return null; }";

/** Bytes of the scripts of a page that Next has built, compressed, beside what each of its pages loads. */
function pageLoad(folder: string, page: string): number {
  const read = (name: string) => readFileSync(join(folder, name));
  const { pages } = JSON.parse(read("build-manifest.json").toString()) as {
    pages: Record<string, string[]>;
  };
  const usual = new Set([...(pages["/"] ?? []), ...(pages["/_app"] ?? [])]);
  const own = (pages[page] ?? []).filter((name) => !usual.has(name));
  return own.reduce((sum, name) => sum + gzipSync(read(name)).length, 0);
}

function expectSize(folder: string, name: keyof typeof MOST_BYTES): void {
  const bytes = firstLoad(folder, name);
  expect(bytes, `${folder}: ${bytes} bytes`).toBeGreaterThan(1000);
  expect(bytes, `${folder}: ${bytes} bytes`).toBeLessThanOrEqual(MOST_BYTES[name]);
}
