import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** What a test file is, as its first line or its folder says; all others are `unit`. */
export type Kind = "slow" | "process" | "browser" | "timing" | "release" | "unit";

/** The test files of each kind, named from the root of the project. */
export function testFiles(): ReadonlyMap<Kind, string[]> {
  const names = globSync("test/**/*.test.ts", { cwd: ROOT }).map((name) => name.replaceAll("\\", "/"));
  return Map.groupBy(names.toSorted(), kindOf);
}

function kindOf(file: string): Kind {
  const [, folder] = /^test\/(timing|release)\//.exec(file) ?? [];
  const [, mark] = /^\/\/ (slow|process|browser)\n/.exec(readFileSync(ROOT + file, "utf8")) ?? [];
  // The two expressions name no other words.
  return (folder ?? mark ?? "unit") as Kind;
}
