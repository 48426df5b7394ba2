import { execFileSync } from "node:child_process";
import { cpSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { PackageName } from "../packages.ts";

const SENT = ["dist", "README.md", "LICENSE", "NOTICE"];
const MANIFEST = "jsr.json";

const SCRIPT = /(?<=(?:from |import\()")(\.[^"]+)\.js(?=")/g;

interface Manifest {
  readonly version: string;
  readonly license: string;
  /** By their paths: the entries, and the manifest itself. */
  readonly exports: Readonly<Record<string, { readonly default: string } | string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Writes `jsr.json`: what npm is told of a package by its `package.json`, in the words of JSR. */
export function writeJsrManifest(name: PackageName, { from, to }: { from: URL; to: URL }): void {
  const text = readFileSync(new URL("package.json", from), "utf8");
  // Our own file.
  const { version, license, dependencies, peerDependencies, exports } = JSON.parse(text) as Manifest;
  const entries = Object.fromEntries(
    Object.entries(exports).flatMap(([path, to]) => (typeof to === "string" ? [] : [[path, to.default]])),
  );
  const libraries = Object.entries({ ...dependencies, ...peerDependencies });
  const manifest = {
    name,
    version,
    license,
    exports: entries,
    imports: Object.fromEntries(libraries.flatMap(([library, range]) => importsOf(library, range))),
    publish: { include: [...SENT, MANIFEST] },
  };
  writeFileSync(new URL(MANIFEST, to), `${JSON.stringify(manifest, null, 2)}\n`);
}

/**
 * Has Deno check what JSR would be sent of an installed package. In another folder: beside a package.json Deno asks for
 * installed libraries.
 */
export function tryJsr(
  name: PackageName,
  { installed: from, to, deno }: { installed: URL; to: URL; deno: string },
): void {
  for (const file of SENT) cpSync(new URL(file, from), new URL(file, to), { recursive: true });
  writeJsrManifest(name, { from, to });
  nameDeclarations(to);
  const args = ["publish", "--dry-run", "--allow-dirty", "--quiet"];
  execFileSync(deno, args, { cwd: fileURLToPath(to), stdio: "inherit" });
}

// npm's declarations name the script that they describe; Deno looks for the file that is named.
function nameDeclarations(folder: URL): void {
  for (const path of globSync("dist/**/*.d.ts", { cwd: fileURLToPath(folder) })) {
    const file = new URL(path, folder);
    writeFileSync(file, readFileSync(file, "utf8").replace(SCRIPT, "$1.d.ts"));
  }
}

// With a slash at its end a name stands for all modules of a library.
function importsOf(library: string, range: string): [string, string][] {
  return [
    [library, `npm:${library}@${range}`],
    [`${library}/`, `npm:/${library}@${range}/`],
  ];
}
