// slow
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodePath } from "../support/runtimes.ts";
import { makeBlankPdf } from "../support/samples.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const README = readFileSync(new URL("../../tools/README.md", import.meta.url), "utf8");
const INDEX = new URL("../../tools/entries/index.ts", import.meta.url).href;
const EXAMPLES = [...README.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
// Of one white pixel.
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

test.each(EXAMPLES)("an example of the package's README says what it prints: %#", async (code) => {
  const pdf = Buffer.from(await makeBlankPdf([100, 200, 300])).toString("base64");
  const given = `const pdf = Buffer.from("${pdf}", "base64");\nconst image = Buffer.from("${PNG}", "base64");\n`;
  const file = join(makeTempFolder(), "example.mts");
  writeFileSync(
    file,
    code.replaceAll('"@hushkit/tools"', JSON.stringify(INDEX)).replace("\n\n", `\n${given}`),
  );
  const printed = execFileSync(nodePath(), ["--no-warnings", file], { encoding: "utf8" });
  const promised = [...code.matchAll(/\/\/ (?:… )?(.+)$/gm)].map(([, text]) => text);
  const lines = printed.trim().split("\n");
  expect(lines.map((line, i) => line.slice(-(promised[i] ?? "").length))).toEqual(promised);
});

test("the package's README has every function of the package", async () => {
  const names = Object.keys(await import("../../tools/entries/index.ts"));
  expect(names.filter((name) => !README.includes(name))).toEqual([]);
});
