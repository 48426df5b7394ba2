// `npm run release` builds and packs the packages in release/dist/packages, shows what is in them and their SHA-256, and
// compares their sizes with those of the last release (release/sizes.json, where it keeps those of this one); with
// `-- --dry-run` it only compares. `npm run release:try` tries the files. It publishes nothing: the release workflow does,
// without anything of ours.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import about from "../package.json" with { type: "json" };
import { listMissingWords } from "../web/build/words.ts";
import { stagePackages } from "./build.ts";
import { PACKAGE_NAMES, PACKAGES, PACKED, ROOT, type PackageName } from "./packages.ts";
import { compareSizes, sizesOf } from "./packages/sizes.ts";

interface Tarball {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

const isDry = process.argv.includes("--dry-run");
if (!isDry) checkChangelog();
checkWords();
const staged = mkdtempSync(join(tmpdir(), "hushkit-release-"));
// A dry run leaves what the last release has packed.
const packedIn = isDry ? join(staged, "packed") : fileURLToPath(PACKED);
try {
  await stagePackages(pathToFileURL(`${staged}/`));
  if (!isDry) rmSync(PACKED, { recursive: true, force: true });
  mkdirSync(packedIn, { recursive: true });
  const sizes: (readonly [PackageName, Awaited<ReturnType<typeof sizesOf>>])[] = [];
  for (const name of PACKAGE_NAMES) {
    const packed = pack(join(staged, PACKAGES[name]));
    if (!isDry) show(name, packed);
    const { size: packedBytes, unpackedSize: fileBytes } = packed;
    sizes.push([name, await sizesOf(name, { staged, packedBytes, fileBytes })]);
  }
  for (const line of compareSizes(new Map(sizes), { version: about.version, isKept: !isDry }))
    console.log(line);
} finally {
  rmSync(staged, { recursive: true });
}

function checkChangelog(): void {
  const changelog = readFileSync(new URL("CHANGELOG.md", ROOT), "utf8");
  if (!changelog.includes(`\n## ${about.version},`))
    throw new Error(`CHANGELOG.md has no section "## ${about.version}, DATE"`);
}

function checkWords(): void {
  const missing = listMissingWords();
  if (missing.length > 0) throw new Error(`Words are missing:\n${missing.join("\n")}`);
}

function pack(cwd: string): Tarball {
  const args = ["pack", "--pack-destination", packedIn, "--json", "--loglevel", "error", "--ignore-scripts"];
  const written = execFileSync("npm", args, { cwd, encoding: "utf8" });
  // npm 11 answers a list, npm 12 an object by name; each entry has been like this since npm 7.
  const [entry] = Object.values(JSON.parse(written) as Record<string, Tarball>);
  if (!entry) throw new Error("npm packed nothing");
  return entry;
}

function show(name: PackageName, { filename, files }: Tarball): void {
  const bytes = readFileSync(join(packedIn, filename));
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  console.log(`\n${name}@${about.version}: ${bytes.length} bytes, ${files.length} files`);
  console.log(`sha256 ${sha256} ${filename}`);
  for (const { path, size } of files) console.log(`${String(size).padStart(9)} ${path}`);
}
