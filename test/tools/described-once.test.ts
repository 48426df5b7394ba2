import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EXTRA_HEADERS } from "../../adapters/service/answers/tool-file.ts";
import { endpoints } from "../../adapters/service/endpoints.ts";
import { PAGE_PATHS } from "../../wire/page-paths.ts";

// A tool is described by its procedure. What does not follow from that by itself is looked for here, by name.
const ROOT = new URL("../../", import.meta.url);
const read = (file: string) => readFileSync(new URL(file, ROOT), "utf8");
const readAll = (pattern: string) => globSync(pattern, { cwd: ROOT.pathname }).map(read).join("\n");

const tools = endpoints.flatMap(({ tool, http, resultKeys }) =>
  tool ? [{ ...tool, http, resultKeys }] : [],
);
const commands = readAll("cli/commands/**/*.ts");
const tests = readAll("test/tools/**/*.test.ts");
const words = readAll("web/words/en/*.ts");

/** Keys of every envelope. */
const COMMON = ["tool", "name", "type", "size", "data", "sha256", "warnings"];
/** Keys that only the envelope has: lists of names, and what the caller has sent. */
const ENVELOPE_ONLY = [
  ...["encrypted", "removed", "rotated", "mode", "parts", "kept", "entries", "files"],
  ...["direction", "filename", "iterations", "containerVersion", "format", "sourceFormat"],
];

test.each(tools)("$name has a page, with words and a place in the navigation", ({ name }) => {
  expect(PAGE_PATHS).toHaveProperty([name], `/${name}`);
  expect(read("web/app/paths/pages.ts")).toMatch(
    new RegExp(`^  "?${name}"?: \\{ icon: "\\w+", group: "\\w+" \\}`, "m"),
  );
  expect(words).toMatch(new RegExp(`^ +"?${name}"?: \\{`, "m"));
});

test.each(tools)("$name is a command, and an export of the package", ({ name }) => {
  expect(commands).toContain(`/tools/${name}.ts"`);
  expect(read("tools/index.ts")).toContain(`from "./${name}.ts"`);
});

test.each(tools)("$name has a test of its own, and a row in README and in the package's", ({ name }) => {
  expect(tests).toContain(`/tools/${name}.ts"`);
  expect(read("README.md")).toContain(`/api/tools/${name}`);
});

test.each(tools)("$name says each fact of its file in a header, or in the envelope on purpose", (tool) => {
  if (tool.http.result !== "file") return;
  const told = [...COMMON, ...ENVELOPE_ONLY, ...EXTRA_HEADERS.map(([key]) => key as string)];
  expect(tool.resultKeys.filter((key) => !told.includes(key))).toEqual([]);
});
