import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.ts";
import { compileDeclarations, writeDeclarations } from "./packages/declarations.ts";
import { writeJsrManifest } from "./packages/jsr.ts";
import { noticeOf } from "./notice/notice.ts";
import { JSR_NAMES, PACKAGE_NAMES, type PackageName, PACKAGES, ROOT } from "./packages.ts";

/** Builds what is packed: `dist` and NOTICE of each package, below `root` as the packages are below the repository. */
export async function buildPackages(root: URL, names: readonly PackageName[] = PACKAGE_NAMES): Promise<void> {
  const declarations = compileDeclarations();
  for (const name of names) {
    const folder = new URL(PACKAGES[name], root);
    const dist = fileURLToPath(new URL("dist/", folder));
    const modules = await bundleWithPages(name, dist);
    writeDeclarations(name, { from: declarations.folder, to: dist });
    writeFileSync(new URL("NOTICE", folder), noticeOf(name, modules));
  }
  declarations.remove();
  if (names.includes("hushkit")) await copyPages(new URL("dist/pages", root));
}

/** Builds the pages, unless they are fresh, and copies them to where they are served from. */
export async function copyPages(to: URL): Promise<void> {
  await import("../web/build.ts");
  cpSync(new URL("web/dist/pages", ROOT), to, { recursive: true });
}

/** Bundles a package into a folder. Answers the modules in it and in its pages, as paths below the repository. */
export async function bundleWithPages(name: PackageName, folder: string): Promise<string[]> {
  const modules = await bundle(name, folder);
  if (name !== "hushkit") return modules;
  await import("../web/build.ts");
  // The build has written it.
  const inPages = JSON.parse(readFileSync(new URL("web/dist/modules.json", ROOT), "utf8")) as string[];
  return [...new Set([...modules, ...inPages])];
}

/** The files of a package that are copied as they are. */
const FILES = ["package.json", "README.md", "LICENSE", "bin", "docs/hushkit.1"];
/** The files that packages in folders of their own have. */
const IN_FOLDERS = FILES.slice(0, 3);

/** Builds packages in an empty folder, with all files that are packed; the checkout stays as it is. */
export async function stagePackages(root: URL, names: readonly PackageName[] = PACKAGE_NAMES): Promise<void> {
  for (const folder of names.map((name) => PACKAGES[name])) {
    const files = folder === "" ? FILES : IN_FOLDERS;
    for (const file of files)
      cpSync(new URL(folder + file, ROOT), new URL(folder + file, root), { recursive: true });
  }
  await buildPackages(root, names);
  for (const name of JSR_NAMES.filter((each) => names.includes(each))) {
    const folder = new URL(PACKAGES[name], root);
    writeJsrManifest(name, { from: folder, to: folder });
  }
}
