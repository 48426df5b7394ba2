// `npm run release -- --dry-run` builds, packs, installs and tries the packages, and shows what would be published;
// without the option it then publishes them, which is for the forge's own runner: only that one gives provenance.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import about from "../package.json" with { type: "json" };
import { listMissingWords } from "../web/build/words.ts";
import { findRuntimes } from "../test/support/runtimes.ts";
import { stagePackages } from "./build.ts";
import { tryJsr } from "./jsr.ts";
import { mayPublish, REFUSAL } from "./publishing.ts";
import { JSR_NAMES, PACKAGE_NAMES, PACKAGES, ROOT, type PackageName } from "./packages.ts";

interface Packed {
  readonly name: PackageName;
  readonly tarball: string;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

const isDry = process.argv.includes("--dry-run");
if (!isDry && !mayPublish()) throw new Error(REFUSAL);
checkChangelog();
await checkWords();
const folder = mkdtempSync(join(tmpdir(), "hushkit-release-"));
try {
  const staged = join(folder, "staged");
  await stagePackages(pathToFileURL(`${staged}/`));
  const packed = PACKAGE_NAMES.map((name) => pack(name, staged));
  tryPackages(packed, join(folder, "empty"));
  tryOnJsr(pathToFileURL(`${staged}/`));
  for (const each of packed) show(each);
  if (!isDry) packed.forEach(publish);
} finally {
  rmSync(folder, { recursive: true });
}

function checkChangelog(): void {
  const changelog = readFileSync(new URL("CHANGELOG.md", ROOT), "utf8");
  if (!changelog.includes(`\n## ${about.version},`))
    throw new Error(`CHANGELOG.md has no section "## ${about.version}, DATE"`);
}

async function checkWords(): Promise<void> {
  const missing = await listMissingWords();
  if (missing.length > 0) throw new Error(`Words are missing:\n${missing.join("\n")}`);
}

function pack(name: PackageName, staged: string): Packed {
  const cwd = join(staged, PACKAGES[name]);
  const written = execFileSync("npm", ["pack", "--json", "--loglevel", "error", "--ignore-scripts"], {
    cwd,
    encoding: "utf8",
  });
  // npm 11 answers a list, npm 12 an object by name; each entry has been like this since npm 7.
  const [entry] = Object.values(
    JSON.parse(written) as Record<string, { filename: string; files: Packed["files"] }>,
  );
  if (!entry) throw new Error(`npm packed nothing for ${name}`);
  return { name, tarball: join(cwd, entry.filename), files: entry.files };
}

function tryPackages(packed: readonly Packed[], empty: string): void {
  mkdirSync(empty);
  const tarballs = packed.map(({ tarball }) => tarball);
  const args = ["install", "--prefix", empty, "--no-audit", "--no-fund", "--loglevel", "error", ...tarballs];
  execFileSync("npm", args, { stdio: "inherit" });
  copyFileSync(fileURLToPath(new URL("release/smoke.mjs", ROOT)), join(empty, "smoke.mjs"));
  for (const { name, command, args: before } of findRuntimes()) {
    execFileSync(command, [...before, "smoke.mjs"], { cwd: empty, stdio: "inherit" });
    console.log(`works on ${name}`);
  }
}

function tryOnJsr(staged: URL): void {
  const deno = findRuntimes().find(({ name }) => name === "deno")?.command;
  if (!deno) return;
  for (const name of JSR_NAMES) {
    tryJsr(name, { staged, deno });
    console.log(`${name} can go to JSR`);
  }
}

function show({ name, tarball, files }: Packed): void {
  const bytes = readFileSync(tarball);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  console.log(`\n${name}@${about.version}: ${bytes.length} bytes, ${files.length} files`);
  console.log(`sha256 ${sha256}`);
  for (const { path, size } of files) console.log(`${String(size).padStart(9)} ${path}`);
}

function publish({ tarball }: Packed): void {
  execFileSync("npm", ["publish", tarball, "--provenance", "--access", "public"], { stdio: "inherit" });
}
