// `npm run site`: the documents as a site that can be searched, in release/dist/site, or in the folder of an argument.
// SITE_BASE is the path below which it will be, "/" without it.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "../packages.ts";
import { checkSite } from "./check.ts";
import { CONFIG, writePages } from "./pages.ts";

// Installed from a lock of its own when a site is built: 100 MB that nobody else needs.
const LOCKED = ["package.json", "package-lock.json"];

const [to = fileURLToPath(new URL("release/dist/site", ROOT))] = process.argv.slice(2);
const base = process.env.SITE_BASE ?? "/";
const folder = mkdtempSync(join(tmpdir(), "hushkit-site-"));
try {
  writePages(folder);
  mkdirSync(join(folder, ".vitepress"));
  cpSync(CONFIG, join(folder, ".vitepress/config.mjs"));
  for (const name of LOCKED) cpSync(new URL(name, import.meta.url), join(folder, name));
  const options = { cwd: folder, stdio: "inherit" } as const;
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], options);
  execFileSync(process.execPath, ["node_modules/vitepress/bin/vitepress.js", "build"], options);
  const built = join(folder, ".vitepress/dist");
  const wrong = checkSite(built, base);
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
  rmSync(to, { recursive: true, force: true });
  cpSync(built, to, { recursive: true });
  console.log(to);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
