import { existsSync, readdirSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import about from "../package.json" with { type: "json" };
import { PACKAGES } from "../release/packages.ts";

const RAW = "https://raw.githubusercontent.com/hushkit/hushkit";
const ROOT = new URL("../", import.meta.url);
const DOCS = ["docs/", "docs/decisions/", "docs/project/", "docs/tools/"];
const DOCUMENTS = ["", ...DOCS, "client/", "tools/", "adapters/trpc/"].flatMap((folder) =>
  readdirSync(new URL(folder || ".", ROOT))
    .filter((name) => name.endsWith(".md"))
    .map((name) => folder + name),
);
/** Files of this repository, as a README names them that is also shown without it. */
const OWN = new RegExp(`^(${about.homepage.replace("#readme", "")}/(blob|tree)|${RAW})/main/`);
/** Paths as documents name them; a `*` or a brace stands for several files. */
const PATHS = /`((?:tools|router|adapters|db|web|client|wire|test|bench|bin|docs)\/[\w./-]*)`/g;
/** An example of CONTRIBUTING.md, for a tool that does not exist. */
const EXAMPLE = /text-count/;

const read = (path: string) => readFileSync(new URL(path, ROOT), "utf8");

// As forges make them: lower case, without punctuation, hyphens for blanks.
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

function anchorsOf(document: string): string[] {
  return [...read(document).matchAll(/^#+ (.*)$/gm)].map(([, title]) => anchorOf(title!));
}

function linksOf(document: string): string[] {
  const links = read(document).matchAll(/(?:\]\(|\b(?:src|srcset|href)=")([^)\s"]+)/g);
  return [...links].map(([, link]) => link!);
}

function isLocal(link: string): boolean {
  return !/^(https?|mailto):/.test(link);
}

/** Links that lead nowhere, and paths in backquotes at which there is nothing. */
function brokenIn(document: string): string[] {
  const links = linksOf(document).filter((link) => {
    if (!isLocal(link) && !OWN.test(link)) return false;
    const { pathname, hash } = new URL(link.replace(OWN, ROOT.href), new URL(document, ROOT));
    const path = fileURLToPath(new URL(pathname, ROOT));
    if (!existsSync(path)) return true;
    const target = relative(fileURLToPath(ROOT), path);
    return hash !== "" && !anchorsOf(target).includes(decodeURIComponent(hash.slice(1)));
  });
  const paths = [...read(document).matchAll(PATHS)].map(([, path]) => path!);
  return [...links, ...paths.filter((path) => !EXAMPLE.test(path) && !existsSync(new URL(path, ROOT)))];
}

test.each(DOCUMENTS)("%s names only files and headings that exist", (document) => {
  expect(brokenIn(document)).toEqual([]);
});

// One that has no index of its own is in that of `docs`.
test.each([
  ["docs/", ["", "project/", "tools/"]],
  ["docs/decisions/", [""]],
])("%sREADME.md leads to every document", (folder, parts) => {
  const documents = parts.flatMap((part) =>
    readdirSync(new URL(folder + part, ROOT))
      .filter((name) => /^(?!README).*\.md$/.test(name))
      .map((name) => part + name),
  );
  expect(documents.filter((name) => !linksOf(`${folder}README.md`).includes(name))).toEqual([]);
});

/** Words for what has one: a secret is shared, and before it leaves it is encrypted. */
const OTHER_WORDS = /\bhand(?:s|ed|ing)? (?:it |them |a secret )?over\b|\bseals? (?:it|a file)\b/i;

// The manual page has what each command says of itself, the guide what each setting does.
test.each([
  "README.md",
  "docs/cli.md",
  "docs/hushkit.1",
  "docs/mcp.md",
  "docs/operations.md",
  "package.json",
  "web/index.html",
  "web/public/manifest.webmanifest",
])("%s says share and encrypt, as the pages do", (document) => {
  const lines = read(document).split("\n");
  expect(lines.filter((line) => OTHER_WORDS.test(line))).toEqual([]);
});

test("the index of decisions leads to each group of them", () => {
  const folder = "docs/decisions/";
  const files = readdirSync(new URL(folder, ROOT)).filter((name) => name !== "README.md");
  const groups = files.flatMap((name) =>
    [...read(folder + name).matchAll(/^## .*$/gm)].map(
      ([heading]) => `${name}#${anchorOf(heading.slice(3))}`,
    ),
  );
  expect(groups.filter((group) => !linksOf(`${folder}README.md`).includes(group))).toEqual([]);
});

test.each(Object.values(PACKAGES))(
  "%sREADME.md has whole links, because npm shows it without its repository",
  (folder) => {
    expect(linksOf(`${folder}README.md`).filter(isLocal)).toEqual([]);
  },
);
