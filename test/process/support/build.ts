// Has pages and server built once, before the first file that starts servers, unless they are built from exactly these
// sources.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { serverFolder } from "../../../bin/built.mjs";
import { nodePath } from "../../support/runtimes.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** Vitest calls it, and whoever runs files of tests inherits the environment. */
export async function setup(): Promise<void> {
  await promisify(execFile)(nodePath(), ["release/clone/build.ts"], { cwd: ROOT });
  Object.assign(process.env, { TEST_PAGES: "built", TEST_SERVER: serverFolder() });
}
