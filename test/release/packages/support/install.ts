import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll } from "vitest";
import { PACKAGES, type PackageName } from "../../../../release/packages.ts";
import { nodePath } from "../../../support/runtimes.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const STAGE = join(ROOT, "release/packages/stage.ts");
// A busy machine can take long.
const STEP_MS = 300_000;

/** A folder that was empty before packages of ours were installed in it from their tarballs. */
export interface Installed {
  readonly folder: string;
  /** Runs a program there with the Node that runs these tests; answers what it wrote. */
  readonly node: (...args: string[]) => Promise<string>;
  readonly write: (name: string, text: string) => string;
}

/** Packs some of the packages and installs them for all tests of a file, with others of the registry. */
export function withInstalled(names: readonly PackageName[], others: readonly string[] = []): Installed {
  // Empty until `beforeAll` has run: destructure it inside tests only.
  const installed = {} as Installed;
  let root = "";
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), "hushkit-packages-"));
    const tarballs = await packPackages(join(root, "staged"), names);
    const folder = join(root, "installed");
    await npm(root, "install", "--prefix", folder, "--no-audit", "--no-fund", ...tarballs, ...others);
    Object.assign(installed, placeIn(folder));
  }, 3 * STEP_MS);
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return installed;
}

/** Packs some of the packages into a folder; the paths of the tarballs. */
export async function packPackages(staged: string, names: readonly PackageName[]): Promise<string[]> {
  // In a process of its own: a build inside a test runner is under that one's hooks.
  await run(nodePath(), [STAGE, staged, ...names], { cwd: ROOT, env: environment(), timeout: STEP_MS });
  return Promise.all(names.map((name) => pack(join(staged, PACKAGES[name]))));
}

async function pack(folder: string): Promise<string> {
  const { stdout } = await npm(folder, "pack", "--silent", "--ignore-scripts");
  return join(folder, stdout.trim().split("\n").at(-1) ?? "");
}

function npm(cwd: string, ...args: string[]) {
  // Its registry and proxy may stand in the environment.
  const env = { ...process.env, ...environment() };
  return run("npm", args, { cwd, env, timeout: STEP_MS });
}

/** Nothing of the test runner's, and the Node that runs it first. */
export function environment(): NodeJS.ProcessEnv {
  const { PATH = "", HOME = "" } = process.env;
  return { PATH: [dirname(nodePath()), PATH].join(delimiter), HOME };
}

function placeIn(folder: string): Installed {
  return {
    folder,
    node: async (...args) => (await run(nodePath(), args, { cwd: folder, env: environment() })).stdout,
    write(name, text) {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    },
  };
}

/** What all files below a folder take, in bytes. */
export function sizeOf(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
