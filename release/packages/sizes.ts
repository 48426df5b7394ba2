import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "rolldown";
import { ENTRIES, isNamed } from "../bundle.ts";
import { PACKAGES, ROOT, type PackageName } from "../packages.ts";

/** Of each release, kept with the sources: what the next one is compared with. */
const KEPT = fileURLToPath(new URL("release/sizes.json", ROOT));
/** Below the clone, where the libraries that a package asks for are found. */
const TRIED = fileURLToPath(new URL("node_modules/.cache/sizes/", ROOT));
/** Asked for by a compiler that trusts no declaration. */
const OPTIONS = [
  "--ignoreConfig",
  "--noEmit",
  "--strict",
  "--module",
  "nodenext",
  "--target",
  "esnext",
  "--types",
  "node",
];

/** Bytes, and seconds of the compiler. */
type Sizes = Readonly<Record<string, number>>;

/** A package's sizes: packed, its files, what a page first loads of each entry, and how long its types take. */
export async function sizesOf(
  name: PackageName,
  { staged, packedBytes, fileBytes }: { staged: string; packedBytes: number; fileBytes: number },
): Promise<Sizes> {
  const dist = join(TRIED, "dist");
  rmSync(TRIED, { recursive: true, force: true });
  cpSync(join(staged, PACKAGES[name], "dist"), dist, { recursive: true });
  const sizes: Record<string, number> = { "packed, bytes": packedBytes, "its files, bytes": fileBytes };
  for (const entry of Object.keys(ENTRIES[name]).filter((each) => isNamed(each, name))) {
    if (name === "hushkit" || (name === "@hushkit/trpc" && entry === "index")) continue;
    const path = entry === "index" ? "" : `/${entry}`;
    sizes[`${name}${path} loads first, bytes compressed`] = await firstLoad(join(dist, `${entry}.js`));
  }
  sizes["its types, seconds"] = checkTypes(dist);
  return sizes;
}

/** Compares with the last release, in lines; and keeps the numbers of this one where it is released. */
export function compareSizes(
  sizes: ReadonlyMap<PackageName, Sizes>,
  { version, isKept }: { version: string; isKept: boolean },
): string[] {
  const kept = existsSync(KEPT) ? (JSON.parse(readFileSync(KEPT, "utf8")) as KeptSizes) : {};
  const last = Object.keys(kept).findLast((each) => each !== version);
  const lines = [...sizes].flatMap(([name, of]) => [
    `\n${name}${last ? `, beside ${last}` : ""}`,
    ...Object.entries(of).map(([what, value]) => {
      const before = last === undefined ? undefined : kept[last]?.[name]?.[what];
      const change = before === undefined ? "" : `  ${before}  × ${(value / before).toFixed(2)}`;
      return `${String(value).padStart(9)}  ${what}${change}`;
    }),
  ]);
  if (last === undefined) lines.unshift("There is no earlier release to compare these sizes with.");
  if (isKept)
    writeFileSync(KEPT, `${JSON.stringify({ ...kept, [version]: Object.fromEntries(sizes) }, null, 2)}\n`);
  return lines;
}

type KeptSizes = Readonly<Record<string, Readonly<Record<string, Sizes>>>>;

/** What a page loads before the first line of a module runs: the module and all that is imported at once from there. */
export async function firstLoad(module: string): Promise<number> {
  const { output } = await build({
    cwd: fileURLToPath(ROOT),
    input: module,
    platform: "browser",
    output: { format: "esm", minify: true },
    logLevel: "silent",
    write: false,
  });
  const chunks = new Map(
    output.flatMap((each) => (each.type === "chunk" ? [[each.fileName, each] as const] : [])),
  );
  const loaded = new Set([...chunks.values()].filter(({ isEntry }) => isEntry));
  // A set that is walked hands out what is added on the way too; a chunk names only what it imports itself.
  for (const { imports } of loaded)
    for (const chunk of imports.flatMap((name) => chunks.get(name) ?? [])) loaded.add(chunk);
  return [...loaded].reduce((bytes, { code }) => bytes + gzipSync(code).length, 0);
}

/** How long the compiler takes for a program that imports a package, all declarations judged. */
function checkTypes(dist: string): number {
  const program = join(dist, "program.ts");
  writeFileSync(program, 'export * from "./index.js";\n');
  const start = performance.now();
  const tsc = join(fileURLToPath(ROOT), "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, ...OPTIONS, program], { cwd: dist, stdio: "inherit" });
  return Number(((performance.now() - start) / 1000).toFixed(1));
}
