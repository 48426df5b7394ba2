import { execFileSync } from "node:child_process";
import { cpSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { PACKAGES, type PackageName } from "./packages.ts";

const SENT = ["dist", "README.md", "LICENSE", "NOTICE", "jsr.json"];

const SCRIPT = /(?<=(?:from |import\()")(\.[^"]+)\.js(?=")/g;

interface Manifest {
  readonly version: string;
  readonly license: string;
  /** By their paths: the entries, and the manifest itself. */
  readonly exports: Readonly<Record<string, { readonly default: string } | string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Writes `jsr.json` beside what is built of a package: what npm is told of it, in the words of JSR. */
export function writeJsrManifest(name: PackageName, root: URL): void {
  const folder = new URL(PACKAGES[name], root);
  const text = readFileSync(new URL("package.json", folder), "utf8");
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
    publish: { include: SENT },
  };
  writeFileSync(new URL("jsr.json", folder), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Has Deno check what JSR would be sent. In a folder of its own: beside a package.json Deno asks for installed libraries. */
export function tryJsr(name: PackageName, { staged, deno }: { staged: URL; deno: string }): void {
  const from = new URL(PACKAGES[name], staged);
  const to = new URL(`jsr/${PACKAGES[name]}`, staged);
  for (const file of SENT) cpSync(new URL(file, from), new URL(file, to), { recursive: true });
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
