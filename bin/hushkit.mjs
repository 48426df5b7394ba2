#!/usr/bin/env node
// The command line, on a runtime that is new enough. Plain JavaScript, because an old Node reads it.
import { existsSync, readFileSync, writeSync } from "node:fs";
import module from "node:module";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

// Node keeps what it compiled: the second start takes half the time. In a folder of the user's own, because Node
// runs what it finds there. The variable is for the newer Node that an older one starts.
const { XDG_CACHE_HOME } = process.env;
const caches = XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(homedir(), ".cache");
process.env.NODE_COMPILE_CACHE ??= join(caches, "hushkit");
if (!process.versions.bun && !process.versions.deno)
  module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE);

if (!isVersionSaid()) {
  // A clone runs its sources, an installed package what was built of them.
  const isClone = existsSync(new URL("../cli/main.ts", import.meta.url));
  process.argv.splice(2, 0, isClone ? "cli/main.ts" : "dist/cli.js");
  await import("./start.mjs");
}

// The version needs nothing of the program and no newer Node. If it cannot be written, the program says why.
function isVersionSaid() {
  const [, , first, ...rest] = process.argv;
  if (rest.length > 0 || (first !== "--version" && first !== "-V")) return false;
  try {
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    return writeSync(1, `${version}\n`) > 0;
  } catch {
    return false;
  }
}
