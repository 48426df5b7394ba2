import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram, nodePath } from "../support/runtimes.ts";

/** Ports below 10 are never listened on here: who asks there is refused at once. */
const NOBODY = "127.0.0.1:9";
/** What names a program or a server that is not on the path. */
const NAMES = ["DENO", "BUN", "CHROMIUM", "FIREFOX"];

/** A folder to be the search path, with Node and npm alone, and the shell that npm starts scripts with. */
export function makeBarePath(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "hushkit-bare-"));
  symlinkSync(nodePath(), join(folder, "node"));
  for (const program of ["npm", "npx", "sh"]) {
    const place = findProgram(program);
    if (place) symlinkSync(place, join(folder, program));
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** This environment with that search path, no database server and no registry. */
export function bareEnvironment(folder: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !NAMES.includes(name));
  return {
    ...Object.fromEntries(kept),
    PATH: folder,
    TEST_POSTGRES_URL: `postgres://nobody@${NOBODY}/test`,
    npm_config_registry: `http://${NOBODY}/`,
  };
}
