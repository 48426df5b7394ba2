// `npm run executable -- [target]`: server, pages and command line as one file, release/dist/hushkit-TARGET.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { findRuntime } from "../../test/support/runtimes.ts";
import { copyPages } from "../build.ts";
import { bundle } from "../bundle.ts";
import { ROOT } from "../packages.ts";

const OWN_TARGET = `${process.platform}${isOnMusl() ? "musl" : ""}-${process.arch}`;

/** What Bun calls each target. */
const TARGETS: Readonly<Record<string, string>> = {
  "linux-x64": "bun-linux-x64",
  "linux-arm64": "bun-linux-arm64",
  "linuxmusl-x64": "bun-linux-x64-musl",
  "linuxmusl-arm64": "bun-linux-arm64-musl",
  "darwin-x64": "bun-darwin-x64",
  "darwin-arm64": "bun-darwin-arm64",
  "win32-x64": "bun-windows-x64",
  "win32-arm64": "bun-windows-arm64",
};

/** What is started by its path is found beside the program. */
const THREADS = ["blake3-thread.js", "checkpoint-thread.js", "watchdog-thread.js"];
const STARTED = ["worker.js", "jobs.js", "image-jobs.js", ...THREADS];

// Its settings are environment variables: a file .env or bunfig.toml where it is started has no say.
const OPTIONS = ["--compile", "--splitting", "--no-compile-autoload-dotenv", "--no-compile-autoload-bunfig"];

const [target = OWN_TARGET] = process.argv.slice(2);
try {
  console.log(await buildExecutable(target));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** Answers the path of what it made. @throws Error without Bun, or for a target that does not exist */
async function buildExecutable(target: string): Promise<string> {
  const platform = TARGETS[target];
  if (!platform) throw new Error(`There is no target ${target}; one of ${Object.keys(TARGETS).join(", ")}.`);
  const found = findRuntime("bun");
  if ("lacks" in found) throw new Error(`The executable is made by Bun 1.4 or newer: ${found.lacks}.`);
  const bun = found.command;
  const dist = fileURLToPath(new URL("release/dist/", ROOT));
  mkdirSync(dist, { recursive: true });
  // In the repository, where the libraries are found.
  const folder = mkdtempSync(join(dist, "build-"));
  const file = join(dist, `hushkit-${target}${target.startsWith("win32") ? ".exe" : ""}`);
  try {
    await bundleAll(folder, target);
    const inputs = ["program.js", ...STARTED];
    // By its path: for a target that is not this machine's Bun would fetch one from a registry, and check no digest.
    const runtime =
      target === OWN_TARGET ? bun : installRuntime(target, { folder: join(folder, "runtime"), bun });
    const machine = [`--target=${platform}`, `--compile-executable-path=${runtime}`];
    const args = [...OPTIONS, ...machine, "--asset", "pages", "--outfile", file];
    execFileSync(bun, ["build", ...args, ...inputs], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  } finally {
    rmSync(folder, { recursive: true });
  }
  return file;
}

async function bundleAll(folder: string, target: string): Promise<void> {
  await bundle("hushkit", folder, {
    entries: { program: "release/executable/program.ts" },
    modules: { "/image-sharp.ts": "release/executable/no-images.ts" },
    // The library chooses its machine code when it runs, unless it is asked for by the name of a machine.
    libraries: { "better-sqlite3": `better-sqlite3/${target}` },
  });
  await copyPages(pathToFileURL(join(folder, "pages")));
}

/** Installs the Bun of another machine as `release/runtimes/` locks it, whose digest npm checks. Answers its path. */
function installRuntime(target: string, { folder, bun }: { folder: string; bun: string }): string {
  for (const file of ["package.json", "package-lock.json"])
    cpSync(new URL(`release/runtimes/${file}`, ROOT), join(folder, file));
  const [, os = "", libc = "glibc", cpu = ""] = /^(linux|darwin|win32)(musl)?-(.+)$/.exec(target) ?? [];
  const args = ["ci", "--ignore-scripts", "--loglevel=error", `--os=${os}`, `--cpu=${cpu}`, `--libc=${libc}`];
  execFileSync("npm", args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  const [name = ""] = readdirSync(join(folder, "node_modules/@oven"));
  const installed = join(folder, "node_modules/@oven", name);
  checkVersion(bun, installed);
  return join(installed, "bin", os === "win32" ? "bun.exe" : "bun");
}

/** How a program is put behind its runtime differs from one version of Bun to the next. */
function checkVersion(bun: string, installed: string): void {
  const own = execFileSync(bun, ["--version"], { encoding: "utf8" }).trim();
  // npm's own file.
  const { version } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as {
    version: string;
  };
  if (own !== version)
    throw new Error(`Bun ${version} makes the executables of other machines; the one here is ${own}.`);
}

function isOnMusl(): boolean {
  // Node's own report, which has this field with the C library of GNU alone.
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return process.platform === "linux" && header.glibcVersionRuntime === undefined;
}
