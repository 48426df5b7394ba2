// Builds the pages into web/dist/pages, unless they are already built from exactly these sources. Part of `npm run
// build`, and started by the server.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { DIST, digestSources, readStamp } from "./build/stamp.ts";

// Before the build: if a file changes meanwhile, the digest differs, and the next start builds again. Otherwise Vite
// takes NODE_ENV from the surrounding program, and a test's would put paths of this machine into the pages.
process.env.NODE_ENV = "production";

removeLeftovers();
const digest = await digestSources();
if (readStamp() !== digest) {
  // Vite takes half a second to load, which a start with fresh pages need not wait for.
  const { bundlePages } = await import("./build/bundle.ts");
  await bundlePages(digest);
}

/** What builders have left that were ended in the middle, as a server does that stops. */
function removeLeftovers(): void {
  const place = dirname(DIST);
  const names = existsSync(place) ? readdirSync(place) : [];
  for (const name of names) {
    const [, pid] = /^fresh\.(\d+)/.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(place, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}
