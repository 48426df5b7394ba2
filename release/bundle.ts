import { rmSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "rolldown";
import { ROOT, type PackageName } from "./packages.ts";

type Entries = Readonly<Record<string, string>>;

export const ENTRIES: Readonly<Record<PackageName, Entries>> = {
  "@hushkit/client": { index: "client/index.ts" },
  "@hushkit/tools": {
    index: "tools/entries/index.ts",
    age: "tools/entries/age.ts",
    diff: "tools/entries/diff.ts",
    hash: "tools/entries/hash.ts",
    image: "tools/entries/image.ts",
    lock: "tools/entries/lock.ts",
    password: "tools/entries/password.ts",
    pdf: "tools/entries/pdf.ts",
    heic: "tools/entries/heic.ts",
  },
  "@hushkit/trpc": { index: "adapters/trpc/index.ts", client: "client/frame-link.ts" },
  hushkit: {
    index: "server/index.ts",
    main: "server/main.ts",
    admin: "server/admin.ts",
    cli: "cli/main.ts",
    worker: "adapters/workers/worker.ts",
    jobs: "tools/entries/jobs.ts",
    "image-jobs": "adapters/workers/image-jobs.ts",
    "blake3-thread": "cli/files/blake3-thread.ts",
    "checkpoint-thread": "db/connection/checkpoint-thread.ts",
    "watchdog-thread": "adapters/workers/watchdog-thread.ts",
  },
};

/**
 * Libraries that become part of a package; all others stay what is installed beside it. tRPC asks for TypeScript
 * beside it, 31 MB that no server loads, and trpc-to-openapi for a second h3 and a parser of bodies; of the SDK for the
 * Model Context Protocol a small part is used. In a project on Nitro 2, as Nuxt 4 is, npm may put an h3 2 where Nitro
 * looks for its h3 1, and the build fails. Of age's libraries finding the files took a quarter of each command that locks
 * or unlocks a small file for a recipient.
 */
const INSIDE: Partial<Record<PackageName, readonly string[]>> = {
  hushkit: [
    ...["@trpc/server", "@trpc/client", "trpc-to-openapi", "@modelcontextprotocol"],
    ...["age-encryption", "@noble/curves", "@noble/post-quantum", "@scure/base"],
  ],
  "@hushkit/trpc": ["trpc-to-openapi", "h3", "rou3"],
};

/**
 * Files of @hushkit/tools beside its entries: what several entries export, and each tool for PDFs. With a function
 * esbuild loads all of its file that any lazily loaded file may need; a file per tool keeps that small. `pdf-streams` is
 * what the parts of compression that are loaded later need: importing it from `pdf-compress` would make a ring, and
 * rolldown 1.2 leaves the constants of a ring undefined where it bundles all into one file.
 */
const PARTS: Entries = {
  failure: "tools/entries/shared/failure.ts",
  unlock: "tools/entries/shared/unlock.ts",
  warnings: "tools/entries/shared/warnings.ts",
  "pdf-clean": "tools/pdf-clean.ts",
  "pdf-compress": "tools/pdf-compress.ts",
  "pdf-lock": "tools/pdf-lock.ts",
  "pdf-merge": "tools/pdf-merge.ts",
  "pdf-rotate": "tools/pdf-rotate.ts",
  "pdf-split": "tools/pdf-split.ts",
  "pdf-streams": "tools/pdf/compress/image-facts.ts",
  "pdf-unlock": "tools/pdf-unlock.ts",
};

/** Rolldown would call what holds it by the name of the folder of the clone, which differs from one to the next. */
const INDEX = fileURLToPath(new URL("server/index.ts", ROOT));

interface Changes {
  readonly entries?: Entries;
  /** Modules, by the end of their paths, for which others stand. */
  readonly modules?: Readonly<Record<string, string>>;
  /** Libraries for which others stand. */
  readonly libraries?: Readonly<Record<string, string>>;
}

/** Writes the JavaScript of a package into a folder. Answers the modules in it, as paths below the repository. */
export async function bundle(name: PackageName, folder: string, changes: Changes = {}): Promise<string[]> {
  rmSync(folder, { recursive: true, force: true });
  const { output } = await build({
    cwd: fileURLToPath(ROOT),
    input: { ...ENTRIES[name], ...(name === "@hushkit/tools" && PARTS), ...changes.entries },
    platform: name === "hushkit" || name === "@hushkit/trpc" ? "node" : "neutral",
    external: (id) => isOutside(id, name),
    // Of a library inside, what is not used goes, and with it what that would load.
    treeshake: { moduleSideEffects: (id, isOutside) => !isOutside && !id.includes("/node_modules/") },
    plugins: [
      name === "@hushkit/tools" && entriesAsTheyAre(),
      standIns({ "/places.ts": "release/places.ts", ...changes.modules }),
      name === "hushkit" && escapes(),
    ],
    logLevel: "warn",
    output: {
      dir: folder,
      paths: { ...changes.libraries },
      format: "esm",
      entryFileNames: "[name].js",
      // Beside the entries: what is found by path is found from there.
      chunkFileNames: ({ moduleIds }) => `${moduleIds.includes(INDEX) ? "library" : "[name]"}-[hash].js`,
      // JSR finds the declarations by it.
      banner: ({ isEntry, name: chunk }) =>
        isEntry && Object.hasOwn(ENTRIES[name], chunk) && isNamed(chunk, name)
          ? `/* @ts-self-types="./${chunk}.d.ts" */`
          : "",
      // Of what runs in the programs of others, with the sources inside.
      sourcemap: name === "@hushkit/trpc",
      sourcemapPathTransform: (source, map) => belowRoot(resolve(dirname(map), source)),
      comments: { legal: true, jsdoc: false, annotation: true },
    },
  });
  const modules = output.flatMap((each) => (each.type === "chunk" ? Object.keys(each.modules) : []));
  // The bundler's own begin with a zero.
  const files = modules.filter((id) => !id.startsWith("\0"));
  return files.map(belowRoot);
}

/** A file of the clone, wherever that is. */
function belowRoot(path: string): string {
  return relative(fileURLToPath(ROOT), path).replaceAll("\\", "/");
}

/** Whether a package is entered by it under a name of its own; the program's other parts are found by path. */
export function isNamed(entry: string, name: PackageName): boolean {
  return entry === "index" || name !== "hushkit";
}

function isOutside(id: string, name: PackageName): boolean {
  const isInside = INSIDE[name]?.some((library) => id === library || id.startsWith(`${library}/`));
  return /^(node:|[a-z@])/.test(id) && !isInside;
}

/**
 * An entry that exports what another has exports that one, and not what it is made of. esbuild's splitting loads with a
 * module all that it imports and that anything else may load later.
 */
function entriesAsTheyAre(): Plugin {
  return {
    name: "entries-as-they-are",
    resolveId(id, importer) {
      const [, entry] = /^\.\/(?:shared\/)?(\w+)\.ts$/.exec(id) ?? [];
      const isEntry = importer && /\/tools\/entries\/\w+\.ts$/.test(importer.replaceAll("\\", "/"));
      return isEntry && entry ? { id: `./${entry}.js`, external: true } : null;
    },
  };
}

const STARTED = /new URL\("\.\/([\w-]+)\.ts", import\.meta\.url\)/g;

/** Has other modules take the place of some, by the end of their paths; and what is started by its path is an entry. */
export function standIns(modules: Readonly<Record<string, string>>): Plugin {
  return {
    name: "stand-ins",
    resolveId(id) {
      const [, path] = Object.entries(modules).find(([end]) => id.endsWith(end)) ?? [];
      return path && fileURLToPath(new URL(path, ROOT));
    },
    // A module that is started by its path is an entry of its own.
    transform: (code) => {
      const started = code.replace(STARTED, 'new URL("./$1.js", import.meta.url)');
      // What is left as it was keeps its source map.
      return started === code ? null : started;
    },
  };
}

/**
 * Writes characters beyond Latin-1 as escapes. V8 keeps a source for as long as it may run, with two bytes for each
 * character where one of them needs that: an ellipsis in a sentence doubled a file.
 */
export function escapes(): Plugin {
  return {
    name: "escapes",
    // After the bundler has left out what is not used, which writes some chunks once more.
    generateBundle(_, files) {
      for (const file of Object.values(files)) if (file.type === "chunk") file.code = escapeWide(file.code);
    },
  };
}

/** The same code in Latin-1. A character behind a single backslash stands for itself, as its escape does without. */
export function escapeWide(code: string): string {
  return code.replace(/(\\*)([^\0-\xff])/g, (_, before: string, character: string) => {
    const kept = before.slice(before.length % 2);
    return `${kept}\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
