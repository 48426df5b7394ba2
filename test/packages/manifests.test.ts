// slow
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PACKAGES } from "../../release/packages.ts";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function manifest(folder: string): Manifest {
  const text = readFileSync(new URL(`../../${folder}package.json`, import.meta.url), "utf8");
  return JSON.parse(text) as Manifest;
}

test("all packages have one version, and one of each library", () => {
  const root = manifest("");
  for (const [name, folder] of Object.entries(PACKAGES)) {
    const { version, dependencies = {}, ...rest } = manifest(folder);
    expect([rest.name, version]).toEqual([name, root.version]);
    for (const [library, range] of Object.entries(dependencies))
      expect([library, range]).toEqual([library, root.dependencies?.[library]]);
  }
});
