import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

export interface Runtime {
  readonly name: "node" | "deno" | "bun";
  readonly command: string;
  /** Arguments before the program. */
  readonly args: readonly string[];
}

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The runtimes this machine has; a missing one is told by name. */
export function findRuntimes(): Runtime[] {
  const found: Runtime[] = [{ name: "node", command: nodePath(), args: ["--no-warnings"] }];
  const deno = process.env.DENO ?? onPath("deno");
  const bun = process.env.BUN ?? onPath("bun");
  if (deno) found.push({ name: "deno", command: deno, args: ["run", "-A", "--no-check"] });
  if (bun) found.push({ name: "bun", command: bun, args: [] });
  for (const [name, path] of Object.entries({ deno, bun })) {
    if (!path) console.log(`skipped on ${name}: not on this machine`);
  }
  return found;
}

/** A Node that runs TypeScript: this one, or the one that came with the packages. */
export function nodePath(): string {
  if (!process.versions.bun && !process.versions.deno) return process.execPath;
  const vendored = `${ROOT}node_modules/node-${process.platform}-${process.arch}/bin/node`;
  return existsSync(vendored) ? vendored : "node";
}

/** A Node that is too old for TypeScript, where the machine has one; the clone runs on it with the newer one. */
export function findOldNode(): string | undefined {
  const found = all("node").find((path) =>
    /^v(1\d|20|21)\./.test(execFileSync(path, ["--version"], { encoding: "utf8" })),
  );
  if (!found) console.log("skipped on an old Node: not on this machine");
  return found;
}

/** True when a program is on this machine. */
export function has(program: string): boolean {
  return onPath(program) !== undefined;
}

function onPath(name: string): string | undefined {
  return all(name)[0];
}

/** Every program of this name on the path, the first one first. */
function all(name: string): string[] {
  const { stdout } = spawnSync("which", ["-a", name], { encoding: "utf8" });
  return stdout.split("\n").filter(Boolean);
}
