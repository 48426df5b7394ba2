import { expect, test } from "vitest";
import { allBut, leftOut } from "./draw.ts";

const FILE = "test/process/failures/a-name-as-long-as-they-are.test.ts";
const names = Array.from({ length: 16 }, (_, i) => `test ${i}`);

test("an eighth of a file's costly tests is tried, the same for the same seed and all of them over the seeds", () => {
  const tried = (seed: number) =>
    names.filter((name) => !leftOut(FILE, seed, { [FILE]: names }).includes(name));
  expect(tried(1)).toHaveLength(2);
  expect(tried(1)).toEqual(tried(1));
  const seeds = Array.from({ length: 80 }, (_, i) => i);
  expect(new Set(seeds.flatMap(tried)).size).toBe(names.length);
  expect(leftOut("test/b.test.ts", 1, { [FILE]: names })).toEqual([]);
});

test("names are left out as they are, whatever they hold", () => {
  const pattern = allBut(["a group > says (1.5 > 1)? [yes]", "b"]);
  expect(["a group > says (1.5 > 1)? [yes]", "b"].some((name) => pattern.test(name))).toBe(false);
  expect(["b and more", "a", "a group > says (1x5 > 1)? [yes]"].every((name) => pattern.test(name))).toBe(
    true,
  );
});
