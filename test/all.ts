// What a release can break, and the suite on every runtime that is here or can be had by name from the package registry,
// and once more on PostgreSQL where one can be reached.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { nodePath } from "./support/runtimes.ts";

const DENO = "deno@2.9.6";
const BUN = { name: `@oven/bun-${process.platform}-${process.arch}`, version: "1.4.5" };
const POSTGRES = process.env["TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/test";
const SUITE = "test/run.ts";

const deno = process.env.DENO ?? findDeno();
const bun = process.env.BUN ?? findBun();
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

function findDeno(): string | undefined {
  const asked = spawnSync("npx", ["--yes", DENO, "eval", "console.log(Deno.execPath())"], {
    encoding: "utf8",
  });
  return asked.status === 0 ? asked.stdout.trim().split("\n").at(-1) : undefined;
}

// Its own installer downloads a binary; the platform's package holds it.
function findBun(): string | undefined {
  const folder = join(tmpdir(), `hushkit-bun-${BUN.version}`);
  const path = join(folder, "node_modules", BUN.name, "bin", "bun");
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    spawnSync("npm", ["install", "--prefix", folder, "--no-save", `${BUN.name}@${BUN.version}`], {
      stdio: "ignore",
    });
  }
  return existsSync(path) ? path : undefined;
}
