// What `npm run build` has made of the sources of a clone: a start from sources looks for nine hundred modules, which is
// more than half of its time. Plain JavaScript, because whatever starts the server reads it.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const ROOMS = [
  "adapters",
  "bin",
  "cli",
  "client",
  "db",
  "release",
  "router",
  "server",
  "tools",
  "web",
  "wire",
];
const FILES = ["main.ts", "package.json", "package-lock.json"];
/** Made of the sources, in the folder of their room. */
const MADE = new Set(["dist", "node_modules"]);

/** Where servers are built: in the clone, so that they find its libraries. */
export const SERVERS = resolve(ROOT, "node_modules/.cache/servers");

/** The folder of the server that is built of exactly these sources, whether it is there or not. */
export function serverFolder() {
  const hash = createHash("sha256");
  for (const path of [...FILES, ...ROOMS]) addTo(hash, path);
  return join(SERVERS, hash.digest("hex").slice(0, 32));
}

/** The program of that server, where it is whole and its pages are there too. */
export function builtServer() {
  const main = join(serverFolder(), "main.js");
  return existsSync(main) && existsSync(resolve(ROOT, "web/dist/pages/stamp.txt")) ? main : undefined;
}

// Size and time of a change say what digests would, and take a fifth of the time. Deno tells no parts of a millisecond.
function addTo(hash, path) {
  const stat = statSync(resolve(ROOT, path), { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!stat.isDirectory()) return void hash.update(`${path}\n${stat.size} ${Math.trunc(stat.mtimeMs)}\n`);
  for (const name of readdirSync(resolve(ROOT, path)).sort()) {
    if (!MADE.has(name)) addTo(hash, `${path}/${name}`);
  }
}
