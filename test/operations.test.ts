import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withSettings } from "../adapters/config/guide.ts";
import { configHelp } from "../adapters/config/config.ts";

function read(path: string): string {
  return readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
}

const variables = new Map(
  [...configHelp().matchAll(/^ {2}([A-Z_]+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
);

test("the guide has the settings as the schema has them", () => {
  const guide = read("docs/operations.md");
  expect(withSettings(guide), "`npm run settings` writes them").toBe(guide);
});

test("Dockerfile, compose file and unit set nothing that the server does not read", () => {
  const others = ["NODE_ENV", "UV_THREADPOOL_SIZE", "POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD"];
  const set = [
    ...read("Dockerfile").matchAll(/(?<=^ENV .*)\b([A-Z_]+)=/gm),
    ...read("compose.yaml").matchAll(/^ {6}([A-Z_]+):/gm),
    ...read("docs/operations.md").matchAll(/(?<=^Environment=.*)\b([A-Z_]+)=/gm),
  ].map(([, name = ""]) => name);
  expect(set).toContain("DATABASE_URL");
  expect(set.filter((name) => !variables.has(name) && !others.includes(name))).toEqual([]);
});
