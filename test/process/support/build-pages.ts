// Has the pages built once, before the first file that starts servers, unless they are built from exactly these sources.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { nodePath } from "../../support/runtimes.ts";

/** Vitest calls it, and whoever runs files of tests inherits the environment. */
export async function setup(): Promise<void> {
  const cwd = fileURLToPath(new URL("../../../", import.meta.url));
  await promisify(execFile)(nodePath(), ["web/build.ts"], { cwd });
  process.env["TEST_PAGES"] = "built";
}
