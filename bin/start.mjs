// Runs a program of this project on a runtime that is new enough: this one if it strips types (Node 22.18,
// Deno, Bun), else the Node that came with the packages. Plain JavaScript, because an old Node reads it.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import module from "node:module";
import { constants } from "node:os";
import { fileURLToPath, pathToFileURL } from "node:url";
import { resolve } from "node:path";

// Key derivations and image work hold threads of Node's pool for seconds; digests and files need some too.
process.env.UV_THREADPOOL_SIZE ??= "8";

const LAUNCHER_CHECK_MS = 500;

const root = fileURLToPath(new URL("..", import.meta.url));
const [program = "main.ts", ...args] = process.argv.slice(2);
const file = resolve(root, program);

if (isNewEnough()) {
  endWithLauncher();
  process.argv = [process.argv[0], file, ...args];
  await import(pathToFileURL(await findBuilt()).href).catch(explainMissing);
} else {
  await runOn(findVendoredNode());
}

function isNewEnough() {
  if (process.versions.bun || process.versions.deno) return true;
  const [major, minor] = process.versions.node.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 18);
}

// Deno and Bun load sources fast enough by themselves. What Node has compiled is kept in the clone, with the libraries.
async function findBuilt() {
  if (process.versions.bun || process.versions.deno) return file;
  const isClone = existsSync(resolve(root, "server/main.ts"));
  if (!isClone) return file;
  process.env.NODE_COMPILE_CACHE ??= resolve(root, "node_modules/.cache/compiled");
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  if (program !== "main.ts") return file;
  const { builtServer } = await import("./built.mjs");
  return builtServer() ?? file;
}

// npm leaves packages out with NODE_ENV=production or `omit`, and nobody has installed any in a new clone.
function explainMissing(error) {
  const [, name] = /^(?:Cannot find package '|Import ")(.+?)['"]/.exec(error?.message) ?? [];
  if (name === undefined) throw error;
  console.error(
    `The package ${name} is not installed. \`npm ci --include=dev --include=optional\` installs all that this needs, ` +
      "whatever NODE_ENV or the settings of npm leave out.",
  );
  process.exit(1);
}

function findVendoredNode() {
  const { platform, arch } = process;
  const name = platform === "win32" ? `win-${arch}` : `${platform}-${arch}`;
  const exe = platform === "win32" ? "node.exe" : "node";
  for (const folder of [`node-${name}`, `node-bin-${name}`]) {
    const path = resolve(root, "node_modules", folder, "bin", exe);
    if (existsSync(path)) return path;
  }
  console.error(
    `Node ${process.versions.node} is too old to run this: Node 22.18 or newer is needed (24 is best), ` +
      "or Deno 2.9 or Bun 1.4. In a clone `npm ci --include=optional` installs one beside the packages.",
  );
  process.exit(1);
}

// A launcher that is killed cannot take this process along. SIGTERM is what ends it with all its answers sent.
function endWithLauncher() {
  const launcher = Number(process.env.LAUNCHER_PID);
  // What this program starts has another parent.
  delete process.env.LAUNCHER_PID;
  if (!launcher) return;
  const timer = setInterval(() => {
    if (process.ppid === launcher) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, LAUNCHER_CHECK_MS);
  timer.unref();
}

// A password may come from a descriptor that an argument names.
async function descriptors() {
  const stdio = ["inherit", "inherit", "inherit"];
  const { isGiven } = await import("./descriptors.mjs");
  for (const [, named] of args.join("\n").matchAll(/(?<=^|\n)--[a-z-]+-fd[=\n](\d{1,4})(?=\n|$)/g)) {
    const fd = Number(named);
    if (fd < 3 || !isGiven(fd)) continue;
    while (stdio.length <= fd) stdio.push("ignore");
    stdio[fd] = fd;
  }
  return stdio;
}

async function runOn(node) {
  // Whatever the program starts by the name "node" must be the same one.
  const path = [resolve(node, ".."), process.env.PATH].join(process.platform === "win32" ? ";" : ":");
  const env = { ...process.env, PATH: path, LAUNCHER_PID: String(process.pid) };
  const self = fileURLToPath(import.meta.url);
  const child = spawn(node, [self, program, ...args], { stdio: await descriptors(), env });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"])
    process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    // As shells report it.
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}
