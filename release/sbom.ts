// `npm run sbom` writes what is in each package and what is installed with it as CycloneDX: release/dist/NAME.cdx.json.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import about from "../package.json" with { type: "json" };
import { bundleWithPages } from "./build.ts";
import { worksIn } from "./notice/works.ts";
import { PACKAGE_NAMES, PACKAGES, ROOT, type PackageName } from "./packages.ts";

interface Component {
  readonly name: string;
  readonly version: string;
  readonly "bom-ref": string;
}

interface Edges {
  readonly ref: string;
  readonly dependsOn: readonly string[];
}

/** The parts of CycloneDX that are looked at; npm writes it. */
interface Bom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly Edges[];
}

// All of the clone: with `--omit=dev`, npm 11 leaves out dependencies that are also peer dependencies of others.
const all = askNpm("--include=dev");
const edges = new Map(all.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));

mkdirSync(new URL("dist/", import.meta.url), { recursive: true });
for (const name of PACKAGE_NAMES) {
  const file = new URL(`dist/${name.replace("@", "").replace("/", "-")}.cdx.json`, import.meta.url);
  writeFileSync(file, `${JSON.stringify(await describe(name), null, 2)}\n`);
  console.log(fileURLToPath(file));
}

/** npm lists what is installed with a package; its bundle also contains libraries that are installed only to build it. */
async function describe(name: PackageName): Promise<Bom> {
  const ref = `${name}@${about.version}`;
  const works = new Set(worksIn(await modulesOf(name)).map((work) => work.name));
  const installed = reachable(dependenciesOf(name, ref));
  const held = all.components.filter((each) => works.has(`${each.name} ${each.version}`));
  const bundled = held.filter((each) => !installed.has(each["bom-ref"]));
  const components = [
    ...all.components.filter((each) => installed.has(each["bom-ref"])),
    // npm lists them as development dependencies.
    ...bundled.map((each) => ({ ...each, scope: "required", properties: [] })),
  ];
  const refs = new Set(components.map((each) => each["bom-ref"]));
  const ownEdges = [...dependenciesOf(name, ref), ...bundled.map((each) => each["bom-ref"])];
  const own = [all.metadata.component, ...all.components].find((each) => each["bom-ref"] === ref);
  return {
    ...all,
    // npm names a package of a checkout after its folder.
    metadata: { ...all.metadata, component: { ...own, name, version: about.version, "bom-ref": ref } },
    components,
    dependencies: [
      { ref, dependsOn: ownEdges },
      // A bundle may lack some dependencies of a library in it.
      ...[...refs].map((each) => ({ ref: each, dependsOn: edgesOf(each).filter((to) => refs.has(to)) })),
    ],
  };
}

/** The dependencies of a package itself, without the development dependencies that npm lists too. */
function dependenciesOf(name: PackageName, ref: string): string[] {
  const manifest = readFileSync(new URL(`${PACKAGES[name]}package.json`, ROOT), "utf8");
  const { dependencies = {} } = JSON.parse(manifest) as { dependencies?: Record<string, string> };
  return edgesOf(ref).filter((each) => Object.hasOwn(dependencies, each.replace(/@[^@]*$/, "")));
}

function reachable(from: readonly string[]): Set<string> {
  const found = new Set(from);
  // Iterating over a set also visits what is added meanwhile.
  for (const ref of found) for (const next of edgesOf(ref)) found.add(next);
  return found;
}

function edgesOf(ref: string): readonly string[] {
  return edges.get(ref) ?? [];
}

async function modulesOf(name: PackageName): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "hushkit-sbom-"));
  try {
    return await bundleWithPages(name, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function askNpm(...args: string[]): Bom {
  const command = ["sbom", "--package-lock-only", "--sbom-format=cyclonedx", ...args];
  // The form of npm 10 and newer.
  return JSON.parse(
    execFileSync("npm", command, { cwd: fileURLToPath(ROOT), encoding: "utf8", maxBuffer: 2 ** 26 }),
  ) as Bom;
}
