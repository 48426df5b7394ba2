import { execFile } from "node:child_process";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { PACKAGE_NAMES } from "../../../release/packages.ts";
import { testWith } from "../../machine/skips.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { environment, packPackages } from "./support/install.ts";

const run = promisify(execFile);
const MS = 300_000;

/** Programs that look at a package as bundlers and TypeScript do; fetched by name. */
const JUDGES = [
  ["publint@0.3.25", "--strict"],
  // CommonJS is told to import these packages dynamically, as it must.
  ["@arethetypeswrong/cli@0.18.5", "--profile", "esm-only"],
] as const;

testWith("the npm registry")(
  "publint and attw find nothing in what is packed",
  { timeout: MS },
  async ({ skip }) => {
    const tarballs = await packPackages(join(makeTempFolder(), "staged"), PACKAGE_NAMES);
    const env = { ...process.env, ...environment() };
    for (const [judge, ...options] of JUDGES) {
      const has = await run("npx", ["--yes", judge, "--version"], { env }).catch(() => undefined);
      if (!has) skip(`${judge} cannot be had`);
      for (const tarball of tarballs) {
        const told = await run("npx", ["--yes", judge, tarball, ...options], { env }).catch(
          (error: unknown) => Object(error) as { stdout: string; code: number },
        );
        const code = "code" in told ? told.code : 0;
        expect([basename(tarball), judge, code, code === 0 ? "" : told.stdout]).toEqual([
          ...[basename(tarball), judge],
          ...[0, ""],
        ]);
      }
    }
  },
);
