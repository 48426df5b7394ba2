import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import about from "../../package.json" with { type: "json" };
import { PACKAGES, ROOT } from "../packages.ts";

const REPOSITORY = about.homepage.replace("#readme", "");
const RAW = REPOSITORY.replace("github.com", "raw.githubusercontent.com");
/** The address of a file in this repository, which READMEs use that are shown elsewhere too. */
const OWN = new RegExp(`^(?:${REPOSITORY}/(?:blob|tree)|${RAW})/main/`);
/** Decisions are not in the side bar; their README links to them. */
const DECISIONS = "docs/decisions/";
const LINK = /(\]\(|\b(?:src|srcset|href)=")([^)\s"]+)/g;

/** Puts the documents into a folder, as they lie in the repository, with links that lead on from there. */
export function writePages(folder: string): void {
  const pages = listPages();
  for (const page of pages) {
    mkdirSync(dirname(join(folder, placeOf(page))), { recursive: true });
    writeFileSync(join(folder, placeOf(page)), withLinks(page, pages));
  }
  cpSync(new URL("docs/pictures", ROOT), join(folder, "docs/pictures"), { recursive: true });
  const listed = pages.filter((page) => !page.startsWith(DECISIONS) || page.endsWith("/README.md"));
  const titles = listed.map((page) => ({ title: titleOf(page), link: linkOf(page) }));
  writeFileSync(join(folder, "titles.json"), JSON.stringify(titles));
}

/** The README first, then what it leads to. */
function listPages(): string[] {
  const names = (folder: string) =>
    readdirSync(new URL(folder || ".", ROOT)).filter((name) => name.endsWith(".md"));
  const inDocs = readdirSync(new URL("docs", ROOT), { withFileTypes: true });
  const folders = inDocs.filter((each) => each.isDirectory()).map(({ name }) => `docs/${name}/`);
  const docs = ["docs/", ...folders].flatMap((folder) => names(folder).map((name) => folder + name));
  const readmes = Object.values(PACKAGES)
    .filter((folder) => folder !== "")
    .map((folder) => `${folder}README.md`);
  return ["README.md", ...docs, ...readmes, ...names("").filter((name) => name !== "README.md")];
}

function read(page: string): string {
  return readFileSync(new URL(page, ROOT), "utf8");
}

function titleOf(page: string): string {
  return /^# (.*)$/m.exec(read(page))?.[1] ?? page;
}

function linkOf(page: string): string {
  return `/${placeOf(page).replace(/(index)?\.md$/, "")}`;
}

/** VitePress shows `index.md` for its folder, as forges do with a README. */
function placeOf(page: string): string {
  return page.replace(/README\.md$/, "index.md");
}

/** Links between pages stay in the site; others to files of the repository lead there. @throws Error where there is none */
function withLinks(page: string, pages: readonly string[]): string {
  return read(page).replace(LINK, (whole, before: string, link: string) => {
    if (link.startsWith("#") || (/^\w+:/.test(link) && !OWN.test(link))) return whole;
    const [path = "", anchor] = link.split("#");
    const file = OWN.test(link) ? path.replace(OWN, "") : posix.join(posix.dirname(page), path);
    if (!existsSync(new URL(file, ROOT))) throw new Error(`${page} leads to ${file}, which does not exist`);
    const isHere = pages.includes(file) || file.startsWith("docs/pictures/");
    const to = isHere
      ? posix.relative(posix.dirname(page), placeOf(file))
      : `${REPOSITORY}/blob/main/${file}`;
    return `${before}${isHere && !to.startsWith(".") ? "./" : ""}${to}${anchor ? `#${anchor}` : ""}`;
  });
}

/** The path of the configuration that stands beside this file. */
export const CONFIG = fileURLToPath(new URL("config.mjs", import.meta.url));
