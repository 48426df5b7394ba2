// npm runs this before it packs or publishes a package of a checkout: what is packed is built first, or npm ends.
import { existsSync } from "node:fs";
import { PACKAGE_NAMES, ROOT } from "./packages.ts";

const { npm_command, npm_config_dry_run, npm_package_name } = process.env;
const isPublishing = npm_command === "publish" && npm_config_dry_run !== "true";

if (isPublishing)
  refuse(
    "Nothing is published from a clone: the release workflow publishes what it has built, with provenance.",
  );
else if (!existsSync(new URL("node_modules/rolldown", ROOT)))
  refuse("The package cannot be built, because its tools are not installed: run `npm ci` first.");
else {
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
