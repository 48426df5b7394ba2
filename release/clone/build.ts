// `npm run build`, and what the server runs beside itself when it starts from sources: the pages, and the server that the
// next start on Node runs; each unless it is built from exactly these sources.
import { existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
// Where the launcher looks for it.
import { serverFolder, SERVERS } from "../../bin/built.mjs";
import "../../web/build.ts";
import { ROOT } from "../packages.ts";

/** Runtimes' own modules, libraries with machine code, and one that is looked for and never there. */
const OUTSIDE = /^(node:|bun:|better-sqlite3|sharp|libheif-js|pg-native)/;
/** A running server may load another part of its build at any time, so a few earlier builds are kept. */
const KEPT = 3;

if (!process.versions.bun && !process.versions.deno && !existsSync(serverFolder()))
  await buildServer(serverFolder());

/** Builds the server with its libraries, in a folder that appears whole or not at all, also where two build at once. */
async function buildServer(folder: string): Promise<void> {
  const making = join(SERVERS, `making-${crypto.randomUUID()}`);
  // A start from sources that are built already need not wait for it.
  const [{ build }, { ENTRIES, escapes, standIns }] = await Promise.all([
    import("rolldown"),
    import("../bundle.ts"),
  ]);
  await build({
    cwd: fileURLToPath(ROOT),
    input: ENTRIES.hushkit,
    platform: "node",
    external: (id) => OUTSIDE.test(id),
    plugins: [standIns({ "/places.ts": "release/clone/places.ts" }), escapes()],
    logLevel: "warn",
    output: { dir: making, format: "esm", entryFileNames: "[name].js" },
  });
  // Else Node has to find out of each file whether it is a module.
  writeFileSync(join(making, "package.json"), '{ "type": "module" }');
  try {
    renameSync(making, folder);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  removeOld();
}

function removeOld(): void {
  const folders = readdirSync(SERVERS).map((name) => join(SERVERS, name));
  const age = (folder: string) => statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  for (const folder of folders.toSorted((a, b) => age(b) - age(a)).slice(KEPT))
    rmSync(folder, { recursive: true, force: true });
}
