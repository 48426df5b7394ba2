import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export interface Runtime {
  readonly name: RuntimeName;
  readonly command: string;
  /** Arguments before the program. */
  readonly args: readonly string[];
}

export const RUNTIME_NAMES = ["node", "deno", "bun"] as const;
export type RuntimeName = (typeof RUNTIME_NAMES)[number];

/** What is not there, or cannot be used, and why. */
export interface Lack {
  readonly lacks: string;
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const NOT_FOUND: Lack = { lacks: "not found" };

/** What the project runs on, besides Node. */
const OTHERS = {
  deno: { oldest: [2, 9], args: ["run", "-A", "--no-check"] },
  bun: { oldest: [1, 4], args: [] },
} as const;

/** The runtimes this machine has; a missing one is told by name. */
export function findRuntimes(): Runtime[] {
  return RUNTIME_NAMES.flatMap((name) => {
    const found = findRuntime(name);
    if ("command" in found) return [found];
    console.log(`skipped on ${name}: ${found.lacks}`);
    return [];
  });
}

/** A runtime of this machine; `DENO` and `BUN` name others than those on the path. */
export function findRuntime(name: RuntimeName): Runtime | Lack {
  const command = findRuntimeCommand(name);
  return command ? judgeRuntime(name, command, firstLine(command, "--version")) : NOT_FOUND;
}

/** Where a runtime is, whatever it can do. */
export function findRuntimeCommand(name: RuntimeName): string | undefined {
  return name === "node" ? nodePath() : (process.env[name.toUpperCase()] ?? findProgram(name));
}

/** A runtime by what it prints of its version. */
export function judgeRuntime(name: RuntimeName, command: string, printed: string): Runtime | Lack {
  if (name === "node") return runtimeAt(name, command);
  const { oldest } = OTHERS[name];
  const version = /\d+\.\d+\.\d+/.exec(printed)?.[0];
  if (!version) return { lacks: "does not start" };
  if (isOlder(version, oldest)) return { lacks: `${version} is older than ${oldest.join(".")}` };
  return runtimeAt(name, command);
}

/** How to run a program on a runtime that is there. */
export function runtimeAt(name: RuntimeName, command: string): Runtime {
  return { name, command, args: name === "node" ? ["--no-warnings"] : OTHERS[name].args };
}

const PRELOAD = { node: "--import", deno: "--preload", bun: "--preload" } as const;

/** A runtime that loads a module before its program. */
export function preloading(runtime: Runtime, path: string): Runtime {
  const module = runtime.name === "node" ? pathToFileURL(path).href : path;
  return { ...runtime, args: [...runtime.args, PRELOAD[runtime.name], module] };
}

function isOlder(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split(".").map(Number);
  return ownMajor < major || (ownMajor === major && ownMinor < minor);
}

/** A Node that runs TypeScript: this one, or the one that came with the packages. */
export function nodePath(): string {
  if (!process.versions.bun && !process.versions.deno) return process.execPath;
  const vendored = `${ROOT}node_modules/node-${process.platform}-${process.arch}/bin/node`;
  return existsSync(vendored) ? vendored : "node";
}

/** A Node that is too old for TypeScript, where the machine has one; the clone runs on it with the newer one. */
export function findOldNode(): string | undefined {
  return findPrograms("node").find((path) => /^v(1\d|20|21)\./.test(firstLine(path, "--version")));
}

/** True when a program is on this machine. */
export function has(program: string): boolean {
  return findProgram(program) !== undefined;
}

/** Where a program is. */
export function findProgram(name: string): string | undefined {
  return findPrograms(name)[0];
}

/** Every program of this name on the path, the first one first. */
function findPrograms(name: string): string[] {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).filter(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function firstLine(command: string, ...args: string[]): string {
  const { stdout } = spawnSync(command, args, { encoding: "utf8", timeout: 9_000, killSignal: "SIGKILL" });
  return stdout?.split("\n")[0] ?? "";
}
