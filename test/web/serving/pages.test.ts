// slow
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { pageRoutes } from "../../../adapters/service/pages/routes.ts";
import { DIST } from "../../../web/build/stamp.ts";
import { composePage, drawnFile, type DrawnPages, type SeenInstance } from "../../../wire/page-html.ts";
import { PAGE_NAMES, pathOf, TOOL_NAMES } from "../../../wire/pages.ts";
import { buildPages } from "../support/served.ts";

beforeAll(buildPages);

const FOLDER = new URL("../../../web/pages/", import.meta.url);
const PATHS = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((path) =>
  path.endsWith(".tsx"),
);
const FILES = PATHS.map((path) => basename(path));
/** Shown where no path of the list fits: links to a secret and to a request, and a path that leads nowhere. */
const UNLISTED = ["answer.tsx", "collect.tsx", "not-found.tsx", "reveal.tsx"];
const names: readonly string[] = PAGE_NAMES;

test.each(names)("the page %s has a file that exports it", (name) => {
  const path = PATHS.find((each) => basename(each) === `${name}.tsx`) ?? "";
  expect(readFileSync(new URL(path, FOLDER), "utf8")).toContain("export function Page()");
});

test.each(FILES.filter((file) => !UNLISTED.includes(file)))("the file %s has a path", (file) => {
  expect(names).toContain(file.replace(/\.tsx$/, ""));
});

test.each(PAGE_NAMES.map(pathOf))("the path %s has a route of the server", (path) => {
  const pages = { file: () => undefined, scripts: () => [], state: () => "missing" as const };
  expect(pageRoutes(pages, { tools: new Set(TOOL_NAMES) }).map((route) => route.path)).toContain(path);
});

/** A page of an instance on which some things are not as they were when it was drawn. */
function composeFor(name: string, changed: Partial<SeenInstance>): string {
  const drawn = JSON.parse(readFileSync(`${DIST}/${drawnFile("en")}`, "utf8")) as DrawnPages;
  // What was not changed is there.
  const instance = { ...drawn.instance, tools: TOOL_NAMES, notice: null, ...changed } as SeenInstance;
  const shell = "<body><!--drawn--></body>";
  return composePage({ shell, language: "en", name, drawn, instance, publicUrl: "https://hush.test" });
}

const mainIn = (page: string) => /<main[^]*<\/main>/.exec(page)?.[0] ?? "";
const headingIn = (page: string) => /<h1[^]*<\/h1>/.exec(page)?.[0];

/** The elements that an end is missing for, or that end without a beginning. */
function unbalanced(html: string): string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  for (const [tag, slash, name = ""] of html.matchAll(/<(\/?)(\w+)[^>]*>/g)) {
    if (!slash) open.push(name);
    else if (open.pop() !== name) wrong.push(tag);
  }
  return [...wrong, ...open];
}

test.each(names)("the page %s is its heading alone where settings change what is in it", (name) => {
  const whole = composeFor(name, {});
  const main = mainIn(composeFor(name, { limits: {}, registration: "closed" }));
  expect(headingIn(main)).toBe(headingIn(whole));
  expect(main.replaceAll(/<[^>]*>/g, "")).toBe(headingIn(whole)?.replaceAll(/<[^>]*>/g, ""));
  expect(main).toContain('<p class="loading"></p></section></main>');
  expect(unbalanced(main)).toEqual([]);
});
