import { readFileSync } from "node:fs";
import type { RunningServer } from "../../test/process/support/server.ts";
import { processesOf } from "./memory.ts";

/**
 * Waits until the child of a server that builds the pages has ended, which is not to be measured. After a change of the
 * sources the child takes seconds, while the server already sends the pages of before.
 */
export async function pagesBuilt({ pid }: RunningServer): Promise<void> {
  while (processesOf(pid).some(isBuilder)) await new Promise((resolve) => setTimeout(resolve, 100));
}

function isBuilder(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("/clone/build.ts");
  } catch {
    // It has ended meanwhile.
    return false;
  }
}
