// slow
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { pageRoutes } from "../../../adapters/service/pages/routes.ts";
import { PAGE_NAMES, pathOf, TOOL_NAMES } from "../../../wire/pages.ts";

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
