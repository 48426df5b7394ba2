// Builds the pages into web/dist/pages. Run by `npm run build`, and by the server itself when they are missing or old.
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build, type InlineConfig } from "vite";
import { pagesStamp } from "./build/stamp.ts";

const ROOT = fileURLToPath(new URL(".", import.meta.url));
const DIST = `${ROOT}dist/pages`;
// Built beside and then put in place, so that nobody is ever served half of it.
const FRESH = `${ROOT}dist/fresh.${process.pid}`;
/** Thumbnails and codecs are larger; they are kept for offline use once everything else is. */
const HEAVY_BYTES = 200_000;

// Before the build: what is changed meanwhile makes another digest and is built again.
const stamp = await pagesStamp();
await build(pages());
await build(offline(await filesToKeep()));
writeFileSync(`${FRESH}/stamp.txt`, stamp);
putInPlace(stamp);

function common(): InlineConfig {
  return {
    root: ROOT,
    configFile: false,
    logLevel: "warn",
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  };
}

function pages(): InlineConfig {
  return {
    ...common(),
    worker: { format: "es" },
    build: {
      outDir: FRESH,
      rolldownOptions: { checks: { pluginTimings: false } },
      emptyOutDir: true,
      target: "es2022",
      // Data URLs would need a hole in the content security policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 4096,
      reportCompressedSize: false,
    },
  };
}

function offline(files: readonly string[]): InlineConfig {
  return {
    ...common(),
    publicDir: false,
    define: {
      __FILES__: JSON.stringify(files.filter((file) => !isHeavy(file))),
      __HEAVY__: JSON.stringify(files.filter(isHeavy)),
    },
    build: {
      outDir: FRESH,
      emptyOutDir: false,
      target: "es2022",
      rolldownOptions: { input: `${ROOT}offline.ts`, output: { entryFileNames: "offline.js" } },
      reportCompressedSize: false,
    },
  };
}

async function filesToKeep(): Promise<string[]> {
  const built = await readdir(`${FRESH}/assets`);
  return ["/theme.js", "/favicon.svg", "/manifest.webmanifest", ...built.map((name) => `/assets/${name}`)];
}

function isHeavy(file: string): boolean {
  return statSync(`${FRESH}${file}`).size > HEAVY_BYTES;
}

// Another process may have been quicker with the same sources; then its files are as good, and are being read.
function putInPlace(stamp: string): void {
  if (readStamp() !== stamp) {
    const old = `${FRESH}.old`;
    if (existsSync(DIST)) renameSync(DIST, old);
    renameSync(FRESH, DIST);
    rmSync(old, { recursive: true, force: true });
  }
  rmSync(FRESH, { recursive: true, force: true });
}

function readStamp(): string | undefined {
  const path = `${DIST}/stamp.txt`;
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
