// npm runs this before it packs or publishes a package of a checkout: what is packed is built first, or npm ends.
// `prepublishOnly` runs it with the argument "publish", but not where scripts of libraries are left out (.npmrc).
import { existsSync } from "node:fs";
import { PACKAGE_NAMES, ROOT } from "./packages.ts";
import { mayPublish, REFUSAL } from "./publishing.ts";

const { npm_command, npm_config_dry_run, npm_package_name } = process.env;
const isPublishing = npm_command === "publish" && npm_config_dry_run !== "true";

if (isPublishing && !mayPublish()) refuse(REFUSAL);
else if (!existsSync(new URL("node_modules/rolldown", ROOT)))
  refuse("The package cannot be built, because its tools are not installed: run `npm ci` first.");
else if (process.argv[2] !== "publish") {
  const { buildPackages } = await import("./build.ts");
  await buildPackages(
    ROOT,
    PACKAGE_NAMES.filter((name) => name === npm_package_name),
  );
}

function refuse(sentence: string): void {
  console.error(sentence);
  process.exitCode = 1;
}
