import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { endpoints } from "../../adapters/service/endpoints.ts";
import { PAGE_FACTS } from "../../wire/pages.ts";
import words from "../../web/words/en.json" with { type: "json" };

// A tool is described by its procedure. What does not follow from that by itself is looked for here, by name.
const ROOT = new URL("../../", import.meta.url);
const read = (file: string) => readFileSync(new URL(file, ROOT), "utf8");
const readAll = (pattern: string) =>
  globSync(pattern, { cwd: fileURLToPath(ROOT) })
    .map(read)
    .join("\n");

const tools = endpoints.flatMap(({ meta: { tool }, http, resultKeys, facts }) =>
  tool ? [{ ...tool, http, resultKeys, facts }] : [],
);
const commands = readAll("cli/commands/**/*.ts");
const entries = readAll("tools/entries/*.ts");
const tests = readAll("test/tools/**/*.test.ts");

/** In every envelope. */
const COMMON = ["tool", "name", "type", "size", "data", "sha256", "warnings"];
/** Only the envelope has these: long lists, and what the caller has sent. */
const ENVELOPE_ONLY = [
  ...["removed", "mode", "entries", "files"],
  ...["direction", "filename", "format", "sourceFormat"],
];

test.each(tools)("$name has a page, with words and a place in the navigation", ({ name }) => {
  expect(PAGE_FACTS).toHaveProperty([name, "group"]);
  expect(words.pages).toHaveProperty([name]);
});

test.each(tools)("$name is a command, and an export of the package", ({ name }) => {
  expect(commands).toContain(`/tools/${name}.ts"`);
  expect(entries).toMatch(new RegExp(`export \\{[^}]*\\} from "../${name}.ts"`));
});

test.each(tools)(
  "$name has a test of its own, a line in CHANGELOG, and a row in docs/api.md and tools/README.md",
  ({ name }) => {
    expect(tests).toContain(`/tools/${name}.ts"`);
    expect(read("CHANGELOG.md")).toContain(`\`${name}\``);
    expect(read("docs/api.md")).toContain(`/api/tools/${name}`);
    const [, exported = ""] = new RegExp(`export \\{([^}]*)\\} from "../${name}.ts"`).exec(entries) ?? [];
    const functions = exported.match(/(?<!type |as )\b[a-z]\w+(?=,|\s)/g) ?? [];
    const readme = read("tools/README.md");
    expect(functions.filter((each) => readme.includes(`\`${each}\``))).not.toEqual([]);
  },
);

test.each(tools)("$name has a weight that was measured with it", ({ name, measured }) => {
  expect(measured).toMatch(new RegExp(`^${name}\\b`));
});

test.each(tools)("$name says each fact of its file in a header, or in the envelope on purpose", (tool) => {
  if (tool.http.result !== "file") return;
  const told = [...COMMON, ...ENVELOPE_ONLY, ...tool.facts.map(({ key }) => key)];
  expect(tool.resultKeys.filter((key) => !told.includes(key))).toEqual([]);
});
