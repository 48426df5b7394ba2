import type { build } from "vite";

/** What a page needs besides what every page names, so that the server can say it before a script asks. */
export const PRELOADS = "preloads.json";

/** The scripts of each page and of the words in each language: `{"pages/docs": ["assets/docs-….js"], "words/en": […]}`. */
export function preloadsOf(
  built: Awaited<ReturnType<typeof build>>,
): Readonly<Record<string, readonly string[]>> {
  const outputs = "output" in built || Array.isArray(built) ? [built].flat() : [];
  const chunks = outputs.flatMap(({ output }) => output.filter((each) => each.type === "chunk"));
  const importsOf = new Map(chunks.map(({ fileName, imports }) => [fileName, imports]));
  const [entry] = chunks.filter(({ isEntry }) => isEntry);
  const named = withImports(entry ? [entry.fileName] : [], importsOf);
  const lists = chunks.flatMap(({ facadeModuleId, fileName }) => {
    // Pages may stand in a folder of their own kind.
    const found = /\/web\/(pages|words)\/(?:(?<=pages\/)[\w-]+\/)?([\w-]+)\.tsx?$/.exec(facadeModuleId ?? "");
    const [, kind = "", name = ""] = found ?? [];
    if (!found) return [];
    return [
      [
        `${kind}/${name}`,
        [...withImports([fileName], importsOf)].filter((each) => !named.has(each)),
      ] as const,
    ];
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
