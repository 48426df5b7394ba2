import type { build, Plugin } from "vite";
import { relative } from "node:path";

/** What a page loads in addition to the files in its HTML, so that the server can name it before a script asks. */
export const PRELOADS = "preloads.json";

/**
 * The scripts and styles of each page and of the words in each language: `{"pages/docs": ["assets/docs-….js"],
 * "words/core/en": […]}`.
 */
export function preloadsOf(
  built: Awaited<ReturnType<typeof build>>,
): Readonly<Record<string, readonly string[]>> {
  const outputs = "output" in built || Array.isArray(built) ? [built].flat() : [];
  const chunks = outputs.flatMap(({ output }) => output.filter((each) => each.type === "chunk"));
  const importsOf = new Map(chunks.map(({ fileName, imports }) => [fileName, imports]));
  // Vite stores here which styles a chunk waits for.
  const stylesOf = new Map(
    chunks.map(({ fileName, viteMetadata }) => [fileName, [...(viteMetadata?.importedCss ?? [])]]),
  );
  const entry = chunks.find(({ isEntry }) => isEntry);
  const named = withImports(entry ? [entry.fileName] : [], importsOf);
  const lists = chunks.flatMap(({ facadeModuleId, fileName }) => {
    // Pages may be in a folder of their kind.
    const found =
      /\/web\/(?:pages\/(?:[\w-]+\/)?([\w-]+)\.tsx|words\/([a-z]{2})\.json\?part=(core|more))$/.exec(
        facadeModuleId ?? "",
      );
    const [, page, language, part] = found ?? [];
    if (!found) return [];
    const scripts = [...withImports([fileName], importsOf)].filter((each) => !named.has(each));
    const styles = scripts.flatMap((script) => stylesOf.get(script) ?? []);
    return [[page ? `pages/${page}` : `words/${part}/${language}`, [...scripts, ...styles]] as const];
  });
  return Object.fromEntries(lists.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function withImports(
  files: readonly string[],
  importsOf: ReadonlyMap<string, readonly string[]>,
): Set<string> {
  const all = new Set(files);
  for (const file of all) for (const each of importsOf.get(file) ?? []) all.add(each);
  return all;
}

/** Lists the modules in the built pages, beside them; `release/notice/` reads whose they are. */
export const MODULES = "modules.json";

/** Adds each module that is in a bundle, as its path below a folder. */
export function collectModules(modules: Set<string>, root: string): Plugin {
  return {
    name: "collect-modules",
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((each) => each.type === "chunk");
      for (const [id, { renderedLength }] of chunks.flatMap((chunk) => Object.entries(chunk.modules)))
        // Names of generated modules begin with a zero byte.
        if (renderedLength > 0 && !id.startsWith("\0"))
          modules.add(relative(root, id.split("?")[0] ?? "").replaceAll("\\", "/"));
    },
  };
}
