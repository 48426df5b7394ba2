// `npm run release:try` installs the packages of release/dist/packages in an empty folder, runs them on every runtime of
// this machine, and has Deno check what JSR would be sent. It needs no libraries of the clone.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { findRuntimes } from "../test/support/runtimes.ts";
import { tryJsr } from "./packages/jsr.ts";
import { JSR_NAMES, PACKED, ROOT } from "./packages.ts";

const runtimes = findRuntimes();
const folder = mkdtempSync(join(tmpdir(), "hushkit-try-"));
try {
  installPackages();
  for (const { name, command, args } of runtimes) {
    execFileSync(command, [...args, "smoke.mjs"], { cwd: folder, stdio: "inherit" });
    console.log(`works on ${name}`);
  }
  const deno = runtimes.find(({ name }) => name === "deno")?.command;
  if (deno) tryOnJsr(deno);
} finally {
  rmSync(folder, { recursive: true });
}

function installPackages(): void {
  const packed = fileURLToPath(PACKED);
  const tarballs = readdirSync(packed).map((name) => join(packed, name));
  const args = ["install", "--prefix", folder, "--no-audit", "--no-fund", "--loglevel", "error"];
  execFileSync("npm", [...args, ...tarballs], { stdio: "inherit" });
  copyFileSync(fileURLToPath(new URL("release/smoke.mjs", ROOT)), join(folder, "smoke.mjs"));
}

function tryOnJsr(deno: string): void {
  for (const name of JSR_NAMES) {
    const installed = pathToFileURL(join(folder, "node_modules", `${name}/`));
    tryJsr(name, { installed, to: pathToFileURL(join(folder, "jsr", `${name}/`)), deno });
    console.log(`${name} can go to JSR`);
  }
}
