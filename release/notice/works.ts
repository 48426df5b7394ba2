import { readdirSync, readFileSync } from "node:fs";
import { ROOT } from "../packages.ts";
import { OTHERS, type Work } from "./others.ts";

const LIBRARY = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;
const TEXTS = /^(licen[cs]e|copying|notice|third_party)/i;

/** npm's short form of a repository. */
const SHORT = "https://github.com/$&";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly homepage?: string;
  readonly repository?: string | { readonly url: string };
}

/** Whose works the modules of a bundle are, besides ours; modules are paths below the repository. */
export function worksIn(modules: readonly string[]): Work[] {
  const folders = new Set(modules.flatMap((module) => LIBRARY.exec(module) ?? []));
  const libraries = [...folders].sort().flatMap((folder) => {
    const { name, version, ...about } = manifestOf(folder);
    const library = { ...about, name: `${name} ${version}`, text: textsIn(folder) };
    return [library, ...(OTHERS[name] ?? [])];
  });
  return [...libraries, ...modules.toSorted().flatMap((module) => OTHERS[module] ?? [])];
}

function manifestOf(folder: string) {
  // npm has every package name these.
  const read = JSON.parse(readFileSync(new URL(`${folder}/package.json`, ROOT), "utf8")) as Manifest;
  const { name, version, license, homepage, repository } = read;
  const url = typeof repository === "object" ? repository.url : repository;
  const source = homepage ?? url ?? `https://www.npmjs.com/package/${name}`;
  return {
    name,
    version,
    license,
    source: source.replace(/^git\+|\.git$/g, "").replace(/^[\w-]+\/[\w-]+$/, SHORT),
  };
}

/** @throws Error where a library has no text of its licence */
function textsIn(folder: string): string {
  const names = readdirSync(new URL(folder, ROOT)).filter((name) => TEXTS.test(name));
  if (names.length === 0) throw new Error(`${folder} has no file with its licence`);
  const read = (name: string) => readFileSync(new URL(`${folder}/${name}`, ROOT), "utf8");
  return names
    .sort()
    .map((name) => read(name).replaceAll("\r\n", "\n").replaceAll(/ +$/gm, "").trim())
    .join("\n\n");
}
