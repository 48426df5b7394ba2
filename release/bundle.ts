import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "rolldown";
import { ROOT, type PackageName } from "./packages.ts";

type Entries = Readonly<Record<string, string>>;

const ENTRIES: Readonly<Record<PackageName, Entries>> = {
  "@hushkit/client": { index: "client/index.ts" },
  "@hushkit/tools": { index: "tools/index.ts" },
  "@hushkit/trpc": { index: "adapters/trpc/index.ts", client: "client/frame-link.ts" },
  hushkit: {
    index: "index.ts",
    main: "main.ts",
    admin: "admin.ts",
    cli: "cli/main.ts",
    worker: "adapters/workers/worker.ts",
    jobs: "tools/jobs.ts",
    "image-jobs": "adapters/workers/image-jobs.ts",
    "checkpoint-thread": "db/connection/checkpoint-thread.ts",
    "watchdog-thread": "adapters/workers/watchdog-thread.ts",
  },
};

export interface Changes {
  readonly entries?: Entries;
  /** Modules, by the end of their paths, for which others stand. */
  readonly modules?: Readonly<Record<string, string>>;
  /** Libraries for which others stand. */
  readonly libraries?: Readonly<Record<string, string>>;
}

/** Writes the JavaScript of a package into a folder. Its libraries stay what is installed beside it. */
export async function bundle(name: PackageName, folder: string, changes: Changes = {}): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  await build({
    cwd: fileURLToPath(ROOT),
    input: { ...ENTRIES[name], ...changes.entries },
    platform: name === "hushkit" || name === "@hushkit/trpc" ? "node" : "neutral",
    external: (id) => /^(node:|[a-z@])/.test(id),
    plugins: [standIns({ "/places.ts": "release/places.ts", ...changes.modules })],
    logLevel: "warn",
    output: {
      dir: folder,
      paths: { ...changes.libraries },
      format: "esm",
      entryFileNames: "[name].js",
      // Beside the entries: what is found by path is found from there.
      chunkFileNames: "[name]-[hash].js",
      // JSR finds the declarations by it.
      banner: ({ isEntry, name: chunk }) =>
        isEntry && chunk === "index" ? '/* @ts-self-types="./index.d.ts" */' : "",
      comments: { legal: true, jsdoc: false, annotation: true },
    },
  });
}

function standIns(modules: Readonly<Record<string, string>>): Plugin {
  return {
    name: "stand-ins",
    resolveId(id) {
      const [, path] = Object.entries(modules).find(([end]) => id.endsWith(end)) ?? [];
      return path && fileURLToPath(new URL(path, ROOT));
    },
    // A module that is started by its path is an entry of its own.
    transform: (code) =>
      code.replace(
        /new URL\("\.\/([\w-]+)\.ts", import\.meta\.url\)/g,
        'new URL("./$1.js", import.meta.url)',
      ),
  };
}
