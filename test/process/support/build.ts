// Has pages and server built once, before the first file that starts servers, unless they are built from exactly these
// sources.
import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "rolldown";
import { ENTRIES, standIns } from "../../../release/bundle.ts";
import { nodePath } from "../../support/runtimes.ts";
import { digestSources } from "../../../web/build/stamp.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
/** In the clone, where libraries are found. */
const SERVER = `${ROOT}node_modules/.cache/server`;
const STAMP = `${SERVER}/stamp.txt`;
const ROOMS = ["adapters", "cli", "client", "db", "release", "router", "server", "tools", "wire"];
/** Runtimes' own modules, libraries with machine code, and one that is looked for and never there. */
const OUTSIDE = /^(node:|bun:|better-sqlite3|sharp|libheif-js|pg-native)/;

/** Vitest calls it, and whoever runs files of tests inherits the environment. */
export async function setup(): Promise<void> {
  await promisify(execFile)(nodePath(), ["web/build.ts"], { cwd: ROOT });
  await bundleServer();
  Object.assign(process.env, { TEST_PAGES: "built", TEST_SERVER: SERVER });
}

/** Libraries included: of a start from sources, looking for nine hundred modules is more than half of the work. */
async function bundleServer(): Promise<void> {
  const digest = await digestSources(ROOMS);
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === digest) return;
  await build({
    cwd: ROOT,
    input: ENTRIES.hushkit,
    platform: "node",
    external: (id) => OUTSIDE.test(id),
    plugins: [standIns({ "/places.ts": "test/process/support/places.ts" })],
    logLevel: "warn",
    output: { dir: SERVER, cleanDir: true, format: "esm", entryFileNames: "[name].js" },
  });
  // Else Node has to find out of each file whether it is a module.
  writeFileSync(`${SERVER}/package.json`, '{ "type": "module" }');
  writeFileSync(STAMP, digest);
}
