// `npm run sbom` writes what is in each package and what is installed with it as CycloneDX: release/dist/NAME.cdx.json.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

/** The parts of CycloneDX that are looked at; npm writes it. */
interface Bom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
}

mkdirSync(new URL("dist/", import.meta.url), { recursive: true });
for (const name of PACKAGE_NAMES) {
  const file = new URL(`dist/${name.replace("@", "").replace("/", "-")}.cdx.json`, import.meta.url);
  writeFileSync(file, `${JSON.stringify(await describe(name), null, 2)}\n`);
  console.log(fileURLToPath(file));
}

/** npm knows what is installed, the bundles what they hold of what is only there to build them. */
async function describe(name: PackageName): Promise<Bom> {
  const where = PACKAGES[name] === "" ? ["--workspaces=false"] : ["--workspace", name];
  const bom = askNpm("--omit=dev", ...where);
  const held = new Set(worksIn(await modulesOf(name)).map((work) => work.name));
  const known = new Set(bom.components.map(nameOf));
  // In production, which the build of the pages sets, npm leaves these out by itself.
  const bundled = askNpm("--include=dev").components.filter(
    (each) => held.has(nameOf(each)) && !known.has(nameOf(each)),
  );
  // npm calls a package of a checkout as its folder is called.
  const component = { ...bom.metadata.component, name, version: about.version };
  const others = bom.components.filter((each) => each["bom-ref"] !== `${name}@${about.version}`);
  return { ...bom, metadata: { ...bom.metadata, component }, components: [...others, ...bundled] };
}

async function modulesOf(name: PackageName): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "hushkit-sbom-"));
  try {
    return await bundleWithPages(name, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function nameOf({ name, version }: Component): string {
  return `${name} ${version}`;
}

function askNpm(...args: string[]): Bom {
  const all = ["sbom", "--package-lock-only", "--sbom-format=cyclonedx", ...args];
  // npm 10 and newer write it so.
  return JSON.parse(
    execFileSync("npm", all, { cwd: fileURLToPath(ROOT), encoding: "utf8", maxBuffer: 2 ** 26 }),
  ) as Bom;
}
