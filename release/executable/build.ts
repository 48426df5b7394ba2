// `npm run executable -- [target]`: server, pages and command line as one file, release/dist/hushkit-TARGET.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { findRuntimes } from "../../test/support/runtimes.ts";
import { copyPages } from "../build.ts";
import { bundle } from "../bundle.ts";
import { ROOT } from "../packages.ts";

/** What Bun calls each target; for one that is not this machine's it fetches its runtime from the registry of npm. */
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
const STARTED = ["worker.js", "jobs.js", "image-jobs.js", "checkpoint-thread.js", "watchdog-thread.js"];

// Its settings are environment variables: a file .env or bunfig.toml where it is started has no say.
const OPTIONS = ["--compile", "--splitting", "--no-compile-autoload-dotenv", "--no-compile-autoload-bunfig"];

const [target = `${process.platform}-${process.arch}`] = process.argv.slice(2);
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
  const bun = findRuntimes().find(({ name }) => name === "bun")?.command;
  if (!bun) throw new Error("The executable is made by Bun 1.4 or newer, which is not on this machine.");
  const dist = fileURLToPath(new URL("release/dist/", ROOT));
  mkdirSync(dist, { recursive: true });
  // In the repository, where the libraries are found.
  const folder = mkdtempSync(join(dist, "build-"));
  const file = join(dist, `hushkit-${target}${target.startsWith("win32") ? ".exe" : ""}`);
  try {
    await bundleAll(folder, target);
    const inputs = ["program.js", ...STARTED];
    const args = [...OPTIONS, `--target=${platform}`, "--asset", "pages", "--outfile", file];
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
