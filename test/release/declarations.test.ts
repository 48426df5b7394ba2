import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { camelCase, embeddedVariables } from "../../adapters/config/settings.ts";
import { compileDeclarations, writeDeclarations } from "../../release/packages/declarations.ts";
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
