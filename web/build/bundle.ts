import { existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, type InlineConfig, type Rolldown } from "vite";
import { collectModules, MODULES, PRELOADS, preloadsOf } from "./chunks.ts";
import { drawPages } from "./draw.ts";
import { sealPages } from "./seal.ts";
import { wordParts } from "./words.ts";
import { DIST, readStamp, STAMP } from "./stamp.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
// Built beside the current pages and then renamed, so that an incomplete set of files is never served.
const FRESH = `${ROOT}dist/fresh.${process.pid}`;
/** Thumbnails and codecs are larger; the service worker caches them after everything else. */
const HEAVY_BYTES = 200_000;
const modules = new Set<string>();
const collect = () => collectModules(modules, fileURLToPath(new URL("../../", import.meta.url)));

/** Builds the pages and puts them in place, marked with the digest of their sources. */
export async function bundlePages(digest: string): Promise<void> {
  const built = await build(pages());
  await build(serviceWorker(filesToCache()));
  await build(linkPage());
  const preloads = preloadsOf(built);
  writeFileSync(`${FRESH}/${PRELOADS}`, JSON.stringify(preloads));
  const styles = (page: string) => preloads[`pages/${page}`]?.filter((file) => file.endsWith(".css")) ?? [];
  await drawPages(FRESH, common(), styles);
  sealPages(FRESH);
  writeFileSync(`${FRESH}/${STAMP}`, digest);
  // Beside the pages, because no server sends it.
  writeFileSync(`${ROOT}dist/${MODULES}`, JSON.stringify([...modules].sort()));
  putInPlace(digest);
}

/**
 * The modules that every page loads, without those that only some need, and those that the pages of secrets share: one
 * file each instead of dozens.
 */
const GROUPS = [
  {
    name: "base",
    test: /node_modules\/@?preact|web\/(app\/(?!curl)|parts\/(?!qr|ending|confirm|some-of))|web\/(api\/(failure|format-failure|limits)|account\/(member-fields|member-failure)|files\/incoming)|wire\/(bytes|tool-failure|limits)/,
  },
  {
    name: "secrets",
    test: /web\/(secrets\/(open\/(link-form|opened)|status)|api\/rest|files\/object-url)|tools\/crypto\/(base62|end-to-end|key-derivation|text-seal)|wire\/(base64|links)/,
  },
  {
    name: "form",
    test: /web\/(secrets\/send\/(lifetime|content|secret-content)|files\/(drop|refused))\./,
  },
];

function common(): InlineConfig {
  return {
    root: ROOT,
    configFile: false,
    // Only the server that sends the pages knows their address (PUBLIC_URL).
    base: "./",
    logLevel: "warn",
    plugins: [wordParts(), collect()],
    // Pages contain no code for what other runtimes do natively.
    define: { "globalThis.process": "undefined" },
    json: { namedExports: false, stringify: false },
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  };
}

/** Parts that some load at once and others later are meant so, and hpke asks for Node's crypto on Node alone. */
const CHECKED = {
  checks: { pluginTimings: false, ineffectiveDynamicImport: false },
  onLog(level, log, tell) {
    if (!/^Module "crypto" has been externalized.*@hpke/.test(log.message)) tell(level, log);
  },
} satisfies Rolldown.RolldownOptions;

function pages(): InlineConfig {
  return {
    ...common(),
    worker: { format: "es", plugins: () => [collect()], rolldownOptions: CHECKED },
    build: {
      outDir: FRESH,
      rolldownOptions: { ...CHECKED, output: { codeSplitting: { groups: GROUPS } } },
      emptyOutDir: true,
      target: "es2022",
      // The content security policy allows no data URLs.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 4096,
      reportCompressedSize: false,
    },
  };
}

// A separate build: in a common one, the shared chunks would contain what only the other pages use.
function linkPage(): InlineConfig {
  const all = pages();
  return {
    ...all,
    build: {
      ...all.build,
      emptyOutDir: false,
      copyPublicDir: false,
      rolldownOptions: {
        input: `${ROOT}link.html`,
        output: { codeSplitting: { groups: [{ name: "link", tags: ["$initial"] }] } },
      },
    },
  };
}

function serviceWorker(files: readonly string[]): InlineConfig {
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

function filesToCache(): string[] {
  const built = readdirSync(`${FRESH}/assets`);
  const named = ["favicon.svg", "icon-192.png", "manifest.webmanifest"];
  return [...named, ...built.map((name) => `assets/${name}`)];
}

function isHeavy(file: string): boolean {
  return statSync(`${FRESH}/${file}`).size > HEAVY_BYTES;
}

// Another process may have built the same sources meanwhile; its files are in use and stay.
function putInPlace(digest: string): void {
  if (readStamp() !== digest) {
    const old = `${FRESH}.old`;
    if (existsSync(DIST)) renameSync(DIST, old);
    renameSync(FRESH, DIST);
    rmSync(old, { recursive: true, force: true });
  }
  rmSync(FRESH, { recursive: true, force: true });
}
