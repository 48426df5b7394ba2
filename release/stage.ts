// Builds the packages in the folder of the argument, with all that is packed.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { stagePackages } from "./build.ts";

await stagePackages(pathToFileURL(`${resolve(process.argv[2] ?? "")}/`));
