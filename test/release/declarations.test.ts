import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { camelCase, embeddedVariables } from "../../adapters/config/settings.ts";
import { compileDeclarations, writeDeclarations } from "../../release/packages/declarations.ts";
import { PACKAGE_NAMES } from "../../release/packages.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

test("the declaration of the server says of each option what it does, and its type", () => {
  const { folder, remove } = compileDeclarations();
  const to = makeTempFolder();
  writeDeclarations("hushkit", { from: folder, to });
  remove();
  const declared = readFileSync(join(to, "types/server/index.d.ts"), "utf8");
  const { settings, limits } = embeddedVariables();
  const found = declared.matchAll(/\/\*\* (.*) \*\/\n +readonly (\w+)(\??: .*);\n/g);
  const options = new Map([...found].map(([, sentence, name, type]) => [name, [sentence, type]]));
  for (const name of Object.keys({ ...settings, ...limits }))
    expect([...options.keys()]).toContain(camelCase(name));
  expect(Object.fromEntries(options)).toMatchObject({
    publicUrl: [expect.stringMatching(/^The base of the links; .*[^"]$/), ": string"],
    databaseUrl: [expect.stringMatching(/Must be the path .* @default "data\/service.db"$/), "?: string"],
    trustProxy: [expect.any(String), "?: number | string"],
    registration: [expect.any(String), '?: "open" | "closed"'],
    receiptDays: [expect.any(String), "?: number"],
    fileSize: [expect.any(String), "?: number | string"],
    tools: [expect.any(String), "?: readonly string[]"],
    lifetimes: [expect.any(String), "?: string | readonly string[]"],
  });
  expect([...options.keys()]).not.toContain("port");
  expect([...options].filter(([, [, type]]) => type === "?: ")).toEqual([]);
});

test("no declaration has arrays with a type of buffer, which TypeScript 5.6 does not know", () => {
  const { folder, remove } = compileDeclarations();
  const to = makeTempFolder();
  for (const name of PACKAGE_NAMES) writeDeclarations(name, { from: folder, to: join(to, name) });
  remove();
  const files = globSync("**/*.d.ts", { cwd: to });
  expect(files.length).toBeGreaterThan(100);
  const generic = files.filter((file) => /Array<ArrayBuffer/.test(readFileSync(join(to, file), "utf8")));
  expect(generic).toEqual([]);
});
