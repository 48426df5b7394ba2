import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withSettings } from "../adapters/config/guide.ts";
import { configHelp } from "../adapters/config/config.ts";
import { DatabaseUnavailable, formatUnopened } from "../db/open.ts";

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

test("the guide has every reason for which a database is not opened", () => {
  const codes = ["SQLITE_NOTADB", "SQLITE_CORRUPT", "EISDIR", "ENOENT", "EACCES", "ENOSPC", "SQLITE_BUSY"];
  for (const code of codes) {
    const error = new DatabaseUnavailable(Object.assign(new Error("unknown"), { code }));
    const [, reason = ""] =
      /opened: (?:the file is |it is )?([^,;.]*)/.exec(formatUnopened(error) ?? "") ?? [];
    expect(read("docs/operations.md"), code).toContain(reason.split(" and ")[0]);
  }
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
