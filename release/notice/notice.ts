import type { PackageName } from "../packages.ts";
import type { Work } from "./others.ts";
import { worksIn } from "./works.ts";

const RULE = "=".repeat(80);

const REPLACEABLE = `libheif is under the LGPL, and can be replaced by a version of yours. On the server it is the package libheif-js,
installed beside this one. In the pages it is a file of its own, dist/pages/assets/libheif-bundle-*.js: a module with
the same default export may take its place. The rest of this package is under its own licences, and may be changed for
your own use and examined for that.`;

/** The text of a package's NOTICE, from the modules in its bundles, which are paths below the repository. */
export function noticeOf(name: PackageName, modules: readonly string[]): string {
  const works = worksIn(modules);
  const head = `${name} is under the MIT licence, which is in the file LICENSE.`;
  if (works.length === 0) return `${head} Nothing that others have made is in it.\n`;
  const isReplaceable = works.some(({ license }) => license.startsWith("LGPL"));
  const intro = `${head} It also holds these works, or parts of them, each\nunder the licence that stands below its name.`;
  return [intro, ...(isReplaceable ? [REPLACEABLE] : []), ...sections(works)].join("\n\n") + "\n";
}

/** A text once, below all works that it belongs to. */
function sections(works: readonly Work[]): string[] {
  const texts = [...new Set(works.map(({ text }) => text))];
  return texts.map((text) => {
    const named = works.filter((work) => work.text === text);
    const titles = named.map(({ name, license, source }) => `${name} (${license})\n${source}`);
    return [RULE, ...new Set(titles), "", text].join("\n");
  });
}
