import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ENTRIES, isNamed } from "../bundle.ts";
import { describeOptions } from "./describe-options.ts";
import { describeErrorFields, describeRouter } from "./describe-router.ts";
import { ROOT, type PackageName } from "../packages.ts";

/** The types of the server's context and of the meta for REST, which callers of the API do not need. */
const SERVER_ONLY = /import\("[^"]*\/(?:context|meta)\.ts"\)\.\w+/g;
/** Declarations that say nothing by themselves of what the schemas do. */
const DESCRIBED: Readonly<Record<string, (declaration: string) => string>> = {
  "router/app": describeRouter,
  "router/errors/error-fields": describeErrorFields,
  "server/index": describeOptions,
};
/** What TypeScript 5.6 does not know; later versions read the other as the same type. */
const GENERIC_ARRAY = /\b(\w+Array)<ArrayBuffer>/g;
const ANY_ARRAY = 'ReturnType<$1Constructor["of"]>';
const DEFAULT_BUFFER = /(?<=\b(?:\w+Array|ArrayBufferView))<ArrayBufferLike>/g;
const RELATIVE = /(?<=(?:from |import\()")(\.[^"]+)\.ts(?=")/g;

/** Declarations of all sources, as the compiler writes them: one folder for all packages. */
export function compileDeclarations(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "hushkit-types-"));
  const args = ["node_modules/typescript/bin/tsc", "-p", "release/tsconfig.json", "--outDir", folder];
  const remove = () => rmSync(folder, { recursive: true });
  try {
    execFileSync(process.execPath, args, { cwd: fileURLToPath(ROOT), stdio: "inherit" });
  } catch (error) {
    remove();
    throw error;
  }
  return { folder, remove };
}

/** Copies a package's entries and what they refer to into a folder, and an `index.d.ts` that leads there. */
export function writeDeclarations(name: PackageName, { from, to }: { from: string; to: string }): void {
  const copied = new Set<string>();
  for (const [entry, path] of entriesOf(name)) {
    copyWithImports(path, { from, to: join(to, "types"), copied });
    writeFileSync(join(to, `${entry}.d.ts`), `export * from "./types/${path}.js";\n`);
  }
}

function entriesOf(name: PackageName): (readonly [entry: string, path: string])[] {
  const entries = Object.entries(ENTRIES[name]).filter(([entry]) => isNamed(entry, name));
  return entries.map(([entry, file]) => [entry, file.replace(/\.ts$/, "")]);
}

function copyWithImports(path: string, copying: { from: string; to: string; copied: Set<string> }): void {
  const { from, to, copied } = copying;
  if (copied.has(path)) return;
  copied.add(path);
  const declared = readFileSync(join(from, `${path}.d.ts`), "utf8")
    .replace(SERVER_ONLY, "object")
    .replace(GENERIC_ARRAY, ANY_ARRAY)
    .replace(DEFAULT_BUFFER, "");
  const text = DESCRIBED[path]?.(declared) ?? declared;
  const target = join(to, `${path}.d.ts`);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text.replace(RELATIVE, "$1.js"));
  for (const [relative] of text.matchAll(RELATIVE)) {
    copyWithImports(join(dirname(path), relative.replace(/\.ts$/, "")), copying);
  }
}
