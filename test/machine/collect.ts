// Loads test files and writes the titles of their tests into a file, those of skipped ones too (`vitest list` has not).
import { writeFileSync } from "node:fs";
import { createVitest } from "vitest/node";

const [path = "", ...files] = process.argv.slice(2);
const vitest = await createVitest("test", { watch: false, isolate: false, reporters: [{}] });
const specifications = await vitest.globTestSpecifications(files);
const { testModules, unhandledErrors } = await vitest.collectTests(specifications);
const titles = testModules.map((module) => [
  module.relativeModuleId,
  [...module.children.allTests()].map(({ fullName }) => fullName),
]);
const errors = [...unhandledErrors, ...testModules.flatMap((module) => module.errors())];
await vitest.close();
writeFileSync(path, JSON.stringify({ files: titles, errors: errors.map(String) }));
