import { relative } from "node:path";
import type { Plugin } from "vite";

/** The file beside the built pages that lists the modules in them; `release/notice/` reads whose they are. */
export const MODULES = "modules.json";

/** Adds each module of which something is in a bundle, as its path below a folder. */
export function collectModules(modules: Set<string>, root: string): Plugin {
  return {
    name: "collect-modules",
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((each) => each.type === "chunk");
      for (const [id, { renderedLength }] of chunks.flatMap((chunk) => Object.entries(chunk.modules)))
        // What a bundler has made up begins with a zero.
        if (renderedLength > 0 && !id.startsWith("\0"))
          modules.add(relative(root, id.split("?")[0] ?? "").replaceAll("\\", "/"));
    },
  };
}
