import { spawn, type SpawnOptions } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { basicEnvironment } from "../../machine/leftovers.ts";
import { programOf } from "../../process/support/server.ts";
import { nodePath, type Runtime } from "../../support/runtimes.ts";

export const PROGRAM = fileURLToPath(new URL("../../../bin/hushkit.mjs", import.meta.url));
export const NODE: Runtime = { name: "node", command: nodePath(), args: ["--no-warnings"] };

/** Without those that are undefined. */
type Environment = Readonly<Record<string, string | undefined>>;

interface Started {
  readonly folder: string;
  readonly env?: Environment;
  readonly stdin?: string | undefined;
  /** A file that is opened as descriptor 3. */
  readonly fd3?: string;
}

/** Starts the program, on Node from the bundle where the run has made one. */
export function begin(
  runtime: Runtime,
  { args, folder, env = {}, fd3 }: Started & { args: readonly string[] },
) {
  const third = fd3 === undefined ? [] : [openSync(join(folder, fd3), "r")];
  const options: SpawnOptions = {
    cwd: folder,
    env: { ...environmentOf(folder), ...env },
    stdio: ["pipe", "pipe", "pipe", ...third],
  };
  const [command = "", ...own] = programOf(runtime, "cli");
  const child = spawn(command, [...own, ...args], options);
  third.forEach((descriptor) => closeSync(descriptor));
  return child;
}

/** Of a user whose home this folder is; what Node compiled is kept for all of them, where a test run has a place for it. */
export function environmentOf(folder: string): Record<string, string> {
  const { NODE_COMPILE_CACHE, ...basic } = basicEnvironment();
  const own = { HOME: folder, XDG_CONFIG_HOME: folder };
  return { ...basic, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), ...own };
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** Runs it to its end. */
export function hushkit(runtime: Runtime, args: readonly string[], started: Started): Promise<Ended> {
  const child = begin(runtime, { ...started, args });
  child.stdin?.end(started.stdin ?? "");
  return ended(child);
}

/** What a program wrote, and how it ended. */
export function ended(child: ReturnType<typeof spawn>): Promise<Ended> {
  let [out, err] = ["", ""];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => void (out += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => void (err += text));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, out, err }));
  });
}
