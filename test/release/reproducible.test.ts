import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runtimesHere } from "../machine/skips.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SOURCES = ["web", "tools", "wire", "client", "package.json", "package-lock.json", "tsconfig.json"];

/** Builds the pages from a copy of their sources; the digest of each file. */
function build(
  command: string,
  args: readonly string[],
  env: Record<string, string>,
): Record<string, string> {
  const folder = makeTempFolder();
  const isSource = (path: string) => !/\/dist($|\/)/.test(path);
  for (const name of SOURCES)
    cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter: isSource });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const { PATH = "", HOME = "" } = process.env;
  execFileSync(command, [...args, "web/build.ts"], { cwd: folder, env: { PATH, HOME, ...env } });
  const pages = join(folder, "web/dist/pages");
  const names = readdirSync(pages, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.includes("."),
  );
  return Object.fromEntries(
    names.map((name) => [
      name,
      createHash("sha256")
        .update(readFileSync(join(pages, name)))
        .digest("hex"),
    ]),
  );
}

// Bun writes a function of Vite's in other words, which it puts into the pages (docs/decisions/pages.md).
test("builds the same pages in every folder, on Deno as on Node, in a test too", () => {
  const [node, ...others] = runtimesHere();
  const first = build(node!.command, node!.args, {});
  expect(Object.keys(first)).toContain("index.html");
  expect(build(node!.command, node!.args, { NODE_ENV: "test" })).toEqual(first);
  for (const { command, args } of others.filter(({ name }) => name === "deno"))
    expect(build(command, args, {})).toEqual(first);
});
