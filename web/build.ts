// Builds the pages into web/dist/pages, unless they are already built from exactly these sources. Part of `npm run
// build`, and started by the server.
import { digestSources, readStamp, removeLeftovers } from "./build/stamp.ts";

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
