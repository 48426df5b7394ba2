import { expect, test } from "vitest";
import { testsOf } from "./change.ts";

const users = new Map([
  ["wire/a.ts", ["tools/b.ts", "test/wire/a.test.ts"]],
  ["tools/b.ts", ["router/c.ts", "test/tools/b.test.ts"]],
  ["router/c.ts", ["test/router/c.test.ts"]],
]);
const near = ["test/wire/a.test.ts", "test/tools/b.test.ts"];
const far = Array.from({ length: 60 }, (_, i) => `test/router/${i}.test.ts`);
const tests = [...near, "test/router/c.test.ts", ...far];

test("every test that imports what was changed is tried, also through one module", () => {
  for (let seed = 0; seed < 20; seed++)
    expect(testsOf(["wire/a.ts"], { tests, seed, users })).toEqual(expect.arrayContaining(near));
  expect(testsOf(["test/router/c.test.ts"], { tests, seed: 1, users })).toContain("test/router/c.test.ts");
});

test("a few of the others are drawn, the same for the same seed and each of them for some", () => {
  const tried = (seed: number) => testsOf([], { tests, seed, users });
  expect(tried(7)).toEqual(tried(7));
  const seeds = Array.from({ length: 200 }, (_, i) => i);
  expect(new Set(seeds.flatMap(tried)).size).toBe(tests.length);
  const average = seeds.reduce((sum, seed) => sum + tried(seed).length, 0) / seeds.length;
  expect(average).toBeLessThan(tests.length / 6);
});

test("the modules of the project are read as they import each other", () => {
  const found = testsOf(["wire/base64.ts"], { tests: ["test/wire/base64.test.ts"], seed: 1 });
  expect(found).toEqual(["test/wire/base64.test.ts"]);
});
