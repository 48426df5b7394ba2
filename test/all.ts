// What a release can break, and the suite on every runtime that is here or can be installed from release/runtimes/, and
// once more on PostgreSQL where one can be reached.
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { resolve } from "node:path";
import pg from "pg";
import { nodePath } from "./support/runtimes.ts";

/** Where Bun and Deno of exact versions are installed, whose digests the lock has. */
const RUNTIMES = "release/runtimes";
const POSTGRES = process.env["TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/test";
const SUITE = "test/run.ts";

const { DENO, BUN } = process.env;
if (!DENO || !BUN) spawnSync("npm", ["ci", "--prefix", RUNTIMES, "--ignore-scripts"], { stdio: "inherit" });
const deno = DENO ?? findInstalled("@deno/*/deno");
const bun = BUN ?? findInstalled("@oven/*/bin/bun");
const env = { ...process.env, ...(deno ? { DENO: deno } : {}), ...(bun ? { BUN: bun } : {}) };
const node = nodePath();
const results = [
  run("what a release can break", { command: node, args: [SUITE, "--release"] }),
  // Instances of all runtimes work together in one of the runs.
  run("the suite on node", { command: node, args: [SUITE], more: { TEST_MIXED: "yes" } }),
  run("the suite on deno", { command: deno, args: ["run", "-A", SUITE] }),
  run("the suite on bun", { command: bun, args: ["--bun", SUITE, "--pool=threads"] }),
  (await hasPostgres())
    ? run("the suite on node with PostgreSQL", {
        command: node,
        args: [SUITE],
        more: { TEST_DATABASE_URL: POSTGRES },
      })
    : skip("the suite on node with PostgreSQL", `none answers (TEST_POSTGRES_URL)`),
];
process.exitCode = results.every(Boolean) ? 0 : 1;

interface Run {
  readonly command: string | undefined;
  readonly args: string[];
  readonly more?: Record<string, string>;
}

function run(name: string, { command, args, more }: Run): boolean {
  if (!command) return skip(name, "it is not here and cannot be had");
  console.log(`> ${name}`);
  return spawnSync(command, args, { stdio: "inherit", env: { ...env, ...more } }).status === 0;
}

function skip(name: string, reason: string): true {
  console.log(`skipped ${name}: ${reason}`);
  return true;
}

async function hasPostgres(): Promise<boolean> {
  const client = new pg.Client({ connectionString: POSTGRES, connectionTimeoutMillis: 2000 });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

function findInstalled(pattern: string): string | undefined {
  const [path] = globSync(`${RUNTIMES}/node_modules/${pattern}`);
  return path && resolve(path);
}
