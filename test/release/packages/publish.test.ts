import { spawnSync } from "node:child_process";
import { cpSync, existsSync, symlinkSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PACKAGES } from "../../../release/packages.ts";
import { describeWith } from "../../machine/skips.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { environment } from "./support/install.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** A package is built for each of them, which takes minutes on a machine that does much else. */
const MS = 300_000;
/** What a fresh clone lacks, and what publishing does not look at. */
const LEFT_OUT = /^(\.git|node_modules|test|data)$|(^|\/)dist$/;

interface Packed {
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

describeWith("the npm registry")("a fresh clone", () => {
  let clone = "";
  beforeAll(() => {
    clone = makeTempFolder(afterAll);
    cpSync(ROOT, clone, { recursive: true, filter: (path) => !LEFT_OUT.test(relative(ROOT, path)) });
  });

  function npm(folder: string, ...args: string[]) {
    const env = { ...process.env, ...environment() };
    const { status, stdout, stderr } = spawnSync("npm", args, {
      cwd: join(clone, folder),
      env,
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  }

  test("refuses to pack before its tools are installed", () => {
    const { status, stdout, stderr } = npm("client", "publish", "--dry-run");
    expect(status).not.toBe(0);
    expect(stdout + stderr).toContain("run `npm ci` first");
  });

  test.each(Object.entries(PACKAGES))("would publish all of %s", { timeout: MS }, (name, folder) => {
    if (!existsSync(join(clone, "node_modules")))
      symlinkSync(join(ROOT, "node_modules"), join(clone, "node_modules"));
    const { stdout } = npm(folder, "publish", "--dry-run", "--json");
    // What the scripts write comes before it; npm 11 answers the package, npm 12 an object by name.
    const told = JSON.parse(stdout.slice(stdout.indexOf("\n{") + 1)) as Packed & Record<string, Packed>;
    const { files } = told.files ? told : (told[name] as Packed);
    const paths = files.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(["LICENSE", "NOTICE", "README.md", "dist/index.js", "dist/index.d.ts"]),
    );
    expect(files.filter(({ size }) => size === 0)).toEqual([]);
    // Whoever builds the same commit elsewhere gets the same files.
    expect(paths.filter((path) => path.includes(basename(clone)))).toEqual([]);
    if (folder === "") expect(paths).toContain("dist/pages/index.html");
  });

  test("publishes nothing, whatever it is told", () => {
    const { status, stdout, stderr } = npm("client", "publish");
    expect(status).not.toBe(0);
    expect(stdout + stderr).toContain("Nothing is published from a clone");
  });
});
