// Builds packages in the folder of the first argument, with all that is packed: those that are named, or all.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { stagePackages } from "../build.ts";
import { PACKAGE_NAMES } from "../packages.ts";

const [folder = "", ...names] = process.argv.slice(2);
const asked = PACKAGE_NAMES.filter((name) => names.length === 0 || names.includes(name));
await stagePackages(pathToFileURL(`${resolve(folder)}/`), asked);
